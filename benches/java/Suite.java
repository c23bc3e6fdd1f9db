import java.nio.file.*;
import java.util.*;

/** Runs the JUnit 4 classes listed in a file in one JVM; reports the numbers of tests and failures, and the peak memory. */
public class Suite {
    public static void main(String[] args) throws Exception {
        List<Class<?>> classes = new ArrayList<>();
        for (String name : Files.readAllLines(Paths.get(args[0]))) classes.add(Class.forName(name, false, Suite.class.getClassLoader()));
        org.junit.runner.Result result = new org.junit.runner.JUnitCore().run(classes.toArray(new Class<?>[0]));
        String peak = "";
        for (String line : Files.readAllLines(Paths.get("/proc/self/status"))) if (line.startsWith("VmHWM:")) peak = line.replaceAll("[^0-9]", "");
        Files.write(Paths.get(args[1]), (result.getRunCount() + " " + result.getFailureCount() + " " + peak).getBytes());
        // Tests leave threads behind.
        System.exit(0);
    }
}
