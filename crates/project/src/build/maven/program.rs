//! Chooses the Maven to start: the project's own wrapper, or the installed one.

use std::env;
use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use tamis_catalog::builds::maven as known;

use super::MavenError;

/// A Maven program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum MavenProgram {
    /// An executable file.
    Executable(PathBuf),
    /// A wrapper without the executable bit, as a checkout on another system leaves it. `sh` starts it.
    Script(PathBuf),
}

impl MavenProgram {
    /// The nearest wrapper in the directory or above it, up to the root; otherwise `mvn` from the directories
    /// of `path`.
    pub(super) fn find(
        directory: &Path,
        root: &Path,
        path: Option<&OsStr>,
    ) -> Result<MavenProgram, MavenError> {
        let inside = directory.ancestors().take_while(|above| above.starts_with(root));
        for wrapper in inside.map(|above| above.join(known::WRAPPER)) {
            if is_executable(&wrapper) {
                return Ok(MavenProgram::Executable(wrapper));
            }
            if wrapper.is_file() && fs::File::open(&wrapper).is_ok() {
                return Ok(MavenProgram::Script(wrapper));
            }
        }
        let directories = path.map(env::split_paths).into_iter().flatten();
        directories
            .map(|directory| directory.join(known::PROGRAM))
            .find(|program| is_executable(program))
            .map(MavenProgram::Executable)
            .ok_or_else(|| MavenError::NoMaven { root: root.to_owned() })
    }

    /// A command that starts it.
    pub fn command(&self) -> Command {
        match self {
            MavenProgram::Executable(program) => Command::new(program),
            MavenProgram::Script(script) => {
                let mut command = Command::new("sh");
                command.arg(script);
                command
            }
        }
    }
}

#[cfg(unix)]
fn is_executable(path: &Path) -> bool {
    use std::os::unix::fs::PermissionsExt;
    fs::metadata(path).is_ok_and(|file| file.is_file() && file.permissions().mode() & 0o111 != 0)
}

#[cfg(not(unix))]
fn is_executable(path: &Path) -> bool {
    path.is_file()
}
