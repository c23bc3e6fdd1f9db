//! Build tools: the builds that Tamis knows, and how it runs their tests without a change to the build.
//!
//! A build tool is one implementation of [`BuildTool`] and one line in [`find`]. Its names are in `catalog`.

mod error;
pub mod gate;
pub mod gradle;
pub mod maven;
mod program;

pub use error::BuildError;
pub use program::BuildProgram;

use gate::Gate;
use gradle::GradleBuild;
use maven::MavenBuild;
use std::ffi::{OsStr, OsString};
use std::path::Path;
use std::process::Command;
use tamis_catalog::builds::gradle as gradle_names;
use tamis_catalog::builds::maven::POM;

/// The build of a directory.
pub trait BuildTool {
    /// The directory of the outermost build file, which contains everything that belongs to the build.
    fn root(&self) -> &Path;

    /// The command that runs the tests with the user's arguments. With a gate, the build asks there before it
    /// starts a test JVM.
    fn command(&self, arguments: &[OsString], gate: Option<&Gate>) -> Command;

    /// How the agent gets into test JVMs.
    fn delivery(&self) -> AgentDelivery;

    /// The command that prints the version of the build tool on its first line that begins with a letter.
    fn version_command(&self) -> Command;

    /// Whether the user requests certain tests. These run, whatever is recorded.
    fn asks_for_tests(&self, arguments: &[OsString]) -> bool;

    /// Whether the user skips all tests.
    fn tests_are_off(&self, arguments: &[OsString]) -> bool;
}

/// How the agent gets into test JVMs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AgentDelivery {
    /// A variable that every JVM of a command reads.
    Environment,
    /// The answers of the gate: the build gives it to its test JVMs only.
    Gate,
}

/// Finds the build of a directory, or of the file or directory that the arguments name. If a directory has build files
/// of both tools, Maven builds it.
pub fn find(directory: &Path, arguments: &[OsString]) -> Result<Box<dyn BuildTool>, BuildError> {
    let has = |above: &Path, names: &[&str]| names.iter().any(|name| above.join(name).is_file());
    let nearest = directory.ancestors().find_map(|above| {
        let is_mavens = has(above, &[POM]);
        (is_mavens || has(above, gradle_names::BUILD_FILES)).then_some(is_mavens)
    });
    match nearest {
        Some(false) => Ok(Box::new(GradleBuild::find(directory, arguments)?)),
        None if gradle::names_a_directory(arguments) => {
            Ok(Box::new(GradleBuild::find(directory, arguments)?))
        }
        Some(true) | None => Ok(Box::new(MavenBuild::find(directory, arguments)?)),
    }
}

/// The build that a command runs, if the program is one whose test JVMs get the agent from the gate.
pub fn of_command(
    program: &OsStr,
    arguments: &[OsString],
    directory: &Path,
) -> Option<Result<Box<dyn BuildTool>, BuildError>> {
    let build = GradleBuild::of_command(program, arguments, directory)?;
    Some(build.map(|build| Box::new(build) as Box<dyn BuildTool>))
}
