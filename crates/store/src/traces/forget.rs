//! Deletes traces, facts and tests that are no longer needed.

use super::error::{StoreError, StoreFault};
use super::fact_set::set_checksum;
use super::{StoredOutcome, TestKey, TraceStore, execute, to_millis};
use crate::format::{LARGEST, decode_numbers};
use rusqlite::Transaction;
use std::time::{Duration, SystemTime};
use tamis_program::digest::Digest;

/// A trace that held within the last hour is not updated: writing would cost more than the information is
/// worth.
const FRESH: i64 = 3_600_000;

/// The data to keep. Everything else is deleted.
#[derive(Clone, Copy, Default)]
pub struct RetentionRule<'k> {
    /// Traces that held within this time.
    pub matched_within: Option<Duration>,
    /// Tests that still exist.
    pub tests: Option<&'k dyn Fn(&TestKey) -> bool>,
}

/// Numbers of deleted rows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ForgottenCounts {
    /// Tests without any other data.
    pub tests: usize,
    /// Traces.
    pub traces: usize,
    /// Sets of facts that no trace uses, or that are damaged.
    pub fact_sets: usize,
    /// Facts that no set contains.
    pub facts: usize,
}

impl TraceStore {
    /// Records that traces hold now, by the digests of their sets.
    pub fn matched(&mut self, digests: &[Digest]) -> Result<(), StoreError> {
        let now = to_millis(SystemTime::now());
        let stale = {
            let find = || {
                let mut query = self.connection.prepare_cached(
                    "SELECT 1 FROM trace WHERE fact_set = (SELECT number FROM fact_set WHERE digest = ?1) AND matched < ?2",
                )?;
                let is_stale =
                    |digest: &&Digest| query.exists((digest.as_bytes(), now - FRESH)).unwrap_or(true);
                Ok(digests.iter().filter(is_stale).collect::<Vec<_>>())
            };
            find().map_err(|fault: StoreFault| fault.at(&self.path))?
        };
        if stale.is_empty() {
            return Ok(());
        }
        self.write(|transaction, _| {
            let sql = "UPDATE trace SET matched = max(matched, ?2) \
                       WHERE fact_set = (SELECT number FROM fact_set WHERE digest = ?1)";
            stale
                .iter()
                .try_for_each(|digest| execute(transaction, sql, (digest.as_bytes(), now)).map(|_| ()))
        })
    }

    /// Deletes everything that need not be kept, and returns the space to the disk.
    pub fn gc(&mut self, keep: &RetentionRule<'_>) -> Result<ForgottenCounts, StoreError> {
        let oldest = keep.matched_within.map(|within| SystemTime::now().checked_sub(within));
        let oldest = oldest.map_or(i64::MIN, |oldest| to_millis(oldest.unwrap_or(SystemTime::UNIX_EPOCH)));
        let forgotten = self.write(|transaction, facts| {
            let tests = match keep.tests {
                Some(is_there) => forget_tests(transaction, is_there)?,
                None => 0,
            };
            let forgotten = forget_old(transaction, oldest)?;
            facts.forget();
            Ok(ForgottenCounts { tests: forgotten.tests + tests, ..forgotten })
        })?;
        self.shrink()?;
        Ok(forgotten)
    }

    /// Returns free space to the disk, unless other processes are using the store.
    pub(super) fn shrink(&mut self) -> Result<(), StoreError> {
        let shrink = || {
            let free: i64 = self.connection.pragma_query_value(None, "freelist_count", |row| row.get(0))?;
            if free > 0 {
                self.connection.execute_batch("VACUUM")?;
            }
            // Moves the log into the file, so that the file has the size of the store.
            Ok(self.connection.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |_| Ok(()))?)
        };
        match shrink() {
            Err(fault) if !StoreFault::is_busy(&fault) => Err(fault.at(&self.path)),
            _ => Ok(()),
        }
    }
}

