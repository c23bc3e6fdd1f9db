//! Suites of JUnit 4: their set-up belongs to the tests of their classes, which do not enter it; and tests
//! from a library run once for each suite that contains them.
#![allow(clippy::unwrap_used)] // Tests and their helpers may panic.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::process::Command;
use tamis_test_support::{jar, javac, jdk, maven, run};

const SUITE: &str =
    "import java.util.*; import org.junit.*; import org.junit.runner.*; import org.junit.runners.*;
    @RunWith(Suite.class) @Suite.SuiteClasses({ InSuite.class, Alone.class }) public class AllSuite {
        static final List<Integer> KEPT = new ArrayList<>();
        @BeforeClass public static void up() { KEPT.add(Rates.rate()); } }";
const IN: &str = "public class InSuite { @org.junit.Test public void t() { if (AllSuite.KEPT.get(0) != 1) throw new Error(); } }";
const ALONE: &str =
    "public class Alone { @org.junit.Test public void t() { if (Rates.other() != 2) throw new Error(); } }";

#[test]
fn the_set_up_of_a_suite_counts_for_its_tests() {
    let folder = tempfile::tempdir().unwrap();
    let (jdk, jars) = (jdk::jdk(17), maven::jars(&["junit:junit:4.13.2"]).unwrap());
    let class_path = std::env::join_paths(&jars).unwrap().into_string().unwrap();
    fs::write(folder.path().join("pom.xml"), "").unwrap();
    let run = |rate: u32, other: u32| {
        let rates = format!(
            "class Rates {{ static int rate() {{ return {rate}; }} static int other() {{ return {other}; }} }}"
        );
        let sources =
            [("Rates.java", &*rates), ("AllSuite.java", SUITE), ("InSuite.java", IN), ("Alone.java", ALONE)];
        let classes = javac::compile(&jdk, &sources, &["-cp", &class_path]).unwrap();
        classes.copy_to(&folder.path().join("classes")).unwrap();
        ran(folder.path(), &format!("classes:{class_path}"), &["AllSuite"])
    };
    assert_eq!(run(1, 2), (vec!["Alone".to_owned(), "InSuite".to_owned()], Some(0)));
    assert_eq!(run(1, 2), (vec![], Some(0)));
    // One suite that contains both classes does not couple them.
    assert_eq!(run(1, 3), (vec!["Alone".to_owned()], Some(1)));
    assert_eq!(run(1, 2), (vec!["Alone".to_owned()], Some(0)));
    let (ran, code) = run(9, 2);
    assert!(ran.contains(&"InSuite".to_owned()), "{ran:?}");
    assert_eq!(code, Some(1));
}

/// The classes of the tests that ran when JUnit got these classes, and the exit code.
fn ran(folder: &Path, class_path: &str, given: &[&str]) -> (Vec<String>, Option<i32>) {
    let mut tamis = Command::new(env!("CARGO_BIN_EXE_tamis"));
    tamis.current_dir(folder).args(["run", "--format", "json", "--"]).arg(jdk::jdk(17).java().get_program());
    tamis.args(["-cp", class_path, "org.junit.runner.JUnitCore"]).args(given);
    run::forget_java_settings(&mut tamis);
    let output = run::run(&mut tamis, run::SHORT).unwrap();
    let told: serde_json::Value = serde_json::from_str(&output.stdout).unwrap();
    let ran = told["tests"].as_array().unwrap().iter().filter(|test| test["decision"] == "run");
    let ran: BTreeSet<String> = ran.map(|test| test["class"].as_str().unwrap().to_owned()).collect();
    (ran.into_iter().collect(), output.code)
}

