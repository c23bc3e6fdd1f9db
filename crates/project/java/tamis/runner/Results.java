package tamis.runner;

import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;

/** Writes the outcome of each test, one per line and at once: the JVM may be killed at any time. */
final class Results {
    private final OutputStream out;

    Results(String file) throws IOException {
        // Opened before any test begins, so that no test is observed opening it.
        out = new FileOutputStream(file);
    }

    void start(String name) {
        write("start\t" + plain(name));
    }

    void end(String name, String outcome) {
        write("end\t" + plain(name) + "\t" + outcome);
    }

    void done() {
        write("done");
    }

    private static String plain(String name) {
        return name.replace('\t', ' ').replace('\n', ' ').replace('\r', ' ');
    }

    private synchronized void write(String line) {
        try {
            out.write((line + "\n").getBytes(StandardCharsets.UTF_8));
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }
}
