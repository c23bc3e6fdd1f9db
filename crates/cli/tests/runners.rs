//! Runners that people start without Maven or Gradle: Ant with forked tests, and plain JVMs. Each one records, skips
//! what is unaffected, and runs what is affected.

#![allow(clippy::unwrap_used, clippy::indexing_slicing)] // Tests may panic.

use std::collections::BTreeSet;
use std::env::join_paths;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;
use tamis_test_support::{javac, jdk, maven, run};

const PATIENCE: Duration = Duration::from_secs(120);

const JUNIT_4: &str = "junit:junit:4.13.2";
const CONSOLE: &str = "org.junit.platform:junit-platform-console-standalone:1.10.2";
const TESTNG: &str = "org.testng:testng:7.5.1";
const ANT: [&str; 4] = [
    "org.apache.ant:ant-junit4:1.10.14",
    "org.apache.ant:ant-junit:1.10.14",
    "org.apache.ant:ant-junitlauncher:1.10.14",
    CONSOLE,
];

/// Two test classes, each of which prints its name and calls one of two methods.
struct Suite {
    folder: tempfile::TempDir,
    library: String,
    annotation: &'static str,
}

impl Suite {
    fn new(annotation: &'static str, libraries: &[&str]) -> Suite {
        let library = join_paths(maven::jars(libraries).unwrap()).unwrap().into_string().unwrap();
        let suite = Suite { folder: tempfile::tempdir().unwrap(), library, annotation };
        suite.write("build.xml", "<project/>"); // Marks the root.
        suite.compile("1");
        suite
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().canonicalize().unwrap().join(name)
    }

    fn write(&self, name: &str, text: &str) {
        fs::write(self.path(name), text).unwrap();
    }

    fn compile(&self, one: &str) {
        let code = format!(
            "package a; public class A {{ static String one() {{ return \"{one}\"; }} static void two() {{}} }}"
        );
        let test = |name: &str, call: &str| {
            format!(
                "package a; public class {name}Test {{ @{} public void it() {{ System.out.println(\"ran:{name}\"); A.{call}(); }} }}",
                self.annotation
            )
        };
        let sources = [
            ("a/A.java", code),
            ("a/OneTest.java", test("One", "one")),
            ("a/TwoTest.java", test("Two", "two")),
        ];
        let sources: Vec<(&str, &str)> = sources.iter().map(|(name, text)| (*name, text.as_str())).collect();
        let classes = javac::compile(&jdk::jdk(17), &sources, &["-cp", &self.library]).unwrap();
        drop(fs::remove_dir_all(self.path("classes")));
        classes.copy_to(&self.path("classes")).unwrap();
    }

    /// The tests that ran, by what they printed or by their reports. `run.json` must have the same.
    #[track_caller]
    fn run(&self, arguments: &[&str]) -> BTreeSet<String> {
        self.reports(|file| fs::remove_file(file).unwrap());
        let java = jdk::jdk(17).home.join("bin/java");
        let mut tamis = Command::new(env!("CARGO_BIN_EXE_tamis"));
        tamis.args(["run", "--"]).arg(java).args(arguments).current_dir(self.path("")).env("NO_COLOR", "1");
        run::forget_java_settings(&mut tamis);
        let output = run::run(&mut tamis, PATIENCE).unwrap();
        let text = output.stdout + &output.stderr;
        // Where TestNG's own main finds no test to run, it says so.
        let has_none = arguments.contains(&"org.testng.TestNG") && !text.contains("ran:");
        assert_eq!(output.code, Some(if has_none { 8 } else { 0 }), "{text}");
        let printed = text.split("ran:").skip(1).filter_map(|rest| rest.get(..3));
        let mut ran: BTreeSet<String> = printed.map(str::to_owned).collect();
        self.reports(|file| {
            if fs::read_to_string(file).unwrap().contains("<testcase") {
                let name = file.file_name().unwrap().to_str().unwrap();
                ran.insert(name.trim_start_matches("TEST-a.")[..3].to_owned());
            }
        });
        let document = fs::read_to_string(self.path(".tamis/last/run.json")).unwrap();
        let document: serde_json::Value = serde_json::from_str(&document).unwrap();
        let tests = document["tests"].as_array().unwrap();
        assert_eq!(tests.len(), 2, "{text}{document}");
        let told = tests.iter().filter(|test| test["decision"] == "run");
        let told: BTreeSet<String> =
            told.map(|test| test["class"].as_str().unwrap()[2..5].to_owned()).collect();
        assert_eq!(told, ran, "{text}{document:#}");
        ran
    }

