package tamis.gate;

import java.io.File;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.maven.execution.MavenSession;
import org.apache.maven.model.Plugin;
import org.apache.maven.toolchain.Toolchain;
import org.apache.maven.toolchain.ToolchainManager;

/** The `java` that an execution will start, known by its path and by what lies there. */
final class Jvm {
    /** Where a JDK says what it is, and what changes with every build of it. */
    private static final String[] MARKS = {
        "release", "lib/modules", "lib/rt.jar", "jre/lib/rt.jar", "lib/server/libjvm.so", "bin/java"
    };

    private final File java;

    private Jvm(String java) {
        this.java = new File(java).getAbsoluteFile();
    }

    /** In the order in which Surefire looks: the parameter, the toolchain, Maven's own. */
    static Jvm of(Parameters parameters, Toolchain toolchain) {
        String java = parameters.text("jvm");
        if (java.isEmpty() && toolchain != null && toolchain.findTool("java") != null) {
            java = toolchain.findTool("java");
        }
        return new Jvm(java.isEmpty() ? System.getProperty("java.home") + "/bin/java" : java);
    }

    /**
     * The toolchain of the build, before a goal is there that can be asked. Maven 4 tells it to goals only; there it is
     * known that there is none if nobody has given any and no plugin of the project looks for them.
     */
    static Toolchain toolchain(ToolchainManager toolchains, MavenSession session) {
        try {
            return toolchains.getToolchainFromBuildContext("jdk", session);
        } catch (RuntimeException unknown) {
            Map<String, ?> given = session.getRequest().getToolchains();
            boolean none = given == null || !given.containsKey("jdk");
            for (Plugin plugin : session.getCurrentProject().getBuildPlugins()) {
                none &= !plugin.getArtifactId().contains("toolchain");
            }
            if (none) {
                return null;
            }
            throw unknown;
        }
    }

    List<Object> marks() throws Exception {
        List<Object> marks = new ArrayList<>();
        File home = java.getCanonicalFile().getParentFile().getParentFile();
        marks.add(java.getPath());
        marks.add(home.getPath());
        for (String mark : MARKS) {
            File file = new File(home, mark);
            if (file.isFile()) {
                marks.add(mark + " " + file.length() + " " + file.lastModified());
            }
        }
        return marks;
    }

    /** Whether the tests run in Maven's own JVM. */
    static boolean isThisOne(Parameters parameters) {
        String mode = parameters.text("forkMode");
        boolean none = parameters.text("forkCount").trim().matches("0+(\\.0+)?C?");
        return none || mode.equals("never") || mode.equals("none");
    }
}
