package tamis.gate;

import java.util.List;
import org.apache.maven.execution.MavenSession;
import org.apache.maven.plugin.MojoExecution;
import tamis.ask.Line;
import tamis.ask.Question;

/** Asks about one execution of a goal. */
final class Execution {
    /** The time limit for an answer. */
    private static final int PATIENCE_MILLIS = 10_000;

    private Execution() {}

    /** Whether there is nothing to run. */
    static boolean hasNothing(
            String gate, MavenSession session, MojoExecution execution, List<String> classPath, String configuration)
            throws Exception {
        String directory = session.getCurrentProject().getBasedir().getAbsolutePath();
        String plugin = execution.getGroupId() + ":" + execution.getArtifactId() + ":" + execution.getVersion();
        Question question = new Question(directory, execution.getGoal(), execution.getExecutionId(), plugin);
        byte[] asked = question.of(classPath, System.getenv(), configuration);
        return new Line(gate).ask(asked, PATIENCE_MILLIS).nothing;
    }
}
