package tamis.gate;

import java.io.File;
import java.util.Collections;
import java.util.HashSet;
import java.util.Set;
import javax.inject.Named;
import javax.inject.Singleton;
import org.apache.maven.execution.MojoExecutionEvent;
import org.apache.maven.execution.MojoExecutionListener;
import org.apache.maven.plugin.Mojo;

/**
 * Stands before every execution of Surefire and Failsafe and asks Tamis whether there is anything to run.
 *
 * <p>Only a clear "nothing" leaves the execution out. Whatever else happens, Maven goes on as if this class were not
 * there: it throws nothing and prints nothing but one line at debug level.
 */
@Named
@Singleton
public final class Gate implements MojoExecutionListener {
    /** The summaries that an execution of this build has written, or may have. */
    private final Set<File> written = Collections.synchronizedSet(new HashSet<File>());

    @Override
    public void beforeMojoExecution(MojoExecutionEvent event) {
        try {
            Mojo mojo = event.getMojo();
            String gate = Start.gate(event.getSession());
            if (gate != null && Tests.runs(mojo) && !Tests.areSkipped(mojo)) {
                boolean skip = Tests.canBeSkipped(mojo) && new Line(gate).ask(Question.of(event));
                if (skip) {
                    Tests.skip(mojo);
                }
                summary(mojo, skip);
                mojo.getLog().debug(skip ? "tamis: nothing to run" : "tamis: to be run");
            }
        } catch (Throwable broken) {
            try {
                event.getMojo().getLog().debug("tamis: stood aside: " + broken);
            } catch (Throwable ignored) {
                return;
            }
        }
    }

    /**
     * Failsafe's `verify` judges the summary file. An execution that is left out writes none, so that of an earlier
     * build would be judged again, and a failure that is long mended would fail this build.
     */
    private void summary(Mojo mojo, boolean skipped) {
        Object summary = Fields.value(mojo, "summaryFile");
        if (summary instanceof File && !skipped) {
            written.add((File) summary);
        } else if (summary instanceof File && !written.contains(summary)) {
            ((File) summary).delete();
        }
    }

    @Override
    public void afterMojoExecutionSuccess(MojoExecutionEvent event) {}

    @Override
    public void afterExecutionFailure(MojoExecutionEvent event) {}
}
