//! What goes wrong before a build is started, and with which exit code.

use std::fmt;
use std::process::ExitCode;
use tamis_audit::AuditError;
use tamis_session::SessionError;

/// An error that ends the command: one line, with what to do about it.
#[derive(Debug)]
pub enum CommandError {
    /// The command was given something it cannot work with.
    Usage(String),
    /// Something on this machine is not as it should be.
    Failed(String),
    /// Whoever read our output stopped reading.
    OutputClosed,
}

impl CommandError {
    /// 2 for bad usage, 3 for an error of ours.
    pub fn exit_code(&self) -> ExitCode {
        match self {
            CommandError::Usage(_) => ExitCode::from(2),
            CommandError::Failed(_) => ExitCode::from(3),
            CommandError::OutputClosed => ExitCode::SUCCESS,
        }
    }
}

impl fmt::Display for CommandError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            CommandError::Usage(what) | CommandError::Failed(what) => f.write_str(what),
            CommandError::OutputClosed => f.write_str("output closed"),
        }
    }
}

impl std::error::Error for CommandError {}

impl From<SessionError> for CommandError {
    fn from(error: SessionError) -> CommandError {
        match error {
            SessionError::Usage(what) => CommandError::Usage(what),
            SessionError::Failed(what) => CommandError::Failed(what),
        }
    }
}

impl From<AuditError> for CommandError {
    fn from(error: AuditError) -> CommandError {
        match error {
            AuditError::Usage(what) => CommandError::Usage(what),
            AuditError::Failed(what) => CommandError::Failed(what),
        }
    }
}

impl From<std::io::Error> for CommandError {
    fn from(error: std::io::Error) -> CommandError {
        match error.kind() {
            std::io::ErrorKind::BrokenPipe => CommandError::OutputClosed,
            _ => CommandError::Failed(format!("cannot write the output: {error}")),
        }
    }
}
