//! The agent inside real JVMs: exact observations of small programs, on every required JDK.

#![allow(clippy::unwrap_used)] // Tests may panic.

mod observer;
mod stub;

use observer::observe_in;
use std::path::Path;
use std::process::Command;
use stub::compile;
use tamis_test_support::jdk::{Jdk, required};
use tamis_test_support::{jar, javac, maven, run};

fn observe(jdk: &Jdk, classes: &javac::ClassDir, flags: &[&str]) -> run::Output {
    observe_in(Path::new("."), jdk, classes, flags)
}

/// Runs the program on every JDK, and compares the observed use of classes in `p` by each test.
#[track_caller]
fn check(program: &str, expected: &str) {
    for jdk in required() {
        let classes = compile(&jdk, program);
        let output = observe(&jdk, &classes, &["-Xcheck:jni", "-Xverify:all"]);
        let (stdout, stderr) = (output.stdout, output.stderr);
        assert_eq!(output.code, Some(0), "JDK {}: {stdout}{stderr}", jdk.feature);
        assert!(!stderr.contains("JNI"), "JDK {}: {stderr}", jdk.feature);
        let seen: Vec<String> = stdout
            .lines()
            .filter(|line| {
                line.contains('#') || line.trim_start().starts_with("p/") || line.starts_with("  Plain.")
            })
            // Without the duration of a test.
            .map(|line| {
                if line.starts_with(' ') {
                    line
                } else {
                    line.rsplit_once("  ").map_or(line, |(line, _)| line)
                }
            })
            .map(str::to_owned)
            .collect();
        let expected: Vec<&str> = expected
            .lines()
            .map(|line| line.strip_prefix("        ").unwrap_or(line))
            .filter(|l| !l.is_empty())
            .collect();
        assert_eq!(seen, expected, "JDK {}:\n{stdout}{stderr}", jdk.feature);
    }
}

