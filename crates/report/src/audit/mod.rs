//! What an audit of the selection itself found.
//!
//! A miss is a test that would have been skipped and does not end as recorded. There is one document for each kind of audit.

pub mod mutants;
pub mod rerun;

use crate::selection::EvidenceEntry;
use anstyle::{AnsiColor, Style};
use serde::Serialize;
use std::io::{self, Write};

/// A test that would have been skipped, and must not have been.
#[derive(Clone, Debug, Serialize)]
pub struct MissedTest {
    /// Its module.
    pub module: String,
    /// Its class.
    pub class: String,
    /// Its method; `null` is the whole class.
    pub method: Option<String>,
    /// How it ended now.
    pub outcome: String,
    /// Why it was thought safe.
    pub evidence: EvidenceEntry,
}

impl MissedTest {
    /// `org.x.ParserTest#flatten`
    pub fn name(&self) -> String {
        match &self.method {
            Some(method) => format!("{}#{method}", self.class),
            None => self.class.clone(),
        }
    }

    /// What it is, and why it was thought safe.
    fn write<W: Write>(&self, out: &mut W) -> io::Result<()> {
        let (red, dim) = (AnsiColor::Red.on_default().bold(), Style::new().dimmed());
        writeln!(out, "{red}   MISS{red:#}  {}  passed when recorded, {} now", self.name(), self.outcome)?;
        let EvidenceEntry { facts, recorded, trace, place } = &self.evidence;
        let place = if place.is_empty() { String::new() } else { format!(" on {place}") };
        let trace = trace.get(..12).unwrap_or(trace);
        writeln!(
            out,
            "         {dim}thought safe: all {facts} facts of trace {trace} hold, recorded {recorded}{place}{dim:#}"
        )
    }
}

/// `1 test`, `3 tests`
pub(crate) fn count(number: usize, one: &str) -> String {
    if number == 1 { format!("1 {one}") } else { format!("{number} {one}s") }
}

fn to_json(document: &impl Serialize) -> String {
    // Serialising strings and numbers into memory cannot fail.
    let mut text = serde_json::to_string_pretty(document).unwrap_or_default();
    text.push('\n');
    text
}
