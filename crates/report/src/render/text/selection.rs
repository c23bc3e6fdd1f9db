//! The last lines of `tamis test`, readable in five seconds.

use super::{failure, note};
use crate::document::Layout;
use crate::selection::{ChangeEntry, DecisionWord, ReasonKind, SelectionReport};
use crate::words::{self, count, seconds};
use anstyle::{AnsiColor, Style};
use std::io::{self, Write};

/// The number of failed tests that are listed.
const FAILED_SHOWN: usize = 20;

pub(super) fn write<W: Write>(out: &mut W, report: &SelectionReport, layout: Layout) -> io::Result<()> {
    let (bold, dim) = (Style::new().bold(), Style::new().dimmed());
    let summary = &report.summary;
    report.notes.iter().try_for_each(|text| note(out, text))?;
    if summary.no_tests.is_some() {
        return write_no_tests(out, report);
    }
    let tests = count(summary.run + summary.skip, "test");
    let of = count(classes(report, None), "class");
    let analysed = milliseconds(summary.analysis_seconds);
    // A build that fails before its tests begin has decided nothing.
    if !report.tests.is_empty() || summary.passed.is_none() || summary.exit == Some(0) {
        writeln!(
            out,
            "{bold}  tamis{bold:#}  {}, {tests} in {of}; analysed in {analysed}",
            report.technique
        )?;
    }
    if summary.run > 0 {
        let classes = count(classes(report, Some(DecisionWord::Run)), "class");
        let run = format!("{} in {classes}", count(summary.run, "test"));
        writeln!(out, "{bold}    run{bold:#}  {run:<24}  {dim}{}{dim:#}", because(report))?;
    }
    if summary.skip > 0 {
        let skip = count(summary.skip, "test");
        writeln!(out, "{bold}   skip{bold:#}  {skip:<24}  {dim}{}{dim:#}", words::saved(summary))?;
    }
    if let Some(passed) = summary.passed {
        write_outcome(out, report, passed, layout)?;
    }
    Ok(())
}

/// The failed tests with their errors, and the result in one line: `tamis test --quiet`.
pub(super) fn write_result<W: Write>(
    out: &mut W,
    report: &SelectionReport,
    layout: Layout,
) -> io::Result<()> {
    if report.summary.no_tests.is_some() {
        return write_no_tests(out, report);
    }
    for test in report.failed() {
        failure::write(out, &test.name(), test.failure.as_ref())?;
    }
    match report.summary.passed {
        Some(passed) => write_outcome(out, report, passed, layout),
        None => Ok(()),
    }
}

/// Why there is no result, if there is none. It is printed with `--quiet` too.
pub(super) fn write_no_tests<W: Write>(out: &mut W, report: &SelectionReport) -> io::Result<()> {
    let Some(no_tests) = &report.summary.no_tests else { return Ok(()) };
    let style = AnsiColor::Yellow.on_default().bold();
    writeln!(out, "{style}   NONE{style:#}  no test was seen: {}", no_tests.detail)
}

fn write_outcome<W: Write>(
    out: &mut W,
    report: &SelectionReport,
    passed: usize,
    layout: Layout,
) -> io::Result<()> {
    let dim = Style::new().dimmed();
    let summary = &report.summary;
    let failed = summary.failed.unwrap_or_default();
    let is_failed = failed > 0 || summary.exit != Some(0);
    let (colour, word) = match (summary.interrupted, is_failed) {
        (true, _) => (AnsiColor::Yellow, "   STOP"),
        (false, true) => (AnsiColor::Red, "   FAIL"),
        (false, false) => (AnsiColor::Green, "   PASS"),
    };
    let style = colour.on_default().bold();
    let text = words::outcome(summary, passed);
    let hint = match (summary.interrupted, failed, is_failed) {
        (true, ..) => words::INTERRUPTED,
        (false, 0, true) => "",
        _ if summary.run > 0 => words::EXPLAIN_RUN,
        _ => words::EXPLAIN_TEST,
    };
    // A hint that a narrow terminal would wrap says less than a clean line.
    let fits = summary.interrupted
        || layout.columns.is_none_or(|columns| 9 + text.len().max(24) + 2 + hint.len() <= columns);
    let hint = if fits { hint } else { "" };
    writeln!(out, "{style}{word}{style:#}  {text:<24}  {dim}{hint}{dim:#}")?;
    // With --quiet they were just shown with their errors.
    let failed: Vec<_> = report.failed().filter(|_| !layout.quiet).collect();
    for test in failed.iter().take(FAILED_SHOWN) {
        writeln!(out, "         {}", test.name())?;
    }
    if failed.len() > FAILED_SHOWN {
        writeln!(out, "         {}", words::more_failures(failed.len() - FAILED_SHOWN))?;
    }
    match &report.log {
        Some(log) if is_failed => writeln!(out, "    {dim}log{dim:#}  {log}"),
        _ => Ok(()),
    }
}

/// The number of test classes, or of those with a decision.
fn classes(report: &SelectionReport, decision: Option<DecisionWord>) -> usize {
    let tests = report.tests.iter().filter(|test| decision.is_none_or(|decision| decision == test.decision));
    let mut classes: Vec<_> = tests.map(|test| (&test.module, &test.class)).collect();
    classes.dedup();
    classes.len()
}

/// `because Parser.flatten and 1 more changed`
fn because(report: &SelectionReport) -> String {
    if let [first, rest @ ..] = report.causes().as_slice() {
        let more = if rest.is_empty() { String::new() } else { format!(" and {} more", rest.len()) };
        return format!("because {}{more} changed", short(first));
    }
    let kinds: Vec<ReasonKind> =
        report.tests.iter().filter_map(|test| Some(test.reason.as_ref()?.kind)).collect();
    words::common_reason(&kinds).to_owned()
}

