//! Broken or malicious surroundings of a project: they are reported, and never make a test be skipped.
//!
//! A project with two test classes is recorded, its surroundings are changed, and it is run again. Only
//! `tamis run` itself is tested here; damaged databases, sockets and class files have tests beside their
//! code.
#![allow(clippy::unwrap_used)] // Tests and their helpers may panic.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;
use tamis_test_support::jdk::{self, Jdk};
use tamis_test_support::{javac, maven, run};
use tempfile::TempDir;

const WORK: &str = "public class Work { static int one() { return 1; } static int two() { return 2; } }";
const ONE: &str = "public class OneTest { @org.junit.Test public void t() throws Exception {
    if (Work.one() != 1) throw new Error();
    new String(java.nio.file.Files.readAllBytes(java.nio.file.Paths.get(\"data/one.txt\"))); } }";
const TWO: &str =
    "public class TwoTest { @org.junit.Test public void t() { if (Work.two() != 2) throw new Error(); } }";

struct World {
    folder: TempDir,
    jdk: Jdk,
    jars: Vec<PathBuf>,
}

/// The result of a run: its exit code, the tests that ran, and the output.
struct Ran {
    code: Option<i32>,
    tests: Vec<String>,
    said: String,
}

impl World {
    /// A project that was never run.
    fn new() -> World {
        let jars = maven::jars(&["junit:junit:4.13.2"]).unwrap();
        let world = World { folder: TempDir::new().unwrap(), jdk: jdk::jdk(17), jars };
        world.write("data/one.txt", "1");
        world.write("pom.xml", "");
        world.compile(WORK);
        world
    }

    /// A project with recorded runs, of which nothing runs any more.
    fn recorded() -> World {
        let world = World::new();
        assert_eq!(world.run(&[], |_| {}).tests, ["OneTest", "TwoTest"]);
        assert!(world.run(&[], |_| {}).tests.is_empty());
        world
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().canonicalize().unwrap().join("project").join(name)
    }

    fn write(&self, name: &str, text: &str) {
        fs::create_dir_all(self.path(name).parent().unwrap()).unwrap();
        fs::write(self.path(name), text).unwrap();
    }

    fn compile(&self, work: &str) {
        let sources = [("Work.java", work), ("OneTest.java", ONE), ("TwoTest.java", TWO)];
        let class_path = join(&self.jars);
        let classes = javac::compile(&self.jdk, &sources, &["-cp", &class_path]).unwrap();
        classes.copy_to(&self.path("classes")).unwrap();
    }

    fn run(&self, options: &[&str], change: impl FnOnce(&mut Command)) -> Ran {
        let mut class_path = vec![self.path("classes")];
        class_path.extend(self.jars.iter().cloned());
        let java = self.jdk.java();
        let mut command = Command::new(env!("CARGO_BIN_EXE_tamis"));
        command.current_dir(self.path("")).arg("run").args(options).arg("--").arg(java.get_program());
        command.args(["-cp", &join(&class_path), "org.junit.runner.JUnitCore", "OneTest", "TwoTest"]);
        run::forget_java_settings(&mut command);
        let document = self.document(options);
        if !document.is_symlink() {
            let _ = fs::remove_file(&document);
        }
        change(&mut command);
        let output = run::run(&mut command, Duration::from_secs(120)).unwrap();
        let said = output.stdout + &output.stderr;
        let text = fs::read(document).unwrap_or_default();
        let document: serde_json::Value = serde_json::from_slice(&text).unwrap_or_default();
        let of = |test: &serde_json::Value| {
            let is_run = test["decision"] == "run";
            is_run.then(|| test["class"].as_str().unwrap().to_owned())
        };
        let tests = document["tests"].as_array().into_iter().flatten().filter_map(of).collect();
        Ran { code: output.code, tests, said }
    }

    /// The file of the run's report.
    fn document(&self, options: &[&str]) -> PathBuf {
        let store = options.iter().position(|option| *option == "--store").map(|at| options[at + 1]);
        store.map_or(self.path(".tamis"), PathBuf::from).join("last/run.json")
    }
}

fn join(paths: &[PathBuf]) -> String {
    std::env::join_paths(paths).unwrap().into_string().unwrap()
}

#[test]
fn a_run_that_is_not_recorded_leaves_only_its_report() {
    let world = World::new();
    assert_eq!(world.run(&["--no-record"], |_| {}).tests, ["OneTest", "TwoTest"]);
    assert_eq!(world.run(&["--no-record"], |_| {}).tests, ["OneTest", "TwoTest"]);
    assert_eq!(fs::read_to_string(world.path(".tamis/.gitignore")).unwrap(), "*\n");
    assert!(!world.path(".tamis/traces.db").exists());
}

#[test]
fn nothing_is_written_through_links_that_a_project_brings() {
    for place in
        [".tamis", ".tamis/traces.db", ".tamis/last", ".tamis/last/run.json", ".tamis/last/build.log"]
    {
        let world = World::new();
        let outside = world.folder.path().join("outside");
        let is_folder = matches!(place, ".tamis" | ".tamis/last");
        if is_folder {
            fs::create_dir(&outside).unwrap()
        } else {
            fs::write(&outside, "mine").unwrap()
        }
        fs::create_dir_all(world.path(place).parent().unwrap()).unwrap();
        symlink(&outside, world.path(place)).unwrap();
        let ran = world.run(&["--format", "json"], |_| {});
        assert_eq!(ran.code, Some(3), "{place}: {}", ran.said);
        assert!(ran.said.contains("is a symbolic link"), "{place}: {}", ran.said);
        if is_folder {
            assert_eq!(fs::read_dir(&outside).unwrap().count(), 0, "{place}");
        } else {
            assert_eq!(fs::read_to_string(&outside).unwrap(), "mine", "{place}");
        }
    }
}

#[test]
fn a_link_is_allowed_if_the_user_named_it_with_store() {
    let world = World::new();
    let (link, real) = (world.folder.path().join("link"), world.folder.path().join("real"));
    fs::create_dir(&real).unwrap();
    symlink(&real, &link).unwrap();
    let options = ["--store", link.to_str().unwrap()];
    assert_eq!(world.run(&options, |_| {}).tests.len(), 2);
    assert!(real.join("traces.db").is_file());
    assert!(world.run(&options, |_| {}).tests.is_empty());
}

#[test]
fn a_file_behind_a_link_is_the_file() {
    let world = World::new();
    let outside = world.folder.path().join("outside");
    fs::create_dir(&outside).unwrap();
    fs::write(outside.join("one.txt"), "1").unwrap();
    fs::remove_dir_all(world.path("data")).unwrap();
    symlink(&outside, world.path("data")).unwrap();
    assert_eq!(world.run(&[], |_| {}).tests.len(), 2);
    assert!(world.run(&[], |_| {}).tests.is_empty());
    fs::write(outside.join("one.txt"), "2").unwrap();
    assert_eq!(world.run(&[], |_| {}).tests, ["OneTest"]);
    // A link to another place with the same content: the test sees no difference.
    let other = world.folder.path().join("other");
    fs::create_dir(&other).unwrap();
    fs::write(other.join("one.txt"), "2").unwrap();
    fs::remove_file(world.path("data")).unwrap();
    symlink(&other, world.path("data")).unwrap();
    assert!(world.run(&[], |_| {}).tests.is_empty());
}

#[test]
fn a_class_replaced_with_its_old_time_stamp_is_noticed() {
    let world = World::recorded();
    let class = world.path("classes/Work.class");
    let before = fs::metadata(&class).unwrap();
    world.compile(&WORK.replace("return 2", "return 3"));
    let file = fs::File::options().write(true).open(&class).unwrap();
    file.set_modified(before.modified().unwrap()).unwrap();
    assert_eq!(fs::metadata(&class).unwrap().len(), before.len(), "the edit keeps the length");
    let ran = world.run(&[], |_| {});
    assert_eq!(ran.tests, ["TwoTest"]);
    assert_ne!(ran.code, Some(0));
}

#[test]
fn time_stamps_in_the_future_or_in_whole_seconds_do_not_matter() {
    let world = World::recorded();
    let far = std::time::SystemTime::now() + Duration::from_secs(400 * 24 * 3600);
    let even = std::time::UNIX_EPOCH + Duration::from_secs(1_000_000_000);
    for time in [far, even] {
        world.compile(WORK);
        for name in ["Work", "OneTest", "TwoTest"] {
            let file =
                fs::File::options().write(true).open(world.path(&format!("classes/{name}.class"))).unwrap();
            file.set_modified(time).unwrap();
        }
        assert!(world.run(&[], |_| {}).tests.is_empty());
        world.compile(&WORK.replace("return 1", "return 7"));
        let file = fs::File::options().write(true).open(world.path("classes/Work.class")).unwrap();
        file.set_modified(time).unwrap();
        assert_eq!(world.run(&[], |_| {}).tests, ["OneTest"]);
        world.compile(WORK);
        assert!(world.run(&[], |_| {}).tests.len() <= 1, "only what failed runs again");
    }
}

#[test]
fn the_store_of_another_project_skips_nothing() {
    let (one, other) = (World::recorded(), World::new());
    other
        .compile(&WORK.replace("return 1", "int x = 1; return x").replace("return 2", "int x = 2; return x"));
    other.write("data/one.txt", "another");
    copy(&one.path(".tamis"), &other.path(".tamis"));
    assert_eq!(other.run(&[], |_| {}).tests, ["OneTest", "TwoTest"]);
}

#[test]
fn an_impossible_store_is_reported_and_everything_runs() {
    let world = World::recorded();
    let blocked = world.folder.path().join("blocked");
    fs::write(&blocked, "").unwrap();
    for store in [blocked.join("store"), PathBuf::from("/proc/nowhere")] {
        let ran = world.run(&["--store", store.to_str().unwrap()], |_| {});
        assert_eq!(ran.code, Some(0), "{}", ran.said);
        assert!(ran.said.contains("OK (2 tests)"), "{}", ran.said);
        assert!(ran.said.contains("everything runs"), "{}", ran.said);
    }
}

#[test]
fn a_full_disk_prevents_only_the_recording() {
    let world = World::recorded();
    world
        .compile(&WORK.replace("return 1", "int x = 1; return x").replace("return 2", "int x = 2; return x"));
    let full = |command: &mut Command| {
        // No file can grow beyond a kilobyte.
        let mut shell = Command::new("sh");
        shell.args(["-c", "trap '' XFSZ; ulimit -f 2; exec \"$@\"", "sh"]).arg(command.get_program());
        shell.args(command.get_args()).current_dir(world.path(""));
        run::forget_java_settings(&mut shell);
        *command = shell;
    };
    let ran = world.run(&[], full);
    assert!(ran.said.contains("OK (2 tests)"), "{}", ran.said);
    assert_eq!(ran.code, Some(0), "{}", ran.said);
    // Tests that could not be recorded run again.
    let next = world.run(&[], |_| {});
    assert_eq!(next.tests, ["OneTest", "TwoTest"], "{}", next.said);
}

#[test]
fn a_home_is_not_needed() {
    let world = World::new();
    let homeless = |command: &mut Command| {
        command.env_remove("HOME").env_remove("XDG_CACHE_HOME");
    };
    assert_eq!(world.run(&[], homeless).tests.len(), 2);
    assert!(world.run(&[], homeless).tests.is_empty());
    let nowhere = |command: &mut Command| {
        command.env("HOME", "/proc/nowhere").env_remove("XDG_CACHE_HOME");
    };
    let ran = world.run(&[], nowhere);
    assert!(ran.tests.is_empty() || ran.said.contains("tamis:"), "{}", ran.said);
}

#[test]
fn planted_launches_are_never_executed() {
    let world = World::recorded();
    let launches = world.path(".tamis/last/launches.json");
    let text = fs::read_to_string(&launches).unwrap();
    let marker = world.folder.path().join("marker");
    let planted = text.replace(
        "\"flags\":[",
        &format!("\"flags\":[\"-XX:OnError=touch {0}\",\"-javaagent:{0}\",", marker.display()),
    );
    fs::write(&launches, planted).unwrap();
    for command in ["select", "explain", "affected"] {
        let mut tamis = Command::new(env!("CARGO_BIN_EXE_tamis"));
        tamis.arg(command).current_dir(world.path(""));
        run::run(&mut tamis, Duration::from_secs(60)).unwrap();
        assert!(!marker.exists(), "{command}");
    }
}

fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap() {
        let entry = entry.unwrap();
        let target = to.join(entry.file_name());
        if entry.path().is_dir() {
            copy(&entry.path(), &target)
        } else {
            fs::copy(entry.path(), target).unwrap();
        }
    }
}
