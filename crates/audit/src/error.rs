//! Errors that end an audit.

use std::fmt;
use std::io;
use std::path::PathBuf;
use tamis_project::classpath::ClassPathError;
use tamis_session::SessionError;
use tamis_store::traces::StoreError;

/// An error of one line, with what to do about it.
#[derive(Debug)]
pub enum AuditError {
    /// With `--all` no test is skipped.
    NothingSkipped,
    /// There are no classes or files to edit.
    NothingToEdit,
    /// The store has no tests of this project.
    NothingRecorded,
    /// A module that the store does not know.
    UnknownModule {
        /// The module.
        module: String,
        /// The modules that the store knows.
        known: String,
    },
    /// No test passes in a copy; the end of its output.
    NoTestPasses(String),
    /// The project cannot be copied.
    Copy(PathBuf, io::Error),
    /// The folder for copies cannot be created.
    Scratch(PathBuf, io::Error),
    /// A copy cannot be used.
    Worker(io::Error),
    /// The store cannot be read.
    Store(StoreError),
    /// A run in a copy does not start.
    Session(SessionError),
}

impl AuditError {
    /// Whether the audit was asked for something that cannot be done here; otherwise something on this machine is wrong.
    pub fn is_usage(&self) -> bool {
        match self {
            AuditError::NothingSkipped
            | AuditError::NothingToEdit
            | AuditError::NothingRecorded
            | AuditError::UnknownModule { .. } => true,
            AuditError::NoTestPasses(_)
            | AuditError::Copy(..)
            | AuditError::Scratch(..)
            | AuditError::Worker(_)
            | AuditError::Store(_) => false,
            AuditError::Session(error) => error.is_usage(),
        }
    }
}

impl fmt::Display for AuditError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            AuditError::NothingSkipped => {
                f.write_str("with --all nothing is skipped, so there is nothing to audit")
            }
            AuditError::NothingToEdit => {
                f.write_str("nothing to edit: there are no built classes, or none in this module; build the project first")
            }
            AuditError::NothingRecorded => {
                f.write_str("nothing recorded of this project yet; run `tamis test` or `tamis run -- COMMAND` first")
            }
            AuditError::UnknownModule { module, known } => {
                write!(f, "--module {module}: no such module is recorded; known modules: {known}")
            }
            AuditError::NoTestPasses(log) => {
                write!(f, "no test passes in a copy of the project; the end of its output: {log}")
            }
            AuditError::Copy(folder, error) => {
                write!(f, "cannot copy the project to {}: {error}; set TMPDIR", folder.display())
            }
            AuditError::Scratch(folder, error) => {
                write!(f, "cannot create a folder in {}: {error}; set TMPDIR", folder.display())
            }
            AuditError::Worker(error) => write!(f, "cannot work on a copy of the project: {error}"),
            AuditError::Store(error) => write!(f, "{error}"),
            AuditError::Session(error) => write!(f, "{error}"),
        }
    }
}

impl std::error::Error for AuditError {}

impl From<SessionError> for AuditError {
    fn from(error: SessionError) -> AuditError {
        AuditError::Session(error)
    }
}

impl From<ClassPathError> for AuditError {
    fn from(error: ClassPathError) -> AuditError {
        SessionError::from(error).into()
    }
}

impl From<io::Error> for AuditError {
    fn from(error: io::Error) -> AuditError {
        AuditError::Worker(error)
    }
}

/// A folder that cannot be copied.
#[derive(Debug)]
pub(crate) enum CopyError {
    /// Deeper than any project.
    TooDeep(PathBuf),
}

impl fmt::Display for CopyError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            CopyError::TooDeep(folder) => write!(f, "{} is nested too deeply", folder.display()),
        }
    }
}

impl std::error::Error for CopyError {}
