//! An audit finds the misses of a selection and reports no others, resumes after an interruption, and does
//! not change the project.

#![allow(clippy::unwrap_used)] // Tests may panic.

use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::fs::{self, File};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::SystemTime;
use tamis_audit::{AuditPlan, ProgressListener};
use tamis_project::root::ProjectRoot;
use tamis_report::audit::mutants::MutantResult;
use tamis_select::facts::FactKind;
use tamis_select::recording::Granularity;
use tamis_select::technique::HYBRID;
use tamis_session::RunSettings;
use tamis_test_support::{javac, jdk, maven, run};

const MAIN: [(&str, &str); 4] = [
    (
        "p/Shape.java",
        "package p; public abstract class Shape { protected int side = 3; public String name() { return \"shape\"; }
            public abstract int area(); @Override public String toString() { return name() + area(); } }",
    ),
    ("p/Square.java", "package p; public class Square extends Shape { public int area() { return side * side; } }"),
    (
        "p/Greeting.java",
        "package p; import java.io.*; public class Greeting {
            public static String text() throws IOException { try (BufferedReader r = new BufferedReader(
                new InputStreamReader(Greeting.class.getResourceAsStream(\"/p/greeting.txt\")))) { return r.readLine(); } }
            public static boolean isLong(String s) { if (s.length() > 5) return true; return false; } }",
    ),
    ("p/greeting.txt", "hello\n"),
];

const TESTS: [(&str, &str); 2] = [
    (
        "p/SquareTest.java",
        "package p; import static org.junit.Assert.*; public class SquareTest {
            @org.junit.Test public void area() { assertEquals(9, new Square().area()); }
            @org.junit.Test public void name() { assertEquals(\"shape9\", new Square().toString()); } }",
    ),
    (
        "p/GreetingTest.java",
        "package p; import static org.junit.Assert.*; public class GreetingTest {
            @org.junit.Test public void text() throws Exception { assertEquals(\"hello\", Greeting.text()); }
            @org.junit.Test public void length() { assertFalse(Greeting.isLong(\"abc\")); assertTrue(Greeting.isLong(\"abcdef\")); } }",
    ),
];

struct Project {
    folder: tempfile::TempDir,
    java: Vec<String>,
}

impl Project {
    /// A compiled project with recorded tests.
    fn new(main: &[(&str, &str)], tests: &[(&str, &str)], stdin: &str) -> Project {
        let jdk = jdk::jdk(17);
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path().canonicalize().unwrap().join("project");
        let jars = maven::jars(&["junit:junit:4.13.2"]).unwrap();
        let mut path: Vec<String> = jars.iter().map(|jar| jar.display().to_string()).collect();
        let classes = javac::compile(&jdk, main, &[]).unwrap();
        classes.copy_to(&root.join("target/classes")).unwrap();
        path.insert(0, classes.path.display().to_string());
        let compiled = javac::compile(&jdk, tests, &["-cp", &path.join(":")]).unwrap();
        compiled.copy_to(&root.join("target/test-classes")).unwrap();
        path.remove(0);
        path.splice(0..0, ["target/test-classes".to_owned(), "target/classes".to_owned()]);
        let mut java = vec![jdk.home.join("bin/java").display().to_string()];
        java.extend(["-cp".to_owned(), path.join(":"), "org.junit.runner.JUnitCore".to_owned()]);
        let of_tests = tests.iter().filter_map(|(name, _)| name.strip_suffix("Test.java"));
        java.extend(of_tests.map(|name| format!("{}Test", name.replace('/', "."))));
        let project = Project { folder, java };
        let mut arguments = vec!["run", "--"];
        arguments.extend(project.java.iter().map(String::as_str));
        let (code, text) = project.tamis_with(&arguments, stdin);
        assert_eq!(code, Some(0), "{text}");
        project
    }

    fn root(&self) -> PathBuf {
        self.folder.path().canonicalize().unwrap().join("project")
    }

    fn tamis(&self, arguments: &[&str]) -> (Option<i32>, String) {
        self.tamis_with(arguments, "")
    }

    /// The exit code and the output; the error output if there is no other.
    fn tamis_with(&self, arguments: &[&str], stdin: &str) -> (Option<i32>, String) {
        let mut command = Command::new(env!("CARGO_BIN_EXE_tamis"));
        command.args(arguments).current_dir(self.root()).env("NO_COLOR", "1");
        run::forget_java_settings(&mut command);
        let mut input = tempfile::tempfile().unwrap();
        input.write_all(stdin.as_bytes()).unwrap();
        std::io::Seek::rewind(&mut input).unwrap();
        let output = command.stdin(Stdio::from(input)).output().unwrap();
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        let printed = text(&output.stdout);
        (output.status.code(), if printed.is_empty() { text(&output.stderr) } else { printed })
    }

    /// The JSON report of an audit.
    fn audit(&self, arguments: &[&str]) -> (Option<i32>, Value) {
        let mut all = vec!["audit", "--format", "json", "--jobs", "2"];
        all.extend(arguments);
        let (code, text) = self.tamis(&all);
        (code, serde_json::from_str(&text).unwrap_or_else(|e| panic!("{e}: {text}")))
    }

    /// All files except those of tamis, with content and time.
    fn tree(&self) -> BTreeMap<PathBuf, (Vec<u8>, SystemTime)> {
        fn add(folder: &Path, into: &mut BTreeMap<PathBuf, (Vec<u8>, SystemTime)>) {
            for entry in fs::read_dir(folder).unwrap().map(Result::unwrap) {
                let path = entry.path();
                if path.is_dir() && !path.ends_with(".tamis") {
                    add(&path, into);
                } else if path.is_file() {
                    let time = File::open(&path).unwrap().metadata().unwrap().modified().unwrap();
                    into.insert(path.clone(), (fs::read(&path).unwrap(), time));
                }
            }
        }
        let mut found = BTreeMap::new();
        add(&self.root(), &mut found);
        found
    }
}

fn count(document: &Value, key: &str) -> usize {
    usize::try_from(document[key].as_u64().unwrap()).unwrap()
}

#[test]
fn mutants_are_killed_by_tests_that_run_and_an_audit_resumes() {
    let project = Project::new(&MAIN, &TESTS, "");
    let before = project.tree();
    let (code, first) = project.audit(&["--mutants", "24", "--seed", "3"]);
    assert_eq!((code, &first["misses"]), (Some(0), &Value::Array(Vec::new())), "{first:#}");
    let mutants = first["mutants"].as_array().unwrap();
    assert_eq!((mutants.len(), count(&first, "resumed")), (24, 0));
    assert_eq!((count(&first["baseline"], "tests"), count(&first["baseline"], "always")), (4, 0));
    let killed = mutants.iter().filter(|mutant| count(mutant, "killed") > 0).count();
    assert!(killed >= 6, "{killed} of 24 were killed: {first:#}");
    let all = first["operators"].as_array().unwrap().last().unwrap();
    assert!(count(all, "selected") < count(all, "selected_class"), "{all}");
    assert!(first["operators"].as_array().unwrap().len() > 10, "operators take turns: {first:#}");
    assert_eq!(project.tree(), before, "the project was touched");

    let (code, again) = project.audit(&["--mutants", "26", "--seed", "3"]);
    assert_eq!((code, count(&again, "resumed")), (Some(0), 24));
    let ids = |document: &Value| -> Vec<String> {
        document["mutants"].as_array().unwrap().iter().map(|mutant| mutant["id"].to_string()).collect()
    };
    let (mut old, mut new) = (ids(&first), ids(&again));
    old.sort();
    new.sort();
    new.dedup();
    assert_eq!(new.len(), 26);
    assert!(old.iter().all(|id| new.contains(id)), "a longer audit begins with the shorter one");
    let (_, other) =
        project.audit(&["--mutants", "2", "--seed", "4", "--operator", "resource-edited,resource-deleted"]);
    assert_eq!(count(&other, "resumed"), 0);
    for mutant in other["mutants"].as_array().unwrap() {
        assert_eq!(mutant["entity"], "p/greeting.txt");
        assert_eq!(count(mutant, "selected"), 1, "only one test reads it: {mutant}");
    }
}

#[test]
fn throwing_bodies_show_which_tests_depend_on_them() {
    let support = ("p/Support.java", "package p; class Support { static int side() { return 3; } }");
    let project = Project::new(&MAIN, &[&TESTS[..], &[support]].concat(), "");
    let (code, report) = project.audit(&["--mutants", "99", "--operator", "throws"]);
    assert_eq!(code, Some(0), "{report:#}");
    let keys = ["depends", "selected", "selected_class", "missed", "tests"];
    let numbers = |of: &Value| keys.map(|key| count(of, key));
    let found: BTreeMap<&str, [usize; 5]> = report["mutants"]
        .as_array()
        .unwrap()
        .iter()
        .map(|mutant| (mutant["entity"].as_str().unwrap(), numbers(mutant)))
        .collect();
    // No method beside the tests, and not the abstract one.
    let expected = [
        ("p.Greeting.<init>()V", [0, 0, 2, 0, 4]),
        ("p.Greeting.isLong(Ljava/lang/String;)Z", [1, 1, 2, 0, 4]),
        ("p.Greeting.text()Ljava/lang/String;", [1, 1, 2, 0, 4]),
        ("p.Shape.<init>()V", [2, 2, 2, 0, 4]),
        ("p.Shape.name()Ljava/lang/String;", [1, 1, 2, 0, 4]),
        ("p.Shape.toString()Ljava/lang/String;", [1, 1, 2, 0, 4]),
        ("p.Square.<init>()V", [2, 2, 2, 0, 4]),
        ("p.Square.area()I", [2, 2, 2, 0, 4]),
    ];
    assert_eq!(found, BTreeMap::from(expected), "{report:#}");
    let rows = report["operators"].as_array().unwrap();
    assert_eq!(rows.len(), 2, "one for the operator, and one for all");
    for row in rows {
        assert_eq!(numbers(row), [10, 10, 16, 0, 32]);
        assert_eq!((count(row, "mutants"), count(row, "killed")), (8, 7));
        assert_eq!((row["ratio"].as_f64(), row["ratio_class"].as_f64()), (Some(1.0), Some(1.6)));
    }

    // Again, with classes and tests in one directory. A class in a test is one of tests, too.
    let mut tests = TESTS;
    let nested =
        tests[0].1.replace("SquareTest {", "SquareTest { static class Own { int of() { return 4; } }");
    tests[0].1 = &nested;
    let project = Project::new(&[], &[&MAIN[..], &tests].concat(), "");
    let (_, report) = project.audit(&["--mutants", "99", "--operator", "throws"]);
    let mutants = report["mutants"].as_array().unwrap().iter();
    let entities: BTreeSet<&str> = mutants.map(|mutant| mutant["entity"].as_str().unwrap()).collect();
    assert_eq!(entities, expected.map(|(entity, _)| entity).into(), "{report:#}");
}

struct Silent;

impl ProgressListener for Silent {
    fn stage(&self, _: &str) {}
    fn tried(&self, _: usize, _: usize, _: &MutantResult) {}
}

#[test]
fn an_audit_finds_the_misses_of_a_selection_that_ignores_bodies() {
    let project = Project::new(&MAIN, &TESTS, "");
    let root = ProjectRoot::new(&project.root());
    let settings = RunSettings {
        rules: tamis_select::rules::SelectionRules::default(),
        technique: HYBRID,
        granularity: Granularity::Auto,
        threads: 0,
        all: false,
        record: true,
        observe: true,
        store: root.path().join(".tamis"),
        root,
    };
    let plan = |ignored| AuditPlan {
        settings: &settings,
        mutants: 6,
        seed: 1,
        jobs: 1,
        module: Some(".".to_owned()),
        operators: vec!["return-replaced".to_owned()],
        quick: false,
        ignored,
    };
    let quick =
        tamis_audit::mutants(&AuditPlan { quick: true, ..plan(Some(FactKind::Body)) }, &Silent).unwrap();
    assert!(!quick.misses.is_empty(), "classes with skipped tests are run");
    assert!(quick.operators.iter().all(|row| row.missed > 0 && row.ratio.is_none()), "not all tests ran");
    let safe = tamis_audit::mutants(&plan(None), &Silent).unwrap();
    assert!(safe.misses.is_empty(), "{:#?}", safe.misses);
    let unsafe_one = tamis_audit::mutants(&plan(Some(FactKind::Body)), &Silent).unwrap();
    assert_eq!(unsafe_one.resumed, 0, "results of other decisions are not resumed");
    let row = unsafe_one.operators.first().unwrap();
    assert!(row.selected < row.depends && row.depends <= row.selected + row.missed, "{row:?}");
    assert!(row.ratio.unwrap() < 1.0, "{row:?}");
    let miss = unsafe_one.misses.first().and_then(|tried| tried.misses.first()).expect("a miss");
    assert!(miss.alone && miss.evidence.facts > 0, "{miss:?}");
    assert!(miss.facts.iter().any(|fact| fact.starts_with("body p.")), "{miss:?}");
    assert!(miss.difference.contains("return"), "{}", miss.difference);
    let folder = Path::new(&miss.reproducer);
    assert!(folder.join("before/p").is_dir() && folder.join("after/p").is_dir());
    let page = fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .find(|path| path.extension().is_some());
    let page = fs::read_to_string(page.unwrap()).unwrap();
    assert!(page.contains(&miss.test) && page.contains("## The facts of its trace"), "{page}");
    let mut shown = Vec::new();
    let document = tamis_report::Document::Mutants(&unsafe_one);
    tamis_report::print(&mut shown, document, tamis_report::Format::Human, tamis_report::Layout::default())
        .unwrap();
    assert!(String::from_utf8(shown).unwrap().contains("MISS"));
}

#[test]
fn a_rerun_finds_a_test_that_was_wrongly_skipped() {
    // Standard input is not recorded.
    let reads = [(
        "p/InputTest.java",
        "package p; import static org.junit.Assert.*; public class InputTest {
            @org.junit.Test public void one() throws Exception { assertEquals('1', System.in.read()); }
            @org.junit.Test public void other() { } }",
    )];
    let project = Project::new(&[], &reads, "1");
    let mut arguments = vec!["audit", "--rerun", "--"];
    arguments.extend(project.java.iter().map(String::as_str));
    let (code, text) = project.tamis_with(&arguments, "1");
    assert_eq!(code, Some(0), "{text}");
    assert!(
        text.contains("2 tests would have been skipped, 0 would have run") && text.contains("no misses"),
        "{text}"
    );
    let (code, text) = project.tamis_with(&arguments, "2");
    assert_eq!(code, Some(1), "{text}");
    assert!(text.contains("MISS  p.InputTest#one  passed when recorded, failed now"), "{text}");
    assert!(text.contains("reason to skip: all") && text.contains("recorded 20"), "{text}");
    // It failed, so that it runs: no miss any more.
    arguments.splice(2..2, ["--format", "json"]);
    let (code, text) = project.tamis(&arguments);
    let document: Value = serde_json::from_str(&text).unwrap_or_else(|e| panic!("{e}: {text}"));
    assert_eq!((code, count(&document, "run_failed"), count(&document, "skip")), (Some(0), 1, 1), "{text}");
}

#[test]
fn bad_usage_exits_with_2() {
    let folder = tempfile::tempdir().unwrap();
    for (arguments, says) in [
        (&["audit"][..], "--rerun"),
        (&["audit", "--rerun", "--mutants", "3"], "cannot be used"),
        (&["audit", "--mutants", "3"], "nothing recorded"),
        (&["audit", "--mutants", "3", "--operator", "nonsense"], "known operators: access-changed"),
        (&["audit", "--mutants", "3", "--technique", "all"], "nothing to audit"),
        (&["audit", "--rerun"], "tamis audit --rerun -- COMMAND"),
    ] {
        let output =
            Command::new(env!("CARGO_BIN_EXE_tamis")).args(arguments).current_dir(&folder).output().unwrap();
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {said}");
        assert!(said.contains(says), "{arguments:?}: {said}");
    }
    let output = Command::new(env!("CARGO_BIN_EXE_tamis"))
        .args(["audit", "--rerun", "--", "true"])
        .current_dir(&folder)
        .output();
    assert_eq!(output.unwrap().status.code(), Some(3), "a build that ran no tests");
}
