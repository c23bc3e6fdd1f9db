//! The results of an audit: one document for each kind.
//!
//! A miss is a test that would have been skipped and does not end as recorded.

pub mod mutants;
pub mod rerun;

use crate::selection::{EvidenceEntry, test_name};
use serde::Serialize;

/// A test that would have been skipped, and must not have been.
#[derive(Clone, Debug, Serialize)]
pub struct MissedTest {
    /// Its module.
    pub module: String,
    /// Its class.
    pub class: String,
    /// Its method; `null` is the whole class.
    pub method: Option<String>,
    /// Its outcome now.
    pub outcome: String,
    /// Why it would have been skipped.
    pub evidence: EvidenceEntry,
}

impl MissedTest {
    /// `org.x.ParserTest#flatten`
    pub fn name(&self) -> String {
        test_name(&self.class, self.method.as_deref())
    }
}