/// Deletes everything about tests that no longer exist.
fn forget_tests(
    transaction: &Transaction<'_>,
    is_there: &dyn Fn(&TestKey) -> bool,
) -> Result<usize, StoreFault> {
    let mut query = transaction.prepare("SELECT number, module, class, method FROM test")?;
    let mut rows = query.query([])?;
    let mut gone = Vec::new();
    while let Some(row) = rows.next()? {
        let method: String = row.get(3)?;
        let method = Some(method).filter(|method| !method.is_empty());
        if !is_there(&TestKey { module: row.get(1)?, class: row.get(2)?, method }) {
            gone.push(row.get::<_, i64>(0)?);
        }
    }
    for test in &gone {
        for sql in [
            "DELETE FROM trace WHERE test = ?1",
            "DELETE FROM verdict WHERE test = ?1",
            "DELETE FROM running WHERE test = ?1",
            "DELETE FROM test WHERE number = ?1",
        ] {
            execute(transaction, sql, [test])?;
        }
    }
    Ok(gone.len())
}

/// Deletes old traces and verdicts, and everything that is then unreferenced.
fn forget_old(transaction: &Transaction<'_>, oldest: i64) -> Result<ForgottenCounts, StoreFault> {
    let unused = "DELETE FROM fact_set WHERE number NOT IN (SELECT fact_set FROM trace)";
    let mut forgotten = ForgottenCounts {
        traces: execute(transaction, "DELETE FROM trace WHERE matched < ?1", [oldest])?,
        fact_sets: execute(transaction, unused, [])?,
        ..ForgottenCounts::default()
    };
    let (used, damaged) = used_facts(transaction)?;
    for set in &damaged {
        forgotten.traces += execute(transaction, "DELETE FROM trace WHERE fact_set = ?1", [set])?;
        forgotten.fact_sets += execute(transaction, "DELETE FROM fact_set WHERE number = ?1", [set])?;
    }
    forgotten.facts = forget_facts(transaction, &used)?;
    // A test that has not ended within this time has crashed.
    let crashed = "UPDATE test SET last = ?2 WHERE number IN (SELECT test FROM running WHERE since < ?1)";
    execute(transaction, crashed, (oldest, StoredOutcome::Crashed.word()))?;
    execute(transaction, "DELETE FROM running WHERE since < ?1", [oldest])?;
    forgotten.tests = execute(
        transaction,
        "DELETE FROM test WHERE number NOT IN (SELECT test FROM trace) AND number NOT IN (SELECT test FROM running) \
         AND number NOT IN (SELECT test FROM verdict WHERE ended >= ?1) AND (always IS NULL OR ?1 > 0)",
        [oldest],
    )?;
    for table in ["verdict", "whole"] {
        let unknown = format!("DELETE FROM {table} WHERE test NOT IN (SELECT number FROM test)");
        execute(transaction, &unknown, [])?;
    }
    execute(
        transaction,
        "DELETE FROM run WHERE number NOT IN (SELECT run FROM trace) AND number NOT IN (SELECT run FROM verdict) \
         AND number NOT IN (SELECT run FROM running)",
        [],
    )?;
    Ok(forgotten)
}

/// Which facts are in a set, by number, and the sets that are damaged.
fn used_facts(transaction: &Transaction<'_>) -> Result<(Vec<bool>, Vec<i64>), StoreFault> {
    let mut used = Vec::new();
    let mut damaged = Vec::new();
    let mut query = transaction.prepare("SELECT number, checksum, facts, digest FROM fact_set")?;
    let mut rows = query.query([])?;
    while let Some(row) = rows.next()? {
        let facts = row.get_ref(2)?.as_blob().unwrap_or_default();
        let whole = set_checksum(&row.get(3)?, facts) == row.get::<_, i64>(1)?
            && decode_numbers(facts, |number| {
                if used.len() <= number as usize {
                    used.resize(number as usize + 1, false);
                }
                used.get_mut(number as usize).is_some_and(|used| {
                    *used = true;
                    true
                })
            });
        if !whole {
            damaged.push(row.get(0)?);
        }
    }
    Ok((used, damaged))
}

fn forget_facts(transaction: &Transaction<'_>, used: &[bool]) -> Result<usize, StoreFault> {
    let mut query = transaction.prepare("SELECT number FROM fact")?;
    let mut rows = query.query([])?;
    let mut unused = Vec::new();
    while let Some(row) = rows.next()? {
        let number: i64 = row.get(0)?;
        let is_used =
            usize::try_from(number).ok().and_then(|number| used.get(number)).is_some_and(|used| *used);
        if !is_used || number > i64::from(LARGEST) {
            unused.push(number);
        }
    }
    unused.iter().try_for_each(|number| {
        execute(transaction, "DELETE FROM fact WHERE number = ?1", [number]).map(|_| ())
    })?;
    Ok(unused.len())
}
