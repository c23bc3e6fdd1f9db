package tamis.gradle;

import org.gradle.api.Action;
import org.gradle.api.Project;
import org.gradle.api.Task;
import org.gradle.api.specs.Spec;
import org.gradle.api.tasks.testing.Test;

/**
 * Lets the test tasks of a project ask Tamis. Their results are kept out of Gradle's history and caches: a later build
 * without Tamis must not take some of the tests for all of them.
 *
 * <p>Gradle stores these objects in its configuration cache, and identifies actions by their class. So each is of a named
 * class, and none of them holds anything that differs between runs.
 */
final class TestTasks implements Action<Test> {
    /** A task that does nothing. Tamis excludes it, which gives the build an entry of its own in the configuration cache. */
    private static final String MARK = "tamis";

    private static final String KEPT_OUT = "Tamis may leave out tests";

    private final String directory;

    private TestTasks(String directory) {
        this.directory = directory;
    }

    static void find(Project project) {
        if (project.getPath().equals(":") && project.getGradle().getParent() == null) {
            mark(project);
        }
        project.getTasks().withType(Test.class).configureEach(new TestTasks(project.getProjectDir().getPath()));
    }

    private static void mark(Project project) {
        if (!project.getTasks().getNames().contains(MARK)) {
            project.getTasks().register(MARK);
        }
    }

    @Override
    public void execute(Test task) {
        task.getInputs().property(MARK, "1");
        task.getOutputs().upToDateWhen(new Never());
        task.getOutputs().doNotCacheIf(KEPT_OUT, new Always());
        task.onlyIf(new Ask(directory));
        task.doFirst(new Start());
    }

    private static final class Never implements Spec<Task> {
        @Override
        public boolean isSatisfiedBy(Task task) {
            return false;
        }
    }

    private static final class Always implements Spec<Task> {
        @Override
        public boolean isSatisfiedBy(Task task) {
            return true;
        }
    }
}
