package tamis.gate;

import java.io.File;
import java.util.ArrayList;
import java.util.List;
import org.apache.maven.toolchain.Toolchain;

/** The `java` that an execution will start, known by its path and by what lies there. */
final class Jvm {
    /** Where a JDK says what it is, and what changes with every build of it. */
    private static final String[] MARKS = {
        "release", "lib/modules", "lib/rt.jar", "jre/lib/rt.jar", "lib/server/libjvm.so", "bin/java"
    };

    private Jvm() {}

    static List<Object> of(Object mojo) throws Exception {
        List<Object> jvm = new ArrayList<>();
        File java = new File(java(mojo)).getAbsoluteFile();
        File home = java.getCanonicalFile().getParentFile().getParentFile();
        jvm.add(java.getPath());
        jvm.add(home.getPath());
        for (String mark : MARKS) {
            File file = new File(home, mark);
            if (file.isFile()) {
                jvm.add(mark + " " + file.length() + " " + file.lastModified());
            }
        }
        return jvm;
    }

    /** In the order in which Surefire looks: the parameter, the toolchain, Maven's own. */
    private static String java(Object mojo) throws Exception {
        Object configured = Fields.value(mojo, "jvm");
        if (configured instanceof String && !((String) configured).isEmpty()) {
            return (String) configured;
        }
        if (Fields.call(mojo, "getToolchainManager") != null) {
            Object toolchain = Fields.call(mojo, "getToolchain");
            String java = toolchain == null ? null : ((Toolchain) toolchain).findTool("java");
            if (java != null && !java.isEmpty()) {
                return java;
            }
        }
        return System.getProperty("java.home") + "/bin/java";
    }

    /** Whether the tests run in Maven's own JVM. */
    static boolean isThisOne(Object mojo) {
        String count = String.valueOf(Fields.value(mojo, "forkCount"));
        String mode = String.valueOf(Fields.value(mojo, "forkMode"));
        return count.trim().matches("0+(\\.0+)?C?") || mode.equals("never") || mode.equals("none");
    }
}
