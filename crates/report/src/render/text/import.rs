//! `tamis import` for people.

use super::note;
use crate::document::Layout;
use crate::import::ImportReport;
use crate::words::{self, count};
use std::io::{self, Write};

/// The counts, and the reasons why tests run nevertheless.
pub(super) fn write<W: Write>(out: &mut W, report: &ImportReport, layout: Layout) -> io::Result<()> {
    writeln!(out, "{}", words::imported(report))?;
    if layout.quiet {
        return Ok(());
    }
    let mut gaps: Vec<(&String, &usize)> = report.gaps.iter().collect();
    gaps.sort_by_key(|(name, tests)| (std::cmp::Reverse(**tests), (*name).clone()));
    let shown = if layout.verbose { usize::MAX } else { 8 };
    for (gap, tests) in gaps.iter().take(shown) {
        writeln!(out, "  {} may use {gap}", count(**tests, "test"))?;
    }
    if gaps.len() > shown {
        writeln!(out, "  and {} more; -v shows all", gaps.len() - shown)?;
    }
    for rejected in &report.rejected {
        note(out, rejected)?;
    }
    if report.imported > 0 {
        note(out, words::IMPORT_ASSUMES)?;
    }
    Ok(())
}
