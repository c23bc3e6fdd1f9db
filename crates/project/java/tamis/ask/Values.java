package tamis.ask;

import java.io.File;
import java.math.BigInteger;
import java.net.URI;
import java.nio.charset.Charset;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.Collection;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;

/** Writes values as text: two texts are equal exactly if the values are. A build tool adds types of its own. */
public class Values {
    private static final int FILE = 1 << 20;

    /** Writes a value. One of an unknown type is a random word, so it equals nothing. */
    public final void append(StringBuilder text, Object value) {
        if (value == null || value instanceof Number || value instanceof Boolean || value instanceof Character) {
            text.append(value);
        } else if (isText(value)) {
            quoted(text, value.toString());
        } else if (value instanceof File) {
            file(text, (File) value);
        } else if (known(value) != null) {
            quoted(text, known(value));
        } else if (value instanceof Object[]) {
            items(text, Arrays.asList((Object[]) value));
        } else if (value instanceof Set) {
            items(text, sorted((Set<?>) value));
        } else if (value instanceof Collection) {
            items(text, (Collection<?>) value);
        } else if (value instanceof Map) {
            items(text, sorted(((Map<?, ?>) value).entrySet()));
        } else if (value instanceof Map.Entry) {
            append(text, ((Map.Entry<?, ?>) value).getKey());
            text.append('=');
            append(text, ((Map.Entry<?, ?>) value).getValue());
        } else if (value instanceof Written) {
            text.append(value);
        } else {
            unknown(text);
        }
    }

    private static boolean isText(Object value) {
        return value instanceof CharSequence
                || value instanceof Enum
                || value instanceof Path
                || value instanceof URI
                || value instanceof Locale
                || value instanceof Charset;
    }

    /** The text of a value of a type that the build tool has; null for other types. */
    protected String known(Object value) {
        return null;
    }

    private static void unknown(StringBuilder text) {
        text.append("unknown:").append(UUID.randomUUID());
    }

    private void items(StringBuilder text, Collection<?> items) {
        text.append('[');
        for (Object item : items) {
            append(text, item);
            text.append(',');
        }
        text.append(']');
    }

    /** Items without an order, sorted by their texts. */
    private Collection<Written> sorted(Set<?> items) {
        Set<Written> sorted = new TreeSet<>();
        for (Object item : items) {
            StringBuilder text = new StringBuilder();
            append(text, item);
            sorted.add(new Written(text.toString()));
        }
        return sorted;
    }

    /** A value already written as text. */
    private static final class Written implements Comparable<Written> {
        private final String text;

        private Written(String text) {
            this.text = text;
        }

        @Override
        public int compareTo(Written other) {
            return text.compareTo(other.text);
        }

        @Override
        public String toString() {
            return text;
        }
    }

    /** The path and the content: files of properties or of test names matter as much as the configuration. */
    private static void file(StringBuilder text, File file) {
        quoted(text, file.getPath());
        if (file.isFile()) {
            try {
                byte[] content = file.length() > FILE ? null : Files.readAllBytes(file.toPath());
                if (content == null) {
                    text.append(':').append(file.length()).append(':').append(file.lastModified());
                } else {
                    byte[] digest = MessageDigest.getInstance("SHA-256").digest(content);
                    text.append(':').append(new BigInteger(1, digest).toString(16));
                }
            } catch (Exception unreadable) {
                unknown(text);
            }
        }
    }

    private static void quoted(StringBuilder text, String value) {
        text.append('"');
        for (int i = 0; i < value.length(); i++) {
            char c = value.charAt(i);
            if (c == '"' || c == '\\') {
                text.append('\\').append(c);
            } else if (c == '\n') {
                text.append("\\n");
            } else if (c == '\r') {
                text.append("\\r");
            } else {
                text.append(c);
            }
        }
        text.append('"');
    }
}
