package tamis.gate;

import java.lang.management.ManagementFactory;
import java.util.Map;
import java.util.Properties;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.maven.execution.MavenSession;
import org.apache.maven.model.Dependency;
import org.apache.maven.model.Plugin;
import org.apache.maven.plugin.MojoExecution;

/**
 * All that decides which tests an execution runs and how their JVM is started, as lines of text: equal for two runs of
 * one build, different when anything in it was changed. What cannot be read is random, and so equals nothing.
 */
final class Configuration {
    /** Where an argument line names a project property that Surefire looks up at the last moment: `@{name}`. */
    private static final Pattern LATE = Pattern.compile("@\\{([^}]*)}");

    private final StringBuilder text = new StringBuilder();
    private final MavenSession session;
    private final Parameters parameters;

    private Configuration(MavenSession session, Parameters parameters) {
        this.session = session;
        this.parameters = parameters;
    }

    static String of(MavenSession session, MojoExecution execution, Parameters parameters, Jvm jvm) throws Exception {
        Configuration configuration = new Configuration(session, parameters);
        configuration.line("maven", session.getSystemProperties().getProperty("maven.version"));
        configuration.plugin(execution.getPlugin());
        for (Map.Entry<String, Object> parameter : parameters.all().entrySet()) {
            configuration.line("parameter " + parameter.getKey(), parameter.getValue());
        }
        configuration.properties();
        configuration.line("jvm", jvm.marks());
        if (Jvm.isThisOne(parameters)) {
            configuration.line("arguments", ManagementFactory.getRuntimeMXBean().getInputArguments());
        }
        return configuration.text.toString();
    }

    private void plugin(Plugin plugin) {
        line("plugin", plugin.getId());
        TreeSet<String> dependencies = new TreeSet<>();
        for (Dependency dependency : plugin.getDependencies()) {
            dependencies.add(dependency.getManagementKey() + ":" + dependency.getVersion());
        }
        line("dependencies", dependencies);
    }

    /**
     * Surefire gives the properties of the command line to the tests. Of the project's it reads only those that an
     * argument line names; the others have long gone into the values above, and may well hold the time of day.
     */
    private void properties() {
        Map<String, String> user = new TreeMap<>();
        Properties properties = session.getUserProperties();
        for (String name : properties.stringPropertyNames()) {
            user.put(name, properties.getProperty(name));
        }
        line("user", user);
        Map<String, String> late = new TreeMap<>();
        late(parameters.text("argLine"), late);
        line("late", late);
    }

    private void late(String line, Map<String, String> late) {
        Matcher names = LATE.matcher(line);
        while (names.find()) {
            String name = names.group(1);
            if (!late.containsKey(name)) {
                String value = String.valueOf(session.getCurrentProject().getProperties().getProperty(name));
                late.put(name, value);
                late(value, late);
            }
        }
    }

    private void line(String name, Object value) {
        text.append(name).append(' ');
        Values.append(text, value);
        text.append('\n');
    }
}