    fn reports(&self, mut each: impl FnMut(&Path)) {
        for file in fs::read_dir(self.path("")).unwrap().map(|file| file.unwrap().path()) {
            if file.file_name().unwrap().to_string_lossy().starts_with("TEST-") {
                each(&file);
            }
        }
    }

    /// A first run, one without a change, and one after an edit of what `OneTest` uses.
    #[track_caller]
    fn check(&self, arguments: &[&str]) {
        let set = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect::<BTreeSet<String>>();
        assert_eq!(self.run(arguments), set(&["One", "Two"]), "the first time");
        assert_eq!(self.run(arguments), set(&[]), "nothing changed");
        self.compile("2");
        assert_eq!(self.run(arguments), set(&["One"]), "a body changed");
        assert_eq!(self.run(arguments), set(&[]), "nothing changed again");
    }
}

#[test]
fn junit_core() {
    let suite = Suite::new("org.junit.Test", &[JUNIT_4]);
    let path = format!("classes:{}", suite.library);
    suite.check(&["-cp", &path, "org.junit.runner.JUnitCore", "a.OneTest", "a.TwoTest"]);
}

#[test]
fn an_argument_file_as_ides_write_it() {
    let suite = Suite::new("org.junit.Test", &[JUNIT_4]);
    suite.write("arguments", &format!("-ea -cp\n\"classes:{}\"\n", suite.library));
    suite.check(&["@arguments", "org.junit.runner.JUnitCore", "a.OneTest", "a.TwoTest"]);
}

#[test]
fn the_console_launcher_on_the_class_path_of_the_jvm() {
    let suite = Suite::new("org.junit.jupiter.api.Test", &[CONSOLE]);
    let path = format!("classes:{}", suite.library);
    let main = "org.junit.platform.console.ConsoleLauncher";
    suite.check(&["-cp", &path, main, "execute", "--scan-classpath", "classes", "--fail-if-no-tests=false"]);
}

#[test]
fn the_console_launcher_with_a_class_path_of_its_own() {
    let suite = Suite::new("org.junit.jupiter.api.Test", &[CONSOLE]);
    suite.check(&["-jar", &suite.library, "execute", "-cp", "classes", "--scan-classpath"]);
}

#[test]
fn testngs_main() {
    let suite = Suite::new("org.testng.annotations.Test", &[TESTNG]);
    let path = format!("classes:{}", suite.library);
    suite.check(&["-cp", &path, "org.testng.TestNG", "-testclass", "a.OneTest,a.TwoTest"]);
}

/// Runs Ant with this target.
#[track_caller]
fn check_ant(annotation: &'static str, target: &str) {
    let suite = Suite::new(annotation, &ANT);
    let build = format!("<project default='test'><target name='test'>{target}</target></project>");
    suite.write("build.xml", &build.replace("LIBRARY", &suite.library));
    let launcher = "org.apache.tools.ant.launch.Launcher";
    suite.check(&["-cp", &suite.library, launcher, "-q"]);
}

fn junit_task(mode: &str) -> String {
    format!(
        "<junit fork='true' forkmode='{mode}' showoutput='true' haltonfailure='true'>
           <classpath><pathelement location='classes'/><pathelement path='LIBRARY'/></classpath>
           <formatter type='xml'/>
           <batchtest todir='.'><fileset dir='classes' includes='**/*Test.class'/></batchtest></junit>"
    )
}

#[test]
fn ant_with_one_jvm_for_all() {
    check_ant("org.junit.Test", &junit_task("once"));
}

#[test]
fn ant_with_a_jvm_for_each_class() {
    check_ant("org.junit.Test", &junit_task("perTest"));
}

#[test]
fn ants_launcher_of_the_platform() {
    let target = "<junitlauncher printsummary='true' haltonfailure='true'>
        <classpath><pathelement location='classes'/><pathelement path='LIBRARY'/></classpath>
        <testclasses outputdir='.'><fileset dir='classes' includes='**/*Test.class'/><fork/>
        <listener type='legacy-xml' sendSysOut='false'/></testclasses></junitlauncher>";
    check_ant("org.junit.jupiter.api.Test", target);
}
