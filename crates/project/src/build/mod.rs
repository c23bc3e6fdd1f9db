//! Build tools: the builds that Tamis knows, and how it runs their tests without a change to the build.
//!
//! A build tool is one implementation of [`BuildTool`] and one line in [`find`]. Its names are in `catalog`.

pub mod gate;
pub mod maven;

use gate::Gate;
use maven::{MavenBuild, MavenError};
use std::ffi::OsString;
use std::path::Path;
use std::process::Command;

/// The build of a directory.
pub trait BuildTool {
    /// The directory of the outermost build file, which contains everything that belongs to the build.
    fn root(&self) -> &Path;

    /// The command that runs the tests with the user's arguments. With a gate, the build asks there before it
    /// starts a test JVM.
    fn command(&self, arguments: &[OsString], gate: Option<&Gate>) -> Command;

    /// The command that prints the version of the build tool on its first line.
    fn version_command(&self) -> Command;

    /// Whether the user requests certain tests. These run, whatever is recorded.
    fn asks_for_tests(&self, arguments: &[OsString]) -> bool;

    /// Whether the user skips all tests.
    fn tests_are_off(&self, arguments: &[OsString]) -> bool;
}

/// Finds the build of a directory, or of the file that the arguments name.
pub fn find(directory: &Path, arguments: &[OsString]) -> Result<Box<dyn BuildTool>, MavenError> {
    Ok(Box::new(MavenBuild::find(directory, arguments)?))
}
