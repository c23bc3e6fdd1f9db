//! Errors that keep a run, or a comparison of programs, from starting.

use std::fmt;
use std::path::PathBuf;
use tamis_project::classpath::ClassPathError;

/// An error of one line, with what to do about it.
#[derive(Debug)]
pub enum SessionError {
    /// The command to run is empty.
    NoCommand,
    /// A program cannot be started.
    Start(PathBuf, std::io::Error),
    /// The store that the user named cannot be used.
    StorePath(PathBuf, std::io::Error),
    /// The store is a symbolic link, or has one in it.
    StoreLink(PathBuf),
    /// The directory of the run cannot be created.
    RunDir(PathBuf, std::io::Error),
    /// The agent cannot be linked into it.
    Link(PathBuf, std::io::Error),
    /// The socket of the run cannot be opened.
    Listen(PathBuf, std::io::Error),
    /// A file cannot be opened.
    Open(PathBuf, std::io::Error),
    /// The agent cannot be unpacked.
    Agent(PathBuf, std::io::Error),
    /// A class file cannot be read: its place, and why.
    Unreadable(String, String),
    /// Something about the class path.
    ClassPath(ClassPathError),
    /// Classes exist and cannot be read.
    Problem(String),
    /// Tests changed the class path while it was read.
    ClassPathChanged,
}

impl SessionError {
    /// Whether the command was given something that it cannot work with; otherwise something on this machine is wrong.
    pub fn is_usage(&self) -> bool {
        match self {
            SessionError::NoCommand | SessionError::Start(..) | SessionError::StorePath(..) => true,
            SessionError::ClassPath(error) => {
                matches!(error, ClassPathError::NotFound { .. } | ClassPathError::NotClasses { .. })
            }
            SessionError::StoreLink(_)
            | SessionError::RunDir(..)
            | SessionError::Link(..)
            | SessionError::Listen(..)
            | SessionError::Open(..)
            | SessionError::Agent(..)
            | SessionError::Unreadable(..)
            | SessionError::Problem(_)
            | SessionError::ClassPathChanged => false,
        }
    }
}

impl fmt::Display for SessionError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SessionError::NoCommand => f.write_str("no command given; example: tamis run -- mvn verify"),
            SessionError::Start(program, error) => {
                write!(f, "cannot start {}: {error}; is it on the PATH?", program.display())
            }
            SessionError::StorePath(path, error) => write!(f, "--store {}: {error}", path.display()),
            SessionError::StoreLink(link) => write!(
                f,
                "{} is a symbolic link, and tamis does not write through links; remove it, or name another place with --store",
                link.display()
            ),
            SessionError::RunDir(path, error) => {
                write!(f, "cannot create {}: {error}; set TMPDIR", path.display())
            }
            SessionError::Link(path, error) => write!(f, "cannot link {}: {error}", path.display()),
            SessionError::Listen(path, error) => write!(f, "cannot listen on {}: {error}", path.display()),
            SessionError::Open(path, error) => write!(f, "cannot open {}: {error}", path.display()),
            SessionError::Agent(folder, error) => {
                write!(f, "cannot write the agent to {}: {error}; set XDG_CACHE_HOME", folder.display())
            }
            SessionError::Unreadable(place, reason) => {
                write!(f, "{place}: {reason}; rebuild it, or pass --lenient to compare it by its bytes")
            }
            SessionError::ClassPath(error) => write!(f, "{error}"),
            SessionError::Problem(problem) => f.write_str(problem),
            SessionError::ClassPathChanged => f.write_str("tests changed their class path while it was read"),
        }
    }
}

impl std::error::Error for SessionError {}

impl From<ClassPathError> for SessionError {
    fn from(error: ClassPathError) -> SessionError {
        SessionError::ClassPath(error)
    }
}
