//! What Tamis leaves behind in Gradle, and what it does where it cannot work: a later build without Tamis must find
//! neither results of only some tests nor any other trace.

#![allow(clippy::unwrap_used, clippy::indexing_slicing)] // Tests may panic.

use std::collections::BTreeSet;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;
use tamis_test_support::{gradle, jdk, run};

const PATIENCE: Duration = Duration::from_secs(240);

/// A project with two tests, one of which uses `A.one`.
struct Project {
    folder: tempfile::TempDir,
}

impl Project {
    fn new() -> Project {
        let project = Project { folder: tempfile::tempdir().unwrap() };
        project.write(
            "settings.gradle",
            "rootProject.name = 'two'\nbuildCache { local { directory = file('cache') } }\n",
        );
        project.write(
            "build.gradle",
            "plugins { id 'java' }\nrepositories { mavenCentral() }\n\
             dependencies { testImplementation 'junit:junit:4.13.2' }\n",
        );
        project.body("1");
        let test = |name: &str, body: &str| {
            let text = format!("public class {name} {{ @org.junit.Test public void it() {{ {body} }} }}");
            project.write(&format!("src/test/java/{name}.java"), &text);
        };
        test("OneTest", "new A().one();");
        test("TwoTest", "new A().two();");
        project
    }

    fn body(&self, one: &str) {
        let text = format!("class A {{ String one() {{ return \"{one}\"; }} void two() {{}} }}");
        self.write("src/main/java/A.java", &text);
    }

    fn path(&self) -> PathBuf {
        self.folder.path().canonicalize().unwrap()
    }

    fn write(&self, path: &str, text: &str) {
        let file = self.path().join(path);
        fs::create_dir_all(file.parent().unwrap()).unwrap();
        fs::write(file, text).unwrap();
    }

    /// Runs a command after deleting the reports. Returns what it printed, and the classes that ran.
    #[track_caller]
    fn run(&self, program: &str, arguments: &[&str]) -> (String, BTreeSet<String>) {
        let reports = self.path().join("build/test-results/test");
        drop(fs::remove_dir_all(&reports));
        let mut command = Command::new(program);
        command.args(arguments).current_dir(self.path()).env("NO_COLOR", "1");
        let bin = gradle::program().unwrap().parent().unwrap().to_owned();
        let path = std::env::var_os("PATH").unwrap();
        let path = std::env::join_paths([bin].into_iter().chain(std::env::split_paths(&path))).unwrap();
        command.env("PATH", path).env("GRADLE_USER_HOME", gradle::home().unwrap());
        command.env("JAVA_HOME", jdk::jdk(17).home);
        run::forget_java_settings(&mut command);
        let output = run::run(&mut command, PATIENCE).unwrap();
        let text = output.stdout + &output.stderr;
        assert_eq!(output.code, Some(0), "{program} {arguments:?}: {text}");
        let files = fs::read_dir(reports).into_iter().flatten().flatten();
        let names = files.filter_map(|file| file.file_name().into_string().ok());
        let classes =
            names.filter_map(|name| Some(name.strip_prefix("TEST-")?.strip_suffix(".xml")?.to_owned()));
        (text, classes.collect())
    }

    #[track_caller]
    fn tamis(&self, arguments: &[&str]) -> (String, BTreeSet<String>) {
        self.run(env!("CARGO_BIN_EXE_tamis"), arguments)
    }

    #[track_caller]
    fn gradle(&self, arguments: &[&str]) -> (String, BTreeSet<String>) {
        self.run("gradle", &[&["--console=plain"], arguments].concat())
    }
}

fn classes(names: &[&str]) -> BTreeSet<String> {
    names.iter().map(|name| (*name).to_owned()).collect()
}

