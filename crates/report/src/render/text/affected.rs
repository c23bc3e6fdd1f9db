//! `tamis affected` for people.

use crate::affected::AffectedReport;
use crate::document::Layout;
use crate::words::count;
use anstyle::Style;
use std::io::{self, Write};

/// A line for each test, with the first of its facts; all of them if `layout` is verbose.
pub(super) fn write<W: Write>(out: &mut W, report: &AffectedReport, layout: Layout) -> io::Result<()> {
    let (bold, dim) = (Style::new().bold(), Style::new().dimmed());
    for entry in &report.tests {
        let first = entry.facts.first().map_or("", String::as_str);
        let others = entry.facts.len().saturating_sub(1);
        let more = if others > 0 && !layout.verbose { format!(" and {others} more") } else { String::new() };
        writeln!(out, "{bold}{}{bold:#}  {dim}{first}{more}{dim:#}", entry.test)?;
        if layout.verbose {
            for fact in entry.facts.iter().skip(1) {
                writeln!(out, "  {dim}{fact}{dim:#}")?;
            }
        }
    }
    let verb = if report.tests.len() == 1 { "depends" } else { "depend" };
    writeln!(out, "{} {verb} on {}", count(report.tests.len(), "test"), report.of.join(", "))
}
