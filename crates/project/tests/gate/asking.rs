//! Runs a Maven build with a gate, and collects its requests.

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

use tamis_project::build::gate::{Gate, GateAnswer, GateRequest};
use tamis_test_support::jdk;
use tamis_test_support::run::{self, Output};
use tempfile::TempDir;

/// A project of these files, with a directory for a gate beside it.
pub(crate) struct Build {
    directory: TempDir,
}

impl Build {
    pub(crate) fn new(files: &[(&str, &str)]) -> Build {
        let build = Build { directory: TempDir::new().unwrap() };
        files.iter().for_each(|(path, text)| build.write(path, text));
        build
    }

    pub(crate) fn path(&self, path: &str) -> PathBuf {
        fs::canonicalize(self.directory.path()).unwrap().join("project").join(path)
    }

    pub(crate) fn write(&self, path: &str, text: &str) {
        let file = self.path(path);
        fs::create_dir_all(file.parent().unwrap()).unwrap();
        fs::write(file, text).unwrap();
    }

    /// The report files of a module, of either plugin, by name.
    pub(crate) fn reports(&self, module: &str) -> Vec<String> {
        let mut reports = Vec::new();
        for folder in ["surefire-reports", "failsafe-reports"] {
            let Ok(files) = fs::read_dir(self.path(module).join("target").join(folder)) else { continue };
            let names = files.map(|file| file.unwrap().file_name().into_string().unwrap());
            reports.extend(names.filter(|name| name.starts_with("TEST-")));
        }
        reports.sort();
        reports
    }

    pub(crate) fn forget_reports(&self, module: &str) {
        for folder in ["surefire-reports", "failsafe-reports"] {
            drop(fs::remove_dir_all(self.path(module).join("target").join(folder)));
        }
    }

    /// Runs a Maven with these arguments and a gate that decides so. Returns its output, and its requests,
    /// sorted.
    pub(crate) fn run(
        &self,
        maven: &Path,
        arguments: &[&str],
        decide: impl Fn(&GateRequest) -> bool + Sync,
    ) -> (Output, Vec<GateRequest>) {
        self.run_with(maven, arguments, &jdk::jdk(17).home, decide)
    }

    /// The same with another JDK.
    pub(crate) fn run_with(
        &self,
        maven: &Path,
        arguments: &[&str],
        java: &Path,
        decide: impl Fn(&GateRequest) -> bool + Sync,
    ) -> (Output, Vec<GateRequest>) {
        let gate = Gate::open(&self.path("../room")).unwrap();
        let (ended, all) = (AtomicBool::new(false), Mutex::new(Vec::new()));
        let output = thread::scope(|scope| {
            scope.spawn(|| {
                let decide = |asked: GateRequest| {
                    let nothing = decide(&asked);
                    all.lock().unwrap().push(asked);
                    if nothing { GateAnswer::Nothing } else { GateAnswer::Untouched }
                };
                gate.serve(decide, &ended);
            });
            let output = self.maven(maven, arguments, java, &gate);
            ended.store(true, Ordering::Release);
            output
        });
        let mut all = all.into_inner().unwrap();
        all.sort_by(|a, b| (&a.directory, &a.execution).cmp(&(&b.directory, &b.execution)));
        (output, all)
    }

    /// Runs a Maven with a gate.
    pub(crate) fn maven(&self, maven: &Path, arguments: &[&str], java: &Path, gate: &Gate) -> Output {
        let mut command = Command::new(maven);
        run::forget_java_settings(&mut command);
        for name in ["MAVEN_OPTS", "MAVEN_ARGS"] {
            command.env_remove(name);
        }
        let property = |name: &str, path: &Path| {
            let mut argument = OsString::from(format!("-D{name}="));
            argument.push(path);
            argument
        };
        command.env("JAVA_HOME", java);
        command.arg("--batch-mode").args(arguments).current_dir(self.path(""));
        command.arg(property("maven.ext.class.path", gate.jar())).arg(property("tamis.gate", gate.file()));
        run::run(&mut command, Duration::from_secs(300)).unwrap()
    }
}

/// A test of JUnit 4 that passes.
pub(crate) fn passing(class: &str) -> String {
    format!("public class {class} {{ @org.junit.Test public void passes() {{}} }}")
}

/// The `pom.xml` of a module with JUnit 4 and `rest`.
pub(crate) fn pom(name: &str, rest: &str) -> String {
    format!(
        "<project xmlns=\"http://maven.apache.org/POM/4.0.0\"><modelVersion>4.0.0</modelVersion>
           <groupId>g</groupId><artifactId>{name}</artifactId><version>1</version>
           <properties>
             <maven.compiler.source>8</maven.compiler.source><maven.compiler.target>8</maven.compiler.target>
             <project.build.sourceEncoding>UTF-8</project.build.sourceEncoding>
           </properties>
           <dependencies><dependency>
             <groupId>junit</groupId><artifactId>junit</artifactId><version>4.13.2</version><scope>test</scope>
           </dependency></dependencies>
           {rest}
         </project>"
    )
}

/// The plugins that every build has, in versions that every Maven accepts, and more.
pub(crate) fn plugins(more: &str) -> String {
    let pinned = [("resources", "3.3.1"), ("compiler", "3.11.0"), ("jar", "3.3.0")];
    let pinned: String = pinned
        .iter()
        .map(|(name, version)| {
            format!(
                "<plugin><artifactId>maven-{name}-plugin</artifactId><version>{version}</version></plugin>"
            )
        })
        .collect();
    format!("<build><plugins>{pinned}{more}</plugins></build>")
}
