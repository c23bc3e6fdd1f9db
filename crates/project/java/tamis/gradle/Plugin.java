package tamis.gradle;

import org.gradle.api.IsolatedAction;
import org.gradle.api.Project;
import org.gradle.api.invocation.Gradle;
import org.gradle.util.GradleVersion;

/**
 * Reaches every project of a build, and of the builds that it includes. Tamis applies it in a script that it names with
 * `-I`. In a Gradle that is too old it does nothing, so the tests run as if Tamis did not exist.
 */
public final class Plugin implements org.gradle.api.Plugin<Gradle> {
    private static final GradleVersion OLDEST = GradleVersion.version("6.8");

    /** With isolated projects, only an action that is isolated itself may reach all of them. */
    private static final GradleVersion ISOLATED = GradleVersion.version("8.8");

    @Override
    public void apply(Gradle gradle) {
        GradleVersion version = GradleVersion.current().getBaseVersion();
        if (version.compareTo(ISOLATED) >= 0) {
            Isolated.reach(gradle);
        } else if (version.compareTo(OLDEST) >= 0) {
            gradle.allprojects(TestTasks::find);
        }
    }

    /** Loaded only where its interface exists. */
    private static final class Isolated implements IsolatedAction<Project> {
        private static final long serialVersionUID = 1;

        static void reach(Gradle gradle) {
            gradle.getLifecycle().beforeProject(new Isolated());
        }

        @Override
        public void execute(Project project) {
            TestTasks.find(project);
        }
    }
}