/// Tests for any given subject, as libraries provide them.
const TESTER: &str = "package lib; public class Tester extends junit.framework.TestCase {
        public interface Subject { int value(); }
        private final Subject subject;
        public Tester(String name, Subject subject) { super(name); this.subject = subject; }
        public void testValue() { assertTrue(subject.value() > 0); }
        public void testTwice() { assertEquals(subject.value(), subject.value()); }
        public static junit.framework.Test suite(Subject subject) {
            junit.framework.TestSuite all = new junit.framework.TestSuite(\"all\");
            all.addTest(new Tester(\"testValue\", subject)); all.addTest(new Tester(\"testTwice\", subject)); return all; } }";

/// The project that uses it: its suites, the values of their subjects, and the value that an ordinary test
/// reads.
struct Program {
    suites: &'static [&'static str],
    values: [i32; 2],
    plain: i32,
}

#[test]
fn tests_of_a_library_are_skipped_if_nothing_changed_for_any_suite() {
    let folder = tempfile::tempdir().unwrap();
    let (jdk, jars) = (jdk::jdk(17), maven::jars(&["junit:junit:4.13.2"]).unwrap());
    let junit = std::env::join_paths(&jars).unwrap().into_string().unwrap();
    fs::write(folder.path().join("pom.xml"), "").unwrap();
    let library = javac::compile(&jdk, &[("lib/Tester.java", TESTER)], &["-cp", &junit]).unwrap();
    // Outside the project: an archive inside it counts as the project's own.
    let elsewhere = tempfile::tempdir().unwrap();
    fs::write(elsewhere.path().join("lib.jar"), jar::deflated(&library.files())).unwrap();
    let library = elsewhere.path().join("lib.jar").to_str().unwrap().to_owned();
    let run = |program: &Program, given: &[&str]| {
        let [first, second] = program.values;
        let mut sources = vec![
            (
                "First.java",
                format!(
                    "class First implements lib.Tester.Subject {{ public int value() {{ return {first}; }} }}"
                ),
            ),
            (
                "Second.java",
                format!(
                    "class Second implements lib.Tester.Subject {{ public int value() {{ return {second}; }} }}"
                ),
            ),
            (
                "Plain.java",
                format!(
                    "public class Plain {{ static int plain() {{ return {}; }}
                @org.junit.Test public void t() {{ if (plain() < 0) throw new Error(); }} }}",
                    program.plain
                ),
            ),
        ];
        let subjects = ["First", "Second", "Second"];
        let suite = |(name, subject): (&&'static str, &str)| {
            let body = format!("return lib.Tester.suite(new {subject}());");
            let source =
                format!("public class {name} {{ public static junit.framework.Test suite() {{ {body} }} }}");
            (*name, source)
        };
        let suites: Vec<(&str, String)> = program.suites.iter().zip(subjects).map(suite).collect();
        let files: Vec<String> = suites.iter().map(|(name, _)| format!("{name}.java")).collect();
        sources.extend(files.iter().map(String::as_str).zip(suites.into_iter().map(|(_, source)| source)));
        let sources: Vec<(&str, &str)> = sources.iter().map(|(name, text)| (*name, text.as_str())).collect();
        let class_path = format!("{library}:{junit}");
        let classes = javac::compile(&jdk, &sources, &["-cp", &class_path]).unwrap();
        let _ = fs::remove_dir_all(folder.path().join("classes"));
        classes.copy_to(&folder.path().join("classes")).unwrap();
        ran(folder.path(), &format!("classes:{class_path}"), given)
    };
    let two: &[&str] = &["A", "B"];
    let all = ["A", "B", "Plain"];
    let names = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect::<Vec<_>>();
    let program = |suites, values, plain| Program { suites, values, plain };
    // A run of one suite shows nothing about the other.
    assert_eq!(run(&program(two, [1, 2], 3), &["A"]), (names(&["lib.Tester"]), Some(0)));
    assert_eq!(run(&program(two, [1, 2], 3), &all), (names(&["Plain", "lib.Tester"]), Some(0)));
    assert_eq!(run(&program(two, [1, 2], 3), &all), (names(&[]), Some(0)));
    assert_eq!(run(&program(two, [1, 2], 4), &all), (names(&["Plain"]), Some(0)));
    assert_eq!(run(&program(two, [1, -2], 4), &all), (names(&["lib.Tester"]), Some(1)));
    assert_eq!(run(&program(two, [1, 2], 4), &all), (names(&["lib.Tester"]), Some(0)));
    assert_eq!(run(&program(two, [1, 2], 4), &all), (names(&[]), Some(0)));
    // If a test fails, a build may stop before all suites have run.
    assert_eq!(run(&program(two, [1, 3], -1), &all), (names(&["Plain", "lib.Tester"]), Some(1)));
    assert_eq!(run(&program(two, [1, 3], 4), &all), (names(&["Plain", "lib.Tester"]), Some(0)));
    assert_eq!(run(&program(two, [1, 2], 4), &all), (names(&[]), Some(0)));
    // A new suite.
    let three: &[&str] = &["A", "B", "C"];
    assert_eq!(run(&program(three, [1, 2], 4), &["A", "B", "C", "Plain"]), (names(&["lib.Tester"]), Some(0)));
    assert_eq!(run(&program(three, [1, 2], 4), &["A", "B", "C", "Plain"]), (names(&[]), Some(0)));
}
