package tamis.runner;

import java.util.List;
import org.junit.runner.Description;
import org.junit.runner.JUnitCore;
import org.junit.runner.notification.Failure;
import org.junit.runner.notification.RunListener;

/** JUnit 4, and tests of JUnit 3 that it runs. */
final class OnJUnit4 extends RunListener {
    private final Results results;
    private String outcome = "passed";

    private OnJUnit4(Results results) {
        this.results = results;
    }

    static void run(List<Class<?>> classes, Results results) {
        JUnitCore core = new JUnitCore();
        core.addListener(new OnJUnit4(results));
        core.run(classes.toArray(new Class<?>[0]));
    }

    private static String name(Description test) {
        String method = test.getMethodName();
        if (method == null) {
            return test.getClassName();
        }
        int variant = method.indexOf('[');
        return test.getClassName() + "#" + (variant < 0 ? method : method.substring(0, variant));
    }

    @Override
    public void testStarted(Description test) {
        outcome = "passed";
        results.start(name(test));
    }

    @Override
    public void testFailure(Failure failure) {
        outcome = "failed";
        // A failure of the class itself is followed by no other event.
        if (failure.getDescription().getMethodName() == null) {
            results.end(name(failure.getDescription()), outcome);
        }
    }

    @Override
    public void testAssumptionFailure(Failure failure) {
        outcome = "aborted";
    }

    @Override
    public void testIgnored(Description test) {
        results.end(name(test), "ignored");
    }

    @Override
    public void testFinished(Description test) {
        results.end(name(test), outcome);
    }
}
