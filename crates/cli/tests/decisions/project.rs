//! A case's project on disk, and the commands that run its tests.

use crate::case::{Case, Side};
use crate::ran::{self, Tests};
use std::fs::{self, Permissions};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, SystemTime};
use tamis_test_support::javac::{ClassDir, Job};
use tamis_test_support::jdk::Jdk;
use tamis_test_support::{jar, maven, run};
use tempfile::TempDir;

/// Small JVMs start faster.
const FLAGS: [&str; 4] = ["-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-Xshare:auto", "-ea"];

/// The package of the runners, so that they count as a build's runner and not as code of a test.
pub(crate) const PACKAGE: &str = "org.apache.maven.surefire.decisions";

/// A compiled side.
#[derive(Clone)]
pub(crate) struct Built {
    pub(crate) side: Side,
    pub(crate) program: ClassDir,
    pub(crate) over: Option<ClassDir>,
    pub(crate) libraries: Vec<(String, ClassDir)>,
    /// The framework and its runner.
    pub(crate) jars: Vec<PathBuf>,
    pub(crate) jdk: Jdk,
}

impl Built {
    pub(crate) fn job(files: Vec<(String, String)>, side: &Side, class_path: &[PathBuf]) -> Job {
        let class_path: Vec<String> = class_path.iter().map(|path| path.display().to_string()).collect();
        let mut args: Vec<String> = ["-g", "-nowarn", "-proc:none"].map(str::to_owned).to_vec();
        args.extend(["-cp".to_owned(), class_path.join(":")]);
        args.extend(side.javac.iter().cloned());
        Job { sources: files, args }
    }

    /// The jars of a side's framework.
    pub(crate) fn framework(side: &Side) -> Vec<PathBuf> {
        let libraries = side.libraries().1;
        let names: Vec<&str> = libraries.iter().map(String::as_str).collect();
        maven::jars(&names).unwrap_or_else(|e| panic!("{e}"))
    }
}

/// The folder of a case: the project, and beside it the files outside the project.
pub(crate) struct Project<'c> {
    folder: TempDir,
    case: &'c Case,
    /// Variables that set options of tamis.
    settings: Vec<(String, String)>,
}

