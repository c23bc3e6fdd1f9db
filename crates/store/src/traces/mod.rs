//! Recorded traces: which facts held when a test passed, and how tests ended.
//!
//! One SQLite file in a directory of its own, written by one process at a time and read by anyone with SQL
//! (`docs/store.md`). Facts are kept once and numbered, sets of facts once and known by their content, so that a store
//! can be copied, merged, and found again on another branch. Nothing in it is an absolute path.
//!
//! Whatever a file holds is a value or an [`Error`]: a trace of which a single fact cannot be read is not there, and a
//! store that cannot be used costs time, never an answer. Whether a trace still holds is not decided here.

mod commit;
mod error;
mod fact_set;
mod file;
mod forget;
mod import;
mod intern;
mod learn;
mod load;
mod mount;
mod new_trace;
mod outcome;
mod schema;
mod stats;

pub use commit::CommitOutcome;
pub use error::{StoreError, StoreProblem};
pub use fact_set::digest_of;
pub use file::make_directory;
pub use forget::{ForgottenCounts, RetentionRule};
pub use learn::TraceBatch;
pub use new_trace::NewTrace;
pub use outcome::{FinishedTest, PastOutcome, is_flaky};
pub use stats::StoreStats;
pub use tamis_select::stored::{StoredOutcome, StoredRun, StoredTest, StoredTrace, StoredTraces, TestKey};

use error::StoreFault;
use file::FileAccess;
use intern::InternCache;
use rusqlite::{Connection, OptionalExtension, Params, Transaction, TransactionBehavior};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// The store of recorded traces.
pub struct TraceStore {
    connection: Connection,
    path: PathBuf,
    access: FileAccess,
    facts: InternCache,
}

impl TraceStore {
    fn new(connection: Connection, path: PathBuf, access: FileAccess) -> TraceStore {
        TraceStore { connection, path, access, facts: InternCache::default() }
    }

    /// The file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Forgets everything.
    pub fn clear(&mut self) -> Result<(), StoreError> {
        self.write(|transaction, facts| {
            facts.forget();
            schema::TABLES
                .iter()
                .try_for_each(|table| execute(transaction, &format!("DELETE FROM {table}"), []).map(|_| ()))
        })?;
        self.shrink()
    }

    /// Does some work in one transaction: all of it is kept, or nothing. Another process that writes is waited for.
    fn write<T>(
        &mut self,
        work: impl FnOnce(&Transaction<'_>, &mut InternCache) -> Result<T, StoreFault>,
    ) -> Result<T, StoreError> {
        let TraceStore { connection, path, facts, access: _ } = self;
        let begin = || Ok(Transaction::new_unchecked(connection, TransactionBehavior::Immediate)?);
        let transaction = file::patiently(begin).map_err(|fault| fault.at(path))?;
        let result = facts.refresh(&transaction).and_then(|()| {
            let value = work(&transaction, facts)?;
            transaction.commit()?;
            Ok(value)
        });
        result.map_err(|fault| {
            // The numbers it gave to new facts went with the transaction.
            facts.forget();
            fault.at(path)
        })
    }
}

/// The number of a run; it is noted if it is new.
fn run_number(transaction: &Transaction<'_>, run: &StoredRun) -> Result<i64, StoreFault> {
    let mut find = transaction.prepare_cached("SELECT number FROM run WHERE id = ?1")?;
    if let Some(number) = find.query_row([&run.id], |row| row.get(0)).optional()? {
        return Ok(number);
    }
    let row = (&run.id, to_millis(run.began), &run.place);
    execute(transaction, "INSERT INTO run (id, began, place) VALUES (?1, ?2, ?3)", row)?;
    Ok(transaction.last_insert_rowid())
}

/// The number of a test; it is noted if it is new.
fn test_number(transaction: &Transaction<'_>, test: &TestKey) -> Result<i64, StoreFault> {
    let key = (&test.module, &test.class, test.method.as_deref().unwrap_or_default());
    let mut find = transaction
        .prepare_cached("SELECT number FROM test WHERE module = ?1 AND class = ?2 AND method = ?3")?;
    if let Some(number) = find.query_row(key, |row| row.get(0)).optional()? {
        return Ok(number);
    }
    execute(transaction, "INSERT INTO test (module, class, method) VALUES (?1, ?2, ?3)", key)?;
    Ok(transaction.last_insert_rowid())
}

/// Executes a statement that will come again.
fn execute(connection: &Connection, sql: &str, values: impl Params) -> Result<usize, StoreFault> {
    Ok(connection.prepare_cached(sql)?.execute(values)?)
}

/// Milliseconds since 1970; a clock that is far off is cut.
fn to_millis(time: SystemTime) -> i64 {
    let since = time.duration_since(UNIX_EPOCH).unwrap_or_default();
    i64::try_from(since.as_millis()).unwrap_or(i64::MAX)
}

fn from_millis(millis: i64) -> SystemTime {
    UNIX_EPOCH.checked_add(Duration::from_millis(u64::try_from(millis).unwrap_or(0))).unwrap_or(UNIX_EPOCH)
}

fn to_stored(number: u64) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}

fn from_stored(number: i64) -> u64 {
    u64::try_from(number).unwrap_or(0)
}
