//! The tests that depend on a class, a method or a file.

use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};

/// The document.
#[derive(Clone, Debug, Serialize)]
pub struct AffectedReport {
    format: u32,
    /// The names on the command line.
    pub of: Vec<String>,
    /// The tests, by name.
    pub tests: Vec<AffectedEntry>,
}

/// A test that depends on one of them.
#[derive(Clone, Debug, Serialize)]
pub struct AffectedEntry {
    /// `org.x.ParserTest#flatten`
    pub test: String,
    /// The facts through which it does.
    pub facts: BTreeSet<String>,
}

impl AffectedReport {
    /// From the facts by test.
    pub fn new(of: &[String], facts: BTreeMap<String, BTreeSet<String>>) -> AffectedReport {
        let tests = facts.into_iter().map(|(test, facts)| AffectedEntry { test, facts }).collect();
        AffectedReport { format: 1, of: of.to_vec(), tests }
    }
}
