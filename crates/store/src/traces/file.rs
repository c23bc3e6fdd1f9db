//! The file: made, opened, and closed to surprises.
//!
//! Whatever lies at its place is taken for hostile until it has shown to be ours: no triggers, no functions in a
//! schema, bounded values, no memory mapped to a file that another process may cut.

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

/// The database within its directory.
const NAME: &str = "traces.db";

/// How long another process may write before we go on without.
const PATIENCE: Duration = Duration::from_secs(10);

/// No text, no set of facts and no statement is longer.
const LONGEST: i32 = 64 << 20;

/// In pages of this many bytes: larger ones are read faster, smaller ones written, since a commit writes whole pages.
const PAGE: i64 = 8192;

impl TraceStore {
    /// Opens the store in a directory to read and write; makes what is not there.
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

    /// Opens the store in a directory to read; `None` if there is none. Nothing is made or changed, and whatever writes
    /// fails.
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
            // Where nothing may be written, SQLite cannot share the write-ahead log's memory. It is not needed if
            // there is no log; if there is, it may hold the news that a test has failed.
            StoreProblem::ReadOnly | StoreProblem::Failed(_) if !has_log(&path) => {
                open(FileAccess::ReadUnchanging)
            }
            _ => Err(fault),
        });
        let opened = opened.map_err(|fault| fault.at(&path))?;
        Ok(opened.map(|(connection, access)| TraceStore::new(connection, path, access)))
    }

    /// How long to wait for another process that writes; ten seconds unless this is called.
    pub fn patience(&mut self, patience: Duration) -> Result<(), StoreError> {
        self.connection.busy_timeout(patience).map_err(|error| StoreFault::from(error).at(&self.path))
    }

    /// Deletes the store of a directory, damaged or not. Traces that another process has open are lost to it.
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

/// How a file is opened.
#[derive(Clone, Copy)]
pub(super) enum FileAccess {
    Write,
    Read,
    /// To read what nobody else can write either.
    ReadUnchanging,
}

impl FileAccess {
    /// Another connection, to read in another thread.
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

/// Repeats what another process may have kept from being done: some of SQLite's locks are not waited for.
pub(super) fn patiently<T>(mut work: impl FnMut() -> Result<T, StoreFault>) -> Result<T, StoreFault> {
    for pause in [1, 10, 50, 200] {
        match work() {
            Err(fault) if fault.is_busy() => std::thread::sleep(Duration::from_millis(pause)),
            result => return result,
        }
    }
    work()
}

/// Makes the directory of a store, which keeps itself out of version control.
pub fn make_directory(directory: &Path) -> io::Result<()> {
    fs::create_dir_all(directory)?;
    match File::create_new(directory.join(".gitignore")) {
        Ok(mut file) => file.write_all(b"*\n"),
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Ok(()),
        Err(error) => Err(error),
    }
}

/// Whether there is a file. A pipe would keep us waiting for ever.
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
    // Else SQLite plans a statement anew for other values, and a run of tests binds thousands to each.
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_ENABLE_QPSG, true)?;
    connection.pragma_update(None, "cell_size_check", true)?;
    connection.pragma_update(None, "mmap_size", 0)?;
    // Rows are deleted in their order by us; looking for references would need more indices.
    connection.pragma_update(None, "foreign_keys", false)?;
    // A megabyte: loading reads every page once, and faster into memory that it has just used.
    Ok(connection.pragma_update(None, "cache_size", -1024)?)
}

/// Makes the tables of a new store, and chooses how it is written.
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
    // With a log, a crash of the machine may lose the last tests, never the store.
    connection.pragma_update(None, "synchronous", "NORMAL")?;
    match connection.execute_batch("BEGIN IMMEDIATE; COMMIT") {
        Ok(()) => Ok(()),
        Err(error) => match StoreFault::from(error) {
            // Memory cannot be shared here. A process alone with the file needs none to leave that mode.
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

/// Asks for a journal mode, and says which one it is now: another process may keep us from changing it.
fn journal(connection: &Connection, mode: &str) -> Result<String, StoreFault> {
    let now = connection.pragma_query_value(None, "journal_mode", |row| row.get::<_, String>(0))?;
    if now == mode {
        return Ok(now);
    }
    // Not worth waiting for: a store works in either mode.
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

/// The name of a file of which SQLite may believe that nobody writes it.
fn immutable_uri(path: &Path) -> String {
    // Absolute, so that no part of it can be taken for the name of a machine.
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
