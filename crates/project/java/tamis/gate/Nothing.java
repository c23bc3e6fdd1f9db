package tamis.gate;

import javax.inject.Named;
import org.apache.maven.plugin.AbstractMojo;
import org.apache.maven.plugin.Mojo;
import org.apache.maven.plugin.MojoExecution;
import org.apache.maven.plugin.descriptor.MojoDescriptor;
import org.apache.maven.plugin.descriptor.PluginDescriptor;
import org.codehaus.plexus.classworlds.realm.ClassRealm;
import org.codehaus.plexus.util.xml.Xpp3Dom;

/** A goal that replaces one that would have run tests. */
@Named(Nothing.NAME)
public final class Nothing extends AbstractMojo {
    static final String NAME = "tamis:gate:nothing";

    @Override
    public void execute() {
        getLog().info("Tests are skipped.");
    }

    /** Makes Maven execute this goal under the name of the other. */
    static void insteadOf(MojoExecution execution) throws Exception {
        PluginDescriptor theirs = execution.getMojoDescriptor().getPluginDescriptor();
        PluginDescriptor plugin = new PluginDescriptor();
        plugin.setGroupId(theirs.getGroupId());
        plugin.setArtifactId(theirs.getArtifactId());
        plugin.setVersion(theirs.getVersion());
        plugin.setGoalPrefix(theirs.getGoalPrefix());
        plugin.setPlugin(theirs.getPlugin());
        plugin.setClassRealm((ClassRealm) Nothing.class.getClassLoader());
        MojoDescriptor goal = new Descriptor();
        goal.setGoal(execution.getGoal());
        goal.setImplementation(Nothing.class.getName());
        goal.setLanguage("java");
        goal.setRole(Mojo.ROLE);
        goal.setPluginDescriptor(plugin);
        plugin.addMojo(goal);
        execution.setConfiguration(new Xpp3Dom("configuration"));
        execution.setMojoDescriptor(goal);
    }

    /** Has the other goal's name, but Maven loads this class for it. */
    private static final class Descriptor extends MojoDescriptor {
        @Override
        public String getRoleHint() {
            return NAME;
        }
    }
}
