//! Recorded traces and outcomes of tests, in one SQLite file.
//!
//! One process writes at a time, and anybody can read with SQL (`docs/store.md`). Facts are stored once and
//! numbered; sets of facts are stored once and identified by content, so a store can be copied, merged, and
//! reused on another branch. No path in it is absolute.
//!
//! All content of a file is checked: a trace with an unreadable fact does not exist, and a store that cannot
//! be used costs time, never a wrong answer. Whether a trace still holds is decided elsewhere.

mod commit;
mod error;
mod fact_set;
mod file;
mod forget;
mod history;
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
pub use history::{PastRunRow, RunHistory};
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

    /// The path of the file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Deletes all data.
    pub fn clear(&mut self) -> Result<(), StoreError> {
        self.write(|transaction, facts| {
            facts.forget();
            schema::TABLES
                .iter()
                .try_for_each(|table| execute(transaction, &format!("DELETE FROM {table}"), []).map(|_| ()))
        })?;
        self.shrink()
    }

    /// Runs work in one transaction, which is kept completely or not at all. Waits for another process that
    /// writes.
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
            // Numbers of new facts are rolled back with the transaction.
            facts.forget();
            fault.at(path)
        })
    }
}

/// The number of a run; a new run is inserted.
fn run_number(transaction: &Transaction<'_>, run: &StoredRun) -> Result<i64, StoreFault> {
    let mut find = transaction.prepare_cached("SELECT number FROM run WHERE id = ?1")?;
    if let Some(number) = find.query_row([&run.id], |row| row.get(0)).optional()? {
        return Ok(number);
    }
    let row = (&run.id, to_millis(run.began), &run.place);
    execute(transaction, "INSERT INTO run (id, began, place) VALUES (?1, ?2, ?3)", row)?;
    Ok(transaction.last_insert_rowid())
}

/// The number of a test; a new test is inserted.
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

/// Executes a statement that will be used again.
fn execute(connection: &Connection, sql: &str, values: impl Params) -> Result<usize, StoreFault> {
    Ok(connection.prepare_cached(sql)?.execute(values)?)
}

/// Milliseconds since 1970. Times out of range are clamped.
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
