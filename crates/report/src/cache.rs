//! The size of the store.

use serde::Serialize;

/// The document.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct CacheReport {
    /// The version of the document.
    pub format: u32,
    /// Tests.
    pub tests: u64,
    /// Traces of them.
    pub traces: u64,
    /// Different sets of facts.
    pub fact_sets: u64,
    /// Different facts.
    pub facts: u64,
    /// Outcomes by set of facts.
    pub verdicts: u64,
    /// Recorded runs.
    pub runs: u64,
    /// The size of the file.
    pub bytes: u64,
    /// Unused space in it.
    pub free_bytes: u64,
}

impl Default for CacheReport {
    fn default() -> CacheReport {
        CacheReport {
            format: 1,
            tests: 0,
            traces: 0,
            fact_sets: 0,
            facts: 0,
            verdicts: 0,
            runs: 0,
            bytes: 0,
            free_bytes: 0,
        }
    }
}
