package org.apache.maven.surefire.decisions; // So that tamis takes it for a build's runner.

import org.junit.runner.*;
import org.junit.runner.notification.*;

/** Runs classes with JUnit 4 and prints the events of its listeners: `@@ start NAME`, `@@ end NAME OUTCOME`. */
public class RunJUnit4 {
    public static void main(String[] names) throws Exception {
        Class<?>[] classes = new Class<?>[names.length];
        for (int i = 0; i < names.length; i++) classes[i] = RunJUnit4.class.getClassLoader().loadClass(names[i]);
        JUnitCore core = new JUnitCore();
        core.addListener(new Listener());
        System.exit(core.run(classes).wasSuccessful() ? 0 : 1);
    }

    static class Listener extends RunListener {
        private String outcome = "passed";

        static String name(Description test) {
            String method = test.getMethodName();
            if (method == null) return test.getClassName();
            int variant = method.indexOf('[');
            return test.getClassName() + "#" + (variant < 0 ? method : method.substring(0, variant));
        }

        @Override public void testStarted(Description test) {
            outcome = "passed";
            System.out.println("@@ start " + name(test));
        }

        @Override public void testFailure(Failure failure) {
            outcome = "failed";
            // A failure of the class itself is followed by no other event.
            if (failure.getDescription().getMethodName() == null) end(failure.getDescription());
        }

        @Override public void testAssumptionFailure(Failure failure) { outcome = "aborted"; }

        @Override public void testIgnored(Description test) {
            outcome = "ignored";
            end(test);
        }

        @Override public void testFinished(Description test) { end(test); }

        private void end(Description test) { System.out.println("@@ end " + name(test) + " " + outcome); }
    }
}
