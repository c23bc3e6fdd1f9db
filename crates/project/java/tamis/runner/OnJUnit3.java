package tamis.runner;

import java.lang.reflect.Modifier;
import java.util.List;
import junit.framework.AssertionFailedError;
import junit.framework.Test;
import junit.framework.TestCase;
import junit.framework.TestListener;
import junit.framework.TestResult;
import junit.framework.TestSuite;

/** JUnit 3 without JUnit 4. A class with a method {@code suite} runs the tests that this method returns. */
final class OnJUnit3 implements TestListener {
    private final Results results;
    private String outcome = "passed";

    private OnJUnit3(Results results) {
        this.results = results;
    }

    static void run(List<Class<?>> classes, Results results) {
        TestResult result = new TestResult();
        result.addListener(new OnJUnit3(results));
        for (Class<?> found : classes) {
            try {
                suite(found).run(result);
            } catch (ReflectiveOperationException | ClassCastException | LinkageError e) {
                results.end(found.getName(), "failed");
            }
        }
    }

    private static Test suite(Class<?> found) throws ReflectiveOperationException {
        try {
            java.lang.reflect.Method own = found.getMethod("suite");
            if (Modifier.isStatic(own.getModifiers()) && Test.class.isAssignableFrom(own.getReturnType())) {
                return (Test) own.invoke(null);
            }
        } catch (NoSuchMethodException e) {
            // No suite method.
        }
        return new TestSuite(found.asSubclass(TestCase.class));
    }

    private static String name(Test test) {
        String method = test instanceof TestCase ? ((TestCase) test).getName() : null;
        return method == null ? test.getClass().getName() : test.getClass().getName() + "#" + method;
    }

    @Override
    public void startTest(Test test) {
        outcome = "passed";
        results.start(name(test));
    }

    @Override
    public void addError(Test test, Throwable error) {
        outcome = "failed";
    }

    @Override
    public void addFailure(Test test, AssertionFailedError failure) {
        outcome = "failed";
    }

    @Override
    public void endTest(Test test) {
        results.end(name(test), outcome);
    }
}
