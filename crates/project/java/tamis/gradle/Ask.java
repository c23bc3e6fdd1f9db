package tamis.gradle;

import java.io.File;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.WeakHashMap;
import org.gradle.api.Task;
import org.gradle.api.specs.Spec;
import org.gradle.api.tasks.testing.Test;
import org.gradle.util.GradleVersion;
import tamis.ask.Answer;
import tamis.ask.Line;
import tamis.ask.Question;

/**
 * Asks Tamis before a test task whether there is anything to run. Gradle evaluates this after the tasks on which the
 * task depends, and before it looks at its history and caches. Only a clear "nothing" skips the task.
 */
final class Ask implements Spec<Task> {
    /** The variable with the file of the gate. It is read while the build runs, so it is no input of the configuration. */
    static final String GATE = "TAMIS_GATE";

    /** The time limit for an answer. Tamis may have to read a large class path first. */
    private static final int PATIENCE_MILLIS = 60_000;

    /** A daemon keeps this class loaded from one build to the next. */
    private static final Map<Task, Answer> ANSWERS = Collections.synchronizedMap(new WeakHashMap<Task, Answer>());

    private final String directory;

    Ask(String directory) {
        this.directory = directory;
    }

    @Override
    public boolean isSatisfiedBy(Task task) {
        try {
            String gate = System.getenv(GATE);
            if (gate == null || !(task instanceof Test)) {
                return true;
            }
            Answer answer = new Line(gate).ask(question((Test) task), PATIENCE_MILLIS);
            ANSWERS.put(task, answer);
            if (answer.partial) {
                Discovery.mayBeEmpty((Test) task);
            }
            task.getLogger().info(answer.nothing ? "tamis: nothing to run" : "tamis: to be run");
            return !answer.nothing;
        } catch (Throwable broken) {
            task.getLogger().info("tamis: stood aside: " + broken);
            return true;
        }
    }

    /** The answer about a task that is about to start. */
    static Answer answer(Task task) {
        Answer answer = ANSWERS.remove(task);
        return answer == null ? Answer.NONE : answer;
    }

    private byte[] question(Test task) throws Exception {
        String plugin = "gradle:" + GradleVersion.current().getVersion();
        List<String> classPath = new ArrayList<>();
        for (File entry : task.getClasspath().getFiles()) {
            classPath.add(entry.getPath());
        }
        Question question = new Question(directory, task.getName(), task.getPath(), plugin);
        return question.of(classPath, environment(task), Configuration.of(task));
    }

    /** The variables of the test JVM. */
    static Map<String, String> environment(Test task) {
        Map<String, String> environment = new HashMap<>();
        for (Map.Entry<String, Object> variable : task.getEnvironment().entrySet()) {
            if (!variable.getKey().equals(GATE)) {
                environment.put(variable.getKey(), String.valueOf(variable.getValue()));
            }
        }
        return environment;
    }
}
