package tamis.gate;

import java.util.Arrays;
import java.util.HashSet;
import java.util.Set;
import org.apache.maven.artifact.Artifact;
import org.apache.maven.artifact.repository.ArtifactRepository;
import org.apache.maven.execution.MavenSession;
import org.apache.maven.plugin.MojoExecution;
import org.apache.maven.plugin.descriptor.PluginDescriptor;
import org.apache.maven.project.MavenProject;
import org.apache.maven.settings.Settings;
import tamis.ask.Values;

/** Values of parameters. */
final class MavenValues extends Values {
    /**
     * Parameters that concern Maven's work and not the tests; and the dependencies, because the class path is a better
     * answer: another version of a library does not change the configuration.
     */
    static final Set<String> IGNORED = new HashSet<>(
            Arrays.asList("parallelMavenExecution", "summaryFile", "pluginArtifactMap", "projectArtifactMap"));

    @Override
    protected String known(Object value) {
        if (value instanceof Artifact) {
            return ((Artifact) value).getId();
        }
        return isMavens(value) ? "maven's" : null;
    }

    /** Whether a value exists only for Maven's own work. */
    private static boolean isMavens(Object value) {
        return value instanceof MavenSession
                || value instanceof MavenProject
                || value instanceof MojoExecution
                || value instanceof PluginDescriptor
                || value instanceof ArtifactRepository
                || value instanceof Settings
                || value.getClass().getName().startsWith("org.eclipse.aether.");
    }
}
