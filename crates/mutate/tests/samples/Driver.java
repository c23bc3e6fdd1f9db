import java.io.*;
import java.lang.reflect.InvocationTargetException;
import java.net.*;
import java.nio.file.*;

/**
 * `object FILE`: copies the class of Object. Otherwise runs the program once per folder, with that folder in front of the
 * last one on the class path, and prints `NUMBER<tab>` with the program's result or exception.
 */
public class Driver {
    public static void main(String[] folders) throws Exception {
        if (folders[0].equals("object")) {
            try (InputStream in = Object.class.getResourceAsStream("/java/lang/Object.class")) {
                Files.copy(in, Paths.get(folders[1]));
            }
            return;
        }
        URL base = new File(folders[folders.length - 1]).toURI().toURL();
        for (int i = 0; i < folders.length; i++) {
            URL[] path = { new File(folders[i]).toURI().toURL(), base };
            String said;
            try (URLClassLoader loader = new URLClassLoader(path, null)) {
                Class<?> program = loader.loadClass("p.Program");
                said = String.valueOf(program.getMethod("run").invoke(null));
            } catch (InvocationTargetException e) {
                Throwable cause = e.getCause();
                while (cause.getCause() != null) cause = cause.getCause();
                said = "threw " + cause;
            } catch (Throwable e) {
                said = "threw " + e;
            }
            System.out.println(i + "\t" + said.replace('\n', ' '));
        }
    }
}
