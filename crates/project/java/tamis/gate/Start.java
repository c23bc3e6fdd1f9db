package tamis.gate;

import java.io.File;
import java.util.Properties;
import javax.inject.Named;
import javax.inject.Singleton;
import org.apache.maven.AbstractMavenLifecycleParticipant;
import org.apache.maven.execution.MavenSession;

/**
 * Takes what Tamis put on the command line away again before anything else reads it: Surefire hands all properties of
 * the command line to the tests, and they should see what they would see without Tamis.
 */
@Named
@Singleton
public final class Start extends AbstractMavenLifecycleParticipant {
    private static final String GATE = "tamis.gate";
    private static final String EXTENSIONS = "maven.ext.class.path";
    private static volatile String gate;

    @Override
    public void afterSessionStart(MavenSession session) {
        try {
            gate = gate(session);
            if (gate != null) {
                for (Properties properties : new Properties[] {session.getUserProperties(), System.getProperties()}) {
                    properties.remove(GATE);
                    String others = others(properties.getProperty(EXTENSIONS));
                    if (others != null && !others.isEmpty()) {
                        properties.setProperty(EXTENSIONS, others);
                    } else {
                        properties.remove(EXTENSIONS);
                    }
                }
            }
        } catch (Throwable ignored) {
            return; // The tests see two properties more.
        }
    }

    /** The file that says where Tamis listens; null when it does not. */
    static String gate(MavenSession session) {
        String remembered = gate;
        return remembered != null ? remembered : session.getUserProperties().getProperty(GATE);
    }

    /** The extensions that are not ours. */
    static String others(String extensions) throws Exception {
        if (extensions == null) {
            return null;
        }
        File ours = new File(Start.class.getProtectionDomain().getCodeSource().getLocation().toURI());
        StringBuilder others = new StringBuilder();
        for (String extension : extensions.split(File.pathSeparator)) {
            if (!extension.isEmpty() && !new File(extension).getCanonicalFile().equals(ours.getCanonicalFile())) {
                others.append(others.length() == 0 ? "" : File.pathSeparator).append(extension);
            }
        }
        return others.toString();
    }
}
