//! Inputs of tests besides code: exact observations of small programs, on every required JDK.
//!
//! Programs run in a directory of their own with a few files. Paths below it are shown relative to it, and
//! paths of the class path as `CP/…`.

#![allow(clippy::unwrap_used)] // Tests may panic.

mod observer;
mod stub;

use observer::observe_in;
use std::fs;
use stub::compile;
use tamis_test_support::jdk::{Jdk, required};

/// `in.txt`, a link to it, `dir` with `a.txt` and `b.txt`, and `one` with `c.txt`.
fn files() -> tempfile::TempDir {
    let directory = tempfile::tempdir().unwrap();
    let file = |name: &str| directory.path().join(name);
    fs::create_dir(file("dir")).unwrap();
    fs::create_dir(file("one")).unwrap();
    for name in ["in.txt", "dir/a.txt", "dir/b.txt", "one/c.txt"] {
        fs::write(file(name), name).unwrap();
    }
    std::os::unix::fs::symlink("in.txt", file("link")).unwrap();
    directory
}

/// A program with these tests, given by name and body.
fn program(tests: &[(&str, &str)], others: &str) -> String {
    let mut program = String::from(
        "package p; import org.junit.runner.notification.RunNotifier; import java.io.*; import java.nio.file.*;
         import java.nio.file.Path; import java.util.*; import java.lang.reflect.*; import java.lang.invoke.*;
         class Main { interface Body { void run() throws Throwable; }
         static void test(RunNotifier n, String name, final Body body) { n.test(name, new Runnable() { public void run() {
             try { body.run(); } catch (Throwable t) { t.printStackTrace(); throw new Error(t); } } }); }
         public static void main(String[] a) { RunNotifier n = new RunNotifier();
         // Classes that only the first test of a JVM loads are left out here.
         test(n, \"\", new Body() { public void run() { } });
         ",
    );
    for (name, body) in tests {
        program.push_str(&format!(
            "test(n, \"{name}\", new Body() {{ public void run() throws Throwable {{ {body} }} }});\n"
        ));
    }
    program + "} }\n" + others
}

/// Runs the tests on JDKs from `first` on, and compares the observed inputs of each.
#[track_caller]
fn check_from(first: u32, tests: &[(&str, &str)], others: &str, flags: &[&str], expected: &str) {
    let expected: Vec<&str> =
        expected.lines().map(|line| line.strip_prefix("        ").unwrap_or(line)).collect();
    let expected: Vec<&str> = expected.into_iter().filter(|line| !line.is_empty()).collect();
    for jdk in required().into_iter().filter(|jdk| jdk.feature >= first) {
        let (seen, output) = notes(&jdk, &program(tests, others), flags);
        assert_eq!(seen, expected, "JDK {}:\n{output}", jdk.feature);
    }
}

#[track_caller]
fn check(tests: &[(&str, &str)], others: &str, expected: &str) {
    check_from(8, tests, others, &[], expected);
}

/// The names of a program's tests, each followed by its inputs; and all output.
fn notes(jdk: &Jdk, program: &str, flags: &[&str]) -> (Vec<String>, String) {
    let classes = compile(jdk, program);
    let directory = files();
    let mut all = vec!["-Xcheck:jni", "-Xverify:all"];
    all.extend(flags);
    let output = observe_in(directory.path(), jdk, &classes, &all);
    let (stdout, stderr) = (output.stdout, output.stderr);
    assert_eq!(output.code, Some(0), "JDK {}: {stdout}{stderr}", jdk.feature);
    assert!(!stderr.contains("JNI") && !stdout.contains("JNI"), "JDK {}: {stdout}{stderr}", jdk.feature);
    let here = format!("{}/", directory.path().display());
    let class_path = format!("{}/", classes.path.display());
    let mut seen = Vec::new();
    for line in stdout.lines().filter(|line| !line.starts_with("p.T#  ")) {
        if let Some(name) = line.strip_prefix("p.T#") {
            assert!(name.contains("  passed  "), "{stdout}{stderr}");
            seen.push(name.split("  ").next().unwrap_or_default().to_owned());
        } else if line.starts_with("  and ")
            || (line.contains('(') && !line.contains("<clinit>()V and") && !line.contains("(all)"))
        {
            // Methods, and the number of library classes.
        } else if line.starts_with("  ")
            && !line.contains("META-INF/services/java.")
            && line.trim() != "names p/K"
        {
            // Newer JDKs look for providers of their own on the class path. All JDKs look up the interface of
            // a proxy by name, some before they inspect it and some after.
            let line = format!("{line}/").replace(&here, "").replace(&class_path, "CP/");
            seen.push(line.trim_end_matches('/').to_owned());
        }
    }
    (seen, format!("{stdout}{stderr}"))
}

#[test]
fn files_that_are_read() {
    check(
        &[
            ("stream", "new FileInputStream(\"in.txt\").close();"),
            (
                "twice",
                "new FileInputStream(\"./in.txt\").close(); new FileInputStream(\"dir/../in.txt\").close();",
            ),
            ("reader", "new FileReader(new File(\"dir\", \"a.txt\")).close();"),
            ("random", "new RandomAccessFile(\"in.txt\", \"r\").close();"),
            ("nio", "Files.readAllBytes(Paths.get(\"in.txt\"));"),
            ("channel", "java.nio.channels.FileChannel.open(Paths.get(\"dir/b.txt\")).close();"),
            ("url", "new File(\"in.txt\").toURI().toURL().openStream().close();"),
        ],
        "",
        "
        stream
          reads in.txt
        twice
          reads in.txt
          reads dir/../in.txt
        reader
          reads dir/a.txt
        random
          reads in.txt
        nio
          reads in.txt
        channel
          reads dir/b.txt
        url
          examines in.txt
          reads in.txt",
    );
}

#[test]
fn files_that_are_missing() {
    check(
        &[
            ("stream", "try { new FileInputStream(\"none\"); } catch (FileNotFoundException e) { }"),
            ("below a file", "new File(\"in.txt/none\").exists();"),
            ("nio", "try { Files.readAllBytes(Paths.get(\"none\")); } catch (NoSuchFileException e) { }"),
            ("exists", "Files.exists(Paths.get(\"none\")); new File(\"dir/none\").isFile();"),
            ("list", "new File(\"none\").list();"),
            ("length", "new File(\"none\").length(); new File(\"dir/none\").lastModified();"),
            ("delete", "new File(\"none\").delete(); Files.deleteIfExists(Paths.get(\"dir/none\"));"),
        ],
        "",
        "
        stream
          misses none
        below a file
          misses in.txt/none
        nio
          misses none
        exists
          misses none
          misses dir/none
        list
          misses none
        length
          misses none
          misses dir/none
        delete
          misses none
          misses dir/none",
    );
}

#[test]
fn files_that_are_examined_and_listed() {
    check(
        &[
            ("io", "File f = new File(\"in.txt\"); f.exists(); f.length(); f.canRead(); f.lastModified();"),
            ("nio", "Files.size(Paths.get(\"in.txt\")); Files.isDirectory(Paths.get(\"dir\"));"),
            ("access", "Files.isReadable(Paths.get(\"in.txt\"));"),
            ("list", "new File(\"dir\").list();"),
            (
                "stream",
                "try (DirectoryStream<Path> s = Files.newDirectoryStream(Paths.get(\"dir\"))) { s.iterator(); }",
            ),
            ("walk", "for (Object o : Files.walk(Paths.get(\"one\")).toArray()) { }"),
            ("link", "Files.readSymbolicLink(Paths.get(\"link\"));"),
            ("real", "Paths.get(\"link\").toRealPath();"),
            ("permission", "new File(\"in.txt\").setExecutable(false);"),
        ],
        "",
        "
        io
          examines in.txt
          attribute readable of in.txt
          attribute modified of in.txt
        nio
          examines in.txt
          examines dir
        access
          examines in.txt
          attribute readable of in.txt
        list
          lists dir
        stream
          lists dir
        walk
          examines one
          lists one
          examines one/c.txt
        link
          examines link
        real
          examines link
        permission
          examines in.txt",
    );
}

#[test]
fn attributes_of_files_that_code_reads() {
    check(
        &[
            ("time", "Files.getLastModifiedTime(Paths.get(\"in.txt\"));"),
            (
                "object",
                "Files.readAttributes(Paths.get(\"in.txt\"), java.nio.file.attribute.BasicFileAttributes.class).creationTime();",
            ),
            (
                "owner",
                "Files.readAttributes(Paths.get(\"in.txt\"), java.nio.file.attribute.PosixFileAttributes.class).group();",
            ),
            ("named", "Files.getAttribute(Paths.get(\"in.txt\"), \"unix:mode\");"),
            ("nothing", "Files.exists(Paths.get(\"in.txt\"));"),
        ],
        "",
        "
        time
          examines in.txt
          attribute modified of in.txt
        object
          examines in.txt
          attribute created of in.txt
        owner
          examines in.txt
          attribute owner of in.txt
        named
          examines in.txt
          attribute permissions of in.txt
        nothing
          examines in.txt",
    );
}

#[test]
fn written_files_are_reported_in_order() {
    check(
        &[
            ("then read", "new FileOutputStream(\"new\").close(); new FileInputStream(\"new\").close();"),
            (
                "read first",
                "new FileInputStream(\"in.txt\").close(); new FileOutputStream(\"in.txt\").close();",
            ),
            ("both", "new RandomAccessFile(\"in.txt\", \"rw\").close();"),
            ("both, new", "new RandomAccessFile(\"new2\", \"rw\").close();"),
            (
                "append",
                "new FileOutputStream(\"log\", true).close(); new FileOutputStream(\"dir/a.txt\", true).close();",
            ),
            (
                "nio",
                "Files.write(Paths.get(\"new3\"), new byte[1]); Files.readAllBytes(Paths.get(\"new3\"));",
            ),
            (
                "rename",
                "new File(\"dir/b.txt\").renameTo(new File(\"moved\")); Files.delete(Paths.get(\"moved\"));",
            ),
            ("move", "Files.move(Paths.get(\"new3\"), Paths.get(\"new4\"), StandardCopyOption.ATOMIC_MOVE);"),
            (
                "directories",
                "new File(\"d\").mkdir(); Files.createDirectory(Paths.get(\"d/e\")); new File(\"d/e\").delete();",
            ),
            ("exclusive", "new File(\"x\").createNewFile(); new File(\"x\").createNewFile();"),
        ],
        "",
        "
        then read
          writes new
          reads new
        read first
          reads in.txt
          writes in.txt
        both
          reads in.txt
          writes in.txt
        both, new
          misses new2
          writes new2
        append
          writes log
          writes dir/a.txt
        nio
          writes new3
          reads new3
        rename
          reads dir/b.txt
          writes dir/b.txt
          writes moved
          examines moved
        move
          reads new3
          writes new3
          writes new4
        directories
          writes d
          writes d/e
        exclusive
          writes x
          examines x",
    );
}

#[test]
fn a_file_that_is_appended_to_and_then_read_is_a_gap() {
    let tests = [(
        "append",
        "new FileOutputStream(\"in.txt\", true).close(); new FileInputStream(\"in.txt\").close();",
    )];
    for jdk in required() {
        let (seen, output) = notes(&jdk, &program(&tests, ""), &[]);
        assert_eq!(seen, ["append", "  writes in.txt", "  reads in.txt"], "JDK {}", jdk.feature);
        assert!(output.contains("in.txt was written to before it was read"), "JDK {}: {output}", jdk.feature);
    }
}

#[test]
fn classes_and_resources_that_are_looked_up() {
    let look = "try { Class.forName(\"p.None\"); } catch (ClassNotFoundException e) { } new Other();";
    check(
        &[
            ("class", look),
            ("again", look),
            ("package", "try { Class.forName(\"p.Plain\"); } catch (ClassNotFoundException e) { Class.forName(\"Plain\"); }"),
            (
                "resource",
                "Main.class.getResource(\"/none.txt\"); Main.class.getResourceAsStream(\"none.txt\");",
            ),
            ("its own file", "Main.class.getResourceAsStream(\"/p/Later.class\").close(); new Later();"),
            ("service", "for (Service s : ServiceLoader.load(Service.class)) { }"),
            (
                "bundle",
                "try { ResourceBundle.getBundle(\"p.texts\", Locale.ROOT,
                ResourceBundle.Control.getNoFallbackControl(ResourceBundle.Control.FORMAT_PROPERTIES)); } catch (MissingResourceException e) { }",
            ),
        ],
        "class Other { } class Later { } interface Service { }",
        "
        class
          misses CP/p/None.class
        again
          misses CP/p/None.class
        package
          names Plain
          misses CP/p/Plain.class
        resource
          misses CP/none.txt
          misses CP/p/none.txt
        its own file
          examines CP/p/Later.class
          reads CP/p/Later.class
        service
          misses CP/META-INF/services/p.Service
        bundle
          asks for texts p.texts
          misses CP/p/texts.properties",
    );
}

#[test]
fn environment_properties_and_machine() {
    check(
        &[
            ("variable", "System.getenv(\"A_B\");"),
            ("variables", "System.getenv();"),
            ("of a process", "new ProcessBuilder().environment();"),
            ("property", "System.getProperty(\"a\"); System.getProperty(\"b\", \"x\");"),
            ("numbers", "Integer.getInteger(\"a\"); Integer.getInteger(\"b\", 1); Integer.getInteger(\"c\", (Integer) null);
                Long x = Long.getLong(\"d\"); x = Long.getLong(\"e\", 7L); if (x != 7L) throw new Error(); Long.getLong(\"f\", (Long) null);
                if (Boolean.getBoolean(\"g\")) throw new Error();"),
            ("properties", "System.getProperties();"),
            ("set", "System.setProperty(\"a\", \"1\"); System.clearProperty(\"a\"); System.getProperty(\"a\");"),
            ("set all", "System.setProperties(null);"),
            ("machine", "Runtime r = Runtime.getRuntime(); if (r.availableProcessors() < 1 || r.maxMemory() < r.totalMemory()) throw new Error();"),
            ("host", "try { java.net.InetAddress.getLocalHost(); } catch (java.net.UnknownHostException e) { }"),
            ("reference", "java.util.function.Function<String, String> f = System::getenv;"),
        ],
        "",
        "
        variable
          environment A_B
        variables
          environment (all)
        of a process
          environment (all)
        property
          property a
          property b
        numbers
          property a
          property b
          property c
          property d
          property e
          property f
          property g
        properties
          property (all)
        set
          sets property a
          property a
        set all
          sets property (all)
        machine
          machine processors
          machine memory
        host
          machine host
        reference
          environment (all)",
    );
}

#[test]
fn changed_static_fields_are_reported() {
    check(
        &[
            ("loads", "S.sum(); E.A.name(); new Late();"),
            ("nothing", "S.sum();"),
            ("numbers", "S.z = true; S.b = 1; S.c = 'x'; S.s = 2; S.i = 3; S.j = 1L << 40; S.f = 0.5f; S.d = -0.0;"),
            ("the same", "S.z = true; S.i = 3; S.d = -0.0; S.o = S.first; S.text = S.text;"),
            ("back", "int old = S.i; Object o = S.o; S.i = 9; S.o = new Object(); S.i = old; S.o = o;"),
            ("objects", "S.o = new String(\"x\"); S.text = null; S.list = new ArrayList<String>();"),
            ("gone", "S.o = null; System.gc();"),
            ("equal", "S.text = new String(\"y\");"),
            ("equal again", "S.text = new String(\"y\");"),
            ("atomic", "S.COUNT.incrementAndGet(); S.LONG.set(1L << 33); S.FLAG.set(true); S.REF.set(\"z\");"),
            ("atomic back", "S.COUNT.incrementAndGet(); S.COUNT.decrementAndGet(); S.REF.set(\"z\");"),
            ("an object's own", "S.list.add(\"a\"); S.LIST.add(\"a\");"),
            ("first use", "Late.first = 6;"),
            ("later", "Late.first = 7; Bare.only = \"b\";"),
            ("handle", "MethodHandles.lookup().findStaticSetter(S.class, \"i\", int.class).invoke(77);"),
        ],
        "enum E { A } class Late { static int first = 4; static final int K = 1; static { first++; } }
         class Bare { static String only; }
         class S { static boolean z; static byte b; static char c; static short s; static int i = 2; static long j; static float f;
             static double d; static final Object first = new Object(); static Object o = first; static String text = \"t\";
             static List<String> list; static final List<String> LIST = new ArrayList<String>();
             static final java.util.concurrent.atomic.AtomicInteger COUNT = new java.util.concurrent.atomic.AtomicInteger();
             static final java.util.concurrent.atomic.AtomicLong LONG = new java.util.concurrent.atomic.AtomicLong();
             static final java.util.concurrent.atomic.AtomicBoolean FLAG = new java.util.concurrent.atomic.AtomicBoolean();
             static final java.util.concurrent.atomic.AtomicReference<String> REF =
                 new java.util.concurrent.atomic.AtomicReference<String>(\"r\");
             static int sum() { return i + b + c + s; } }",
        "
        loads
          p/E.<clinit>()V and what it ran
          p/Late.<clinit>()V and what it ran
          p/S.<clinit>()V and what it ran
        nothing
          p/S.<clinit>()V and what it ran
        numbers
          p/S.<clinit>()V and what it ran
          leaves something else in p/S.z
          leaves something else in p/S.b
          leaves something else in p/S.c
          leaves something else in p/S.s
          leaves something else in p/S.i
          leaves something else in p/S.j
          leaves something else in p/S.f
          leaves something else in p/S.d
        the same
          p/S.<clinit>()V and what it ran
        back
          p/S.<clinit>()V and what it ran
        objects
          p/S.<clinit>()V and what it ran
          leaves something else in p/S.o
          leaves something else in p/S.text
          leaves something else in p/S.list
        gone
          p/S.<clinit>()V and what it ran
          leaves something else in p/S.o
        equal
          p/S.<clinit>()V and what it ran
          leaves something else in p/S.text
        equal again
          p/S.<clinit>()V and what it ran
          leaves something else in p/S.text
        atomic
          p/S.<clinit>()V and what it ran
          leaves something else in p/S.COUNT
          leaves something else in p/S.LONG
          leaves something else in p/S.FLAG
          leaves something else in p/S.REF
        atomic back
          p/S.<clinit>()V and what it ran
        an object's own
          p/S.<clinit>()V and what it ran
        first use
          p/Late.<clinit>()V and what it ran
          leaves something else in p/Late.first
        later
          p/Late.<clinit>()V and what it ran
          leaves something else in p/Late.first
          leaves something else in p/Bare.only
        handle
          reflects on p/S
          leaves something else in p/S.i",
    );
}

#[test]
fn static_fields_set_by_reflection_are_reported() {
    check(
        &[
            ("static", "Field f = S.class.getDeclaredField(\"text\"); f.set(null, \"x\"); f.set(f, \"y\"); if (S.text != \"y\") throw new Error();"),
            ("numbers", "S.class.getDeclaredField(\"big\").setLong(null, 7L); S.class.getDeclaredField(\"wide\").setDouble(null, 0.5);
                S.class.getDeclaredField(\"small\").setInt(null, 3); if (S.big != 7 || S.wide != 0.5 || S.small != 3) throw new Error();"),
            ("an object's", "S s = new S(); S.class.getDeclaredField(\"own\").setLong(s, 7L); if (s.own != 7) throw new Error();"),
            ("none", "try { ((Field) null).set(null, null); throw new Error(); } catch (NullPointerException e) { }"),
        ],
        "class S { static String text; static long big; static double wide; static int small; long own; }",
        "
        static
          reflects on p/S
          sets p/S.text by reflection
          leaves something else in p/S.text
        numbers
          sets p/S.big by reflection
          sets p/S.wide by reflection
          sets p/S.small by reflection
          leaves something else in p/S.big
          leaves something else in p/S.wide
          leaves something else in p/S.small
        an object's
        none",
    );
}

#[test]
fn stack_traces_that_are_read() {
    check_from(
        8,
        &[
            ("not", "try { throw new IOException(\"x\"); } catch (IOException e) { e.getMessage(); }"),
            ("trace", "new IOException(\"x\").getStackTrace();"),
            ("print", "new Exception(\"x\").printStackTrace(new PrintWriter(new StringWriter()));"),
            ("thread", "Thread.currentThread().getStackTrace();"),
        ],
        "",
        &[],
        "
        not
        trace
          reads a stack trace
        print
          reads a stack trace
        thread
          reads a stack trace",
    );
    check_from(
        11,
        &[(
            "walker",
            "StackWalker.getInstance().forEach(x -> { }); StackWalker.getInstance().walk(s -> s.count());",
        )],
        "",
        &[],
        "
        walker
          reads a stack trace",
    );
}

#[test]
fn reflection_on_classes_of_the_program() {
    check(
        &[
            ("proxy", "Proxy.newProxyInstance(Main.class.getClassLoader(), new Class<?>[] { K.class }, new Handler());"),
            ("methods", "A.class.getDeclaredMethods();"),
            ("again", "A.class.getDeclaredMethods();"),
            ("one method", "B.class.getMethod(\"f\").invoke(new B());"),
            ("fields", "C.class.getDeclaredField(\"x\");"),
            ("constructor", "D.class.getConstructor().newInstance();"),
            ("annotations", "E.class.getAnnotations();"),
            ("generic", "F.class.getTypeParameters();"),
            ("interfaces", "G.class.getInterfaces();"),
            ("enclosing", "new H() { }.getClass().getEnclosingMethod();"),
            ("name", "I.class.getName();"),
            ("boot", "String.class.getDeclaredMethods(); Runnable.class.getAnnotations();"),
            ("updater", "java.util.concurrent.atomic.AtomicIntegerFieldUpdater.newUpdater(J.class, \"x\");"),
            ("serial", "new ObjectOutputStream(new ByteArrayOutputStream()).writeObject(new L());"),
            ("parameters", "M.class.getDeclaredMethods()[0].getParameters();"),
        ],
        "class A { void f() { } } class B { public void f() { } } class C { int x; } class D { public D() { } }
         @Deprecated class E { } class F<T> { } class G implements Cloneable { } class H { } class I { }
         class J { volatile int x; } interface K { void f(); } class L implements java.io.Serializable { int x; }
         class M { void f(int x) { } }
         class Handler implements java.lang.reflect.InvocationHandler {
            public Object invoke(Object o, java.lang.reflect.Method m, Object[] a) { return null; } }",
        "
        proxy
          p/$Proxy0.<clinit>()V and what it ran
          reflects on p/K
          reflects on p/$Proxy0
        methods
          reflects on p/A
        again
        one method
          reflects on p/B
        fields
          reflects on p/C
        constructor
          reflects on p/D
        annotations
          reflects on p/E
        generic
          reflects on p/F
        interfaces
          reflects on p/G
        enclosing
          reflects on p/Main$12$1
          reflects on p/Main$12
        name
        boot
        updater
          reflects on p/J
        serial
          reflects on p/L
        parameters
          reflects on p/M",
    );
}

#[test]
fn method_handles_are_reflection_and_lambdas_are_code() {
    check(
        &[
            ("found", "MethodHandles.lookup().findVirtual(A.class, \"f\", MethodType.methodType(void.class)).invoke(new A());"),
            ("again", "MethodHandles.lookup().findVirtual(A.class, \"f\", MethodType.methodType(void.class));"),
            ("not found", "try { MethodHandles.lookup().findStatic(B.class, \"g\", MethodType.methodType(void.class)); }
                catch (NoSuchMethodException e) { }"),
            ("constructor", "MethodHandles.lookup().findConstructor(C.class, MethodType.methodType(void.class)).invoke();"),
            ("field", "MethodHandles.lookup().findGetter(D.class, \"x\", int.class);"),
            ("lambda", "E e = new E(); Runnable r = () -> e.f(); r.run();"),
            ("references", "F f = new F(); Runnable r = f::f; r.run(); java.util.function.Supplier<F> s = F::new; s.get();"),
        ],
        "class A { void f() { } } class B { } class C { } class D { int x; } class E { void f() { } } class F { void f() { } }",
        "
        found
          reflects on p/A
        again
          reflects on p/A
        not found
          reflects on p/B
        constructor
          reflects on p/C
        field
          reflects on p/D
        lambda
        references",
    );
    check_from(
        11,
        &[("variable", "MethodHandles.lookup().findVarHandle(A.class, \"x\", int.class);")],
        "class A { int x; }",
        &[],
        "
        variable
          reflects on p/A",
    );
    check_from(
        17,
        &[
            ("record", "new A(1).equals(new A(2)); new A(1).toString();"),
            ("components", "A.class.getRecordComponents();"),
        ],
        "record A(int x) { }",
        &[],
        "
        record
        components
          reflects on p/A",
    );
}

#[test]
fn processes_and_libraries() {
    check_from(
        8,
        &[
            ("process", "new ProcessBuilder(\"true\", \"x y\", \"z\").start().waitFor();"),
            (
                "no such process",
                "try { Runtime.getRuntime().exec(\"no-such-program 1\"); } catch (IOException e) { }",
            ),
            ("no such library", "try { System.loadLibrary(\"none\"); } catch (UnsatisfiedLinkError e) { }"),
            (
                "no library",
                "try { System.load(new File(\"in.txt\").getAbsolutePath()); } catch (UnsatisfiedLinkError e) { }",
            ),
        ],
        "",
        &["-Djava.library.path=dir"],
        "
        process
          starts true x y z
          not seen: what true did
        no such process
          starts no-such-program 1
        no such library
          misses dir/libnone.so
        no library
          examines in.txt
          loads library in.txt",
    );
}

#[test]
fn hidden_classes_are_reported_with_their_origin() {
    check_from(
        17,
        &[
            (
                "hidden",
                "byte[] b = Main.class.getResourceAsStream(\"/p/A.class\").readAllBytes();
                 MethodHandles.lookup().defineHiddenClass(b, true).lookupClass().getDeclaredConstructor().newInstance();",
            ),
            (
                "by reflection",
                "byte[] b = Main.class.getResourceAsStream(\"/p/A.class\").readAllBytes();
                 Method m = MethodHandles.Lookup.class.getMethod(\"defineHiddenClass\", byte[].class, boolean.class,
                     MethodHandles.Lookup.ClassOption[].class);
                 m.invoke(MethodHandles.lookup(), b, true, new MethodHandles.Lookup.ClassOption[0]);",
            ),
        ],
        "class A implements Runnable { public void run() { } }",
        &[],
        "
        hidden
          makes p/A from p/Main$3
          examines CP/p/A.class
          reads CP/p/A.class
        by reflection
          makes p/A from p/Main$4
          examines CP/p/A.class
          reads CP/p/A.class",
    );
}

#[test]
fn anonymous_classes_are_reported_with_their_origin() {
    let tests = [(
        "anonymous",
        "Field f = sun.misc.Unsafe.class.getDeclaredField(\"theUnsafe\"); f.setAccessible(true);
         InputStream in = Main.class.getResourceAsStream(\"/p/A.class\"); byte[] b = new byte[in.available()]; in.read(b);
         sun.misc.Unsafe.class.getMethod(\"defineAnonymousClass\", Class.class, byte[].class, Object[].class)
             .invoke(f.get(null), Main.class, b, null);",
    )];
    for jdk in required().into_iter().filter(|jdk| jdk.feature <= 11) {
        let (seen, output) = notes(&jdk, &program(&tests, "class A { }"), &[]);
        let expected =
            ["anonymous", "  makes p/A from p/Main", "  examines CP/p/A.class", "  reads CP/p/A.class"];
        assert_eq!(seen, expected, "JDK {}:\n{output}", jdk.feature);
    }
}

#[test]
fn libraries_of_the_foreign_function_interface() {
    check_from(
        22,
        &[(
            "lookup",
            "try { java.lang.foreign.SymbolLookup.libraryLookup(Paths.get(\"in.txt\"), java.lang.foreign.Arena.global()); }
             catch (IllegalArgumentException e) { }",
        )],
        "",
        &["--enable-native-access=ALL-UNNAMED"],
        "
        lookup
          examines in.txt
          loads library in.txt",
    );
}

#[test]
fn a_directory_of_the_class_path_can_be_listed() {
    check(
        &[
            ("root", "new File(Main.class.getResource(\"/\").toURI()).list();"),
            ("package", "new File(Main.class.getResource(\".\").toURI()).list();"),
        ],
        "",
        "
        root
          lists CP
        package
          examines CP/p
          lists CP/p",
    );
}

#[test]
fn inputs_of_an_initialiser_are_reported_with_it() {
    check(
        &[("first", "A.f();"), ("second", "A.f();")],
        "class A { static String s = System.getProperty(\"a\"); static boolean b = new java.io.File(\"none\").exists();
            static { B.f(); } static void f() { } }
         class B { static String s = System.getenv(\"B\"); static void f() { } }",
        "
        first
          p/A.<clinit>()V and what it ran
            property a
            misses none
          p/B.<clinit>()V and what it ran
            environment B
          property a
          misses none
          environment B
        second
          p/A.<clinit>()V and what it ran
            property a
            misses none
          p/B.<clinit>()V and what it ran
            environment B",
    );
}

#[test]
fn every_look_up_of_a_class_by_name_is_reported() {
    check(
        &[
            ("first", "A.f(); B.f();"),
            ("name", "Class.forName(\"p.A\"); Class.forName(\"java.util.BitSet\");"),
            ("loader", "Main.class.getClassLoader().loadClass(\"p.B\");"),
        ],
        "class A { static void f() { } } class B { static void f() { } }",
        "
        first
        name
          names p/A
        loader
          names p/B",
    );
}

#[test]
fn every_look_at_a_class_is_reported() {
    check(
        &[
            ("super", "B.class.getSuperclass(); Integer.class.getSuperclass();"),
            ("again", "Class<?> c = B.class; c.getSuperclass();"),
            ("modifiers", "A.class.getModifiers();"),
            ("assignable", "A.class.isAssignableFrom(B.class);"),
            ("all", "EnumSet.allOf(E.class);"),
            ("none", "EnumSet.noneOf(E.class); new EnumMap<E, A>(E.class);"),
            ("constants", "E.class.getEnumConstants();"),
            ("value", "Enum.valueOf(E.class, \"X\");"),
        ],
        "class A { } class B extends A { } enum E { X }",
        "
        super
          reflects on p/B
        again
          reflects on p/B
        modifiers
          reflects on p/A
        assignable
          reflects on p/B
        all
          p/E.<clinit>()V and what it ran
          reflects on p/E
        none
          p/E.<clinit>()V and what it ran
          reflects on p/E
        constants
          p/E.<clinit>()V and what it ran
          reflects on p/E
        value
          p/E.<clinit>()V and what it ran
          reflects on p/E",
    );
}

#[test]
fn hosts_that_are_connected_to() {
    check(
        &[
            (
                "socket",
                "try { new java.net.Socket(java.net.InetAddress.getByAddress(new byte[] {127, 0, 0, 1}), 1).close(); }
                 catch (IOException e) { }",
            ),
            (
                "channel",
                "try { java.nio.channels.SocketChannel.open(new java.net.InetSocketAddress(\"127.0.0.1\", 2)).close(); }
                 catch (IOException e) { }",
            ),
            ("name", "java.net.InetAddress.getByName(\"localhost\");"),
        ],
        "",
        "
        socket
          connects to 127.0.0.1:1, nobody
        channel
          connects to 127.0.0.1:2, nobody
        name
          machine name localhost",
    );
}
