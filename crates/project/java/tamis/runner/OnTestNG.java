package tamis.runner;

import java.lang.reflect.Method;
import java.util.List;
import org.testng.ITestContext;
import org.testng.ITestListener;
import org.testng.ITestResult;
import org.testng.TestNG;

/** TestNG. */
final class OnTestNG implements ITestListener {
    private final Results results;

    private OnTestNG(Results results) {
        this.results = results;
    }

    static void run(List<Class<?>> classes, Results results) throws ReflectiveOperationException {
        TestNG testng = new TestNG(false);
        testng.setUseDefaultListeners(false);
        testng.setVerbose(0);
        testng.setTestClasses(classes.toArray(new Class<?>[0]));
        // The parameter type of addListener differs between versions.
        for (Method method : TestNG.class.getMethods()) {
            boolean takes = method.getParameterTypes().length == 1 && method.getParameterTypes()[0].isAssignableFrom(OnTestNG.class);
            if (method.getName().equals("addListener") && takes) {
                method.invoke(testng, new OnTestNG(results));
                break;
            }
        }
        testng.run();
    }

    private static String name(ITestResult test) {
        return test.getTestClass().getName() + "#" + test.getMethod().getMethodName();
    }

    @Override
    public void onTestStart(ITestResult test) {
        results.start(name(test));
    }

    @Override
    public void onTestSuccess(ITestResult test) {
        results.end(name(test), "passed");
    }

    @Override
    public void onTestFailure(ITestResult test) {
        results.end(name(test), "failed");
    }

    @Override
    public void onTestSkipped(ITestResult test) {
        results.end(name(test), "aborted");
    }

    @Override
    public void onTestFailedButWithinSuccessPercentage(ITestResult test) {
        results.end(name(test), "failed");
    }

    @Override
    public void onStart(ITestContext context) {
    }

    @Override
    public void onFinish(ITestContext context) {
    }
}
