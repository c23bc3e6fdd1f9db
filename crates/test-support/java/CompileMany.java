import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;

/**
 * Runs many compilations in one JVM: {@code java CompileMany JOBS THREADS}.
 *
 * <p>JOBS lists folders, one per line. Each contains {@code options} and {@code files}, with one item per line. The result
 * is {@code log} with javac's output, and then {@code status} with {@code ok} or {@code failed}. A folder without a status
 * is unfinished. The language level is Java 8, that of the oldest tested compiler.
 */
public final class CompileMany {
    public static void main(String[] args) throws Exception {
        JavaCompiler javac = ToolProvider.getSystemJavaCompiler();
        if (javac == null) {
            throw new IllegalStateException("no compiler in " + System.getProperty("java.home"));
        }
        ExecutorService threads = Executors.newFixedThreadPool(Integer.parseInt(args[1]));
        try {
            List<Future<Void>> jobs = new ArrayList<>();
            for (String folder : lines(Paths.get(args[0]))) {
                Callable<Void> job = () -> {
                    compile(javac, Paths.get(folder));
                    return null;
                };
                jobs.add(threads.submit(job));
            }
            for (Future<Void> job : jobs) {
                job.get();
            }
        } finally {
            threads.shutdownNow();
        }
    }

    private static void compile(JavaCompiler javac, Path folder) throws IOException {
        List<String> files = lines(folder.resolve("files"));
        StringWriter log = new StringWriter();
        boolean ok;
        // One file manager per job: it remembers its options, and the next job has others.
        try (StandardJavaFileManager manager =
                javac.getStandardFileManager(null, Locale.ENGLISH, StandardCharsets.UTF_8)) {
            ok = files.isEmpty() || javac.getTask(log, manager, null, lines(folder.resolve("options")), null,
                    manager.getJavaFileObjectsFromStrings(files)).call();
        } catch (RuntimeException | StackOverflowError e) {
            // A wrong option throws here, whereas the command prints a message. A compiler may also crash.
            e.printStackTrace(new PrintWriter(log, true));
            ok = false;
        }
        write(folder.resolve("log"), log.toString());
        write(folder.resolve("status"), ok ? "ok" : "failed");
    }

    private static List<String> lines(Path file) throws IOException {
        return Files.readAllLines(file, StandardCharsets.UTF_8);
    }

    private static void write(Path file, String text) throws IOException {
        Files.write(file, text.getBytes(StandardCharsets.UTF_8));
    }
}
