//! What an import brought: verdicts of a build that ran without Tamis.

use serde::Serialize;
use std::collections::BTreeMap;

/// The document.
#[derive(Clone, Debug, Default, Serialize)]
pub struct ImportReport {
    format: u32,
    tamis: String,
    /// Reports that were read.
    pub reports: usize,
    /// Tests that passed and have a static trace now.
    pub imported: usize,
    /// Tests that failed: they run.
    pub failed: usize,
    /// Tests that passed and may reach what a static graph cannot follow: they run.
    pub unfollowed: usize,
    /// Tests that Tamis knows better, or whose names are not those of methods.
    pub left_out: usize,
    /// By what cannot be followed, the tests that may reach it.
    pub gaps: BTreeMap<String, usize>,
    /// Reports that do not count, and why.
    pub rejected: Vec<String>,
}

impl ImportReport {
    /// An import that brought nothing yet.
    pub fn new(version: &str) -> ImportReport {
        ImportReport { format: 1, tamis: version.to_owned(), ..ImportReport::default() }
    }

    /// Counts a test.
    pub fn count(&mut self, has_failed: bool, has_gap: bool) {
        match (has_failed, has_gap) {
            (true, _) => self.failed += 1,
            (false, true) => self.unfollowed += 1,
            (false, false) => self.imported += 1,
        }
    }
}
