package tamis.runner;

import java.util.List;
import java.util.Optional;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.engine.TestSource;
import org.junit.platform.engine.discovery.DiscoverySelectors;
import org.junit.platform.engine.support.descriptor.ClassSource;
import org.junit.platform.engine.support.descriptor.MethodSource;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.TestPlan;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;

/** The JUnit Platform. */
final class OnPlatform implements TestExecutionListener {
    private final Results results;
    private volatile TestPlan plan;

    private OnPlatform(Results results) {
        this.results = results;
    }

    static void run(List<String> names, Results results) {
        LauncherDiscoveryRequestBuilder request = LauncherDiscoveryRequestBuilder.request();
        for (String name : names) {
            request.selectors(DiscoverySelectors.selectClass(name));
        }
        LauncherFactory.create().execute(request.build(), new OnPlatform(results));
    }

    /** The name of the class or method that a test comes from. */
    private String name(TestIdentifier test) {
        for (Optional<TestIdentifier> at = Optional.of(test); at.isPresent(); at = plan.getParent(at.get())) {
            TestSource source = at.get().getSource().orElse(null);
            if (source instanceof MethodSource) {
                return ((MethodSource) source).getClassName() + "#" + ((MethodSource) source).getMethodName();
            }
            if (source instanceof ClassSource) {
                return ((ClassSource) source).getClassName();
            }
        }
        return test.getDisplayName();
    }

    @Override
    public void testPlanExecutionStarted(TestPlan started) {
        plan = started;
    }

    @Override
    public void executionStarted(TestIdentifier test) {
        if (test.isTest()) {
            results.start(name(test));
        }
    }

    @Override
    public void executionSkipped(TestIdentifier test, String reason) {
        results.end(name(test), "ignored");
    }

    @Override
    public void executionFinished(TestIdentifier test, TestExecutionResult result) {
        boolean passed = result.getStatus() == TestExecutionResult.Status.SUCCESSFUL;
        boolean failed = result.getStatus() == TestExecutionResult.Status.FAILED;
        if (test.isTest() || !passed) {
            results.end(name(test), passed ? "passed" : failed ? "failed" : "aborted");
        }
    }
}
