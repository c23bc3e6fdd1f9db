package tamis.ask;

import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The request about one execution: a version, then texts. A number has four bytes, the highest first; a text is its
 * length in bytes and UTF-8; a list is its length and its texts. `crates/project/src/build/gate/question.rs` reads it.
 */
public final class Question {
    private static final int VERSION = 1;

    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    private final DataOutputStream body = new DataOutputStream(bytes);

    /** The directory of the module, what runs in it, the name of this execution, and the plugin that runs the tests. */
    public Question(String directory, String goal, String execution, String plugin) throws IOException {
        body.writeInt(VERSION);
        for (String part : new String[] {directory, goal, execution, plugin}) {
            text(part);
        }
    }

    /** The whole question. */
    public byte[] of(List<String> classPath, Map<String, String> environment, String configuration)
            throws IOException {
        body.writeInt(classPath.size());
        for (String element : classPath) {
            text(element);
        }
        body.writeInt(environment.size());
        for (Map.Entry<String, String> variable : new TreeMap<>(environment).entrySet()) {
            text(variable.getKey());
            text(variable.getValue());
        }
        text(configuration);

        ByteArrayOutputStream question = new ByteArrayOutputStream();
        new DataOutputStream(question).writeInt(bytes.size());
        bytes.writeTo(question);
        return question.toByteArray();
    }

    private void text(String text) throws IOException {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        body.writeInt(bytes.length);
        body.write(bytes);
    }
}
