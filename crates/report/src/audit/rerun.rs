//! `tamis audit --rerun`: every test ran; those that would have been skipped are compared with their record.

use super::MissedTest;
use serde::Serialize;

/// The document.
#[derive(Clone, Debug, Serialize)]
pub struct RerunReport {
    format: u32,
    tamis: String,
    audit: &'static str,
    /// The selection technique.
    pub technique: String,
    /// Whether single tests or whole classes were selected.
    pub granularity: String,
    /// Tests that would have been skipped.
    pub skip: usize,
    /// Tests that would have run.
    pub run: usize,
    /// Failed tests among those that would have run: they are not misses.
    pub run_failed: usize,
    /// The exit code of the build.
    pub exit: Option<i32>,
    /// Tests that would have been skipped and did not pass.
    pub misses: Vec<MissedTest>,
    /// Gaps and fall-backs, one sentence each.
    pub notes: Vec<String>,
}

impl RerunReport {
    /// An empty one.
    pub fn new(version: &str, technique: &str, granularity: &str) -> RerunReport {
        RerunReport {
            format: 1,
            tamis: version.to_owned(),
            audit: "rerun",
            technique: technique.to_owned(),
            granularity: granularity.to_owned(),
            skip: 0,
            run: 0,
            run_failed: 0,
            exit: None,
            misses: Vec::new(),
            notes: Vec::new(),
        }
    }
}
