//! A project in a scratch folder: applies edits, runs `tamis test`, and reads what ran.

use crate::steps::Edit;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;
use tamis_test_support::{gradle, jdk, run};

/// Longer than any build here takes on a busy machine.
pub(crate) const PATIENCE: Duration = Duration::from_secs(240);

pub(crate) struct Build {
    pub(crate) path: PathBuf,
    java_home: PathBuf,
    /// The edited files in their original form.
    originals: BTreeMap<PathBuf, String>,
    _folder: tempfile::TempDir,
}

/// The result of a run of the build.
#[derive(Debug)]
pub(crate) struct Ran {
    pub(crate) exit: Option<i32>,
    /// Its output.
    pub(crate) text: String,
    /// Tests that ran according to the build's reports.
    pub(crate) reported: BTreeSet<String>,
    /// The tests among them that failed.
    pub(crate) failed: BTreeSet<String>,
    /// Tests that ran according to `run.json`, with their reasons.
    pub(crate) told: BTreeMap<String, String>,
}

impl Build {
    /// A copy of the project of this name.
    pub(crate) fn of(name: &str, feature: u32) -> Build {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join(name);
        copy(&projects().join(name), &path);
        let _ = fs::remove_file(path.join("steps.toml"));
        Build { path, java_home: jdk::jdk(feature).home, originals: BTreeMap::new(), _folder: folder }
    }

    /// A copy of everything in another directory, with build output and store.
    pub(crate) fn copied(&self) -> Build {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("another place");
        copy(&self.path, &path);
        Build { path, java_home: self.java_home.clone(), originals: BTreeMap::new(), _folder: folder }
    }

    pub(crate) fn edit(&mut self, edit: &Edit) {
        let file = self.path.join(&edit.file);
        let before = fs::read_to_string(&file).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
        assert!(before.contains(&edit.find), "{}: no {:?} in it", file.display(), edit.find);
        fs::write(&file, before.replacen(&edit.find, &edit.replace, 1)).unwrap();
        self.originals.entry(file).or_insert(before);
    }

    /// Reverts all edits.
    pub(crate) fn undo(&mut self) {
        for (file, before) in std::mem::take(&mut self.originals) {
            fs::write(file, before).unwrap();
        }
    }

    /// `tamis` in the project's folder, without the caller's settings.
    pub(crate) fn tamis(&self, arguments: &[&str]) -> Command {
        let mut tamis = Command::new(env!("CARGO_BIN_EXE_tamis"));
        tamis.args(arguments).current_dir(&self.path).env("JAVA_HOME", &self.java_home);
        tamis.env("NO_COLOR", "1").env_remove("MAVEN_OPTS").env_remove("MAVEN_ARGS");
        run::forget_java_settings(&mut tamis);
        if self.is_gradles() {
            let bin = gradle::program().unwrap().parent().unwrap().to_owned();
            let path = std::env::var_os("PATH").unwrap_or_default();
            let path = std::env::join_paths([bin].into_iter().chain(std::env::split_paths(&path))).unwrap();
            tamis.env("PATH", path).env("GRADLE_USER_HOME", gradle::home().unwrap());
        }
        tamis
    }

    fn is_gradles(&self) -> bool {
        self.path.join("settings.gradle").is_file()
    }

    /// Runs `tamis test`, after deleting the reports of earlier builds.
    pub(crate) fn test(&self, arguments: &[&str]) -> Ran {
        self.forget_reports();
        let quiet: &[&str] = if self.is_gradles() {
            &["--console=plain"]
        } else {
            &["--batch-mode", "--no-transfer-progress"]
        };
        let mut all = [&["test", "--"], quiet].concat();
        all.extend(arguments);
        let output = run::run(&mut self.tamis(&all), PATIENCE).unwrap();
        let (reported, failed) = self.reports();
        let text = output.stdout + &output.stderr;
        Ran { exit: output.code, text, reported, failed, told: self.told() }
    }

    pub(crate) fn forget_reports(&self) {
        for folder in self.report_folders() {
            fs::remove_dir_all(folder).unwrap();
        }
        let _ = fs::remove_file(self.path.join(".tamis/last/run.json"));
    }

    /// The tests that ran according to `run.json`, with their reasons. Disabled tests did not run.
    fn told(&self) -> BTreeMap<String, String> {
        let text = fs::read_to_string(self.path.join(".tamis/last/run.json")).unwrap();
        let document: serde_json::Value = serde_json::from_str(&text).unwrap();
        let tests = document["tests"].as_array().unwrap();
        let name = |test: &serde_json::Value| match test["method"].as_str() {
            Some(method) => format!("{}#{method}", test["class"].as_str().unwrap()),
            None => test["class"].as_str().unwrap().to_owned(),
        };
        let ran = |test: &&serde_json::Value| test["decision"] == "run" && test["outcome"] != "ignored";
        tests.iter().filter(ran).map(|test| (name(test), test["reason"].to_string())).collect()
    }

    /// The tests that ran and the tests that failed, as Surefire, Failsafe and Gradle report them. An ignored or
    /// aborted test did not run; a class whose set-up failed is a test without a method.
    pub(crate) fn reports(&self) -> (BTreeSet<String>, BTreeSet<String>) {
        let (mut ran, mut failed) = (BTreeSet::new(), BTreeSet::new());
        for file in self.report_folders().iter().flat_map(|folder| files(folder)) {
            if file.extension().is_none_or(|ending| ending != "xml") || !starts_with(&file, "TEST-") {
                continue;
            }
            let text = fs::read_to_string(&file).unwrap();
            for case in text.split("<testcase").skip(1) {
                let attribute = |name: &str| {
                    let (_, rest) = case.split_once(&format!(" {name}=\"")).unwrap();
                    rest.split_once('"').unwrap().0.to_owned()
                };
                let (class, name) = (attribute("classname"), attribute("name"));
                let method = name.split(['[', '(', '{']).next().unwrap().trim();
                let test = if method.is_empty() { class } else { format!("{class}#{method}") };
                let body = case.split("</testcase>").next().unwrap();
                if body.contains("<skipped") {
                    continue;
                }
                if body.contains("<failure") || body.contains("<error") {
                    failed.insert(test.clone());
                }
                ran.insert(test);
            }
        }
        (ran, failed)
    }

    fn report_folders(&self) -> Vec<PathBuf> {
        let modules = files(&self.path).into_iter().filter(|path| path.is_dir()).chain([self.path.clone()]);
        let folders = modules.flat_map(|module| {
            let tasks = module.join("build/test-results");
            let tasks = if tasks.is_dir() { files(&tasks) } else { Vec::new() };
            let mavens = ["surefire-reports", "failsafe-reports"];
            tasks.into_iter().chain(mavens.map(|name| module.join("target").join(name)))
        });
        folders.filter(|folder| folder.is_dir()).collect()
    }
}

/// The folder of all projects.
pub(crate) fn projects() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/projects").canonicalize().unwrap()
}

pub(crate) fn files(folder: &Path) -> Vec<PathBuf> {
    let mut files: Vec<PathBuf> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    files
}

fn starts_with(file: &Path, start: &str) -> bool {
    file.file_name().is_some_and(|name| name.to_string_lossy().starts_with(start))
}

fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for path in files(from) {
        let target = to.join(path.file_name().unwrap());
        if path.is_dir() {
            copy(&path, &target);
        } else {
            fs::copy(&path, &target).unwrap();
        }
    }
}
