//! Finds builds and makes commands in small project trees.

use std::ffi::OsString;
use std::fs;
use std::path::Path;

use tempfile::TempDir;

use super::*;
use crate::build::{find, of_command};

/// A directory with these empty files.
fn project(files: &[&str]) -> (TempDir, PathBuf) {
    let directory = TempDir::new().unwrap();
    let root = fs::canonicalize(directory.path()).unwrap();
    for path in files {
        fs::create_dir_all(root.join(path).parent().unwrap()).unwrap();
        fs::write(root.join(path), "").unwrap();
    }
    (directory, root)
}

fn arguments(line: &str) -> Vec<OsString> {
    line.split_whitespace().map(OsString::from).collect()
}

/// Root of the build, directory in which Gradle starts, and its arguments; `ROOT` is the directory of these files. The
/// wrapper has no executable bit, so `sh` starts it.
fn found(files: &[&str], from: &str, line: &str) -> String {
    let (_kept, root) = project(files);
    let arguments = arguments(line);
    let text = match find(&root.join(from), &arguments) {
        Ok(build) => {
            let command = build.command(&arguments, None);
            let words: Vec<_> = command.get_args().map(|word| word.to_string_lossy()).collect();
            let directory = command.get_current_dir().unwrap_or(Path::new("?"));
            format!("{} {} {}", build.root().display(), directory.display(), words.join(" "))
        }
        Err(error) => error.to_string(),
    };
    text.replace(root.to_str().unwrap(), "ROOT")
}

#[test]
fn a_project_belongs_to_the_nearest_settings_above() {
    let files = ["a/settings.gradle.kts", "a/gradlew", "a/b/build.gradle", "a/b/src/X.java", "a/c/X.java"];
    assert_eq!(found(&files, "a", ""), "ROOT/a ROOT/a ROOT/a/gradlew test");
    assert_eq!(found(&files, "a/b/src", ""), "ROOT/a ROOT/a/b ROOT/a/gradlew test");
    assert_eq!(
        found(&files, "a/c", ""),
        "ROOT/a ROOT/a ROOT/a/gradlew test",
        "a directory without a build file"
    );
    let alone = ["a/build.gradle.kts", "a/gradlew"];
    assert_eq!(found(&alone, "a", ""), "ROOT/a ROOT/a ROOT/a/gradlew test");
    assert!(found(&["x"], "", "").starts_with("no pom.xml and no Gradle build in ROOT or above; "));
}

#[test]
fn the_nearest_build_file_decides_between_tools() {
    let files = ["pom.xml", "mvnw", "a/build.gradle", "a/gradlew", "a/b/pom.xml", "a/b/mvnw"];
    assert_eq!(found(&files, "a", ""), "ROOT/a ROOT/a ROOT/a/gradlew test");
    assert_eq!(found(&files, "a/b", ""), "ROOT/a/b ROOT/a/b ROOT/a/b/mvnw test");
    let both = ["pom.xml", "mvnw", "build.gradle", "gradlew"];
    assert_eq!(found(&both, "", ""), "ROOT ROOT ROOT/mvnw test");
}

#[test]
fn gradle_runs_test_unless_the_arguments_name_tasks() {
    let files = ["settings.gradle", "gradlew", "x/y"];
    let words = |line: &str| found(&files, "", line).split_once("gradlew ").unwrap().1.to_owned();
    assert_eq!(words("--tests a.B --offline"), "test --tests a.B --offline");
    assert_eq!(words(":core:check -x lint"), ":core:check -x lint");
    assert_eq!(
        found(&["a/build.gradle", "a/gradlew", "x/y"], "x", "-p ../a"),
        "ROOT/a ROOT/x ROOT/a/gradlew test -p ../a"
    );
    assert!(found(&["x/y"], "x", "-p none").contains("ROOT/x/none: no such build file"));
}

#[test]
fn with_a_gate_the_script_and_the_excluded_task_come_first() {
    let (_kept, root) = project(&["settings.gradle", "gradlew"]);
    let gate = Gate::open(&root.join("room")).unwrap();
    let command = find(&root, &[]).unwrap().command(&[], Some(&gate));
    let words: Vec<_> = command.get_args().skip(1).map(|word| word.to_string_lossy()).collect();
    let [option, script, exclude, mark, task] = &words[..] else { panic!("{words:?}") };
    assert_eq!([option, exclude, mark, task], ["-I", "-x", ":tamis", "test"]);
    let script = fs::read_to_string(script.as_ref()).unwrap();
    assert!(script.contains("tamis-gradle.jar") && script.contains("tamis.gradle.Plugin"), "{script}");
    let variable = command.get_envs().find(|(name, _)| *name == "TAMIS_GATE");
    assert_eq!(variable.unwrap().1, Some(gate.file().as_os_str()));
}

#[test]
fn a_command_is_gradles_by_the_name_of_its_program() {
    let (_kept, root) = project(&["a/settings.gradle", "a/b/build.gradle", "a/gradlew", "gradle/x"]);
    let words = |program: &str, line: &str| {
        let arguments = arguments(line);
        let build = of_command(program.as_ref(), &arguments, &root.join("a/b"))?.unwrap();
        let command = build.command(&arguments, None);
        let program = command.get_program().to_string_lossy().into_owned();
        let words: Vec<_> = command.get_args().map(|word| word.to_string_lossy()).collect();
        let text = format!("{} {program} {}", build.root().display(), words.join(" "));
        Some(text.replace(root.to_str().unwrap(), "ROOT"))
    };
    assert_eq!(words("../gradlew", "help"), Some("ROOT/a ROOT/a/b/../gradlew help".to_owned()));
    assert_eq!(words("../gradlew", ""), Some("ROOT/a ROOT/a/b/../gradlew ".to_owned()), "no task is added");
    assert_eq!(
        words("/opt/gradle/bin/gradle", "-p .."),
        Some("ROOT/a /opt/gradle/bin/gradle -p ..".to_owned())
    );
    assert_eq!(words("mvn", "test"), None);
    assert_eq!(words("./build-gradle", "test"), None);
}

#[test]
fn requests_and_tests_that_are_off_are_read() {
    let (_kept, root) = project(&["settings.gradle", "gradlew"]);
    let build = find(&root, &[]).unwrap();
    for (line, asks, off) in [
        ("", false, false),
        ("check --offline", false, false),
        ("test --tests a.B", true, false),
        ("--rerun-tasks", true, false),
        ("build -x test", false, true),
        ("build -x :core:test", false, true),
        ("build -x testClasses", false, false),
        ("test -m", false, true),
    ] {
        let arguments = arguments(line);
        assert_eq!(
            (build.asks_for_tests(&arguments), build.tests_are_off(&arguments)),
            (asks, off),
            "{line}"
        );
    }
}
