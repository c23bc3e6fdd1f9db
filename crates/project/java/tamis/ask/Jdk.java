package tamis.ask;

import java.io.File;
import java.util.ArrayList;
import java.util.List;

/** Identifies a `java` program by its path and by files of its JDK. */
public final class Jdk {
    /** Files that identify a JDK and differ between its builds. */
    private static final String[] MARKS = {
        "release", "lib/modules", "lib/rt.jar", "jre/lib/rt.jar", "lib/server/libjvm.so", "bin/java"
    };

    private Jdk() {}

    public static List<Object> marks(File java) throws Exception {
        List<Object> marks = new ArrayList<>();
        File home = java.getCanonicalFile().getParentFile().getParentFile();
        marks.add(java.getPath());
        marks.add(home.getPath());
        for (String mark : MARKS) {
            File file = new File(home, mark);
            if (file.isFile()) {
                marks.add(mark + " " + file.length() + " " + file.lastModified());
            }
        }
        return marks;
    }
}
