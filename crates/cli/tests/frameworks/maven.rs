//! Real builds: skipped tests are in none of Surefire's reports, and the build passes.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::process::Command;
use std::time::Duration;
use tamis_test_support::{jdk, run};

const JUNIT_4: &str = "package p; import org.junit.*; public class NTest {
    @BeforeClass public static void up() { new java.io.File(\"target/up-N\").mkdirs(); }
    @Test public void a() { } @Test public void b() { Assert.assertTrue(Boolean.getBoolean(\"good\")); } }";

const JUPITER: &str = "package p; import org.junit.jupiter.api.*; class NTest {
    @BeforeAll static void up() { new java.io.File(\"target/up-N\").mkdirs(); }
    @Test void a() { } @RepeatedTest(2) void b() { Assertions.assertTrue(Boolean.getBoolean(\"good\")); } }";

const TESTNG: &str = "package p; import org.testng.*; import org.testng.annotations.*; public class NTest {
    @BeforeClass public void up() { new java.io.File(\"target/up-N\").mkdirs(); }
    @Test public void a() { } @Test public void b() { Assert.assertTrue(Boolean.getBoolean(\"good\")); } }";

/// A project with the test classes `One`, `Two` and `Three`, whose methods `b` fail.
fn project(folder: &Path, library: &str, source: &str) {
    let mut parts = library.split(':');
    let mut part = || parts.next().unwrap();
    let dependency = format!(
        "<dependency><groupId>{}</groupId><artifactId>{}</artifactId><version>{}</version><scope>test</scope></dependency>",
        part(),
        part(),
        part()
    );
    let pom = format!(
        "<project xmlns=\"http://maven.apache.org/POM/4.0.0\"><modelVersion>4.0.0</modelVersion>
         <groupId>p</groupId><artifactId>p</artifactId><version>1</version>
         <properties><maven.compiler.source>17</maven.compiler.source><maven.compiler.target>17</maven.compiler.target>
         <project.build.sourceEncoding>UTF-8</project.build.sourceEncoding></properties>
         <dependencies>{dependency}</dependencies><build><plugins>
         <plugin><artifactId>maven-surefire-plugin</artifactId><version>3.2.5</version></plugin></plugins></build></project>"
    );
    fs::create_dir_all(folder.join("src/test/java/p")).unwrap();
    fs::write(folder.join("pom.xml"), pom).unwrap();
    for name in ["One", "Two", "Three"] {
        let file = folder.join(format!("src/test/java/p/{name}Test.java"));
        fs::write(
            file,
            source.replace("NTest", &format!("{name}Test")).replace("up-N", &format!("up-{name}")),
        )
        .unwrap();
    }
}

/// The test cases in Surefire's reports, and the classes whose set-up ran.
fn build(folder: &Path, skip: &[&str]) -> (bool, BTreeSet<String>, String) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_tamis"));
    command.args(["run", "--observe", "--color=never"]);
    for test in skip {
        command.args(["--skip", test]);
    }
    command.args(["--", "mvn", "--batch-mode", "--no-transfer-progress", "test"]).current_dir(folder);
    command.env("JAVA_HOME", jdk::jdk(17).home);
    run::forget_java_settings(&mut command);
    let output = run::run(&mut command, Duration::from_secs(300)).unwrap();
    let mut seen = BTreeSet::new();
    for entry in fs::read_dir(folder.join("target/surefire-reports")).into_iter().flatten() {
        let path = entry.unwrap().path();
        if path.extension().is_some_and(|extension| extension == "xml") {
            let text = fs::read_to_string(&path).unwrap();
            for case in text.split("<testcase ").skip(1) {
                let value =
                    |name: &str| case.split(&format!("{name}=\"")).nth(1).unwrap().split('"').next().unwrap();
                let skipped = if case.split("</testcase").next().unwrap().contains("<skipped") {
                    " skipped"
                } else {
                    ""
                };
                seen.insert(format!("{}#{}{skipped}", value("classname"), value("name")));
            }
        }
    }
    for name in ["One", "Two", "Three"] {
        if folder.join("target").join(format!("up-{name}")).exists() {
            seen.insert(format!("up {name}"));
        }
    }
    let _ = fs::remove_dir_all(folder.join("target/surefire-reports"));
    for name in ["One", "Two", "Three"] {
        let _ = fs::remove_dir_all(folder.join("target").join(format!("up-{name}")));
    }
    (output.success(), seen, output.stdout + &output.stderr)
}

#[track_caller]
fn check(library: &str, source: &str, all: &[&str], fewer: &[&str]) {
    let folder = tempfile::tempdir().unwrap();
    project(folder.path(), library, source);
    let (passed, seen, told) = build(folder.path(), &[]);
    assert_eq!(seen.iter().map(String::as_str).collect::<Vec<_>>(), all, "{told}");
    assert!(!passed, "{told}");
    let (passed, seen, told) =
        build(folder.path(), &["p.OneTest", "p.TwoTest#b", "p.ThreeTest#a", "p.ThreeTest#b"]);
    assert_eq!(seen.iter().map(String::as_str).collect::<Vec<_>>(), fewer, "{told}");
    assert!(passed, "{told}");
    let (passed, seen, told) = build(folder.path(), &["p.OneTest", "p.TwoTest", "p.ThreeTest"]);
    assert!(seen.is_empty(), "{seen:?} {told}");
    assert!(passed, "{told}");
}

const ALL: [&str; 9] = [
    "p.OneTest#a",
    "p.OneTest#b",
    "p.ThreeTest#a",
    "p.ThreeTest#b",
    "p.TwoTest#a",
    "p.TwoTest#b",
    "up One",
    "up Three",
    "up Two",
];

#[test]
fn surefire_with_junit_4() {
    check("junit:junit:4.13.2", JUNIT_4, &ALL, &["p.TwoTest#a", "up Two"]);
}

#[test]
fn surefire_with_jupiter() {
    check("org.junit.jupiter:junit-jupiter:5.13.4", JUPITER, &ALL, &["p.TwoTest#a", "up Two"]);
}

#[test]
fn surefire_with_testng() {
    check("org.testng:testng:7.11.0", TESTNG, &ALL, &["p.TwoTest#a", "up Two"]);
}