impl<'c> Project<'c> {
    pub(crate) fn new(case: &'c Case) -> Project<'c> {
        Project { folder: TempDir::new().unwrap(), case, settings: Vec::new() }
    }

    /// The same with options of tamis from the environment.
    pub(crate) fn with_settings(case: &'c Case, settings: Vec<(String, String)>) -> Project<'c> {
        Project { settings, ..Project::new(case) }
    }

    pub(crate) fn path(&self) -> PathBuf {
        self.folder.path().canonicalize().unwrap().join("project")
    }

    /// Replaces all files by those of this side, each written again; `.tamis` stays.
    pub(crate) fn lay(&self, built: &Built) {
        let (around, project) = (self.folder.path(), self.path());
        for old in [around.join("libs"), around.join("outside"), project.join("target")] {
            let _ = fs::remove_dir_all(old);
        }
        for (path, _) in self.case.before.files.iter().chain(&self.case.after.files) {
            if let Some(file) = path.strip_prefix("project/") {
                let _ = fs::remove_file(project.join(file));
            }
        }
        built.program.copy_to(&project.join("target/classes")).unwrap();
        if let Some(over) = &built.over {
            over.copy_to(&project.join("target/over")).unwrap();
        }
        fs::create_dir_all(around.join("libs")).unwrap();
        for (name, classes) in &built.libraries {
            fs::write(around.join(format!("libs/{name}.jar")), jar::deflated(&classes.files())).unwrap();
        }
        for (part, folder) in [("project", &project), ("outside", &around.join("outside"))] {
            for (path, text) in built.side.parts().remove(part).unwrap_or_default() {
                let file = folder.join(path);
                fs::create_dir_all(file.parent().unwrap()).unwrap();
                fs::write(file, text).unwrap();
            }
        }
        for given in &built.side.attributes {
            let file = match given.path.split_once('/') {
                Some(("project", path)) => project.join(path),
                Some(("outside", _)) => around.join(&given.path),
                _ => project.join("target/classes").join(&given.path),
            };
            if let Some(seconds) = given.modified {
                let time = SystemTime::UNIX_EPOCH + Duration::from_secs(seconds);
                fs::File::open(&file).unwrap().set_modified(time).unwrap();
            }
            if let Some(mode) = given.mode {
                fs::set_permissions(&file, Permissions::from_mode(mode)).unwrap();
            }
        }
    }

    /// Copies classes that were not compiled again from before the edit.
    pub(crate) fn with_stale(&self, before: &Built) {
        for class in &self.case.stale {
            let to = self.path().join(format!("target/classes/{}.class", class.replace('.', "/")));
            fs::create_dir_all(to.parent().unwrap()).unwrap();
            fs::write(to, before.program.class_bytes(class)).unwrap();
        }
    }

    /// Runs the tests with tamis.
    pub(crate) fn run(&self, built: &Built) -> (Tests, String) {
        let mut words = built.side.command.clone();
        words.push(env!("CARGO_BIN_EXE_tamis").to_owned());
        words.extend(["run", "--color=never"].map(str::to_owned));
        words.extend(self.case.tamis.iter().cloned());
        words.push("--".to_owned());
        self.tests(built, words)
    }

    /// Runs all tests without tamis.
    pub(crate) fn run_plainly(&self, built: &Built) -> (Tests, String) {
        self.tests(built, built.side.command.clone())
    }

    fn tests(&self, built: &Built, mut words: Vec<String>) -> (Tests, String) {
        let project = self.path();
        words.push(built.jdk.home.join("bin/java").display().to_string());
        words.extend(FLAGS.map(str::to_owned));
        words.extend(built.side.flags.iter().cloned());
        let mut class_path = Vec::new();
        class_path.extend(built.over.iter().map(|_| project.join("target/over")));
        class_path.push(project.join("target/classes"));
        let libs = project.parent().unwrap().join("libs");
        class_path.extend(built.libraries.iter().map(|(name, _)| libs.join(format!("{name}.jar"))));
        class_path.extend(built.jars.iter().cloned());
        let class_path: Vec<String> = class_path.iter().map(|path| path.display().to_string()).collect();
        words.extend(["-cp".to_owned(), class_path.join(":")]);
        words.push(format!("{PACKAGE}.{}", runner(&built.side)));
        let exists = |class: &&str| {
            project.join(format!("target/classes/{}.class", class.replace('.', "/"))).is_file()
        };
        words.extend(self.case.classes().into_iter().filter(exists).map(str::to_owned));
        let (program, arguments) = words.split_first().unwrap();
        let mut command = Command::new(program);
        run::forget_java_settings(&mut command);
        command.args(arguments).current_dir(&project).envs(built.side.environment.iter().cloned());
        command.envs(self.settings.iter().cloned());
        let output = run::run(&mut command, run::SHORT).unwrap_or_else(|e| panic!("{e}"));
        (ran::read(&output.stdout), output.stdout + &output.stderr)
    }

    /// The decisions of tamis now. `starts` runs the JVM; otherwise it must be started as in the last run.
    pub(crate) fn decide(&self, built: &Built, starts: bool) -> serde_json::Value {
        if starts {
            self.run(built);
            return self.last();
        }
        let mut command = Command::new(env!("CARGO_BIN_EXE_tamis"));
        command.args(["select", "--format", "json"]).args(&self.case.tamis).current_dir(self.path());
        run::forget_java_settings(&mut command);
        command.envs(built.side.environment.iter().cloned()).envs(self.settings.iter().cloned());
        let output = run::run(&mut command, run::SHORT).unwrap();
        serde_json::from_str(&output.stdout)
            .unwrap_or_else(|e| panic!("{e}: {}{}", output.stdout, output.stderr))
    }

    /// Copies the present store.
    pub(crate) fn keep_store(&self) -> PathBuf {
        let kept = self.folder.path().join("kept");
        copy(&self.path().join(".tamis"), &kept);
        kept
    }

    /// Restores a copy of the store.
    pub(crate) fn restore(&self, kept: &Path) {
        fs::remove_dir_all(self.path().join(".tamis")).unwrap();
        copy(kept, &self.path().join(".tamis"));
    }

    /// The report of the last run.
    pub(crate) fn last(&self) -> serde_json::Value {
        let file = self.path().join(".tamis/last/run.json");
        let text = fs::read(&file).unwrap_or_else(|e| panic!("{}: {e}", file.display()));
        serde_json::from_slice(&text).unwrap()
    }
}

/// The class that runs a side's framework.
pub(crate) fn runner(side: &Side) -> &'static str {
    match side.libraries().0 {
        "junit4" => "RunJUnit4",
        "junit5" => "RunPlatform",
        _ => "RunTestNG",
    }
}

/// Copies a folder.
fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap() {
        let (path, to) = entry.map(|entry| (entry.path(), to.join(entry.file_name()))).unwrap();
        if path.is_dir() {
            copy(&path, &to);
        } else {
            fs::copy(&path, &to).unwrap();
        }
    }
}
