package tamis.gradle;

import java.util.Map;
import org.gradle.api.Action;
import org.gradle.api.Task;
import org.gradle.api.tasks.testing.Test;
import tamis.ask.Answer;

/** Gives the agent to the JVMs of a test task. It does so after Gradle has looked at the inputs, so it is none of them. */
final class Start implements Action<Task> {
    @Override
    public void execute(Task task) {
        try {
            Answer answer = Ask.answer(task);
            Test test = (Test) task;
            Map<String, Object> environment = test.getEnvironment();
            if (environment.containsKey(Ask.GATE)) {
                environment.remove(Ask.GATE);
                test.setEnvironment(environment);
            }
            if (!answer.jvmArgument.isEmpty()) {
                test.jvmArgs(answer.jvmArgument);
            }
        } catch (Throwable broken) {
            task.getLogger().info("tamis: stood aside: " + broken);
        }
    }
}
