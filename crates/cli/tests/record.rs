//! `--record no`, `later` and `every=N`, and `tamis record`.
#![allow(clippy::unwrap_used)] // Tests may panic.

use std::fs;
use std::path::PathBuf;
use std::process::Command;
use tamis_test_support::jdk::{self, Jdk};
use tamis_test_support::{javac, maven, run};

const PROGRAM: &str = "package shop;
class Price { int of(int n) { return n * 3; } }";

const TESTS: &str = "package shop;
import org.junit.*;
public class ShopTest {
    @Test public void price() { Assert.assertEquals(6, new Price().of(2)); }
    @Test public void label() { Assert.assertEquals(5, \"no. 1\".length()); }
    @Test public void probes() throws Exception { int before = hits(); new Fresh().run(); System.out.println(\"probes \" + (hits() > before)); }
    static int hits() throws Exception {
        boolean[] hits;
        try { hits = (boolean[]) Class.forName(\"java.lang.TamisProbes0\").getField(\"hits\").get(null); } catch (ClassNotFoundException e) { return 0; }
        int sum = 0;
        for (boolean hit : hits) if (hit) sum++;
        return sum;
    }
    static class Fresh { void run() { } }
}";

struct PlainProject {
    folder: tempfile::TempDir,
    jdk: Jdk,
    jars: Vec<PathBuf>,
}

impl PlainProject {
    fn new() -> PlainProject {
        let jars = maven::jars(&["junit:junit:4.13.2"]).unwrap();
        let project = PlainProject { folder: tempfile::tempdir().unwrap(), jdk: jdk::jdk(17), jars };
        fs::write(project.path().join("pom.xml"), "<project/>").unwrap();
        project.compile(PROGRAM);
        project
    }

    fn path(&self) -> PathBuf {
        self.folder.path().canonicalize().unwrap()
    }

    fn compile(&self, program: &str) {
        let class_path: Vec<String> = self.jars.iter().map(|jar| jar.display().to_string()).collect();
        let sources = [("shop/Main.java", program), ("shop/ShopTest.java", TESTS)];
        let classes = javac::compile(&self.jdk, &sources, &["-g", "-cp", &class_path.join(":")]).unwrap();
        classes.copy_to(&self.path().join("classes")).unwrap();
    }

    fn tamis(&self, arguments: &[&str]) -> String {
        let mut command = Command::new(env!("CARGO_BIN_EXE_tamis"));
        command.args(arguments).current_dir(self.path());
        run::forget_java_settings(&mut command);
        let output = run::run(&mut command, run::SHORT).unwrap();
        output.stdout + &output.stderr
    }

    /// Runs the tests. Returns how many ran, and whether classes had probes, if the test that looks ran.
    fn run(&self, options: &[&str]) -> (usize, Option<bool>) {
        let java = self.jdk.home.join("bin/java").display().to_string();
        let mut class_path = vec!["classes".to_owned()];
        class_path.extend(self.jars.iter().map(|jar| jar.display().to_string()));
        let class_path = class_path.join(":");
        let mut words = vec!["run"];
        words.extend(options);
        words.extend(["--", &java, "-cp", &class_path, "org.junit.runner.JUnitCore", "shop.ShopTest"]);
        result(&self.tamis(&words))
    }
}

fn result(said: &str) -> (usize, Option<bool>) {
    let has = said.lines().find_map(|line| line.trim_start_matches('.').strip_prefix("probes "));
    let count = said.lines().find_map(|line| line.strip_prefix("OK (")?.split(' ').next()?.parse().ok());
    let failed =
        || said.lines().find_map(|line| line.strip_prefix("Tests run: ")?.split(',').next()?.parse().ok());
    (count.or_else(failed).unwrap_or(0), has.map(|has| has == "true"))
}

#[test]
fn without_recording_tests_are_skipped_and_classes_have_no_probes() {
    let project = PlainProject::new();
    assert_eq!(project.run(&["--record", "no"]), (3, Some(false)), "nothing is recorded");
    assert_eq!(project.run(&["--record", "no"]), (3, Some(false)), "nor was it then");
    assert_eq!(project.run(&[]), (3, Some(true)));
    assert_eq!(project.run(&["--record", "no"]).0, 0);
    project.compile(&PROGRAM.replace("n * 3", "3 * n"));
    assert_eq!(project.run(&["--record", "no"]), (1, None), "price");
    assert_eq!(project.run(&["--record", "no"]), (1, None), "it has no trace of this version");
    assert_eq!(project.run(&[]), (1, None));
    assert_eq!(project.run(&[]).0, 0);
}

#[test]
fn a_failure_without_recording_is_remembered() {
    let project = PlainProject::new();
    assert_eq!(project.run(&[]).0, 3);
    project.compile(&PROGRAM.replace("n * 3", "n * 4"));
    assert_eq!(project.run(&["--record", "no"]).0, 1);
    project.compile(PROGRAM);
    assert!(project.tamis(&["explain", "ShopTest#price"]).contains("it failed last time"));
    assert_eq!(project.run(&[]).0, 1);
    assert_eq!(project.run(&[]).0, 0);
}

#[test]
fn what_was_put_off_is_recorded_later() {
    let project = PlainProject::new();
    assert!(project.tamis(&["record"]).contains("no run was put off"));
    assert_eq!(project.run(&["--record", "later"]), (3, Some(false)));
    assert_eq!(result(&project.tamis(&["record"])), (3, Some(true)));
    assert_eq!(project.run(&[]).0, 0);
    assert!(project.tamis(&["record"]).contains("no run was put off"));
}

#[test]
fn every_second_run_is_recorded() {
    let project = PlainProject::new();
    let all = ["--all", "--record", "every=2"];
    assert_eq!([(); 4].map(|()| project.run(&all).1), [true, false, true, false].map(Some));
}
