//! How much there is.

use super::error::{StoreError, StoreFault};
use super::{TraceStore, from_stored};

/// How much a store holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoreStats {
    /// Tests of which anything is known.
    pub tests: u64,
    /// Passing traces.
    pub traces: u64,
    /// Different sets of facts among them.
    pub fact_sets: u64,
    /// Different facts.
    pub facts: u64,
    /// Verdicts remembered.
    pub verdicts: u64,
    /// Runs that anything is known of.
    pub runs: u64,
    /// Size on disk, in bytes, without what is written at this moment.
    pub bytes: u64,
    /// How much of that is free.
    pub free: u64,
}

impl TraceStore {
    /// Counts what there is.
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
