package org.apache.maven.surefire.decisions; // So that tamis takes it for a build's runner.

import org.testng.*;

/** Runs classes with TestNG and prints the events of its listeners: `@@ start NAME`, `@@ end NAME OUTCOME`. */
public class RunTestNG {
    public static void main(String[] names) throws Exception {
        Class<?>[] classes = new Class<?>[names.length];
        for (int i = 0; i < names.length; i++) classes[i] = RunTestNG.class.getClassLoader().loadClass(names[i]);
        TestNG testng = new TestNG(false);
        testng.setUseDefaultListeners(false);
        testng.setVerbose(0);
        testng.setTestClasses(classes);
        testng.addListener((ITestNGListener) new Listener());
        testng.run();
        System.exit(testng.hasFailure() ? 1 : 0);
    }

    static class Listener implements ITestListener {
        private static String name(ITestResult test) {
            return test.getTestClass().getName() + "#" + test.getMethod().getMethodName();
        }

        private static void end(ITestResult test, String outcome) { System.out.println("@@ end " + name(test) + " " + outcome); }

        @Override public void onTestStart(ITestResult test) { System.out.println("@@ start " + name(test)); }
        @Override public void onTestSuccess(ITestResult test) { end(test, "passed"); }
        @Override public void onTestFailure(ITestResult test) { end(test, "failed"); }
        @Override public void onTestSkipped(ITestResult test) { end(test, "aborted"); }
        @Override public void onTestFailedButWithinSuccessPercentage(ITestResult test) { end(test, "failed"); }
        @Override public void onStart(ITestContext context) { }
        @Override public void onFinish(ITestContext context) { }
    }
}
