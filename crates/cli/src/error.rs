//! What goes wrong before a build is started, and with which exit code.

use std::fmt;
use std::process::ExitCode;
use tamis_project::classpath::ClassPathError;

/// An error that ends the command: one line, with what to do about it.
#[derive(Debug)]
pub enum Error {
    /// The command was given something it cannot work with.
    Usage(String),
    /// Something on this machine is not as it should be.
    Failed(String),
    /// Whoever read our output stopped reading.
    OutputClosed,
}

impl Error {
    /// 2 for bad usage, 3 for an error of ours.
    pub fn exit_code(&self) -> ExitCode {
        match self {
            Error::Usage(_) => ExitCode::from(2),
            Error::Failed(_) => ExitCode::from(3),
            Error::OutputClosed => ExitCode::SUCCESS,
        }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::Usage(what) | Error::Failed(what) => f.write_str(what),
            Error::OutputClosed => f.write_str("output closed"),
        }
    }
}

impl std::error::Error for Error {}

impl From<ClassPathError> for Error {
    fn from(error: ClassPathError) -> Error {
        match error {
            ClassPathError::NotFound { .. } | ClassPathError::NotClasses { .. } => {
                Error::Usage(error.to_string())
            }
            _ => Error::Failed(error.to_string()),
        }
    }
}

impl From<std::io::Error> for Error {
    fn from(error: std::io::Error) -> Error {
        match error.kind() {
            std::io::ErrorKind::BrokenPipe => Error::OutputClosed,
            _ => Error::Failed(format!("cannot write the output: {error}")),
        }
    }
}
