//! What can be wrong with a store, each in one line that says what to do.

use rusqlite::{Error as Sql, ErrorCode, ffi};
use std::fmt::{self, Write};
use std::io;
use std::path::{Path, PathBuf};

/// Why a store cannot be used. None of them is a reason to stop: without a store every test runs.
#[derive(Debug)]
pub struct Error {
    /// The file, or the directory that should hold it.
    pub path: PathBuf,
    /// What is wrong with it.
    pub problem: Problem,
}

/// What is wrong with a store.
#[derive(Debug)]
pub enum Problem {
    /// It is a database of another program.
    Foreign,
    /// A newer Tamis has written it.
    Newer,
    /// An older Tamis has written it, and it may only be read.
    Older,
    /// Its content contradicts itself.
    Damaged(String),
    /// It may not be written.
    ReadOnly,
    /// The disk is full.
    Full,
    /// Another process is writing, and does not come to an end.
    Busy,
    /// The system refuses.
    Failed(String),
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let path = self.path.display();
        let mut line = String::new();
        match &self.problem {
            Problem::Foreign => {
                write!(line, "{path} is not a store of tamis; choose another directory with --store")
            }
            Problem::Newer => {
                write!(line, "{path} was written by a newer tamis; update, or choose another with --store")
            }
            Problem::Older => {
                write!(line, "{path} was written by an older tamis; the next run that records converts it")
            }
            Problem::Damaged(what) => {
                write!(line, "{path} is damaged ({what}); `tamis cache clear` starts a new one")
            }
            Problem::ReadOnly => {
                write!(line, "{path} cannot be written; allow it, or choose another with --store")
            }
            Problem::Full => {
                write!(line, "{path} cannot grow: the disk is full; `tamis cache gc` makes it smaller")
            }
            Problem::Busy => {
                write!(line, "{path} is in use by another process; nothing is recorded until that ends")
            }
            Problem::Failed(what) => {
                write!(line, "{path} cannot be used: {what}; choose another with --store")
            }
        }?;
        // One line, whatever a path or a message of the system holds.
        line.chars().try_for_each(|c| f.write_char(if c.is_control() { ' ' } else { c }))
    }
}

impl std::error::Error for Error {}

impl Error {
    pub(super) fn io(path: &Path, error: &io::Error) -> Error {
        let problem = match error.kind() {
            io::ErrorKind::PermissionDenied | io::ErrorKind::ReadOnlyFilesystem => Problem::ReadOnly,
            io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => Problem::Full,
            _ => Problem::Failed(error.to_string()),
        };
        Error { path: path.to_path_buf(), problem }
    }
}

/// A problem, before it is known of which file: work inside a transaction fails with it.
pub(super) struct Fault(pub(super) Problem);

impl Fault {
    pub(super) fn damaged(what: &str) -> Fault {
        Fault(Problem::Damaged(what.to_owned()))
    }

    pub(super) fn at(self, path: &Path) -> Error {
        Error { path: path.to_path_buf(), problem: self.0 }
    }

    pub(super) fn is_busy(&self) -> bool {
        matches!(self.0, Problem::Busy)
    }
}

impl From<Sql> for Fault {
    fn from(error: Sql) -> Fault {
        let Some(code) = error.sqlite_error() else {
            // A value of another type than the schema promises, or text that is none.
            return Fault(Problem::Damaged(error.to_string()));
        };
        Fault(match code.code {
            ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked => Problem::Busy,
            ErrorCode::ReadOnly | ErrorCode::PermissionDenied => Problem::ReadOnly,
            ErrorCode::DiskFull => Problem::Full,
            ErrorCode::DatabaseCorrupt
            | ErrorCode::NotADatabase
            | ErrorCode::ConstraintViolation
            | ErrorCode::TypeMismatch
            | ErrorCode::TooBig
            | ErrorCode::Unknown => Problem::Damaged(error.to_string()),
            ErrorCode::SystemIoFailure if code.extended_code == ffi::SQLITE_IOERR_SHORT_READ => {
                Problem::Damaged(error.to_string())
            }
            _ => Problem::Failed(error.to_string()),
        })
    }
}
