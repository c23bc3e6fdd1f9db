//! `tamis explain` for people.

use super::short;
use crate::code;
use crate::document::Layout;
use crate::explanation::{Explanation, ExplanationReport};
use crate::selection::DecisionWord;
use crate::words::{NOTHING_RUNS, static_path, subject};
use anstyle::{AnsiColor, Style};
use std::io::{self, Write};

/// The number of facts of one test that are shown without `-v`.
const SHOWN: usize = 12;

/// The width of code, if that of the terminal is not known.
const WIDTH: usize = 110;

/// The code that was shown already, by kind and subject.
type ShownCode<'e> = Vec<(&'e str, &'e str)>;

/// One block for all tests that have the same explanation.
pub(super) fn write<W: Write>(out: &mut W, report: &ExplanationReport, layout: Layout) -> io::Result<()> {
    if report.tests.is_empty() {
        return writeln!(out, "{NOTHING_RUNS}");
    }
    let mut shown = ShownCode::new();
    let mut done = vec![false; report.tests.len()];
    for (at, test) in report.tests.iter().enumerate() {
        if done.get(at) == Some(&true) {
            continue;
        }
        let mut alike: Vec<&Explanation> = Vec::new();
        for (other, done) in report.tests.iter().zip(&mut done).skip(at) {
            if !*done && is_alike(test, other) {
                *done = true;
                alike.push(other);
            }
        }
        write_block(out, &alike, layout, &mut shown)?;
    }
    Ok(())
}

fn write_block<'e, W: Write>(
    out: &mut W,
    alike: &[&'e Explanation],
    layout: Layout,
    shown: &mut ShownCode<'e>,
) -> io::Result<()> {
    let Some(test) = alike.last() else { return Ok(()) };
    let (bold, dim) = (Style::new().bold(), Style::new().dimmed());
    let runs = test.decision == DecisionWord::Run;
    let style = if runs { AnsiColor::Yellow } else { AnsiColor::Green }.on_default();
    for other in alike {
        let whole =
            other.whole.as_ref().map_or(String::new(), |whole| format!("  selected as one class: {whole}"));
        writeln!(out, "{bold}{}{bold:#}{dim}{whole}{dim:#}", other.test)?;
    }
    let word = match (runs, alike.len()) {
        (true, 1) => "runs",
        (true, _) => "run",
        _ => "can be skipped",
    };
    writeln!(out, "  {style}{word}{style:#}: {}", test.summary)?;
    let width = test.facts.iter().map(|fact| fact.fact.len()).max().unwrap_or_default();
    let shown_facts = if layout.verbose || !runs { usize::MAX } else { SHOWN };
    for fact in test.facts.iter().take(shown_facts) {
        let how = if fact.how.is_empty() { String::new() } else { format!("  {}", fact.how) };
        let entity = subject(&fact.fact, &fact.entity);
        writeln!(out, "  {:<width$}  {entity}  {style}{}{style:#}{dim}{how}{dim:#}", fact.fact, fact.change)?;
        let key = (fact.fact.as_str(), fact.entity.as_str());
        if let Some(listings) = fact.code.as_ref().filter(|_| !shown.contains(&key)) {
            shown.push(key);
            let mut text = Vec::new();
            code::write(&mut text, listings, layout.columns.unwrap_or(WIDTH))?;
            for line in String::from_utf8_lossy(&text).lines() {
                writeln!(out, "  {line}")?;
            }
        }
    }
    if test.facts.len() > shown_facts {
        writeln!(out, "  and {} more; -v shows all", test.facts.len() - shown_facts)?;
    }
    for other in alike.iter().filter(|other| !other.path.is_empty()) {
        writeln!(out, "  {dim}{}{dim:#}", static_path(&other.path))?;
    }
    if let Some(trace) = &test.trace {
        let place = if trace.place.is_empty() { String::new() } else { format!(" on {}", trace.place) };
        writeln!(
            out,
            "  {dim}trace {} of {} facts, recorded {}{place}{dim:#}",
            short(&trace.digest),
            trace.facts,
            trace.recorded
        )?;
    }
    Ok(())
}

/// Whether the explanation of one test is that of another, too.
fn is_alike(test: &Explanation, other: &Explanation) -> bool {
    let facts = |test: &Explanation| -> Vec<(String, String)> {
        test.facts.iter().map(|fact| (fact.fact.clone(), fact.entity.clone())).collect()
    };
    let trace = |test: &Explanation| test.trace.as_ref().map(|trace| trace.digest.clone());
    (test.decision, &test.summary) == (other.decision, &other.summary)
        && (test.decision == DecisionWord::Run || trace(test) == trace(other))
        && facts(test) == facts(other)
}
