//! `tamis audit --rerun` for people.

use super::{evidence, note, verdict};
use crate::audit::MissedTest;
use crate::audit::rerun::RerunReport;
use crate::words::count;
use anstyle::{AnsiColor, Style};
use std::io::{self, Write};

pub(super) fn write<W: Write>(out: &mut W, report: &RerunReport) -> io::Result<()> {
    let bold = Style::new().bold();
    report.notes.iter().try_for_each(|text| note(out, text))?;
    report.misses.iter().try_for_each(|miss| write_miss(out, miss))?;
    let failed =
        if report.run_failed > 0 { format!(", {} failed", report.run_failed) } else { String::new() };
    writeln!(
        out,
        "{bold}  audit{bold:#}  {}, everything ran: {} would have been skipped, {} would have run{failed}",
        report.technique,
        count(report.skip, "test"),
        report.run,
    )?;
    let hint = "an unstable test looks the same; run it again on its own";
    verdict(out, report.misses.len(), if report.misses.is_empty() { "" } else { hint })
}

fn write_miss<W: Write>(out: &mut W, miss: &MissedTest) -> io::Result<()> {
    let (red, dim) = (AnsiColor::Red.on_default().bold(), Style::new().dimmed());
    writeln!(out, "{red}   MISS{red:#}  {}  passed when recorded, {} now", miss.name(), miss.outcome)?;
    writeln!(out, "         {dim}{}{dim:#}", evidence(&miss.evidence))
}
