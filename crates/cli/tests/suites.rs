//! Suites that JUnit 4 runs: what they set up belongs to the tests of their classes, which enter none of it.
#![allow(clippy::unwrap_used)] // A test may stop at the first surprise, in its helpers too.

use std::fs;
use std::process::Command;
use tamis_test_support::{javac, jdk, maven, run};

const SUITE: &str =
    "import java.util.*; import org.junit.*; import org.junit.runner.*; import org.junit.runners.*;
    @RunWith(Suite.class) @Suite.SuiteClasses({ InSuite.class, Alone.class }) public class AllSuite {
        static final List<Integer> KEPT = new ArrayList<>();
        @BeforeClass public static void up() { KEPT.add(Rates.rate()); } }";
const IN: &str = "public class InSuite { @org.junit.Test public void t() { if (AllSuite.KEPT.get(0) != 1) throw new Error(); } }";
const ALONE: &str =
    "public class Alone { @org.junit.Test public void t() { if (Rates.other() != 2) throw new Error(); } }";

#[test]
fn what_a_suite_sets_up_counts_for_its_tests() {
    let folder = tempfile::tempdir().unwrap();
    let (jdk, jars) = (jdk::jdk(17), maven::jars(&["junit:junit:4.13.2"]).unwrap());
    let class_path = std::env::join_paths(&jars).unwrap().into_string().unwrap();
    fs::write(folder.path().join("pom.xml"), "").unwrap();
    // Which tests ran, and how the run ended.
    let run = |rate: u32, other: u32| {
        let rates = format!(
            "class Rates {{ static int rate() {{ return {rate}; }} static int other() {{ return {other}; }} }}"
        );
        let sources =
            [("Rates.java", &*rates), ("AllSuite.java", SUITE), ("InSuite.java", IN), ("Alone.java", ALONE)];
        let classes = javac::compile(&jdk, &sources, &["-cp", &class_path]).unwrap();
        classes.copy_to(&folder.path().join("classes")).unwrap();
        let mut tamis = Command::new(env!("CARGO_BIN_EXE_tamis"));
        tamis
            .current_dir(folder.path())
            .args(["run", "--format", "json", "--"])
            .arg(jdk.java().get_program());
        tamis.args(["-cp", &format!("classes:{class_path}"), "org.junit.runner.JUnitCore", "AllSuite"]);
        run::forget_java_settings(&mut tamis);
        let output = run::run(&mut tamis, run::SHORT).unwrap();
        let told: serde_json::Value = serde_json::from_str(&output.stdout).unwrap();
        let ran = told["tests"].as_array().unwrap().iter().filter(|test| test["decision"] == "run");
        let ran: Vec<String> = ran.map(|test| test["class"].as_str().unwrap().to_owned()).collect();
        (ran, output.code)
    };
    assert_eq!(run(1, 2), (vec!["Alone".to_owned(), "InSuite".to_owned()], Some(0)));
    assert_eq!(run(1, 2), (vec![], Some(0)));
    let (ran, code) = run(9, 2);
    assert!(ran.contains(&"InSuite".to_owned()), "{ran:?}");
    assert_eq!(code, Some(1));
}
