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
 * Everything that decides which tests an execution runs and how their JVM is started, as lines of text. Two runs of one
 * build have equal texts; any change makes them differ. A value that cannot be read is random, so it equals nothing.
 */
final class Configuration {
    /** A project property that Surefire looks up only when it starts the JVM: `@{name}` in an argument line. */
    private static final Pattern LATE = Pattern.compile("@\\{([^}]*)}");

    private final StringBuilder text = new StringBuilder();
    private final MavenValues values = new MavenValues();
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
     * Surefire passes the properties of the command line to the tests. From the project it reads only the properties
     * that an argument line names. The others are already part of the values above, and may hold the time of day.
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
        values.append(text, value);
        text.append('\n');
    }
}