#[test]
fn methods_count_for_the_test_that_entered_them() {
    check(
        "package p; import org.junit.runner.notification.RunNotifier; class Main {
            static void one() { } static int two(int n) { return n == 0 ? 0 : two(n - 1); }
            public static void main(String[] a) { RunNotifier n = new RunNotifier();
                n.test(\"one\", new Runnable() { public void run() { one(); } });
                n.test(\"two\", new Runnable() { public void run() { two(3); } });
                n.test(\"both\", new Runnable() { public void run() { one(); two(0); } });
                n.test(\"none\", new Runnable() { public void run() { } }); } }",
        "
        p.T#one  passed
          p/Main$1.run()V
          p/Main.one()V
        p.T#two  passed
          p/Main$2.run()V
          p/Main.two(I)I
        p.T#both  passed
          p/Main$3.run()V
          p/Main.one()V
          p/Main.two(I)I
        p.T#none  passed
          p/Main$4.run()V",
    );
}

#[test]
fn a_failing_test_is_reported_as_failed() {
    check(
        "package p; import org.junit.runner.notification.RunNotifier; class Main {
            public static void main(String[] a) {
                new RunNotifier().test(\"bad\", new Runnable() { public void run() { throw new RuntimeException(); } }); } }",
        "
        p.T#bad  failed
          p/Main$1.run()V",
    );
}

#[test]
fn initialisers_are_reported_with_the_initialisers_that_they_run() {
    check(
        "package p; import org.junit.runner.notification.RunNotifier; class Main {
            public static void main(String[] a) { RunNotifier n = new RunNotifier();
                n.test(\"first\", new Runnable() { public void run() { Outer.f(); } });
                n.test(\"second\", new Runnable() { public void run() { Outer.f(); } });
                n.test(\"field\", new Runnable() { public void run() { int x = Sub.x; } });
                n.test(\"none\", new Runnable() { public void run() { } }); } }
         class Sub extends Outer { }
         class Outer { static int x = Inner.y(); static void f() { } }
         class Inner { static String s = \"s\".trim(); static int y() { return s.length(); } }",
        "
        p.T#first  passed
          p/Inner.<clinit>()V
          p/Inner.y()I
          p/Main$1.run()V
          p/Outer.<clinit>()V
          p/Outer.f()V
          p/Inner.<clinit>()V and what it ran
          p/Outer.<clinit>()V and what it ran
        p.T#second  passed
          p/Main$2.run()V
          p/Outer.f()V
          p/Inner.<clinit>()V and what it ran
          p/Outer.<clinit>()V and what it ran
        p.T#field  passed
          p/Main$3.run()V
          p/Inner.<clinit>()V and what it ran
          p/Outer.<clinit>()V and what it ran
        p.T#none  passed
          p/Main$4.run()V",
    );
}

#[test]
fn constructors_branches_switches_and_handlers_verify_and_are_observed() {
    check(
        "package p; import org.junit.runner.notification.RunNotifier; class Main {
            final int n; Main(int n) { this.n = n > 0 ? n : -n; } Main() { this(7); }
            int sw(String s) { switch (s) { case \"a\": return 1; case \"b\": return 2; default: return n; } }
            synchronized int tr() { try { return Integer.parseInt(\"x\"); } catch (NumberFormatException e) { return 3; } finally { n(); } }
            private static void n() { for (long l = 0; l < 3; l++) { double d = l; if (d > 1) break; } }
            public static void main(String[] a) {
                new RunNotifier().test(\"all\", new Runnable() { public void run() { Main m = new Main(); m.sw(\"b\"); m.tr(); } }); } }",
        "
        p.T#all  passed
          p/Main$1.run()V
          p/Main.<init>()V
          p/Main.<init>(I)V
          p/Main.n()V
          p/Main.sw(Ljava/lang/String;)I
          p/Main.tr()I",
    );
}

#[test]
fn the_exit_code_is_the_commands_own_and_exit_loses_nothing() {
    for jdk in required() {
        let classes = compile(
            &jdk,
            "package p; import org.junit.runner.notification.RunNotifier; class Main {
                public static void main(String[] a) { RunNotifier n = new RunNotifier();
                    n.test(\"kept\", new Runnable() { public void run() { } }); Runtime.getRuntime().halt(42); } }",
        );
        let output = observe(&jdk, &classes, &[]);
        let stdout = output.stdout;
        assert_eq!(output.code, Some(42), "JDK {}", jdk.feature);
        assert!(stdout.contains("p.T#kept  passed"), "JDK {}: {stdout}", jdk.feature);
    }
}

#[test]
fn reflection_and_stack_traces_are_as_without_the_agent() {
    let program = "package p; import org.junit.runner.notification.RunNotifier; class Main implements java.io.Serializable {
        static int x = 1; int f() { throw new IllegalStateException(); }
        public static void main(String[] a) throws Exception {
            System.out.println(java.util.Arrays.asList(Main.class.getDeclaredMethods()).size());
            System.out.println(java.util.Arrays.asList(Main.class.getDeclaredFields()));
            System.out.println(java.io.ObjectStreamClass.lookup(Main.class).getSerialVersionUID());
            try { new Main().f(); } catch (IllegalStateException e) { System.out.println(java.util.Arrays.asList(e.getStackTrace())); } } }";
    for jdk in required() {
        let classes = compile(&jdk, program);
        let mut plain = jdk.java();
        plain.arg("-cp").arg(&classes.path).arg("p.Main");
        let plain = run::run(&mut plain, run::SHORT).unwrap().stdout;
        let observed = observe(&jdk, &classes, &[]);
        assert_eq!(observed.stdout, plain, "JDK {}", jdk.feature);
    }
}

/// `tamis run --observe` prints the facts that a recording would keep, of failed tests too.
#[test]
fn the_command_shows_what_each_test_uses_and_keeps_nothing() {
    let sources = [
        (
            "p/T.java",
            "package p; import java.io.*; import org.junit.Test; public class T {
                @Test public void reads() throws IOException { new FileReader(\"in.txt\").close(); Once.f(); }
                @Test public void misses() { new File(\"no.txt\").exists(); System.getProperty(\"p.x\"); }
                @Test public void later() { Once.f(); }
                @Test public void starts() throws IOException { new ProcessBuilder(\"/bin/true\").start(); }
                @Test public void fails() { throw new Error(); } @Test public void left() { } }",
        ),
        (
            "p/Once.java",
            "package p; class Once { static int n = Integer.parseInt(\"1\"); static void f() { } }",
        ),
    ];
    let jdk = tamis_test_support::jdk::jdk(17);
    let jars = maven::jars(&["junit:junit:4.13.2", "org.hamcrest:hamcrest-core:1.3"]).unwrap();
    let jars: Vec<String> = jars.iter().map(|jar| jar.display().to_string()).collect();
    let classes = javac::compile(&jdk, &sources, &["-g", "-cp", &jars.join(":")]).unwrap();
    let directory = tempfile::tempdir().unwrap();
    std::fs::write(directory.path().join("in.txt"), "in").unwrap();
    let mut command = Command::new(env!("CARGO_BIN_EXE_tamis"));
    command.args(["run", "--observe", "--skip", "p.T#left", "--color=never", "--"]);
    command.arg(jdk.home.join("bin/java")).arg("-cp");
    command.arg(format!("{}:{}", classes.path.display(), jars.join(":")));
    command.args(["org.junit.runner.JUnitCore", "p.T"]).current_dir(directory.path());
    run::forget_java_settings(&mut command);
    let output = run::run(&mut command, run::SHORT).unwrap();
    let (stdout, stderr) = (output.stdout, output.stderr);
    for (test, uses) in [
        (
            "p.T#reads  passed",
            &["p.T.reads()V", "p.Once.f()V", "p.Once.<clinit>()V and what it ran", "reads in.txt"][..],
        ),
        ("p.T#misses  passed", &["p.T.misses()V", "misses no.txt", "property p.x"]),
        ("p.T#later  passed", &["p.Once.f()V", "p.Once.<clinit>()V and what it ran"]),
        ("p.T#starts  passed", &["always runs: it starts a process: /bin/true", "p.T.starts()V"]),
        ("p.T#fails  failed", &["p.T.fails()V"]),
        ("p.T#left  skipped", &[]),
    ] {
        let block = stdout.lines().skip_while(|line| !line.starts_with(test));
        let block: Vec<&str> = block.skip(1).take_while(|line| line.starts_with(' ')).collect();
        assert!(stdout.contains(test), "{test}: {stdout}{stderr}");
        for used in uses {
            assert!(block.contains(&&*format!("  {used}")), "{test}, {used}: {stdout}{stderr}");
        }
        assert!(test.contains("reads") || !block.contains(&"  reads in.txt"), "{test}: {stdout}{stderr}");
    }
    assert!(stderr.contains("tests observed in 1 JVM"), "{stderr}");
    assert!(!directory.path().join(".tamis").exists());
}

#[test]
fn a_command_without_a_jvm_runs_with_a_note() {
    let mut command = Command::new(env!("CARGO_BIN_EXE_tamis"));
    let output = command.args(["run", "--observe", "--", "sh", "-c", "echo out; exit 7"]).output().unwrap();
    assert_eq!(output.status.code(), Some(7));
    assert_eq!(output.stdout, b"out\n");
    assert!(String::from_utf8_lossy(&output.stderr).contains("nothing was observed"));
}

/// As Surefire starts JVMs: one jar that contains only a manifest, which names directories and libraries.
#[test]
fn a_class_path_in_a_manifest_is_the_class_path() {
    let program = "package p; import org.junit.runner.notification.RunNotifier; class Main {
            public static void main(String[] a) { new RunNotifier().test(\"a\", () -> new lib.L().run()); } }";
    for jdk in required() {
        let library = javac::compile(
            &jdk,
            &[("lib/L.java", "package lib; public class L implements Runnable { public void run() { } }")],
            &[],
        );
        let library = library.unwrap();
        let path = library.path.to_str().unwrap();
        let mut sources = stub::STUBS.to_vec();
        sources.push(("p/Main.java", program));
        let classes = javac::compile(&jdk, &sources, &["-g", "-cp", path]).unwrap();
        let there = tempfile::tempdir().unwrap();
        let class = std::fs::read(library.path.join("lib/L.class")).unwrap();
        let library = jar::stored(&[("lib/L.class", class)]);
        std::fs::write(there.path().join("library.jar"), library).unwrap();
        let mut line = format!("Class-Path: file:{}/ library.jar", classes.path.display());
        // Lines of a manifest have at most 72 bytes.
        for at in (1..line.len()).rev().filter(|at| at % 70 == 0) {
            line.insert_str(at, "\r\n ");
        }
        let manifest = format!("Manifest-Version: 1.0\r\n{line}\r\n\r\n");
        std::fs::write(there.path().join("boot.jar"), jar::stored(&[("META-INF/MANIFEST.MF", manifest)]))
            .unwrap();
        let mut command = jdk.java();
        command.args(["-cp", "boot.jar", "p.Main"]).current_dir(there.path());
        let text = observer::observe(command, &[], true, run::SHORT).stdout;
        assert!(text.contains("\n  p/Main.lambda$main$0()V\n"), "JDK {}: {text}", jdk.feature);
        assert!(text.contains("\n  library lib/L\n"), "JDK {}: {text}", jdk.feature);
        assert!(!text.contains("misses") && !text.contains(".jar"), "JDK {}: {text}", jdk.feature);
    }
}

#[test]
fn a_jvm_that_a_test_starts_counts_for_that_test() {
    check(
        "package p; import org.junit.runner.notification.RunNotifier; class Main {
            static void start(String... command) { try { new ProcessBuilder(command).inheritIO().start().waitFor(); }
                catch (Exception e) { throw new Error(e); } }
            public static void main(String[] a) { RunNotifier n = new RunNotifier();
                final String java = System.getProperty(\"java.home\") + \"/bin/java\", path = System.getProperty(\"java.class.path\");
                n.test(\"child\", new Runnable() { public void run() { start(java, \"-cp\", path, \"p.Child\"); } });
                n.test(\"grandchild\", new Runnable() { public void run() {
                    start(\"/bin/sh\", \"-c\", java + \" -cp \" + path + \" p.Child; true\"); } });
                n.test(\"none\", new Runnable() { public void run() { } }); } }
         class Child { public static void main(String[] a) { } }",
        "
        p.T#child  passed
          p/Main$1.run()V
          p/Main.start([Ljava/lang/String;)V
            p/Child.main([Ljava/lang/String;)V
        p.T#grandchild  passed
          p/Main$2.run()V
          p/Main.start([Ljava/lang/String;)V
            p/Child.main([Ljava/lang/String;)V
        p.T#none  passed
          p/Main$3.run()V",
    );
}

#[test]
fn a_class_that_its_loader_does_not_name_is_observed() {
    check(
        "package p; import org.junit.runner.notification.RunNotifier; class Main {
            static class Loader extends ClassLoader { Loader() { super(null); }
                Class<?> define(byte[] b) { return defineClass(null, b, 0, b.length); } }
            static void nothing() { }
            public static void main(String[] a) { new RunNotifier().test(\"a\", new Runnable() { public void run() {
                try { java.io.InputStream in = Main.class.getResourceAsStream(\"/Plain.class\");
                    byte[] b = new byte[10000]; int n = in.read(b); Runnable r = Main::nothing; r.run();
                    new Loader().define(java.util.Arrays.copyOf(b, n)).getConstructor().newInstance();
                } catch (Exception e) { throw new Error(e); } } }); } }",
        "
        p.T#a  passed
          Plain.<init>()V
          p/Main$1.run()V
          p/Main$Loader.<init>()V
          p/Main$Loader.define([B)Ljava/lang/Class;
          p/Main.nothing()V",
    );
}
