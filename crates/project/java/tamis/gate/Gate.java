package tamis.gate;

import javax.inject.Named;
import javax.inject.Singleton;
import org.apache.maven.execution.MavenSession;
import org.apache.maven.execution.MojoExecutionEvent;
import org.apache.maven.execution.MojoExecutionListener;
import org.apache.maven.plugin.Mojo;
import org.apache.maven.plugin.MojoExecution;

/**
 * Stands before every execution of Surefire and Failsafe and asks Tamis whether there is anything to run.
 *
 * <p>Only a clear "nothing" leaves the execution out. Whatever else happens, Maven goes on as if this class were not
 * there: it throws nothing and prints nothing but one line at debug level.
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
                boolean skip = new Line(gate).ask(question(event));
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

    private byte[] question(MojoExecutionEvent event) throws Exception {
        MavenSession session = event.getSession();
        MojoExecution execution = event.getExecution();
        Parameters parameters = new Parameters(session, execution);
        Jvm jvm = Jvm.of(parameters, Tests.toolchain(event.getMojo()));
        String configuration = Configuration.of(session, execution, parameters, jvm);
        return Question.of(session, execution, Tests.classPath(event.getMojo(), event.getProject()), configuration);
    }

    private void standAside(MojoExecutionEvent event, Throwable broken) {
        try {
            summaries.after(event.getMojo(), false);
            event.getMojo().getLog().debug("tamis: stood aside: " + broken);
        } catch (Throwable ignored) {
            return; // Nothing was done, and there is nobody to be told.
        }
    }

    @Override
    public void afterMojoExecutionSuccess(MojoExecutionEvent event) {}

    @Override
    public void afterExecutionFailure(MojoExecutionEvent event) {}
}
