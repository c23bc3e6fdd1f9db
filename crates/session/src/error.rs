//! What keeps a run, or a comparison of programs, from starting.

use std::fmt;
use tamis_project::classpath::ClassPathError;

/// An error of one line, with what to do about it.
#[derive(Debug)]
pub enum SessionError {
    /// A command was given something that it cannot work with.
    Usage(String),
    /// Something on this machine is not as it should be.
    Failed(String),
}

impl fmt::Display for SessionError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SessionError::Usage(what) | SessionError::Failed(what) => f.write_str(what),
        }
    }
}

impl std::error::Error for SessionError {}

impl From<ClassPathError> for SessionError {
    fn from(error: ClassPathError) -> SessionError {
        match error {
            ClassPathError::NotFound { .. } | ClassPathError::NotClasses { .. } => {
                SessionError::Usage(error.to_string())
            }
            _ => SessionError::Failed(error.to_string()),
        }
    }
}