#[test]
fn results_of_some_tests_stay_out_of_gradles_history_and_caches() {
    let project = Project::new();
    let both = classes(&["OneTest", "TwoTest"]);
    let cached = ["--build-cache", "--configuration-cache", "test"];
    let with = |arguments: &[&'static str]| [&["run", "--", "gradle", "--console=plain"], arguments].concat();
    assert_eq!(project.tamis(&with(&cached)).1, both);
    project.body("2");
    let (text, ran) = project.tamis(&with(&cached));
    assert_eq!(ran, classes(&["OneTest"]), "{text}");
    assert!(text.contains("Reusing configuration cache"), "{text}");
    // Gradle's history does not take one test for all of them, and neither does the cache.
    let (text, ran) = project.gradle(&cached);
    assert_eq!(ran, both, "{text}");
    assert!(!text.contains(":test UP-TO-DATE") && !text.contains(":test FROM-CACHE"), "{text}");
    // The entry is Gradle's own now, and complete.
    let (text, ran) = project.gradle(&["--build-cache", "clean", "test"]);
    assert_eq!(ran, both, "{text}");
    assert!(text.contains(":test FROM-CACHE"), "{text}");
    // With nothing to run, the history stays as it is. Both kinds of runs keep their entries of the configuration cache.
    let (text, _) = project.tamis(&with(&cached));
    assert!(text.contains(":test SKIPPED") && text.contains("Reusing configuration cache"), "{text}");
    let (text, _) = project.gradle(&cached);
    assert!(text.contains("Reusing configuration cache"), "{text}");
    assert!(text.contains(":test FROM-CACHE") || text.contains(":test UP-TO-DATE"), "{text}");
}

#[test]
fn a_worker_whose_task_did_not_ask_runs_all_its_tests() {
    let project = Project::new();
    let both = classes(&["OneTest", "TwoTest"]);
    let script = ["run", "--", "sh", "-c", "gradle --no-daemon --rerun-tasks --console=plain test"];
    assert_eq!(project.tamis(&script).1, both);
    let (text, ran) = project.tamis(&script);
    assert_eq!(ran, both, "the results are Gradle's: {text}");
    // What these runs recorded counts in one that asks.
    let (text, ran) = project.tamis(&["test"]);
    assert!(ran.is_empty(), "{text}");
}

#[test]
fn a_build_without_a_test_task_names_the_cause() {
    let project = Project::new();
    let (text, _) = project.tamis(&["test", "--", "classes"]);
    assert!(text.contains("no test was seen: Gradle started no JVM that runs tests"), "{text}");
}

/// The exit code and the error output of `tamis test` in a folder.
fn refused(folder: &Path) -> (Option<i32>, String) {
    let mut tamis = Command::new(env!("CARGO_BIN_EXE_tamis"));
    tamis.arg("test").current_dir(folder).env("PATH", "/nowhere").env("NO_COLOR", "1");
    let output = run::run(&mut tamis, PATIENCE).unwrap();
    (output.code, output.stderr)
}

#[test]
fn a_missing_or_old_gradle_is_refused_in_one_line() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("build.gradle.kts"), "").unwrap();
    let (code, text) = refused(folder.path());
    assert_eq!(code, Some(2), "{text}");
    assert!(text.contains("no Gradle: neither gradlew in") && text.lines().count() == 1, "{text}");
    let wrapper = folder.path().join("gradlew");
    fs::write(&wrapper, "#!/bin/sh\nexit 0\n").unwrap();
    fs::set_permissions(&wrapper, fs::Permissions::from_mode(0o755)).unwrap();
    let settings = folder.path().join("gradle/wrapper/gradle-wrapper.properties");
    fs::create_dir_all(settings.parent().unwrap()).unwrap();
    fs::write(&settings, "distributionUrl=https\\://x.example/gradle-4.4.1-bin.zip\n").unwrap();
    let (code, text) = refused(folder.path());
    assert_eq!(code, Some(2), "{text}");
    assert!(text.contains("Gradle 4.4.1 is too old") && text.lines().count() == 1, "{text}");
    fs::write(&settings, "distributionUrl=https\\://x.example/gradle-8.8-bin.zip\n").unwrap();
    assert_eq!(refused(folder.path()).0, Some(0));
}
