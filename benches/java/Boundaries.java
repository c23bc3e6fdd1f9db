import org.junit.runner.Description;
import org.junit.runner.notification.RunNotifier;

/** Tests that hit many probes or none, and how long the framework's own calls take between them. */
public class Boundaries {
    static final int TESTS = 400;

    public static void main(String[] args) throws Exception {
        RunNotifier notifier = new RunNotifier();
        Description test = Description.createTestDescription(Boundaries.class, "test");
        for (int i = 0; i < CLASSES; i++) run(i);
        measure(notifier, test, 0);
        measure(notifier, test, HIT);
        System.out.println(measure(notifier, test, 0) + " " + measure(notifier, test, HIT));
    }

    /** Nanoseconds of one boundary, each test having entered the methods of so many classes. */
    static long measure(RunNotifier notifier, Description test, int classes) {
        long spent = 0;
        for (int i = 0; i < TESTS; i++) {
            notifier.fireTestStarted(test);
            for (int k = 0; k < classes; k++) run(k);
            long before = System.nanoTime();
            notifier.fireTestFinished(test);
            spent += System.nanoTime() - before;
        }
        return spent / TESTS;
    }
