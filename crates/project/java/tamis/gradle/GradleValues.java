package tamis.gradle;

import java.io.ByteArrayOutputStream;
import java.io.File;
import java.io.ObjectOutputStream;
import java.io.Serializable;
import java.math.BigInteger;
import java.security.MessageDigest;
import java.util.Collection;
import java.util.Map;
import java.util.TreeSet;
import org.gradle.api.file.FileCollection;
import org.gradle.api.file.FileSystemLocation;
import org.gradle.api.provider.Provider;
import tamis.ask.Values;

/** Values of a task's properties. */
final class GradleValues extends Values {
    @Override
    protected String known(Object value) {
        if (value instanceof Provider) {
            return "provider:" + written(((Provider<?>) value).getOrNull());
        }
        if (value instanceof FileSystemLocation) {
            return ((FileSystemLocation) value).getAsFile().getPath();
        }
        if (value instanceof FileCollection) {
            return new TreeSet<File>(((FileCollection) value).getFiles()).toString();
        }
        if (value instanceof Class) {
            return ((Class<?>) value).getName();
        }
        boolean isPlain = value instanceof Collection || value instanceof Map || value instanceof Map.Entry;
        return value instanceof Serializable && !isPlain && !value.getClass().isArray() ? serialised(value) : null;
    }

    private String written(Object value) {
        StringBuilder text = new StringBuilder();
        append(text, value);
        return text.toString();
    }

    /** Gradle itself tells such values apart by their bytes. */
    private static String serialised(Object value) {
        try {
            ByteArrayOutputStream bytes = new ByteArrayOutputStream();
            try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
                out.writeObject(value);
            }
            byte[] digest = MessageDigest.getInstance("SHA-256").digest(bytes.toByteArray());
            return value.getClass().getName() + ":" + new BigInteger(1, digest).toString(16);
        } catch (Exception unwritable) {
            return null;
        }
    }
}
