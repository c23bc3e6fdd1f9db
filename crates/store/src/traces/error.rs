//! Errors of a store, each as one line with advice.

use rusqlite::{Error as Sql, ErrorCode, ffi};
use std::fmt::{self, Write};
use std::io;
use std::path::{Path, PathBuf};

/// A store that cannot be used. This is never a reason to stop: without a store every test runs.
#[derive(Debug)]
pub struct StoreError {
    /// The file, or the directory that should hold it.
    pub path: PathBuf,
    /// The problem.
    pub problem: StoreProblem,
}

/// A problem of a store.
#[derive(Debug)]
pub enum StoreProblem {
    /// It is a database of another program.
    Foreign,
    /// A newer Tamis wrote it.
    Newer,
    /// An older Tamis wrote it, and it is open for reading only.
    Older,
    /// Its content contradicts itself.
    Damaged(String),
    /// It may not be written.
    ReadOnly,
    /// The disk is full.
    Full,
    /// Another process has been writing for too long.
    Busy,
    /// The system reports an error.
    Failed(String),
}

impl fmt::Display for StoreError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let path = self.path.display();
        let mut line = String::new();
        match &self.problem {
            StoreProblem::Foreign => {
                write!(line, "{path} is not a store of tamis; choose another directory with --store")
            }
            StoreProblem::Newer => {
                write!(line, "{path} was written by a newer tamis; update, or choose another with --store")
            }
            StoreProblem::Older => {
                write!(line, "{path} was written by an older tamis; the next run that records converts it")
            }
            StoreProblem::Damaged(what) => {
                write!(line, "{path} is damaged ({what}); `tamis cache clear` starts a new one")
            }
            StoreProblem::ReadOnly => {
                write!(line, "{path} cannot be written; allow it, or choose another with --store")
            }
            StoreProblem::Full => {
                write!(line, "{path} cannot grow: the disk is full; `tamis cache gc` makes it smaller")
            }
            StoreProblem::Busy => {
                write!(line, "{path} is in use by another process; nothing is recorded until that ends")
            }
            StoreProblem::Failed(what) => {
                write!(line, "{path} cannot be used: {what}; choose another with --store")
            }
        }?;
        // One line, whatever characters a path or a message of the system contains.
        line.chars().try_for_each(|c| f.write_char(if c.is_control() { ' ' } else { c }))
    }
}

impl std::error::Error for StoreError {}

impl StoreError {
    pub(super) fn io(path: &Path, error: &io::Error) -> StoreError {
        let problem = match error.kind() {
            io::ErrorKind::PermissionDenied | io::ErrorKind::ReadOnlyFilesystem => StoreProblem::ReadOnly,
            io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => StoreProblem::Full,
            _ => StoreProblem::Failed(error.to_string()),
        };
        StoreError { path: path.to_path_buf(), problem }
    }
}

/// A problem of a file that is not known yet: work inside a transaction fails with it.
pub(super) struct StoreFault(pub(super) StoreProblem);

impl StoreFault {
    pub(super) fn damaged(what: &str) -> StoreFault {
        StoreFault(StoreProblem::Damaged(what.to_owned()))
    }

    pub(super) fn at(self, path: &Path) -> StoreError {
        StoreError { path: path.to_path_buf(), problem: self.0 }
    }

    pub(super) fn is_busy(&self) -> bool {
        matches!(self.0, StoreProblem::Busy)
    }
}

impl From<Sql> for StoreFault {
    fn from(error: Sql) -> StoreFault {
        let Some(code) = error.sqlite_error() else {
            // A value of another type than in the schema, or invalid text.
            return StoreFault(StoreProblem::Damaged(error.to_string()));
        };
        StoreFault(match code.code {
            ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked => StoreProblem::Busy,
            ErrorCode::ReadOnly | ErrorCode::PermissionDenied => StoreProblem::ReadOnly,
            ErrorCode::DiskFull => StoreProblem::Full,
            ErrorCode::DatabaseCorrupt
            | ErrorCode::NotADatabase
            | ErrorCode::ConstraintViolation
            | ErrorCode::TypeMismatch
            | ErrorCode::TooBig
            | ErrorCode::Unknown => StoreProblem::Damaged(error.to_string()),
            ErrorCode::SystemIoFailure if code.extended_code == ffi::SQLITE_IOERR_SHORT_READ => {
                StoreProblem::Damaged(error.to_string())
            }
            _ => StoreProblem::Failed(error.to_string()),
        })
    }
}
