//! Documents for people: one file each.

mod affected;
mod cache;
mod diff;
mod doctor;
mod explanation;
mod failure;
mod import;
mod mutants;
mod observation;
mod rerun;
mod selection;

use crate::document::{Document, Layout};
use crate::failure::FailureEntry;
use crate::selection::EvidenceEntry;
use anstyle::{AnsiColor, Style};
use std::io::{self, Write};

pub(crate) fn write<W: Write>(out: &mut W, document: Document<'_>, layout: Layout) -> io::Result<()> {
    match document {
        Document::Selection(report) if layout.quiet && report.summary.passed.is_some() => {
            selection::write_result(out, report, layout)
        }
        Document::Selection(report) => selection::write(out, report, layout),
        Document::Explanation(report) => explanation::write(out, report, layout),
        Document::Affected(report) => affected::write(out, report, layout),
        Document::Rerun(report) => rerun::write(out, report),
        Document::Mutants(report) => mutants::write(out, report),
        Document::Observation(report) => observation::write(out, report, layout),
        Document::Diff(report) => diff::write(out, report, layout),
        Document::Doctor(report) => doctor::write(out, report),
        Document::Cache(report) => cache::write(out, report),
        Document::Import(report) => import::write(out, report, layout),
    }
}

/// A failed test, for the display of a build that is still running.
pub(crate) fn write_failure<W: Write>(
    out: &mut W,
    test: &str,
    failure: Option<&FailureEntry>,
) -> io::Result<()> {
    failure::write(out, test, failure)
}

/// Without the styles of a terminal.
pub(crate) fn plain(text: &str) -> String {
    let mut parts = text.split('\u{1b}');
    let first = parts.next().unwrap_or_default().to_owned();
    parts.fold(first, |text, part| text + part.split_once('m').map_or("", |(_, rest)| rest))
}

/// A line that begins with `note`.
fn note<W: Write>(out: &mut W, text: &str) -> io::Result<()> {
    let yellow = AnsiColor::Yellow.on_default();
    writeln!(out, "{yellow}   note{yellow:#}  {text}")
}

/// The last line of an audit.
fn verdict<W: Write>(out: &mut W, misses: usize, hint: &str) -> io::Result<()> {
    let (style, word) = match misses {
        0 => (AnsiColor::Green.on_default().bold(), "   PASS"),
        _ => (AnsiColor::Red.on_default().bold(), "   FAIL"),
    };
    let text = match misses {
        0 => "no misses".to_owned(),
        1 => "1 miss".to_owned(),
        misses => format!("{misses} misses"),
    };
    let dim = Style::new().dimmed();
    let hint = if hint.is_empty() { String::new() } else { format!("  {dim}{hint}{dim:#}") };
    writeln!(out, "{style}{word}{style:#}  {text}{hint}")
}

/// The first characters of a digest.
fn short(digest: &str) -> &str {
    digest.get(..12).unwrap_or(digest)
}

/// The evidence for skipping a test that must not be skipped.
fn evidence(evidence: &EvidenceEntry) -> String {
    let EvidenceEntry { facts, recorded, trace, place, is_static: _ } = evidence;
    let place = if place.is_empty() { String::new() } else { format!(" on {place}") };
    let recorded = if recorded.is_empty() { String::new() } else { format!(", recorded {recorded}{place}") };
    format!("reason to skip: all {facts} facts of trace {} hold{recorded}", short(trace))
}
