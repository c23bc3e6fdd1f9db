package tamis.gate;

import java.io.File;
import java.util.ArrayList;
import java.util.List;
import org.apache.maven.project.MavenProject;
import org.apache.maven.toolchain.Toolchain;

/** Recognises goals that run tests, and makes them skip: Surefire and Failsafe from 2.12 on, and their extensions. */
final class Tests {
    private static final String BASE = "org.apache.maven.plugin.surefire.AbstractSurefireMojo";

    private Tests() {}

    static boolean runs(Object mojo) {
        return Fields.extendsClass(mojo, BASE);
    }

    /** Whether the build itself skips the tests. Then there is nothing to ask. */
    static boolean areSkipped(Object mojo) throws Exception {
        return Boolean.TRUE.equals(Fields.call(mojo, "isSkipExecution"));
    }

    static void skip(Object mojo) throws Exception {
        mojo.getClass().getMethod("setSkipTests", boolean.class).invoke(mojo, true);
    }

    /** The toolchain of the goal or of the build; null if there is none. */
    static Toolchain toolchain(Object mojo) throws Exception {
        boolean none = Fields.call(mojo, "getToolchainManager") == null;
        return none ? null : (Toolchain) Fields.call(mojo, "getToolchain");
    }

    /**
     * The class path of the test JVM as the goal itself computes it. The goal leaves out entries that the configuration
     * excludes, and after `package` Failsafe uses the jar instead of the classes.
     */
    static List<String> classPath(Object mojo, MavenProject project) throws Exception {
        Object path;
        try {
            path = Fields.call(mojo, "generateTestClasspath");
        } catch (NoSuchMethodException other) {
            return project.getTestClasspathElements();
        }
        if (Fields.extendsClass(path, "org.apache.maven.plugin.surefire.TestClassPath")) {
            path = Fields.call(path, "toClasspath");
        }
        Object elements = path instanceof List ? path : Fields.call(path, "getClassPath");
        List<String> absolute = new ArrayList<>();
        for (Object element : (List<?>) elements) {
            absolute.add(new File(element.toString()).getAbsolutePath());
        }
        return absolute;
    }
}