/// `Parser.flatten`
fn short(change: &ChangeEntry) -> String {
    let before = change.entity.split('(').next().unwrap_or(&change.entity);
    if !change.is_code() {
        return words::changed_input(&change.kind, &change.entity);
    }
    let mut parts: Vec<&str> = before.rsplit('.').take(2).collect();
    parts.reverse();
    match parts.as_slice() {
        [class, member] if class.chars().next().is_some_and(char::is_uppercase) => match *member {
            "<init>" => format!("{class}'s constructor"),
            "<clinit>" => format!("{class}'s initialiser"),
            member => format!("{class}.{member}"),
        },
        parts => parts.last().map_or(String::new(), |last| (*last).to_owned()),
    }
}

fn milliseconds(value: f64) -> String {
    if value >= 1.0 { seconds(value) } else { format!("{:.0} ms", value * 1000.0) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::selection::{BrokenFact, NoTestsEntry, NoTestsKind, ReasonEntry, TestEntry};

    #[test]
    fn the_summary_says_what_ran_why_and_what_was_saved() {
        let mut report = SelectionReport::new("1.0", "hybrid", "auto");
        let entry =
            TestEntry { class: "a.T".to_owned(), tests: 1200, seconds: Some(1.4), ..TestEntry::default() };
        let reason = Some(ReasonEntry::new(ReasonKind::Failed));
        report.tests.push(TestEntry { reason, tests: 1, ..entry.clone() });
        report.tests.push(TestEntry { decision: DecisionWord::Skip, method: Some("m".to_owned()), ..entry });
        report.finish();
        (report.summary.passed, report.summary.exit) = (Some(1), Some(0));
        let mut out = Vec::new();
        write(&mut out, &report, Layout::default()).unwrap();
        let text = anstyle_stripped(&String::from_utf8(out).unwrap());
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(
            lines,
            [
                "  tamis  hybrid, 1,201 tests in 1 class; analysed in 0 ms",
                "    run  1 test in 1 class         because they failed last time",
                "   skip  1,200 tests               they took 1.4 s when they last ran",
                "   PASS  1 passed in 0.0 s         tamis explain --run shows why",
            ]
        );
    }

    #[test]
    fn the_cause_of_most_tests_comes_first_and_changes_without_tests_do_not_count() {
        let mut report = SelectionReport::new("1.0", "hybrid", "auto");
        let change = |kind: &str, entity: &str| ChangeEntry {
            kind: kind.to_owned(),
            entity: entity.to_owned(),
            receiver: None,
            detail: None,
            tests: 0,
        };
        let fact = |entity: &str| BrokenFact {
            fact: "body".to_owned(),
            entity: entity.to_owned(),
            detail: "changed".to_owned(),
        };
        report.changes =
            ["a.Apple.f()V", "a.Owner.g()V", "a.Pet.h()V"].map(|entity| change("CIM", entity)).to_vec();
        for facts in [vec![fact("a.Owner.g()V"), fact("a.Pet.h()V")], vec![fact("a.Pet.h()V")]] {
            let reason = Some(ReasonEntry { facts, ..ReasonEntry::new(ReasonKind::Changed) });
            report.tests.push(TestEntry { reason, tests: 1, ..TestEntry::default() });
        }
        report.finish();
        assert_eq!(because(&report), "because Pet.h and 1 more changed");
    }

    #[test]
    fn failed_tests_are_named_at_the_end_with_the_place_of_the_log() {
        let mut report = SelectionReport::new("1.0", "hybrid", "auto");
        let entry = TestEntry {
            class: "a.T".to_owned(),
            method: Some("m".to_owned()),
            tests: 1,
            outcome: Some("failed".to_owned()),
            ..TestEntry::default()
        };
        report.tests.push(entry);
        report.finish();
        let summary = &mut report.summary;
        (summary.passed, summary.failed, summary.ignored, summary.exit) =
            (Some(2), Some(1), Some(3), Some(1));
        report.log = Some(".tamis/last/build.log".to_owned());
        let mut out = Vec::new();
        write(&mut out, &report, Layout::default()).unwrap();
        let text = anstyle_stripped(&String::from_utf8(out).unwrap());
        let lines: Vec<&str> = text.lines().skip(2).collect();
        assert_eq!(
            lines,
            [
                "   FAIL  1 failed, 2 passed, 3 ignored in 0.0 s  tamis explain --run shows why",
                "         a.T#m",
                "    log  .tamis/last/build.log",
            ]
        );
    }

    #[test]
    fn a_run_without_tests_is_no_success_and_names_the_cause() {
        let mut report = SelectionReport::new("1.0", "hybrid", "auto");
        report.finish();
        (report.summary.passed, report.summary.exit) = (Some(0), Some(0));
        report.summary.no_tests = Some(NoTestsEntry::new(NoTestsKind::BuildJvm, Some("Ant")));
        let mut out = Vec::new();
        write(&mut out, &report, Layout::default()).unwrap();
        let text = anstyle_stripped(&String::from_utf8(out).unwrap());
        assert!(text.starts_with("   NONE  no test was seen: tests ran inside Ant's own JVM"), "{text}");
        assert_eq!(text.lines().count(), 1, "{text}");
    }

    /// Without escape sequences.
    fn anstyle_stripped(text: &str) -> String {
        let mut parts = text.split('\u{1b}');
        let first = parts.next().unwrap_or_default().to_owned();
        parts.fold(first, |text, part| text + part.split_once('m').map_or("", |(_, rest)| rest))
    }
}
