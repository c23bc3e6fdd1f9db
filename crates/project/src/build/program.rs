//! Chooses the build tool to start: the project's own wrapper, or the installed one.

use std::env;
use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// A program of a build tool.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum BuildProgram {
    /// An executable file.
    Executable(PathBuf),
    /// A wrapper without the executable bit, as a checkout on another system leaves it. `sh` starts it.
    Script(PathBuf),
}

impl BuildProgram {
    /// The nearest wrapper in the directory or above it, up to the root; otherwise the program from the
    /// directories of `path`.
    pub(super) fn find(
        (wrapper, program): (&str, &str),
        directory: &Path,
        root: &Path,
        path: Option<&OsStr>,
    ) -> Option<BuildProgram> {
        let inside = directory.ancestors().take_while(|above| above.starts_with(root));
        for wrapper in inside.map(|above| above.join(wrapper)) {
            if is_executable(&wrapper) {
                return Some(BuildProgram::Executable(wrapper));
            }
            if wrapper.is_file() && fs::File::open(&wrapper).is_ok() {
                return Some(BuildProgram::Script(wrapper));
            }
        }
        installed(program, path).map(BuildProgram::Executable)
    }

    /// The file.
    pub fn path(&self) -> &Path {
        match self {
            BuildProgram::Executable(path) | BuildProgram::Script(path) => path,
        }
    }

    /// A command that starts it.
    pub fn command(&self) -> Command {
        match self {
            BuildProgram::Executable(program) => Command::new(program),
            BuildProgram::Script(script) => {
                let mut command = Command::new("sh");
                command.arg(script);
                command
            }
        }
    }
}

/// The program of this name in the directories of `path`.
pub(super) fn installed(program: &str, path: Option<&OsStr>) -> Option<PathBuf> {
    let directories = path.map(env::split_paths).into_iter().flatten();
    directories.map(|directory| directory.join(program)).find(|program| is_executable(program))
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
