//! A run in which no test was seen is no success: it names the cause and the next step, in `run.json` too.

#![allow(clippy::unwrap_used, clippy::indexing_slicing)] // Tests may panic.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::Command;
use std::thread;
use std::time::Duration;
use tamis_test_support::{javac, jdk, maven, run};

const PATIENCE: Duration = Duration::from_secs(120);

fn tamis(folder: &Path, arguments: &[&str]) -> Command {
    let mut tamis = Command::new(env!("CARGO_BIN_EXE_tamis"));
    tamis.args(arguments).current_dir(folder).env("NO_COLOR", "1");
    run::forget_java_settings(&mut tamis);
    tamis
}

/// Runs a command and checks the cause: the printed line, its kind in `run.json`, and both exit codes.
#[track_caller]
fn check(folder: &Path, arguments: &[&str], kind: &str, line: &str) {
    let (name, rest) = arguments.split_first().unwrap();
    for (option, code) in [("--color=never", 0), ("--require-tests", 3)] {
        let output = run::run(&mut tamis(folder, &[&[*name, option], rest].concat()), PATIENCE).unwrap();
        let text = output.stdout + &output.stderr;
        assert_eq!(output.code, Some(code), "{option}: {text}");
        let last = text.lines().find(|line| line.starts_with("   NONE")).unwrap_or_else(|| panic!("{text}"));
        assert!(last.starts_with(&format!("   NONE  no test was seen: {line}")), "{text}");
        assert!(!text.contains("PASS") && !text.contains("0 passed"), "{text}");
        let document = fs::read_to_string(folder.join(".tamis/last/run.json")).unwrap();
        let document: serde_json::Value = serde_json::from_str(&document).unwrap();
        assert_eq!(document["summary"]["no_tests"]["kind"], kind, "{document}");
        assert!(last.ends_with(document["summary"]["no_tests"]["detail"].as_str().unwrap()), "{document}");
    }
}

#[test]
fn a_command_without_a_jvm() {
    let folder = tempfile::tempdir().unwrap();
    check(folder.path(), &["run", "--", "true"], "no-jvm", "the command started no JVM");
}

#[test]
fn a_jvm_without_tests() {
    let folder = tempfile::tempdir().unwrap();
    let java = jdk::jdk(17).home.join("bin/java");
    let command = ["run", "--", java.to_str().unwrap(), "-version"];
    check(folder.path(), &command, "no-test-jvm", "the command started no JVM that runs tests");
}

#[test]
fn tests_whose_jvm_did_not_connect() {
    let folder = tempfile::tempdir().unwrap();
    let script = "mkdir -p core/reports; echo > core/reports/TEST-a.ATest.xml";
    check(folder.path(), &["run", "--", "sh", "-c", script], "not-connected", "tests ran, and their JVM");
    // A report of an earlier build says nothing about this one. The times of files are less exact than the clock.
    thread::sleep(Duration::from_millis(100));
    check(folder.path(), &["run", "--", "true"], "no-jvm", "the command started no JVM");
}

#[test]
fn a_build_with_tests_turned_off() {
    let folder = tempfile::tempdir().unwrap();
    let wrapper = folder.path().join("mvnw");
    fs::write(&wrapper, "#!/bin/sh\nexit 0\n").unwrap();
    fs::set_permissions(&wrapper, fs::Permissions::from_mode(0o755)).unwrap();
    fs::write(folder.path().join("pom.xml"), "<project/>").unwrap();
    check(folder.path(), &["test", "--", "-DskipTests"], "turned-off", "tests are turned off");
    check(folder.path(), &["test"], "no-jvm", "the command started no JVM");
    fs::write(&wrapper, "#!/bin/sh\nexit 7\n").unwrap();
    let failed = run::run(&mut tamis(folder.path(), &["test", "--require-tests"]), PATIENCE).unwrap();
    assert_eq!(failed.code, Some(7), "a failed build has its own code: {}", failed.stdout);
    assert!(failed.stdout.contains("the build failed"), "{}", failed.stdout);
}

#[test]
fn tests_inside_ants_own_jvm() {
    let jdk = jdk::jdk(17);
    let jars =
        maven::jars(&["org.apache.ant:ant-junit4:1.10.14", "org.apache.ant:ant-junit:1.10.14"]).unwrap();
    let path = std::env::join_paths(&jars).unwrap().into_string().unwrap();
    let folder = tempfile::tempdir().unwrap();
    let test = "public class ATest { @org.junit.Test public void one() {} }";
    let classes = javac::compile(&jdk, &[("ATest.java", test)], &["-cp", &path]).unwrap();
    classes.copy_to(&folder.path().join("classes")).unwrap();
    let build = "<project default='test'><target name='test'><junit fork='false' haltonfailure='true'>
        <classpath><pathelement path='${java.class.path}'/><pathelement location='classes'/></classpath>
        <formatter type='xml'/><test name='ATest'/></junit></target></project>";
    fs::write(folder.path().join("build.xml"), build).unwrap();
    let java = jdk.home.join("bin/java");
    let ant = ["-cp", &path, "org.apache.tools.ant.launch.Launcher"];
    let command = [&["run", "--", java.to_str().unwrap()], &ant[..]].concat();
    check(folder.path(), &command, "build-jvm", "tests ran inside Ant's own JVM");
    fs::write(folder.path().join("build.xml"), "<project default='x'><target name='x'/></project>").unwrap();
    check(folder.path(), &command, "no-test-jvm", "Ant started no JVM that runs tests");
}

#[test]
fn switches_in_the_environment_take_the_usual_words() {
    let folder = tempfile::tempdir().unwrap();
    for (value, code) in [
        ("1", 3),
        ("true", 3),
        ("YES", 3),
        ("0", 0),
        ("false", 0),
        ("no", 0),
        ("", 0),
        ("2", 2),
        ("maybe", 2),
    ] {
        for name in ["TAMIS_REQUIRE_TESTS", "TAMIS_ALL", "TAMIS_NO_RECORD"] {
            let mut command = tamis(folder.path(), &["run", "--", "true"]);
            let output = run::run(command.env(name, value), PATIENCE).unwrap();
            let code = if name == "TAMIS_REQUIRE_TESTS" || code == 2 { code } else { 0 };
            assert_eq!(output.code, Some(code), "{name}={value}: {}", output.stderr);
            assert!(code != 2 || output.stderr.contains("use 1, true or yes"), "{}", output.stderr);
        }
    }
    fs::write(folder.path().join("tamis.toml"), "require-tests = true\n").unwrap();
    assert_eq!(run::run(&mut tamis(folder.path(), &["run", "--", "true"]), PATIENCE).unwrap().code, Some(3));
}
