//! A Gradle build: its root, its command, and the user's requests about tests.
//!
//! A plugin reaches the test tasks (`crates/project/java/tamis/gradle`), from a script that the command line names with
//! `-I`. Edits nothing in the project or in Gradle's home. `docs/design/gradle.md` has the reasons.

mod options;
mod plugin;
#[cfg(test)]
mod tests;
mod version;

use std::env;
use std::ffi::{OsStr, OsString};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use tamis_catalog::builds::gradle as known;

use super::program::installed;
use super::{AgentDelivery, BuildError, BuildProgram, BuildTool};
use crate::build::gate::Gate;
use options::GradleWords;

/// The build that a directory belongs to.
#[derive(Debug)]
pub struct GradleBuild {
    root: PathBuf,
    /// The directory in which Gradle is started. In a subproject, Gradle runs that project's tests.
    directory: PathBuf,
    program: BuildProgram,
    /// Whether `test` is run if the arguments name no task.
    runs_tests: bool,
}

impl BuildTool for GradleBuild {
    fn root(&self) -> &Path {
        &self.root
    }

    /// `gradle test` and the arguments, or the tasks that they name instead of `test`.
    fn command(&self, arguments: &[OsString], gate: Option<&Gate>) -> Command {
        let mut command = self.program.command();
        command.current_dir(&self.directory);
        if let Some(gate) = gate
            && let Ok(script) = plugin::unpack(gate)
        {
            // The excluded task gives the build an entry of its own in the configuration cache.
            command.arg("-I").arg(script).args(["-x", known::MARK]);
            command.env(known::GATE_VARIABLE, gate.file());
        }
        if self.runs_tests && GradleWords::of(arguments).tasks.is_empty() {
            command.arg(known::TEST_TASK);
        }
        command.args(arguments);
        command
    }

    fn delivery(&self) -> AgentDelivery {
        AgentDelivery::Gate
    }

    fn version_command(&self) -> Command {
        let mut command = self.program.command();
        command.current_dir(&self.directory).arg("--version");
        command
    }

    fn asks_for_tests(&self, arguments: &[OsString]) -> bool {
        GradleWords::of(arguments).flags.iter().any(|flag| known::REQUESTING.has(flag))
    }

    fn tests_are_off(&self, arguments: &[OsString]) -> bool {
        let words = GradleWords::of(arguments);
        let is_test = |task: &String| task.rsplit(':').next() == Some(known::TEST_TASK);
        words.excluded.iter().any(is_test) || words.flags.iter().any(|flag| known::TURNING_OFF.has(flag))
    }
}

impl GradleBuild {
    /// Finds the build of a directory, or of the one that `-p` in the arguments names.
    pub(super) fn find(directory: &Path, arguments: &[OsString]) -> Result<GradleBuild, BuildError> {
        let started = canonical(directory)?;
        let (project, directory) = match GradleWords::of(arguments).directory {
            Some(named) => (named_directory(&started, &named)?, started),
            None => {
                let project = nearest(&started, known::BUILD_FILES)
                    .ok_or_else(|| BuildError::NoBuild { directory: started.clone() })?;
                (project.clone(), project)
            }
        };
        let root = nearest(&project, &known::SETTINGS).unwrap_or_else(|| project.clone());
        let path = env::var_os("PATH");
        let program = BuildProgram::find((known::WRAPPER, known::PROGRAM), &project, &root, path.as_deref())
            .ok_or_else(|| BuildError::NoGradle { root: root.clone() })?;
        version::check(&program)?;
        Ok(GradleBuild { root, directory, program, runs_tests: true })
    }

    /// The build of a command, if the command is Gradle's.
    pub(super) fn of_command(
        program: &OsStr,
        arguments: &[OsString],
        directory: &Path,
    ) -> Option<Result<GradleBuild, BuildError>> {
        let name = Path::new(program).file_name()?.to_str()?;
        if name != known::WRAPPER && name != known::PROGRAM {
            return None;
        }
        Some(GradleBuild::around(program, arguments, directory))
    }

    fn around(program: &OsStr, arguments: &[OsString], directory: &Path) -> Result<GradleBuild, BuildError> {
        let directory = canonical(directory)?;
        let project = match GradleWords::of(arguments).directory {
            Some(named) => named_directory(&directory, &named)?,
            None => nearest(&directory, known::BUILD_FILES).unwrap_or_else(|| directory.clone()),
        };
        let root = nearest(&project, &known::SETTINGS).unwrap_or(project);
        let found = match Path::new(program).components().count() {
            1 => program.to_str().and_then(|name| installed(name, env::var_os("PATH").as_deref())),
            _ => Some(directory.join(program)),
        };
        let program = BuildProgram::Executable(found.unwrap_or_else(|| program.into()));
        version::check(&program)?;
        Ok(GradleBuild { root, directory, program, runs_tests: false })
    }
}

/// Whether the arguments name the directory of a Gradle build.
pub(super) fn names_a_directory(arguments: &[OsString]) -> bool {
    GradleWords::of(arguments).directory.is_some()
}

fn canonical(directory: &Path) -> Result<PathBuf, BuildError> {
    fs::canonicalize(directory)
        .map_err(|source| BuildError::Unreadable { path: directory.to_owned(), source })
}

fn named_directory(started: &Path, name: &str) -> Result<PathBuf, BuildError> {
    let path = started.join(name);
    fs::canonicalize(&path).map_err(|_| BuildError::NoFile { file: path })
}

/// The directory, or the nearest one above, with one of these files.
fn nearest(directory: &Path, files: &[&str]) -> Option<PathBuf> {
    let mut above = directory.ancestors();
    above.find(|above| files.iter().any(|file| above.join(file).is_file())).map(Path::to_owned)
}
