package tamis.gate;

import java.io.File;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.WeakHashMap;
import javax.inject.Inject;
import javax.inject.Named;
import javax.inject.Provider;
import javax.inject.Singleton;
import org.apache.maven.artifact.Artifact;
import org.apache.maven.eventspy.AbstractEventSpy;
import org.apache.maven.execution.ExecutionEvent;
import org.apache.maven.execution.MavenSession;
import org.apache.maven.plugin.MojoExecution;
import org.apache.maven.toolchain.ToolchainManager;

/**
 * Asks before Surefire is loaded, which takes Maven a quarter of a second in every build, and replaces the goal by
 * {@link Nothing} if there is nothing to run. Handles only executions with the class path of the project. {@link Gate}
 * asks about the others, when their goal is loaded and can be queried.
 */
@Named
@Singleton
public final class Early extends AbstractEventSpy {
    private static final String PLUGIN = "org.apache.maven.plugins:maven-surefire-plugin";

    /** Parameters that change the class path, or select another JVM than the project's. */
    private static final String[] OWN = {
        "classpathDependencyExcludes",
        "classpathDependencyScopeExclude",
        "additionalClasspathElements",
        "additionalClasspathDependencies",
        "jdkToolchain",
    };

    private static final String[] SKIPPING = {"skip", "skipTests", "skipExec"};

    private static final Set<MojoExecution> ASKED =
            Collections.synchronizedSet(Collections.newSetFromMap(new WeakHashMap<MojoExecution, Boolean>()));

    private final Provider<ToolchainManager> toolchains;

    @Inject
    Early(Provider<ToolchainManager> toolchains) {
        this.toolchains = toolchains;
    }

    @Override
    public void onEvent(Object event) {
        if (event instanceof ExecutionEvent && ((ExecutionEvent) event).getType() == ExecutionEvent.Type.MojoStarted) {
            try {
                before(((ExecutionEvent) event).getSession(), ((ExecutionEvent) event).getMojoExecution());
            } catch (Throwable ignored) {
                return; // Gate asks later, or the tests run.
            }
        }
    }

    /** Whether this execution already has an answer. */
    static boolean asked(MojoExecution execution) {
        return ASKED.contains(execution);
    }

    private void before(MavenSession session, MojoExecution execution) throws Exception {
        String gate = Start.gate(session);
        String plugin = execution.getGroupId() + ":" + execution.getArtifactId();
        if (gate == null || !plugin.equals(PLUGIN) || !execution.getGoal().equals("test")) {
            return;
        }
        Parameters parameters = new Parameters(session, execution);
        for (String name : SKIPPING) {
            if (parameters.is(name)) {
                return;
            }
        }
        for (String name : OWN) {
            if (!parameters.isEmpty(name)) {
                return;
            }
        }
        Jvm jvm = Jvm.of(parameters, Jvm.toolchain(toolchains.get(), session));
        String configuration = Configuration.of(session, execution, parameters, jvm);
        List<String> path = classPath(session, parameters);
        boolean nothing = Execution.hasNothing(gate, session, execution, path, configuration);
        ASKED.add(execution);
        if (nothing) {
            Nothing.insteadOf(execution);
        }
    }

    private static List<String> classPath(MavenSession session, Parameters parameters) {
        Map<String, Object> all = parameters.all();
        List<String> path = new ArrayList<>();
        path.add(((File) all.get("testClassesDirectory")).getAbsolutePath());
        path.add(((File) all.get("classesDirectory")).getAbsolutePath());
        for (Artifact artifact : session.getCurrentProject().getArtifacts()) {
            if (artifact.getArtifactHandler().isAddedToClasspath()) {
                path.add(artifact.getFile().getAbsolutePath());
            }
        }
        return path;
    }
}
