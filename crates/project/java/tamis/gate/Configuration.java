package tamis.gate;

import java.io.File;
import java.lang.management.ManagementFactory;
import java.util.Map;
import java.util.Properties;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.maven.artifact.Artifact;
import org.apache.maven.execution.MavenSession;
import org.apache.maven.execution.MojoExecutionEvent;
import org.apache.maven.plugin.descriptor.MojoDescriptor;
import org.apache.maven.plugin.descriptor.Parameter;

/**
 * All that decides which tests an execution runs and how their JVM is started, as lines of text: equal for two runs of
 * one build, different when anything in it was changed. What cannot be read is random, and so equals nothing.
 */
final class Configuration {
    /** Where an argument line names a project property that Surefire looks up at the last moment: `@{name}`. */
    private static final Pattern LATE = Pattern.compile("@\\{([^}]*)}");

    private final StringBuilder text = new StringBuilder();
    private final MojoExecutionEvent event;

    private Configuration(MojoExecutionEvent event) {
        this.event = event;
    }

    static String of(MojoExecutionEvent event) {
        Configuration configuration = new Configuration(event);
        configuration.plugin();
        configuration.parameters();
        configuration.properties();
        configuration.jvm();
        return configuration.text.toString();
    }

    private void plugin() {
        MavenSession session = event.getSession();
        line("maven", session.getSystemProperties().getProperty("maven.version"));
        MojoDescriptor mojo = event.getExecution().getMojoDescriptor();
        TreeSet<String> artifacts = new TreeSet<>();
        for (Object artifact : mojo.getPluginDescriptor().getArtifacts()) {
            artifacts.add(artifact((Artifact) artifact));
        }
        line("plugin", artifacts);
    }

    /** A snapshot is another one without another name. */
    private static String artifact(Artifact artifact) {
        File file = artifact.getFile();
        boolean same = !artifact.isSnapshot() || file == null;
        return artifact.getId() + (same ? "" : " " + file.length() + " " + file.lastModified());
    }

    /** The values that Maven gave to the goal, and as it was written what has no field to be read from. */
    private void parameters() {
        Map<String, Object> values = new TreeMap<>();
        for (Object parameter : event.getExecution().getMojoDescriptor().getParameters()) {
            String name = ((Parameter) parameter).getName();
            if (!Values.IGNORED.contains(name)) {
                try {
                    Object value = Fields.value(event.getMojo(), name);
                    values.put(name, value == Fields.ABSENT ? "no field" : value);
                } catch (RuntimeException refused) {
                    values.put(name, refused);
                }
            }
        }
        for (Map.Entry<String, Object> value : values.entrySet()) {
            line("parameter " + value.getKey(), value.getValue());
        }
        try {
            line("written", String.valueOf(Fields.call(event.getExecution(), "getConfiguration")));
        } catch (Exception unknown) {
            line("written", unknown);
        }
    }

    /**
     * Surefire gives the properties of the command line to the tests. Of the project's it reads only those that an
     * argument line names; the others have long gone into the values above, and may well hold the time of day.
     */
    private void properties() {
        Map<String, String> user = new TreeMap<>();
        Properties properties = event.getSession().getUserProperties();
        for (String name : properties.stringPropertyNames()) {
            user.put(name, properties.getProperty(name));
        }
        line("user", user);
        Map<String, String> late = new TreeMap<>();
        Matcher names = LATE.matcher(String.valueOf(Fields.value(event.getMojo(), "argLine")));
        while (names.find()) {
            late(names.group(1), late);
        }
        line("late", late);
    }

    private void late(String name, Map<String, String> late) {
        if (!late.containsKey(name)) {
            String value = String.valueOf(event.getProject().getProperties().getProperty(name));
            late.put(name, value);
            Matcher names = LATE.matcher(value);
            while (names.find()) {
                late(names.group(1), late);
            }
        }
    }

    private void jvm() {
        try {
            line("jvm", Jvm.of(event.getMojo()));
            if (Jvm.isThisOne(event.getMojo())) {
                line("arguments", ManagementFactory.getRuntimeMXBean().getInputArguments());
            }
        } catch (Exception unknown) {
            line("jvm", unknown);
        }
    }

    private void line(String name, Object value) {
        text.append(name).append(' ');
        Values.append(text, value, 0);
        text.append('\n');
    }
}
