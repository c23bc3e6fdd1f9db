//! Creates and opens the database file.
//!
//! The file is not trusted until it proves to be ours: no triggers, no functions in a schema, bounded values,
//! and no memory mapping of a file that another process may truncate.

use super::error::{StoreError, StoreFault, StoreProblem};
use super::schema::{FileKind, kind, migrate};
use super::{TraceStore, mount};
use rusqlite::config::DbConfig;
use rusqlite::limits::Limit;
use rusqlite::{Connection, OpenFlags};
use std::ffi::OsString;
use std::fs::{self, File};
use std::io::{self, Write};
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Name of the database file in its directory.
const NAME: &str = "traces.db";

/// Time limit for waiting until another process has written.
const PATIENCE: Duration = Duration::from_secs(10);

/// Maximum length of a text, a set of facts or a statement.
const LONGEST: i32 = 64 << 20;

/// Page size in bytes. Larger pages are read faster; smaller ones are written faster, since a commit writes
/// whole pages.
const PAGE: i64 = 8192;

impl TraceStore {
    /// Opens the store of a directory for reading and writing, and creates it if needed.
    pub fn open(directory: &Path) -> Result<TraceStore, StoreError> {
        make_directory(directory).map_err(|error| StoreError::io(directory, &error))?;
        let path = directory.join(NAME);
        check_kind_of_file(&path)?;
        let open = || {
            let mut connection = FileAccess::Write.connect(&path)?;
            prepare(&mut connection, directory)?;
            Ok(connection)
        };
        let connection = patiently(open).map_err(|fault| fault.at(&path))?;
        Ok(TraceStore::new(connection, path, FileAccess::Write))
    }

    /// Opens the store of a directory for reading; `None` if there is none. Nothing is created or changed,
    /// and writing fails.
    pub fn read_only(directory: &Path) -> Result<Option<TraceStore>, StoreError> {
        let path = directory.join(NAME);
        if !check_kind_of_file(&path)? {
            return Ok(None);
        }
        let open = |access: FileAccess| {
            let connection = access.connect(&path)?;
            match kind(&connection)? {
                FileKind::Current => Ok(Some((connection, access))),
                FileKind::New => Ok(None),
                FileKind::Older(_) => Err(StoreFault(StoreProblem::Older)),
            }
        };
        let opened = patiently(|| open(FileAccess::Read)).or_else(|fault| match fault.0 {
            // Without write access, SQLite cannot share the memory of the write-ahead log. Without a log it
            // is not needed. If there is a log, it may contain the news that a test has failed.
            StoreProblem::ReadOnly | StoreProblem::Failed(_) if !has_log(&path) => {
                open(FileAccess::ReadUnchanging)
            }
            _ => Err(fault),
        });
        let opened = opened.map_err(|fault| fault.at(&path))?;
        Ok(opened.map(|(connection, access)| TraceStore::new(connection, path, access)))
    }

    /// Sets how long to wait for another process that writes. The default is ten seconds.
    pub fn patience(&mut self, patience: Duration) -> Result<(), StoreError> {
        self.connection.busy_timeout(patience).map_err(|error| StoreFault::from(error).at(&self.path))
    }

    /// Deletes the store of a directory, damaged or not. Another process that has it open loses its traces.
    pub fn remove(directory: &Path) -> Result<(), StoreError> {
        for suffix in ["-wal", "-shm", "-journal", ""] {
            let path = beside(&directory.join(NAME), suffix);
            match fs::remove_file(&path) {
                Err(error) if error.kind() != io::ErrorKind::NotFound => {
                    return Err(StoreError::io(&path, &error));
                }
                _ => {}
            }
        }
        Ok(())
    }
}

/// How the file is opened.
#[derive(Clone, Copy)]
pub(super) enum FileAccess {
    Write,
    Read,
    /// For reading a file that no other process can write either.
    ReadUnchanging,
}

impl FileAccess {
    /// Opens another connection, for reading in another thread.
    pub(super) fn again(self, path: &Path) -> Result<Connection, StoreFault> {
        match self {
            FileAccess::Write | FileAccess::Read => FileAccess::Read.connect(path),
            FileAccess::ReadUnchanging => FileAccess::ReadUnchanging.connect(path),
        }
    }

    fn connect(self, path: &Path) -> Result<Connection, StoreFault> {
        let (how, path) = match self {
            FileAccess::Write => {
                (OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_CREATE, path.to_path_buf())
            }
            FileAccess::Read => (OpenFlags::SQLITE_OPEN_READ_ONLY, path.to_path_buf()),
            FileAccess::ReadUnchanging => {
                (OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_URI, immutable_uri(path).into())
            }
        };
        let connection = Connection::open_with_flags(path, how | OpenFlags::SQLITE_OPEN_NO_MUTEX)?;
        guard(&connection)?;
        Ok(connection)
    }
}

/// Repeats work that another process may have blocked: SQLite does not wait for all of its locks.
pub(super) fn patiently<T>(mut work: impl FnMut() -> Result<T, StoreFault>) -> Result<T, StoreFault> {
    for pause in [1, 10, 50, 200] {
        match work() {
            Err(fault) if fault.is_busy() => std::thread::sleep(Duration::from_millis(pause)),
            result => return result,
        }
    }
    work()
}

