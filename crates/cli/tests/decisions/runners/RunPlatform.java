package org.apache.maven.surefire.decisions; // So that tamis takes it for a build's runner.

import java.util.*;
import org.junit.platform.engine.*;
import org.junit.platform.engine.discovery.DiscoverySelectors;
import org.junit.platform.engine.support.descriptor.*;
import org.junit.platform.launcher.*;
import org.junit.platform.launcher.core.*;

/** Runs classes on the JUnit Platform and prints the events of its listeners: `@@ start NAME`, `@@ end NAME OUTCOME`. */
public class RunPlatform {
    public static void main(String[] names) {
        LauncherDiscoveryRequestBuilder request = LauncherDiscoveryRequestBuilder.request();
        for (String name : names) request.selectors(DiscoverySelectors.selectClass(name));
        Listener listener = new Listener();
        LauncherFactory.create().execute(request.build(), listener);
        System.exit(listener.failed ? 1 : 0);
    }

    static class Listener implements TestExecutionListener {
        private TestPlan plan;
        volatile boolean failed;

        /** The name of the class or method that a test comes from. */
        private String name(TestIdentifier test) {
            for (Optional<TestIdentifier> at = Optional.of(test); at.isPresent(); at = plan.getParent(at.get())) {
                TestSource source = at.get().getSource().orElse(null);
                if (source instanceof MethodSource)
                    return ((MethodSource) source).getClassName() + "#" + ((MethodSource) source).getMethodName();
                if (source instanceof ClassSource) return ((ClassSource) source).getClassName();
            }
            return test.getDisplayName();
        }

        @Override public void testPlanExecutionStarted(TestPlan plan) { this.plan = plan; }

        @Override public void executionStarted(TestIdentifier test) {
            if (test.isTest()) System.out.println("@@ start " + name(test));
        }

        @Override public void executionSkipped(TestIdentifier test, String reason) {
            System.out.println("@@ end " + name(test) + " ignored");
        }

        @Override public void executionFinished(TestIdentifier test, TestExecutionResult result) {
            String outcome = result.getStatus() == TestExecutionResult.Status.SUCCESSFUL ? "passed"
                : result.getStatus() == TestExecutionResult.Status.FAILED ? "failed" : "aborted";
            failed |= outcome.equals("failed");
            if (test.isTest() || !outcome.equals("passed")) System.out.println("@@ end " + name(test) + " " + outcome);
        }
    }
}
