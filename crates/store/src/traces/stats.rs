//! Counts the content of a store.

use super::error::{StoreError, StoreFault};
use super::{TraceStore, from_stored};

/// The size of a store.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoreStats {
    /// Tests with any data.
    pub tests: u64,
    /// Passing traces.
    pub traces: u64,
    /// Different sets of facts among them.
    pub fact_sets: u64,
    /// Different facts.
    pub facts: u64,
    /// Stored outcomes.
    pub verdicts: u64,
    /// Runs with any data.
    pub runs: u64,
    /// Size on disk in bytes, without the write-ahead log.
    pub bytes: u64,
    /// The unused part of that size.
    pub free: u64,
}

impl TraceStore {
    /// Counts the content.
    pub fn stats(&self) -> Result<StoreStats, StoreError> {
        let count = || {
            let transaction = self.connection.unchecked_transaction()?;
            let number = |sql: &str| {
                Ok::<u64, StoreFault>(from_stored(transaction.query_row(sql, [], |row| row.get(0))?))
            };
            let page = number("PRAGMA page_size")?;
            Ok(StoreStats {
                tests: number("SELECT count(*) FROM test")?,
                traces: number("SELECT count(*) FROM trace")?,
                fact_sets: number("SELECT count(*) FROM fact_set")?,
                facts: number("SELECT count(*) FROM fact")?,
                verdicts: number("SELECT count(*) FROM verdict")?,
                runs: number("SELECT count(*) FROM run")?,
                bytes: number("PRAGMA page_count")?.saturating_mul(page),
                free: number("PRAGMA freelist_count")?.saturating_mul(page),
            })
        };
        count().map_err(|fault: StoreFault| fault.at(&self.path))
    }
}
