package tamis.gate;

import java.io.File;
import java.util.Properties;
import javax.inject.Named;
import javax.inject.Singleton;
import org.apache.maven.AbstractMavenLifecycleParticipant;
import org.apache.maven.execution.MavenSession;

/**
 * Removes the properties that Tamis put on the command line before anything else reads them. Surefire passes all
 * properties of the command line to the tests, which should see the same as without Tamis.
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
            return; // The tests see two additional properties.
        }
    }

    /** The file with the port of Tamis; null if there is no gate. */
    static String gate(MavenSession session) {
        String remembered = gate;
        return remembered != null ? remembered : session.getUserProperties().getProperty(GATE);
    }

    /** The extensions without ours. */
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
