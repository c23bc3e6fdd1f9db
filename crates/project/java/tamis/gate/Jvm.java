package tamis.gate;

import java.io.File;
import java.util.List;
import java.util.Map;
import org.apache.maven.execution.MavenSession;
import org.apache.maven.model.Plugin;
import org.apache.maven.toolchain.Toolchain;
import org.apache.maven.toolchain.ToolchainManager;
import tamis.ask.Jdk;

/** The `java` that an execution will start, identified by its path and by files of its JDK. */
final class Jvm {
    private final File java;

    private Jvm(String java) {
        this.java = new File(java).getAbsoluteFile();
    }

    /** In Surefire's order: the parameter, the toolchain, Maven's own JVM. */
    static Jvm of(Parameters parameters, Toolchain toolchain) {
        String java = parameters.text("jvm");
        if (java.isEmpty() && toolchain != null && toolchain.findTool("java") != null) {
            java = toolchain.findTool("java");
        }
        return new Jvm(java.isEmpty() ? System.getProperty("java.home") + "/bin/java" : java);
    }

    /**
     * The toolchain of the build, before the goal exists and can be queried. Maven 4 shows the toolchain only to goals.
     * There it certainly does not exist if none is configured and no plugin of the project looks for one.
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
        return Jdk.marks(java);
    }

    /** Whether the tests run in Maven's own JVM. */
    static boolean isThisOne(Parameters parameters) {
        String mode = parameters.text("forkMode");
        boolean none = parameters.text("forkCount").trim().matches("0+(\\.0+)?C?");
        return none || mode.equals("never") || mode.equals("none");
    }
}
