//! What ends an audit.

use std::fmt;
use tamis_project::classpath::ClassPathError;
use tamis_session::SessionError;

/// An error of one line, with what to do about it.
#[derive(Debug)]
pub enum AuditError {
    /// The audit was asked for something that cannot be done here.
    Usage(String),
    /// Something on this machine is not as it should be.
    Failed(String),
}

impl fmt::Display for AuditError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            AuditError::Usage(what) | AuditError::Failed(what) => f.write_str(what),
        }
    }
}

impl std::error::Error for AuditError {}

impl From<SessionError> for AuditError {
    fn from(error: SessionError) -> AuditError {
        match error {
            SessionError::Usage(what) => AuditError::Usage(what),
            SessionError::Failed(what) => AuditError::Failed(what),
        }
    }
}

impl From<ClassPathError> for AuditError {
    fn from(error: ClassPathError) -> AuditError {
        SessionError::from(error).into()
    }
}

impl From<std::io::Error> for AuditError {
    fn from(error: std::io::Error) -> AuditError {
        AuditError::Failed(format!("cannot work on a copy of the project: {error}"))
    }
}
