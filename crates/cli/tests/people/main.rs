//! What people see of a run: errors of failed tests, the change that broke a red test, their own rules, and the recipes for
//! build servers.

#![allow(clippy::unwrap_used, clippy::indexing_slicing)] // Tests may panic.

mod ci_docs;
mod failures;
mod rules;

use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;
use tamis_test_support::{javac, jdk, maven, run};

const PATIENCE: Duration = Duration::from_secs(240);

/// A project without a build: classes in `classes`, run by the main class of a framework.
struct Project {
    folder: tempfile::TempDir,
    jars: Vec<PathBuf>,
    main: Vec<&'static str>,
}

impl Project {
    fn new(libraries: &[&str], main: &[&'static str]) -> Project {
        let folder = tempfile::tempdir().unwrap();
        fs::create_dir(folder.path().join(".git")).unwrap();
        Project { folder, jars: maven::jars(libraries).unwrap(), main: main.to_vec() }
    }

    fn junit4() -> Project {
        Project::new(&["junit:junit:4.13.2"], &["org.junit.runner.JUnitCore", "p.ATest"])
    }

    fn path(&self) -> &Path {
        self.folder.path()
    }

    fn write(&self, name: &str, content: &str) {
        let file = self.path().join(name);
        fs::create_dir_all(file.parent().unwrap()).unwrap();
        fs::write(file, content).unwrap();
    }

    /// Writes the sources below `src/test/java`, and replaces the classes.
    fn compile(&self, sources: &[(&str, &str)]) {
        let class_path = self.class_path();
        let compiled =
            javac::compile(&jdk::jdk(17), sources, &["-g", "-proc:none", "-cp", &class_path]).unwrap();
        sources.iter().for_each(|(name, text)| self.write(&format!("src/test/java/{name}"), text));
        let _ = fs::remove_dir_all(self.path().join("classes"));
        compiled.copy_to(&self.path().join("classes")).unwrap();
    }

    fn class_path(&self) -> String {
        let jars: Vec<String> = self.jars.iter().map(|jar| jar.display().to_string()).collect();
        format!("{}:{}", self.path().join("classes").display(), jars.join(":"))
    }

    /// `tamis run` around the framework; the document of the run, and all output.
    fn run(&self) -> (Value, String) {
        let java = jdk::jdk(17).home.join("bin/java");
        let (java, class_path) = (java.display().to_string(), self.class_path());
        let mut arguments = vec!["run", "--", &java, "-XX:TieredStopAtLevel=1", "-cp", &class_path];
        arguments.extend(&self.main);
        let output = self.tamis(&arguments);
        let document = fs::read_to_string(self.path().join(".tamis/last/run.json")).unwrap();
        (serde_json::from_str(&document).unwrap(), output)
    }

    fn tamis(&self, arguments: &[&str]) -> String {
        let mut tamis = Command::new(env!("CARGO_BIN_EXE_tamis"));
        tamis.args(arguments).current_dir(self.path()).env("NO_COLOR", "1");
        run::forget_java_settings(&mut tamis);
        let output = run::run(&mut tamis, PATIENCE).unwrap();
        output.stdout + &output.stderr
    }
}
