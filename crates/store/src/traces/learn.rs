//! Writes all results of a class in one transaction.

use super::commit::TestTraces;
use super::error::{StoreError, StoreFault};
use super::intern::FactInterner;
use super::outcome::{FinishedTest, finish, start};
use super::{CommitOutcome, NewTrace, StoredRun, TestKey, TraceStore, execute, run_number, to_millis};
use rusqlite::Transaction;
use std::time::SystemTime;

/// Results to write, all or none.
#[derive(Default)]
pub struct TraceBatch<'f> {
    /// Tests that have begun.
    pub started: Vec<TestKey>,
    /// Passing traces.
    pub traces: Vec<NewTrace<'f>>,
    /// Tests that have ended.
    pub finished: Vec<FinishedTest>,
    /// Classes, and why their tests are selected together; `None` if they are not.
    pub whole: Vec<(TestKey, Option<String>)>,
    /// Static fields in which a test was seen to leave something: module and field.
    pub left: Vec<(String, String)>,
}

impl TraceStore {
    /// Writes the results. Returns what happened to each trace.
    pub fn learn(
        &mut self,
        run: &StoredRun,
        learned: &TraceBatch<'_>,
    ) -> Result<Vec<CommitOutcome>, StoreError> {
        let now = to_millis(SystemTime::now());
        self.write(|transaction, numbers| {
            let run = run_number(transaction, run)?;
            for test in &learned.started {
                start(transaction, numbers, run, now, test)?;
            }
            let mut interner = FactInterner::new(transaction, numbers)?;
            let writer = TestTraces { transaction };
            let kept = learned.traces.iter().map(|trace| writer.trace(&mut interner, run, now, trace));
            let kept = kept.collect::<Result<Vec<_>, _>>()?;
            drop(interner);
            finish(transaction, numbers, run, now, &learned.finished)?;
            for (test, reason) in &learned.whole {
                set_whole(transaction, numbers.test(transaction, test)?, reason.as_deref())?;
            }
            add_left(transaction, &learned.left)?;
            Ok(kept)
        })
    }
}

/// Adds static fields in which tests leave something.
pub(super) fn add_left<'l>(
    transaction: &Transaction<'_>,
    left: impl IntoIterator<Item = &'l (String, String)>,
) -> Result<(), StoreFault> {
    for (module, field) in left {
        execute(transaction, "INSERT OR IGNORE INTO left_field VALUES (?1, ?2)", (module, field))?;
    }
    Ok(())
}

fn set_whole(transaction: &Transaction<'_>, test: i64, reason: Option<&str>) -> Result<(), StoreFault> {
    match reason {
        Some(reason) => execute(transaction, "INSERT OR REPLACE INTO whole VALUES (?1, ?2)", (test, reason)),
        None => execute(transaction, "DELETE FROM whole WHERE test = ?1", [test]),
    }
    .map(|_| ())
}