/// Creates the directory of a store, with a file that excludes it from version control.
pub fn make_directory(directory: &Path) -> io::Result<()> {
    fs::create_dir_all(directory)?;
    match File::create_new(directory.join(".gitignore")) {
        Ok(mut file) => file.write_all(b"*\n"),
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Ok(()),
        Err(error) => Err(error),
    }
}

/// Whether the file exists. Other kinds are refused: opening a pipe would block forever.
fn check_kind_of_file(path: &Path) -> Result<bool, StoreError> {
    match fs::metadata(path) {
        Ok(metadata) if metadata.is_file() => Ok(true),
        Ok(_) => Err(StoreError { path: path.to_path_buf(), problem: StoreProblem::Foreign }),
        Err(error) if matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory) => {
            Ok(false)
        }
        Err(error) => Err(StoreError::io(path, &error)),
    }
}

fn guard(connection: &Connection) -> Result<(), StoreFault> {
    connection.busy_timeout(PATIENCE)?;
    connection.set_prepared_statement_cache_capacity(64);
    connection.set_limit(Limit::SQLITE_LIMIT_LENGTH, LONGEST)?;
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_DEFENSIVE, true)?;
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_ENABLE_TRIGGER, false)?;
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_TRUSTED_SCHEMA, false)?;
    // Otherwise SQLite plans a statement again for each new value, and a run binds thousands of values to
    // each.
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_ENABLE_QPSG, true)?;
    connection.pragma_update(None, "cell_size_check", true)?;
    connection.pragma_update(None, "mmap_size", 0)?;
    // We delete rows in the right order ourselves; checking references would need more indices.
    connection.pragma_update(None, "foreign_keys", false)?;
    // A megabyte. Loading reads every page once, and is faster in memory that was used just before.
    Ok(connection.pragma_update(None, "cache_size", -1024)?)
}

/// Creates the tables of a new store, and chooses its journal mode.
fn prepare(connection: &mut Connection, directory: &Path) -> Result<(), StoreFault> {
    if connection.is_readonly("main")? {
        return Err(StoreFault(StoreProblem::ReadOnly));
    }
    match kind(connection)? {
        FileKind::Current => {}
        FileKind::New | FileKind::Older(_) => {
            connection.pragma_update(None, "page_size", PAGE)?;
            migrate(connection)?;
        }
    }
    let wanted = if mount::is_shared(directory) { "delete" } else { "wal" };
    if journal(connection, wanted)? != "wal" {
        return Ok(connection.pragma_update(None, "synchronous", "FULL")?);
    }
    // With a log, a crash of the machine can lose the latest tests, but not the store.
    connection.pragma_update(None, "synchronous", "NORMAL")?;
    match connection.execute_batch("BEGIN IMMEDIATE; COMMIT") {
        Ok(()) => Ok(()),
        Err(error) => match StoreFault::from(error) {
            // Memory cannot be shared here. A process that has the file to itself can leave this mode without
            // shared memory.
            StoreFault(StoreProblem::Failed(_)) => {
                connection.pragma_update(None, "locking_mode", "EXCLUSIVE")?;
                journal(connection, "delete")?;
                connection.pragma_update(None, "locking_mode", "NORMAL")?;
                Ok(connection.pragma_update(None, "synchronous", "FULL")?)
            }
            fault => Err(fault),
        },
    }
}

/// Requests a journal mode, and returns the present one: another process may prevent the change.
fn journal(connection: &Connection, mode: &str) -> Result<String, StoreFault> {
    let now = connection.pragma_query_value(None, "journal_mode", |row| row.get::<_, String>(0))?;
    if now == mode {
        return Ok(now);
    }
    // Not worth waiting for: a store works in both modes.
    connection.busy_timeout(Duration::from_millis(50))?;
    let changed = connection.pragma_update_and_check(None, "journal_mode", mode, |row| row.get(0));
    connection.busy_timeout(PATIENCE)?;
    match changed.map_err(StoreFault::from) {
        Err(fault) if fault.is_busy() => Ok(now),
        result => result,
    }
}

fn beside(path: &Path, suffix: &str) -> PathBuf {
    let mut name = OsString::from(path);
    name.push(suffix);
    PathBuf::from(name)
}

fn has_log(path: &Path) -> bool {
    let filled = |suffix| fs::metadata(beside(path, suffix)).is_ok_and(|metadata| metadata.len() > 0);
    filled("-wal") || filled("-journal")
}

/// A URI that lets SQLite assume that nobody writes the file.
fn immutable_uri(path: &Path) -> String {
    // Absolute, so that no part of it can be read as the name of a machine.
    let path = fs::canonicalize(path).unwrap_or_else(|_| path.to_path_buf());
    let mut uri = String::from("file://");
    for byte in path.as_os_str().as_bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'/' | b'.' | b'-' | b'_' => {
                uri.push(char::from(*byte))
            }
            _ => uri.push_str(&format!("%{byte:02x}")),
        }
    }
    uri + "?immutable=1"
}
