package tamis.gate;

import java.io.File;
import java.lang.reflect.Array;
import java.lang.reflect.Field;
import java.math.BigInteger;
import java.net.URI;
import java.nio.charset.Charset;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashSet;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.UUID;
import org.apache.maven.artifact.Artifact;
import org.apache.maven.artifact.repository.ArtifactRepository;
import org.apache.maven.execution.MavenSession;
import org.apache.maven.plugin.MojoExecution;
import org.apache.maven.plugin.descriptor.PluginDescriptor;
import org.apache.maven.project.MavenProject;

/** Writes a value so that equal values, and only those, have equal text. */
final class Values {
    /**
     * Parameters that say how Maven works, not what the tests see; and the dependencies, of which the class path says
     * more: another version of a library is not another configuration.
     */
    static final Set<String> IGNORED = new HashSet<>(
            Arrays.asList("parallelMavenExecution", "summaryFile", "pluginArtifactMap", "projectArtifactMap"));

    private static final int DEPTH = 8;
    private static final int FILE = 1 << 20;
    private static final int LONGEST = 1 << 20;

    private Values() {}

    static void append(StringBuilder text, Object value, int depth) {
        if (value == null || value instanceof Number || value instanceof Boolean || value instanceof Character) {
            text.append(value);
        } else if (isText(value)) {
            quoted(text, value.toString());
        } else if (value instanceof File) {
            file(text, (File) value);
        } else if (value instanceof Artifact) {
            quoted(text, ((Artifact) value).getId());
        } else if (isMavens(value)) {
            text.append("maven's");
        } else if (value instanceof Throwable || depth > DEPTH) {
            text.append("unknown:").append(UUID.randomUUID());
        } else if (value.getClass().isArray()) {
            Object[] items = new Object[Array.getLength(value)];
            for (int i = 0; i < items.length; i++) {
                items[i] = Array.get(value, i);
            }
            items(text, Arrays.asList(items), depth);
        } else if (value instanceof Set) {
            items(text, sorted((Set<?>) value, depth), depth);
        } else if (value instanceof Collection) {
            items(text, (Collection<?>) value, depth);
        } else if (value instanceof Map) {
            map(text, (Map<?, ?>) value, depth);
        } else {
            fields(text, value, depth);
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

    /** What is there for Maven's own work. */
    private static boolean isMavens(Object value) {
        return value instanceof MavenSession
                || value instanceof MavenProject
                || value instanceof MojoExecution
                || value instanceof PluginDescriptor
                || value instanceof ArtifactRepository
                || value.getClass().getName().startsWith("org.eclipse.aether.");
    }

    private static void items(StringBuilder text, Collection<?> items, int depth) {
        text.append('[');
        for (Object item : items) {
            append(text, item, depth + 1);
            text.append(',');
        }
        text.append(']');
    }

    /** In a list that has the order of their texts, since a set has none. */
    private static Collection<?> sorted(Set<?> items, int depth) {
        Map<String, Object> sorted = new TreeMap<>();
        for (Object item : items) {
            StringBuilder text = new StringBuilder();
            append(text, item, depth + 1);
            sorted.put(text.toString(), item);
        }
        return sorted.values();
    }

    private static void map(StringBuilder text, Map<?, ?> map, int depth) {
        Set<String> entries = new TreeSet<>();
        for (Map.Entry<?, ?> entry : map.entrySet()) {
            StringBuilder line = new StringBuilder();
            append(line, entry.getKey(), depth + 1);
            line.append('=');
            append(line, entry.getValue(), depth + 1);
            entries.add(line.toString());
        }
        text.append('{');
        for (String entry : entries) {
            text.append(entry).append(',');
        }
        text.append('}');
    }

    /**
     * A small object of a plugin's own, as the configuration fills it: its class and its fields. One that leads from
     * object to object without an end is not known.
     */
    private static void fields(StringBuilder text, Object value, int depth) {
        Class<?> type = value.getClass();
        if (type.getName().matches("(java|javax|jdk|sun|com\\.sun)\\..*") || text.length() > LONGEST) {
            text.append("unknown:").append(UUID.randomUUID());
            return;
        }
        text.append(type.getName()).append('(');
        for (Field field : Fields.all(type)) {
            text.append(field.getName()).append('=');
            append(text, Fields.value(value, field), depth + 1);
            text.append(',');
        }
        text.append(')');
    }

    /** The path, and what is in it: a file of properties or of names of tests decides as much as the configuration. */
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
                text.append("unknown:").append(UUID.randomUUID());
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
