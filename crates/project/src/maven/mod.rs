//! A Maven build: where it begins, how it is started, what the user asks of it.
//!
//! Nothing in the project is edited, and nothing Maven decides is decided here again. What its tests do is not known.

mod error;
mod jvm;
mod options;
mod place;
mod pom;
mod program;
mod settings;

use std::env;
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

pub use error::MavenError;
pub use jvm::without_ours;
pub use program::MavenProgram;

use tamis_catalog::builds::maven::{self as known, JVM_VARIABLE};
use tamis_catalog::environment::JVM_OPTIONS;

use crate::gate::Gate;
use options::CommandWords;
use settings::MavenSettings;

/// The build that a directory belongs to.
#[derive(Debug)]
pub struct MavenBuild {
    /// Where the outermost build file lies, and with it all that belongs to the build.
    pub root: PathBuf,
    /// Where Maven is started: in a module, it builds that module.
    pub directory: PathBuf,
    /// What is started.
    pub program: MavenProgram,
    settings: MavenSettings,
}

impl MavenBuild {
    /// Finds the build of a directory, or of what `-f` in the arguments names.
    pub fn find(directory: &Path, arguments: &[OsString]) -> Result<MavenBuild, MavenError> {
        let directory = fs::canonicalize(directory)
            .map_err(|source| MavenError::Unreadable { path: directory.to_owned(), source })?;
        let file = CommandWords::of(arguments).file;
        let (build, directory) = match file {
            // Other arguments may be relative too, and to where the user is.
            Some(file) => (place::named(&directory, &file)?, directory),
            None => {
                let build = place::nearest(&directory)?;
                let directory = build.parent().unwrap_or(&directory).to_owned();
                (build, directory)
            }
        };
        let root = place::outermost(&build);
        let project = build.parent().unwrap_or(&root);
        let program = MavenProgram::find(project, &root, env::var_os("PATH").as_deref())?;
        let marked =
            project.ancestors().find(|above| above.join(known::SETTINGS_FOLDER).is_dir()).unwrap_or(&root);
        let mut settings =
            MavenSettings::read(marked, [JVM_VARIABLE, known::MAVEN_VARIABLE].map(env::var_os));
        settings.options.extend(JVM_OPTIONS.exact.iter().filter_map(env::var_os));
        Ok(MavenBuild { root, directory, program, settings })
    }

    /// What runs the tests: `mvn test` and the arguments, or the phases and goals they name instead of `test`. With a
    /// gate, Maven asks there before it starts a test JVM.
    pub fn command(&self, arguments: &[OsString], gate: Option<&Gate>) -> Command {
        let words = CommandWords::of(arguments);
        let mut command = self.program.command();
        command.current_dir(&self.directory);
        if self.is_short(&words) {
            command.env(JVM_VARIABLE, jvm::with_ours(env::var_os(JVM_VARIABLE)));
        }
        let (options, goals) = arguments.split_at(words.end_of_options.unwrap_or(arguments.len()));
        command.args(options);
        if let Some(gate) = gate {
            // After the user's own: of a property that is given twice, the last one counts.
            command.arg(define(known::EXTENSIONS, self.extensions(&words, gate.jar())));
            command.arg(define("tamis.gate", gate.file().into()));
        }
        command.args(goals);
        if words.goals.is_empty() {
            command.arg("test");
        }
        command
    }

    /// Whether the user asks for certain tests. Such a wish is obeyed: they run, whatever is known of them.
    pub fn asks_for_tests(&self, arguments: &[OsString]) -> bool {
        let words = CommandWords::of(arguments);
        known::REQUESTING
            .exact
            .iter()
            .any(|name| self.property(&words, name).is_some_and(|value| !matches!(value, "" | "0" | "false")))
    }

    /// Whether the user turned all tests off.
    pub fn tests_are_off(&self, arguments: &[OsString]) -> bool {
        let words = CommandWords::of(arguments);
        known::TURNING_OFF
            .exact
            .iter()
            .any(|name| self.property(&words, name).is_some_and(|value| !value.eq_ignore_ascii_case("false")))
    }

    /// Whether Maven's JVM can be expected to end soon, and nobody has said how it should compile.
    fn is_short(&self, words: &CommandWords) -> bool {
        let mut asked = words.properties.iter().chain(self.settings.properties());
        !self.settings.options.iter().any(|option| jvm::knows_better(option))
            && !asked.any(|(name, value)| known::is_for_tests_inside(name, value))
            && jvm::is_short(&self.root)
    }

    fn property<'a>(&'a self, words: &'a CommandWords, name: &str) -> Option<&'a str> {
        words.property(name).or_else(|| self.settings.property(name))
    }

    /// Our extension beside those that the user or the project has.
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
