//! `tamis cache stats` for people.

use crate::cache::CacheReport;
use std::io::{self, Write};

/// A line for each number.
pub(super) fn write<W: Write>(out: &mut W, report: &CacheReport) -> io::Result<()> {
    for (number, name) in [
        (report.tests, "tests"),
        (report.traces, "traces"),
        (report.fact_sets, "fact sets"),
        (report.facts, "facts"),
        (report.verdicts, "verdicts"),
        (report.runs, "runs"),
        (report.bytes, "bytes"),
        (report.free_bytes, "free bytes"),
    ] {
        writeln!(out, "{number:>12}  {name}")?;
    }
    Ok(())
}
