//! `tamis import`: verdicts of a build without Tamis, and what is skipped because of them.
#![allow(clippy::unwrap_used)] // Tests may panic.

use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, SystemTime};
use tamis_test_support::jdk::{self, Jdk};
use tamis_test_support::{javac, maven, run};

const MAIN: &str = "package shop;
class Price { int of(int n) { return n * unit(); } int unit() { return 3; } }
class Label { String of(int n) { return \"no. \" + n; } }
class Home { String name() { return System.getenv(\"HOME\"); } }";

const TESTS: &str = "package shop;
import org.junit.*;
public class ShopTest {
    @Test public void price() { Assert.assertEquals(6, new Price().of(2)); }
    @Test public void label() { Assert.assertEquals(5, new Label().of(1).length()); }
    @Test public void home() { new Home().name(); }
    @Test public void broken() { Assert.fail(); }
}";

/// A Maven project whose tests were run by somebody else.
struct ReportedProject {
    folder: tempfile::TempDir,
    jdk: Jdk,
    jars: Vec<PathBuf>,
}

impl ReportedProject {
    fn new() -> ReportedProject {
        let jars = maven::jars(&["junit:junit:4.13.2"]).unwrap();
        let project = ReportedProject { folder: tempfile::tempdir().unwrap(), jdk: jdk::jdk(17), jars };
        fs::write(project.path().join("pom.xml"), "<project/>").unwrap();
        project.compile(MAIN);
        project
    }

    fn path(&self) -> PathBuf {
        self.folder.path().canonicalize().unwrap()
    }

    fn compile(&self, main: &str) {
        let class_path: Vec<String> = self.jars.iter().map(|jar| jar.display().to_string()).collect();
        let sources = [("shop/Main.java", main), ("shop/ShopTest.java", TESTS)];
        let classes = javac::compile(&self.jdk, &sources, &["-g", "-cp", &class_path.join(":")]).unwrap();
        classes.copy_to(&self.path().join("target/test-classes")).unwrap();
    }

    /// Writes the report that Surefire writes.
    fn report(&self) {
        let path = self.path();
        let mut class_path = vec![path.join("target/test-classes")];
        class_path.extend(self.jars.iter().cloned());
        let class_path: Vec<String> = class_path.iter().map(|entry| entry.display().to_string()).collect();
        let property = |name: &str, value: &str| format!("<property name=\"{name}\" value=\"{value}\"/>");
        let properties = [
            property("user.dir", &path.display().to_string()),
            property("java.home", &self.jdk.home.display().to_string()),
            property("java.specification.version", "17"),
            property("java.class.path", "/nowhere/surefirebooter.jar"),
            property("surefire.test.class.path", &class_path.join(":")),
        ];
        let case = |name: &str, inside: &str| {
            format!("<testcase name=\"{name}\" classname=\"shop.ShopTest\" time=\"0.5\">{inside}</testcase>")
        };
        let cases =
            [case("price", ""), case("label", ""), case("home", ""), case("broken", "<failure>no</failure>")];
        let text = format!(
            "<?xml version=\"1.0\"?><testsuite name=\"shop.ShopTest\"><properties>{}</properties>{}</testsuite>",
            properties.concat(),
            cases.concat()
        );
        let folder = path.join("target/surefire-reports");
        fs::create_dir_all(&folder).unwrap();
        fs::write(folder.join("TEST-shop.ShopTest.xml"), text).unwrap();
    }

    fn tamis(&self, arguments: &[&str]) -> String {
        let mut command = Command::new(env!("CARGO_BIN_EXE_tamis"));
        command.args(arguments).current_dir(self.path());
        run::forget_java_settings(&mut command);
        let output = run::run(&mut command, run::SHORT).unwrap();
        assert!(output.success(), "{}{}", output.stdout, output.stderr);
        output.stdout
    }

    /// The decisions of now: the tests that would run, and those that are skipped because of a static trace.
    fn decided(&self) -> (Vec<String>, Vec<String>) {
        let said: Value = serde_json::from_str(&self.tamis(&["select", "--format", "json"])).unwrap();
        let (mut runs, mut skips) = (Vec::new(), Vec::new());
        for test in said["tests"].as_array().unwrap() {
            let name = test["method"].as_str().unwrap_or("all").to_owned();
            if test["decision"] == "run" {
                runs.push(name);
            } else {
                assert_eq!(test["evidence"]["static"], true, "{test}");
                skips.push(name);
            }
        }
        (runs, skips)
    }
}

fn names(list: &[&str]) -> Vec<String> {
    list.iter().map(|name| (*name).to_owned()).collect()
}

#[test]
fn an_imported_test_is_skipped_until_what_it_may_reach_changes() {
    let project = ReportedProject::new();
    project.report();
    let said = project.tamis(&["import", "."]);
    assert!(said.starts_with("2 passing tests imported from 1 report; "), "{said}");
    assert!(said.contains("1 test may use the environment"), "{said}");
    assert_eq!(project.decided(), (names(&["broken", "home"]), names(&["label", "price"])));
    let relying = project.tamis(&["affected", "shop.Price#unit"]);
    assert!(
        relying.contains("shop.ShopTest#price") && relying.contains("static: body shop.Price.unit()I"),
        "{relying}"
    );

    project.compile(&MAIN.replace("return 3", "return 4"));
    assert_eq!(project.decided(), (names(&["broken", "home", "price"]), names(&["label"])));
    let why = project.tamis(&["explain", "--technique", "static-member", "ShopTest#price"]);
    let path = "static path: shop.ShopTest.price()V > shop.Price.of(I)I > shop.Price.unit()I";
    assert!(why.contains(path), "{why}");

    project.compile(MAIN);
    assert_eq!(project.decided(), (names(&["broken", "home"]), names(&["label", "price"])));
}

#[test]
fn a_report_that_is_older_than_a_class_does_not_count() {
    let project = ReportedProject::new();
    project.report();
    let class = project.path().join("target/test-classes/shop/Price.class");
    let later = SystemTime::now() + Duration::from_secs(5);
    fs::File::options().write(true).open(&class).unwrap().set_modified(later).unwrap();
    let said = project.tamis(&["import", "target/surefire-reports"]);
    assert!(said.starts_with("0 passing tests imported"), "{said}");
    assert!(said.contains("target/test-classes/shop/Price.class is younger than the reports"), "{said}");
    assert!(!Path::new(&project.path().join(".tamis/last/launches.json")).exists());
}

#[test]
fn a_file_that_is_not_a_report_is_named() {
    let project = ReportedProject::new();
    fs::write(project.path().join("TEST-x.xml"), "<testsuite>").unwrap();
    let said = project.tamis(&["import", "TEST-x.xml"]);
    assert!(said.contains("TEST-x.xml: the file is not well formed"), "{said}");
}
