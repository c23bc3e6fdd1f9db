package tamis.runner;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Paths;
import java.util.ArrayList;
import java.util.List;

/**
 * Runs test classes with their framework: the JUnit Platform if it is there; otherwise TestNG for classes with its
 * annotations, and JUnit 4 or else JUnit 3 for the rest. Arguments: the file for the results, and the file that lists
 * the classes, one per line.
 */
public final class Main {
    private Main() {
    }

    public static void main(String[] arguments) throws Exception {
        Results results = new Results(arguments[0]);
        List<String> names = Files.readAllLines(Paths.get(arguments[1]), StandardCharsets.UTF_8);
        if (isThere("org.junit.platform.launcher.core.LauncherFactory")) {
            OnPlatform.run(names, results);
        } else {
            List<Class<?>> testng = new ArrayList<>();
            List<Class<?>> others = new ArrayList<>();
            boolean hasTestNG = isThere("org.testng.TestNG");
            for (String name : names) {
                try {
                    Class<?> found = ClassLoader.getSystemClassLoader().loadClass(name);
                    (hasTestNG && isTestNG(found) ? testng : others).add(found);
                } catch (ClassNotFoundException | LinkageError e) {
                    results.end(name, "failed");
                }
            }
            if (!testng.isEmpty()) {
                OnTestNG.run(testng, results);
            }
            if (!others.isEmpty() && isThere("org.junit.runner.JUnitCore")) {
                OnJUnit4.run(others, results);
            } else if (!others.isEmpty() && isThere("junit.framework.TestCase")) {
                OnJUnit3.run(others, results);
            }
        }
        results.done();
        System.exit(0);
    }

    private static boolean isThere(String name) {
        try {
            Class.forName(name, false, ClassLoader.getSystemClassLoader());
            return true;
        } catch (ClassNotFoundException | LinkageError e) {
            return false;
        }
    }

    /** Compares names only, so that no class of TestNG needs to exist here. */
    private static boolean isTestNG(Class<?> found) throws IOException {
        for (Class<?> at = found; at != null && at != Object.class; at = at.getSuperclass()) {
            if (hasTestNG(at.getAnnotations())) {
                return true;
            }
            for (java.lang.reflect.Method method : at.getDeclaredMethods()) {
                if (hasTestNG(method.getAnnotations())) {
                    return true;
                }
            }
        }
        return false;
    }

    private static boolean hasTestNG(java.lang.annotation.Annotation[] annotations) {
        for (java.lang.annotation.Annotation annotation : annotations) {
            if (annotation.annotationType().getName().startsWith("org.testng.annotations.")) {
                return true;
            }
        }
        return false;
    }
}
