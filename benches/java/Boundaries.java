import org.junit.runner.Description;
import org.junit.runner.notification.RunNotifier;

/** Times the framework's own calls between tests that hit many probes or none. */
public class Boundaries {
    static final int TESTS = 400;

    public static void main(String[] args) throws Exception {
        RunNotifier notifier = new RunNotifier();
        Description test = Description.createTestDescription(Boundaries.class, "test");
        for (int i = 0; i < CLASSES; i++) run(i);
        measure(notifier, test, 0);
        measure(notifier, test, HIT);
        System.out.println(measure(notifier, test, 0) + " " + measure(notifier, test, HIT));
        System.exit(0);
    }

    /** Nanoseconds per boundary if each test enters the methods of this many classes: median, best, processor time. */
    static String measure(RunNotifier notifier, Description test, int classes) {
        long[] spent = new long[TESTS];
        long[] worked = new long[TESTS];
        java.lang.management.ThreadMXBean threads = java.lang.management.ManagementFactory.getThreadMXBean();
        for (int i = 0; i < TESTS; i++) {
            notifier.fireTestStarted(test);
            for (int k = 0; k < classes; k++) run(k);
            long work = threads.getCurrentThreadCpuTime();
            long before = System.nanoTime();
            notifier.fireTestFinished(test);
            spent[i] = System.nanoTime() - before;
            worked[i] = threads.getCurrentThreadCpuTime() - work;
        }
        java.util.Arrays.sort(spent);
        java.util.Arrays.sort(worked);
        return spent[TESTS / 2] + " " + spent[0] + " " + worked[TESTS / 2];
    }
