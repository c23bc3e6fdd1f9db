package tamis.gate;

import java.io.File;
import java.util.ArrayList;
import java.util.List;
import org.apache.maven.project.MavenProject;
import org.apache.maven.toolchain.Toolchain;

/** What a goal that runs tests is, and how it is told not to: Surefire and Failsafe from 2.12 on, and who extends them. */
final class Tests {
    private static final String BASE = "org.apache.maven.plugin.surefire.AbstractSurefireMojo";

    private Tests() {}

    static boolean runs(Object mojo) {
        return Fields.extendsClass(mojo, BASE);
    }

    /** By the build itself: then there is nothing to ask. */
    static boolean areSkipped(Object mojo) throws Exception {
        return Boolean.TRUE.equals(Fields.call(mojo, "isSkipExecution"));
    }

    static void skip(Object mojo) throws Exception {
        mojo.getClass().getMethod("setSkipTests", boolean.class).invoke(mojo, true);
    }

    /** The toolchain of the goal or of the build; null when there is none. */
    static Toolchain toolchain(Object mojo) throws Exception {
        boolean none = Fields.call(mojo, "getToolchainManager") == null;
        return none ? null : (Toolchain) Fields.call(mojo, "getToolchain");
    }

    /**
     * The class path of the test JVM as the goal itself puts it together: it leaves out what the configuration
     * excludes, and after `package` Failsafe takes the jar instead of the classes.
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
