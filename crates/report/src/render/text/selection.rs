//! The last lines of `tamis test`, readable in five seconds.

use super::note;
use crate::selection::{ChangeEntry, DecisionWord, ReasonKind, SelectionReport};
use crate::words::{count, seconds, subject};
use anstyle::{AnsiColor, Style};
use std::io::{self, Write};

pub(super) fn write<W: Write>(out: &mut W, report: &SelectionReport) -> io::Result<()> {
    let (bold, dim) = (Style::new().bold(), Style::new().dimmed());
    let summary = &report.summary;
    report.notes.iter().try_for_each(|text| note(out, text))?;
    if summary.no_tests.is_some() {
        return write_no_tests(out, report);
    }
    let tests = count(summary.run + summary.skip, "test");
    let of = count(classes(report, None), "class");
    let analysed = milliseconds(summary.analysis_seconds);
    writeln!(out, "{bold}  tamis{bold:#}  {}, {tests} in {of}; analysed in {analysed}", report.technique)?;
    if summary.run > 0 {
        let classes = count(classes(report, Some(DecisionWord::Run)), "class");
        let run = format!("{} in {classes}", count(summary.run, "test"));
        writeln!(out, "{bold}    run{bold:#}  {run:<24}  {dim}{}{dim:#}", because(report))?;
    }
    if summary.skip > 0 {
        let saved = summary.spared_seconds;
        let whole = seconds(saved + summary.seconds.unwrap_or_default());
        let saved = format!("saved {} of {whole}", seconds(saved));
        let skip = count(summary.skip, "test");
        writeln!(out, "{bold}   skip{bold:#}  {skip:<24}  {dim}{saved}{dim:#}")?;
    }
    if let Some(passed) = summary.passed {
        write_outcome(out, report, passed)?;
    }
    Ok(())
}

/// Why there is no result, if there is none. It is printed with `--quiet` too.
pub(super) fn write_no_tests<W: Write>(out: &mut W, report: &SelectionReport) -> io::Result<()> {
    let Some(no_tests) = &report.summary.no_tests else { return Ok(()) };
    let style = AnsiColor::Yellow.on_default().bold();
    writeln!(out, "{style}   NONE{style:#}  no test was seen: {}", no_tests.detail)
}

fn write_outcome<W: Write>(out: &mut W, report: &SelectionReport, passed: usize) -> io::Result<()> {
    let dim = Style::new().dimmed();
    let summary = &report.summary;
    let failed = summary.failed.unwrap_or_default();
    let is_failed = failed > 0 || summary.exit != Some(0);
    let (colour, word) = if is_failed { (AnsiColor::Red, "   FAIL") } else { (AnsiColor::Green, "   PASS") };
    let style = colour.on_default().bold();
    let mut text = match (failed, is_failed) {
        (0, true) => "the build failed, ".to_owned(),
        (0, false) => String::new(),
        (failed, _) => format!("{failed} failed, "),
    };
    text.push_str(&format!("{passed} passed in {}", seconds(summary.seconds.unwrap_or_default())));
    let hint = if summary.run > 0 { "tamis explain --run shows why" } else { "tamis explain TEST shows why" };
    writeln!(out, "{style}{word}{style:#}  {text:<24}  {dim}{hint}{dim:#}")
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
    if let [first, rest @ ..] = report.changes.as_slice() {
        let more = if rest.is_empty() { String::new() } else { format!(" and {} more", rest.len()) };
        return format!("because {}{more} changed", short(first));
    }
    let kinds: Vec<ReasonKind> =
        report.tests.iter().filter_map(|test| Some(test.reason.as_ref()?.kind)).collect();
    let words = [
        (ReasonKind::Asked, "as requested"),
        (ReasonKind::Failed, "because they failed last time"),
        (ReasonKind::Always, "because they always run"),
        (ReasonKind::Flaky, "because they are flaky"),
        (ReasonKind::Broken, "because their last run does not count"),
        (ReasonKind::New, "not recorded yet"),
        (ReasonKind::NotRun, "because they were disabled or aborted last time"),
    ];
    let word = words.into_iter().find(|(kind, _)| kinds.contains(kind));
    word.map_or(String::new(), |(_, word)| word.to_owned())
}

/// `Parser.flatten`
fn short(change: &ChangeEntry) -> String {
    let before = change.entity.split('(').next().unwrap_or(&change.entity);
    let is_code = change.kind.chars().all(|letter| letter.is_ascii_uppercase());
    if !is_code {
        return subject(&change.kind, &change.entity).to_owned();
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
    use crate::selection::{NoTestsEntry, NoTestsKind, ReasonEntry, TestEntry};

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
        write(&mut out, &report).unwrap();
        let text = anstyle_stripped(&String::from_utf8(out).unwrap());
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(
            lines,
            [
                "  tamis  hybrid, 1,201 tests in 1 class; analysed in 0 ms",
                "    run  1 test in 1 class         because they failed last time",
                "   skip  1,200 tests               saved 1.4 s of 1.4 s",
                "   PASS  1 passed in 0.0 s         tamis explain --run shows why",
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
        write(&mut out, &report).unwrap();
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
