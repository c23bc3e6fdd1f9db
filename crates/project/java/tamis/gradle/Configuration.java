package tamis.gradle;

import java.io.File;
import java.lang.reflect.Field;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.gradle.api.Action;
import org.gradle.api.Task;
import org.gradle.api.file.FileCollection;
import org.gradle.api.tasks.testing.Test;
import org.gradle.api.tasks.testing.testng.TestNGOptions;
import org.gradle.util.GradleVersion;
import tamis.ask.Jdk;

/**
 * Everything that decides which tests a task runs and how their JVM is started, as lines of text. Two runs of one build
 * have equal texts; any change makes them differ. A value that cannot be read is random, so it equals nothing.
 */
final class Configuration {
    /** Actions of Gradle that call no code of a build: the task's own, and those of the JaCoCo plugin. */
    private static final String[] GRADLES = {
        "org.gradle.api.internal.project.taskfactory.", "org.gradle.testing.jacoco.", "org.gradle.internal.jacoco."
    };

    private final StringBuilder text = new StringBuilder();
    private final GradleValues values = new GradleValues();

    private Configuration() {}

    static String of(Test task) throws Exception {
        Configuration configuration = new Configuration();
        configuration.line("gradle", GradleVersion.current().getVersion());
        // Gradle's own lists of the values and files that decide this task.
        configuration.line("inputs", values(task));
        configuration.line("files", files(task));
        configuration.line("candidates", paths(task.getCandidateClassFiles()));
        configuration.line("suites", suites(task));
        configuration.line("options", task.getAllJvmArgs());
        configuration.line("directory", task.getWorkingDir());
        configuration.line("classes", paths(task.getTestClassesDirs()));
        configuration.line("processes", task.getForkEvery() + " " + task.getMaxParallelForks());
        configuration.line("jvm", Jdk.marks(java(task)));
        configuration.line("actions", actions(task));
        return configuration.text.toString();
    }

    /** The values by name. That of a nested object is its class, since its own values have names of their own. */
    private static Map<String, Object> values(Test task) {
        TreeMap<String, Object> all = new TreeMap<>(task.getInputs().getProperties());
        Map<String, Object> values = new TreeMap<>();
        for (Map.Entry<String, Object> property : all.entrySet()) {
            String inside = property.getKey() + ".";
            String next = all.ceilingKey(inside);
            boolean isNested = next != null && next.startsWith(inside) && property.getValue() != null;
            values.put(property.getKey(), isNested ? property.getValue().getClass().getName() : property.getValue());
        }
        return values;
    }

    /** The input files that are not on the class path, with their contents: what is on the class path is known. */
    private static Set<File> files(Test task) {
        Set<File> known = new HashSet<>(task.getClasspath().getFiles());
        known.addAll(task.getTestClassesDirs().getFiles());
        Set<File> files = new TreeSet<>();
        for (File file : task.getInputs().getFiles().getFiles()) {
            File above = file;
            while (above != null && !known.contains(above)) {
                above = above.getParentFile();
            }
            if (above == null) {
                files.add(file);
            }
        }
        return files;
    }

    /** Paths, without the contents. */
    private static Set<String> paths(FileCollection files) {
        Set<String> paths = new TreeSet<>();
        for (File file : files.getFiles()) {
            paths.add(file.getPath());
        }
        return paths;
    }

    /** A suite of TestNG that code of the build writes is not known here. */
    private static Object suites(Test task) {
        Object options = task.getOptions();
        boolean isWritten = options instanceof TestNGOptions && ((TestNGOptions) options).getSuiteXmlBuilder() != null;
        return isWritten ? new Object() : "";
    }

    /** In Gradle's order: the launcher of a toolchain, the program that the task names, Gradle's own JVM. */
    private static File java(Test task) {
        if (task.getJavaLauncher().isPresent()) {
            return task.getJavaLauncher().get().getExecutablePath().getAsFile();
        }
        String program = task.getExecutable();
        return new File(program != null ? program : System.getProperty("java.home") + "/bin/java").getAbsoluteFile();
    }

    /**
     * The actions of the task besides ours. One of a build may change anything about the task after this question, and
     * its code is not known here. It equals nothing, so the test JVM starts, and its tests are decided there.
     */
    private static List<Object> actions(Test task) {
        List<Object> actions = new ArrayList<>();
        for (Action<? super Task> action : task.getActions()) {
            Object inner = inner(action);
            String name = inner.getClass().getName();
            if (isGradles(name)) {
                actions.add(name);
            } else if (!(inner instanceof Start)) {
                actions.add(new Object());
            }
        }
        return actions;
    }

    private static boolean isGradles(String action) {
        for (String owner : GRADLES) {
            if (action.startsWith(owner)) {
                return true;
            }
        }
        return false;
    }

    /** The action in Gradle's wrapper. */
    private static Object inner(Object action) {
        for (String name : new String[] {"action", "closure"}) {
            try {
                Field field = action.getClass().getDeclaredField(name);
                field.setAccessible(true);
                Object inner = field.get(action);
                return inner == null ? action : inner;
            } catch (ReflectiveOperationException | RuntimeException other) {
                continue;
            }
        }
        return action;
    }

    private void line(String name, Object value) {
        text.append(name).append(' ');
        values.append(text, value);
        text.append('\n');
    }
}
