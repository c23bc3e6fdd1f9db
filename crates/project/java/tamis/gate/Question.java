package tamis.gate;

import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.maven.execution.MavenSession;
import org.apache.maven.plugin.MojoExecution;

/**
 * The request about one execution: a version, then texts. A number has four bytes, the highest first; a text is its
 * length in bytes and UTF-8; a list is its length and its texts. `crates/project/src/gate/question.rs` reads it.
 */
final class Question {
    private static final int VERSION = 1;

    private Question() {}

    static byte[] of(MavenSession session, MojoExecution execution, List<String> classPath, String configuration)
            throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        DataOutputStream body = new DataOutputStream(bytes);
        body.writeInt(VERSION);
        text(body, session.getCurrentProject().getBasedir().getAbsolutePath());
        text(body, execution.getGoal());
        text(body, execution.getExecutionId());
        text(body, execution.getGroupId() + ":" + execution.getArtifactId() + ":" + execution.getVersion());
        body.writeInt(classPath.size());
        for (String element : classPath) {
            text(body, element);
        }
        Map<String, String> environment = new TreeMap<>(System.getenv());
        body.writeInt(environment.size());
        for (Map.Entry<String, String> variable : environment.entrySet()) {
            text(body, variable.getKey());
            text(body, variable.getValue());
        }
        text(body, configuration);

        ByteArrayOutputStream question = new ByteArrayOutputStream();
        new DataOutputStream(question).writeInt(bytes.size());
        bytes.writeTo(question);
        return question.toByteArray();
    }

    private static void text(DataOutputStream out, String text) throws IOException {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        out.writeInt(bytes.length);
        out.write(bytes);
    }
}
