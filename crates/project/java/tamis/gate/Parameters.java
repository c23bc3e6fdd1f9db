package tamis.gate;

import java.io.File;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.maven.execution.MavenSession;
import org.apache.maven.plugin.MojoExecution;
import org.apache.maven.plugin.PluginParameterExpressionEvaluator;
import org.apache.maven.plugin.descriptor.Parameter;
import org.codehaus.plexus.util.xml.Xpp3Dom;

/**
 * The parameter values that Maven will give to a goal, evaluated as Maven does but without the goal: loading Surefire
 * takes longer than everything here.
 */
final class Parameters {
    private final Map<String, String> types = new HashMap<>();
    private final Map<String, Object> values = new TreeMap<>();
    private final PluginParameterExpressionEvaluator evaluator;
    private final File directory;

    Parameters(MavenSession session, MojoExecution execution) throws Exception {
        evaluator = new PluginParameterExpressionEvaluator(session, execution);
        directory = session.getCurrentProject().getBasedir();
        for (Object parameter : execution.getMojoDescriptor().getParameters()) {
            types.put(((Parameter) parameter).getName(), ((Parameter) parameter).getType());
        }
        Xpp3Dom configuration = execution.getConfiguration();
        for (Xpp3Dom child : configuration == null ? new Xpp3Dom[0] : configuration.getChildren()) {
            if (!MavenValues.IGNORED.contains(child.getName())) {
                values.put(child.getName(), value(child, String.valueOf(types.get(child.getName()))));
            }
        }
    }

    /** All values by name. */
    Map<String, Object> all() {
        return values;
    }

    /** Empty if it is not set. */
    String text(String name) {
        Object value = values.get(name);
        return value == null ? "" : value.toString();
    }

    boolean is(String name) {
        return text(name).equals("true");
    }

    /** Whether it is null, an empty text or an empty list. */
    boolean isEmpty(String name) {
        Object value = values.get(name);
        return value == null || value.equals("") || value instanceof List && ((List<?>) value).isEmpty();
    }

    /** The value of an element: its text, or its attributes and child elements with their names. */
    private Object value(Xpp3Dom element, String type) throws Exception {
        if (element.getChildCount() == 0) {
            return leaf(element, type);
        }
        List<Object> parts = new ArrayList<>();
        for (String attribute : element.getAttributeNames()) {
            parts.add(attribute + "=" + element.getAttribute(attribute));
        }
        for (Xpp3Dom child : element.getChildren()) {
            List<Object> part = new ArrayList<>();
            part.add(child.getName());
            part.add(value(child, type));
            parts.add(part);
        }
        return parts;
    }

    private Object leaf(Xpp3Dom element, String type) throws Exception {
        String written = element.getValue();
        Object value = written == null || written.isEmpty() ? null : evaluator.evaluate(written);
        String otherwise = element.getAttribute("default-value");
        if (value == null && otherwise != null && !otherwise.isEmpty()) {
            value = evaluator.evaluate(otherwise);
        }
        if (value instanceof String && type.startsWith("java.io.File")) {
            File file = new File((String) value);
            return file.isAbsolute() ? file : new File(directory, file.getPath());
        }
        return value;
    }
}
