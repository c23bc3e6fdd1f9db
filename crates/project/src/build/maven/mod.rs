//! A Maven build: its root, its command, and the user's requests about tests.
//!
//! Edits nothing in the project, and repeats no decision of Maven's. Does not know what tests do.

mod jvm;
mod options;
mod place;
mod pom;
mod settings;

use std::env;
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

pub use jvm::without_ours;

use tamis_catalog::builds::maven::{self as known, JVM_VARIABLE};
use tamis_catalog::environment::{JVM_OPTIONS, NO_COLOR};

use crate::build::gate::Gate;
use crate::build::{AgentDelivery, BuildError, BuildProgram, BuildTool};
use options::CommandWords;
use settings::MavenSettings;

/// The build that a directory belongs to.
#[derive(Debug)]
pub struct MavenBuild {
    /// The directory of the outermost build file, which contains everything that belongs to the build.
    pub root: PathBuf,
    /// The directory in which Maven is started. In a module, Maven builds that module.
    pub directory: PathBuf,
    /// The program to start.
    pub program: BuildProgram,
    settings: MavenSettings,
}

impl BuildTool for MavenBuild {
    fn root(&self) -> &Path {
        &self.root
    }

    fn delivery(&self) -> AgentDelivery {
        AgentDelivery::Environment
    }

    fn version_command(&self) -> Command {
        let mut command = self.program.command();
        command.arg("--version");
        command
    }

    /// `mvn test` and the arguments, or the phases and goals that they name
    /// instead of `test`. With a gate, Maven asks there before it starts a test JVM.
    fn command(&self, arguments: &[OsString], gate: Option<&Gate>) -> Command {
        let words = CommandWords::of(arguments);
        let mut command = self.program.command();
        command.current_dir(&self.directory);
        if self.is_short(&words) {
            command.env(JVM_VARIABLE, jvm::with_ours(env::var_os(JVM_VARIABLE)));
        }
        let (options, goals) = arguments.split_at(words.end_of_options.unwrap_or(arguments.len()));
        command.args(options);
        // The property for colours would reach the tests; without a person to ask, Maven prints no colours either.
        if env::var_os(NO_COLOR).is_some_and(|value| !value.is_empty()) {
            command.arg(known::WITHOUT_QUESTIONS);
        }
        if let Some(gate) = gate {
            // After the user's own properties: the last value of a property counts.
            command.arg(define(known::EXTENSIONS, self.extensions(&words, gate.jar())));
            command.arg(define("tamis.gate", gate.file().into()));
        }
        command.args(goals);
        if words.goals.is_empty() {
            command.arg("test");
        }
        command
    }

    fn asks_for_tests(&self, arguments: &[OsString]) -> bool {
        let words = CommandWords::of(arguments);
        known::REQUESTING
            .exact
            .iter()
            .any(|name| self.property(&words, name).is_some_and(|value| !matches!(value, "" | "0" | "false")))
    }

    fn tests_are_off(&self, arguments: &[OsString]) -> bool {
        let words = CommandWords::of(arguments);
        known::TURNING_OFF
            .exact
            .iter()
            .any(|name| self.property(&words, name).is_some_and(|value| !value.eq_ignore_ascii_case("false")))
    }
}

impl MavenBuild {
    /// Finds the build of a directory, or of the file that `-f` in the arguments names.
    pub fn find(directory: &Path, arguments: &[OsString]) -> Result<MavenBuild, BuildError> {
        let directory = fs::canonicalize(directory)
            .map_err(|source| BuildError::Unreadable { path: directory.to_owned(), source })?;
        let file = CommandWords::of(arguments).file;
        let (build, directory) = match file {
            // Other arguments may also be relative to the user's directory.
            Some(file) => (place::named(&directory, &file)?, directory),
            None => {
                let build = place::nearest(&directory)?;
                let directory = build.parent().unwrap_or(&directory).to_owned();
                (build, directory)
            }
        };
        let root = place::outermost(&build);
        let project = build.parent().unwrap_or(&root);
        let names = (known::WRAPPER, known::PROGRAM);
        let program = BuildProgram::find(names, project, &root, env::var_os("PATH").as_deref())
            .ok_or_else(|| BuildError::NoMaven { root: root.clone() })?;
        let marked =
            project.ancestors().find(|above| above.join(known::SETTINGS_FOLDER).is_dir()).unwrap_or(&root);
        let mut settings =
            MavenSettings::read(marked, [JVM_VARIABLE, known::MAVEN_VARIABLE].map(env::var_os));
        settings.options.extend(JVM_OPTIONS.exact.iter().filter_map(env::var_os));
        Ok(MavenBuild { root, directory, program, settings })
    }

    /// Whether Maven's JVM probably ends soon, and the user has not set compiler options.
    fn is_short(&self, words: &CommandWords) -> bool {
        let mut asked = words.properties.iter().chain(self.settings.properties());
        !self.settings.options.iter().any(|option| jvm::knows_better(option))
            && !asked.any(|(name, value)| known::is_for_tests_inside(name, value))
            && jvm::is_short(&self.root)
    }

    fn property<'a>(&'a self, words: &'a CommandWords, name: &str) -> Option<&'a str> {
        words.property(name).or_else(|| self.settings.property(name))
    }

    /// Our extension and those of the user or the project.
    fn extensions(&self, words: &CommandWords, ours: &Path) -> OsString {
        let mut all = OsString::from(self.property(words, known::EXTENSIONS).unwrap_or_default());
        if !all.is_empty() {
            all.push(if cfg!(windows) { ";" } else { ":" });
        }
        all.push(ours);
        all
    }
}

fn define(name: &str, value: OsString) -> OsString {
    let mut argument = OsString::from(format!("-D{name}="));
    argument.push(value);
    argument
}

#[cfg(test)]
mod tests;
