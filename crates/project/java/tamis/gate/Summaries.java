package tamis.gate;

import java.io.File;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Failsafe runs tests in one goal, which writes a summary, and checks the summary in another, `verify`. A skipped
 * execution writes no summary. `verify` would then fail, or check the summary of an earlier build, whose failure may be
 * fixed by now.
 */
final class Summaries {
    private static final String JUDGE = "org.apache.maven.plugin.failsafe.VerifyMojo";

    private final Set<File> written = Collections.synchronizedSet(new HashSet<File>());
    private final Set<File> leftOut = Collections.synchronizedSet(new HashSet<File>());

    static boolean areJudgedBy(Object mojo) {
        return Fields.extendsClass(mojo, JUDGE);
    }

    /** Remembers an execution that ran tests or was skipped. */
    void after(Object mojo, boolean skipped) {
        Object summary = Fields.value(mojo, "summaryFile");
        if (summary instanceof File) {
            (skipped ? leftOut : written).add((File) summary);
        }
    }

    /** Makes `verify` check only the summaries of executions that ran, and nothing if all were skipped. */
    void before(Object judge) throws Exception {
        List<File> all = judged(judge);
        List<File> rest = new ArrayList<>();
        for (File summary : all) {
            if (written.contains(summary) || !leftOut.contains(summary)) {
                rest.add(summary);
            }
        }
        if (rest.size() == all.size()) {
            return;
        }
        if (rest.isEmpty()) {
            Tests.skip(judge);
        } else {
            Fields.set(judge, "summaryFile", rest.remove(0));
            Fields.set(judge, "summaryFiles", rest.toArray(new File[0]));
        }
    }

    private static List<File> judged(Object judge) {
        List<File> judged = new ArrayList<>();
        Object more = Fields.value(judge, "summaryFiles");
        if (more instanceof File[]) {
            Collections.addAll(judged, (File[]) more);
        }
        Object one = Fields.value(judge, "summaryFile");
        if (one instanceof File) {
            judged.add((File) one);
        }
        return judged;
    }
}
