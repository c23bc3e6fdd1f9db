//! `tamis audit --mutants` for people.

use super::{evidence, note, verdict};
use crate::audit::mutants::{MutantReport, MutantResult};
use crate::selection::EvidenceEntry;
use crate::words::count;
use anstyle::{AnsiColor, Style};
use std::io::{self, Write};

pub(super) fn write<W: Write>(out: &mut W, report: &MutantReport) -> io::Result<()> {
    let bold = Style::new().bold();
    write_notes(out, report)?;
    report.misses.iter().try_for_each(|tried| write_misses(out, tried))?;
    if report.quick {
        note(
            out,
            "--quick: classes with nothing to skip were not run, so that tests of these do not count as depending",
        )?;
    }
    write_table(out, report)?;
    let tests = count(report.baseline.tests, "test");
    writeln!(
        out,
        "{bold}  audit{bold:#}  {}, seed {}: {} of {tests}; {} always run",
        report.technique,
        report.seed,
        count(report.mutants.len(), "mutant"),
        report.baseline.always
    )?;
    write_time(out, report)?;
    verdict(out, report.misses.iter().map(|tried| tried.misses.len()).sum(), "")
}

fn write_notes<W: Write>(out: &mut W, report: &MutantReport) -> io::Result<()> {
    report.baseline.notes.iter().try_for_each(|text| note(out, text))?;
    if let Some(first) = report.baseline.left_out.first() {
        let left = count(report.baseline.left_out.len(), "unstable test");
        note(out, &format!("{left} excluded (they do not always pass): {first} …"))?;
    }
    let unconfirmed: usize = report.mutants.iter().map(|tried| tried.unconfirmed.len()).sum();
    if unconfirmed > 0 {
        note(out, &format!("{} failed once and not again", count(unconfirmed, "test")))?;
    }
    let unjudged: usize = report.mutants.iter().map(|tried| tried.unjudged).sum();
    if unjudged > 0 {
        let tests = count(unjudged, "test");
        note(out, &format!("{tests} not evaluated: an earlier test hung or ended the JVM"))?;
    }
    Ok(())
}

fn write_table<W: Write>(out: &mut W, report: &MutantReport) -> io::Result<()> {
    let dim = Style::new().dimmed();
    writeln!(
        out,
        "{dim}{:<18} {:>7} {:>6} {:>15} {:>15} {:>15} {:>6} {:>6} {:>6}{dim:#}",
        "operator", "mutants", "killed", "depends", "selected", "class", "missed", "ratio", "class"
    )?;
    for row in &report.operators {
        writeln!(
            out,
            "{:<18} {:>7} {:>6} {} {} {} {:>6} {:>6} {:>6}",
            row.operator,
            row.mutants,
            row.killed,
            tests(row.depends, row.depends_share),
            tests(row.selected, row.selected_share),
            tests(row.selected_class, row.selected_class_share),
            row.missed,
            times(row.ratio),
            times(row.ratio_class)
        )?;
    }
    Ok(())
}

fn write_time<W: Write>(out: &mut W, report: &MutantReport) -> io::Result<()> {
    let (bold, dim) = (Style::new().bold(), Style::new().dimmed());
    let new = report.mutants.len().saturating_sub(report.resumed);
    let each = |value: fn(&MutantResult) -> f64| {
        report.mutants.iter().map(value).sum::<f64>() / report.mutants.len().max(1) as f64
    };
    let resumed =
        if report.resumed > 0 { format!(", {} tried before", report.resumed) } else { String::new() };
    writeln!(
        out,
        "{bold}   time{bold:#}  {:.0} s in all{resumed}; {:.1} mutants a minute, {} at a time",
        report.seconds,
        new as f64 * 60.0 / report.seconds.max(0.001),
        report.jobs
    )?;
    writeln!(
        out,
        "         {dim}each {:.1} s: decision {:.2} s, tests {:.1} s; all tests without an edit {:.1} s, {:.1} s as run here{dim:#}",
        each(|tried| tried.seconds),
        each(|tried| tried.decide_seconds),
        each(|tried| tried.suite_seconds),
        report.baseline.suite_seconds,
        report.baseline.suite_fastest_seconds
    )
}

fn write_misses<W: Write>(out: &mut W, tried: &MutantResult) -> io::Result<()> {
    let (red, dim) = (AnsiColor::Red.on_default().bold(), Style::new().dimmed());
    for miss in &tried.misses {
        writeln!(out, "{red}   MISS{red:#}  {}  fails, and would have been skipped", miss.test)?;
        writeln!(out, "         {}: {} {}", tried.operator, tried.entity, tried.what)?;
        let undated = EvidenceEntry { recorded: String::new(), ..miss.evidence.clone() };
        writeln!(out, "         {dim}{}{dim:#}", evidence(&undated))?;
        if !miss.alone {
            let why = "passes on its own: it depends on something that an earlier test left behind";
            writeln!(out, "         {dim}{why}{dim:#}")?;
        }
        if miss.facts.is_empty() {
            writeln!(out, "         {dim}none of them is about the edited class or file{dim:#}")?;
        }
        for fact in &miss.facts {
            writeln!(out, "         {dim}depends on {fact}{dim:#}")?;
        }
        writeln!(out, "         {dim}{}{dim:#}", miss.reproducer)?;
    }
    if let Some(miss) = tried.misses.first() {
        for line in miss.difference.lines() {
            writeln!(out, "           {line}")?;
        }
    }
    Ok(())
}

/// `  1402  26.8 %`
fn tests(number: usize, share: f64) -> String {
    format!("{number:>7} {:>5.1} %", share * 100.0)
}

/// `6.0`; `-` if there is no ratio.
fn times(ratio: Option<f64>) -> String {
    ratio.map_or_else(|| "-".to_owned(), |ratio| format!("{ratio:.2}"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::audit::mutants::{AuditBaseline, MutantMiss};

    #[test]
    fn misses_are_shown_and_counted() {
        let miss = MutantMiss { test: "T#m".to_owned(), ..MutantMiss::default() };
        let tried = MutantResult { misses: vec![miss], ..MutantResult::default() };
        let mut out = Vec::new();
        write(&mut out, &MutantReport::new("0", false, AuditBaseline::default(), vec![tried])).unwrap();
        let text = String::from_utf8(out).unwrap();
        assert!(text.contains("MISS") && text.contains("T#m  fails") && text.contains("1 miss"), "{text}");
    }

    #[test]
    fn the_table_shows_counts_shares_and_ratios() {
        let tried = MutantResult {
            operator: "throws".to_owned(),
            tests: 200,
            depends: 12,
            selected: 15,
            selected_class: 120,
            ..MutantResult::default()
        };
        let shown = |quick| {
            let mut out = Vec::new();
            let tried = vec![tried.clone()];
            write_table(&mut out, &MutantReport::new("0", quick, AuditBaseline::default(), tried)).unwrap();
            let text = String::from_utf8(out).unwrap();
            let row = text.lines().find(|line| line.starts_with("throws")).unwrap_or_default();
            row.split_whitespace().collect::<Vec<_>>().join(" ")
        };
        assert_eq!(shown(false), "throws 1 1 12 6.0 % 15 7.5 % 120 60.0 % 0 1.25 10.00");
        assert_eq!(shown(true), "throws 1 1 12 6.0 % 15 7.5 % 120 60.0 % 0 - -");
    }
}
