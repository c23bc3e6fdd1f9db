import java.io.*;
import java.net.*;
import java.nio.file.*;
import java.util.*;

/**
 * Loads and links the classes listed in a file, and prints a result for each: `name ok`, or `name` and the error.
 * Arguments: the list, then the jars; without jars, the classes of the JVM itself. Initialises no class.
 */
public class LinkAll {
    public static void main(String[] args) throws Exception {
        List<URL> jars = new ArrayList<>();
        for (int i = 1; i < args.length; i++) jars.add(Paths.get(args[i]).toUri().toURL());
        ClassLoader system = ClassLoader.getSystemClassLoader();
        ClassLoader loader = jars.isEmpty() ? system : new URLClassLoader(jars.toArray(new URL[0]), system.getParent());
        try (PrintStream out = new PrintStream(new BufferedOutputStream(new FileOutputStream(FileDescriptor.out)), false, "UTF-8")) {
            for (String name : Files.readAllLines(Paths.get(args[0]))) {
                String result = "ok";
                try {
                    // HotSpot links, and so verifies, a class before it lists its methods; it does not initialise it.
                    Class.forName(name, false, loader).getDeclaredMethods();
                } catch (Throwable t) {
                    result = t.getClass().getName() + " " + String.valueOf(t.getMessage()).replaceAll("\\s+", " ");
                }
                out.println(name + " " + result);
            }
        }
    }
}
