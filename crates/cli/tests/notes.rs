//! What tests use besides code: exact notes of small programs, on every JDK that is there.
//!
//! Programs run in a directory of their own, with a few files in it. Paths below it are shown without it, those of the class
//! path as `CP/…`.

#![allow(clippy::unwrap_used)] // A test may stop at the first surprise.

mod stub;

use std::fs;
use stub::{compile, observe_in};
use tamis_test_support::jdk::{Jdk, required};

/// `in.txt`, and `dir` with `a.txt` and `b.txt` in it.
fn files() -> tempfile::TempDir {
    let directory = tempfile::tempdir().unwrap();
    let file = |name: &str| directory.path().join(name);
    fs::create_dir(file("dir")).unwrap();
    for name in ["in.txt", "dir/a.txt", "dir/b.txt"] {
        fs::write(file(name), name).unwrap();
    }
    directory
}

/// Tests by name and body.
fn program(tests: &[(&str, &str)], others: &str) -> String {
    let mut program = String::from(
        "package p; import org.junit.runner.notification.RunNotifier; import java.io.*; import java.nio.file.*;
         import java.nio.file.Path; import java.util.*; import java.lang.reflect.*; import java.lang.invoke.*;
         class Main { interface Body { void run() throws Throwable; }
         static void test(RunNotifier n, String name, final Body body) { n.test(name, new Runnable() { public void run() {
             try { body.run(); } catch (Throwable t) { t.printStackTrace(); throw new Error(t); } } }); }
         public static void main(String[] a) { RunNotifier n = new RunNotifier();
         // What the first test of a JVM makes it load is not what this is about.
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

/// Runs the tests on JDKs from `first` on and compares the notes of each.
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

/// The names of the tests that a program runs, each with its notes; and all that was printed.
fn notes(jdk: &Jdk, program: &str, flags: &[&str]) -> (Vec<String>, String) {
    let classes = compile(jdk, program);
    let directory = files();
    let mut all = vec!["-Xcheck:jni", "-Xverify:all"];
    all.extend(flags);
    let output = observe_in(directory.path(), jdk, &classes, &all);
    let (stdout, stderr) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert_eq!(output.status.code(), Some(0), "JDK {}: {stdout}{stderr}", jdk.feature);
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
            // Methods, and the count of library classes.
        } else if line.starts_with("  ") {
            seen.push(line.replace(&here, "").replace(&class_path, "CP/"));
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
