//! `tamis doctor` for people.

use crate::doctor::{DoctorReport, FindingState};
use anstyle::AnsiColor;
use std::io::{self, Write};

/// A line for each finding, and one with the advice.
pub(super) fn write<W: Write>(out: &mut W, report: &DoctorReport) -> io::Result<()> {
    for finding in &report.findings {
        let (colour, word) = match finding.state {
            FindingState::Fine => (AnsiColor::Green, "ok"),
            FindingState::Note => (AnsiColor::Yellow, "note"),
            FindingState::Wrong => (AnsiColor::Red, "WRONG"),
        };
        let style = colour.on_default();
        writeln!(out, "{style}{word:>7}{style:#}  {:<6}  {}", finding.what, finding.found)?;
        if let Some(advice) = &finding.advice {
            writeln!(out, "                 {advice}")?;
        }
    }
    Ok(())
}
