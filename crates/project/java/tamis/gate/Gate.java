package tamis.gate;

import java.util.List;
import javax.inject.Named;
import javax.inject.Singleton;
import org.apache.maven.execution.MavenSession;
import org.apache.maven.execution.MojoExecutionEvent;
import org.apache.maven.execution.MojoExecutionListener;
import org.apache.maven.plugin.Mojo;
import org.apache.maven.plugin.MojoExecution;

/**
 * Asks Tamis before every execution of Surefire and Failsafe whether there is anything to run.
 *
 * <p>Only a clear "nothing" skips the execution. In all other cases Maven continues as if this class did not exist: it
 * throws nothing, and prints only one line at debug level.
 */
@Named
@Singleton
public final class Gate implements MojoExecutionListener {
    private final Summaries summaries = new Summaries();

    @Override
    public void beforeMojoExecution(MojoExecutionEvent event) {
        try {
            Mojo mojo = event.getMojo();
            String gate = Start.gate(event.getSession());
            if (gate == null) {
                return;
            }
            if (Summaries.areJudgedBy(mojo)) {
                summaries.before(mojo);
            } else if (Tests.runs(mojo) && !Tests.areSkipped(mojo) && !Early.asked(event.getExecution())) {
                boolean skip = hasNothing(gate, event);
                if (skip) {
                    Tests.skip(mojo);
                }
                summaries.after(mojo, skip);
                mojo.getLog().debug(skip ? "tamis: nothing to run" : "tamis: to be run");
            }
        } catch (Throwable broken) {
            standAside(event, broken);
        }
    }

    private boolean hasNothing(String gate, MojoExecutionEvent event) throws Exception {
        MavenSession session = event.getSession();
        MojoExecution execution = event.getExecution();
        Parameters parameters = new Parameters(session, execution);
        Jvm jvm = Jvm.of(parameters, Tests.toolchain(event.getMojo()));
        String configuration = Configuration.of(session, execution, parameters, jvm);
        List<String> path = Tests.classPath(event.getMojo(), event.getProject());
        return Execution.hasNothing(gate, session, execution, path, configuration);
    }

    private void standAside(MojoExecutionEvent event, Throwable broken) {
        try {
            summaries.after(event.getMojo(), false);
            event.getMojo().getLog().debug("tamis: stood aside: " + broken);
        } catch (Throwable ignored) {
            return; // Nothing was changed, and there is nowhere to report it.
        }
    }

    @Override
    public void afterMojoExecutionSuccess(MojoExecutionEvent event) {}

    @Override
    public void afterExecutionFailure(MojoExecutionEvent event) {}
}
