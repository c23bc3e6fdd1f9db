//! `tamis audit --mutants`: what became of each mutant, and all of it in numbers.

use super::rerun::misses;
use super::{count, to_json};
use crate::selection::EvidenceEntry;
use anstyle::{AnsiColor, Style};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::io::{self, Write};

/// One mutant, and what the tests said to it.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct MutantResult {
    /// Which one, of all that are possible.
    pub id: String,
    /// The kind of edit.
    pub operator: String,
    /// What was edited.
    pub entity: String,
    /// How.
    pub what: String,
    /// How many tests were run on it.
    pub tests: usize,
    /// How many of them would have run.
    pub run: usize,
    /// How many would have run with technique `class`.
    pub run_class: usize,
    /// How many of those were run: all, unless the audit is quick.
    #[serde(default)]
    pub judged_run: usize,
    /// How many failed.
    pub killed: usize,
    /// How many failed that would have run.
    pub killed_run: usize,
    /// How many came to no end that says anything: they stood behind one that hung or ended the JVM.
    pub unjudged: usize,
    /// A test hung, or ended the JVM.
    pub broke_off: bool,
    /// Tests that failed and would have been skipped.
    pub misses: Vec<MutantMiss>,
    /// Tests that failed once and would have been skipped, but did not fail again, or fail without the edit.
    pub unconfirmed: Vec<String>,
    /// How long it took in all.
    pub seconds: f64,
    /// How long deciding took.
    pub decide_seconds: f64,
    /// How long the tests took, without what only confirms.
    pub suite_seconds: f64,
}

/// A test that would have been skipped, and fails on the mutant.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct MutantMiss {
    /// Its module.
    pub module: String,
    /// `org.x.ParserTest#flatten`
    pub test: String,
    /// Why it was thought safe.
    pub evidence: EvidenceEntry,
    /// Whether it fails without the tests before it; if not, it relies on what one of them left behind.
    pub alone: bool,
    /// The facts of its trace, as far as they are about what was edited: `body a.B.m()V`.
    pub facts: Vec<String>,
    /// The atomic changes that the edit comes to, and the code before and after.
    pub difference: String,
    /// Where both versions, all facts and the difference lie.
    pub reproducer: String,
}

/// What was found before anything was edited.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct AuditBaseline {
    /// How many tests pass each time.
    pub tests: usize,
    /// Those that do not, which are left out.
    pub left_out: Vec<String>,
    /// How many of the tests would run with nothing changed.
    pub always: usize,
    /// How long all tests take, each module's in a JVM as the build starts it, without recording.
    pub suite_seconds: f64,
    /// The same with the JVM's first compiler only, if that is faster: so mutants are run.
    #[serde(default)]
    pub suite_fastest_seconds: f64,
    /// What a person should know.
    pub notes: Vec<String>,
}

/// A line of the journal of an audit.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum JournalLine {
    /// What was found before anything was edited; the last one counts.
    Baseline(AuditBaseline),
    /// A mutant.
    Tried(MutantResult),
}

impl JournalLine {
    /// As it is kept.
    pub fn write(&self) -> String {
        let mut text = serde_json::to_string(self).unwrap_or_default();
        text.push('\n');
        text
    }

    /// `None` if it was not written as it stands.
    pub fn read(line: &str) -> Option<JournalLine> {
        serde_json::from_str(line).ok()
    }
}

/// All of it.
#[derive(Clone, Debug, Serialize)]
pub struct MutantReport {
    format: u32,
    tamis: String,
    audit: &'static str,
    /// Which facts decided.
    pub technique: String,
    /// What was decided about together.
    pub granularity: String,
    /// Which edits.
    pub seed: u64,
    /// How many JVMs at a time.
    pub jobs: usize,
    /// Only classes of which a test would be skipped were run.
    pub quick: bool,
    /// How many mutants an earlier call has tried.
    pub resumed: usize,
    /// How long this call took.
    pub seconds: f64,
    /// What was found before.
    pub baseline: AuditBaseline,
    /// In numbers, by kind of edit; the last row is all of them.
    pub operators: Vec<Row>,
    /// Those with a miss.
    pub misses: Vec<MutantResult>,
    /// All of them.
    pub mutants: Vec<MutantResult>,
}

/// Mutants of one kind, in numbers.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Row {
    /// Which.
    pub operator: String,
    /// How many.
    pub mutants: usize,
    /// How many made a test fail.
    pub killed: usize,
    /// The mean share of tests that would run.
    pub run_share: f64,
    /// The mean share with technique `class`.
    pub run_class_share: f64,
    /// Of the tests that would run, the share that did not fail.
    pub run_not_killed: f64,
    /// How many tests would have been skipped and failed.
    pub misses: usize,
}

impl MutantReport {
    /// Puts them together.
    pub fn new(version: &str, baseline: AuditBaseline, mutants: Vec<MutantResult>) -> MutantReport {
        let mut by_operator: BTreeMap<&str, Vec<&MutantResult>> = BTreeMap::new();
        for tried in &mutants {
            by_operator.entry(&tried.operator).or_default().push(tried);
        }
        let mut operators: Vec<Row> = by_operator.iter().map(|(name, tried)| row(name, tried)).collect();
        operators.push(row("all", &mutants.iter().collect::<Vec<_>>()));
        MutantReport {
            format: 1,
            tamis: version.to_owned(),
            audit: "mutants",
            technique: String::new(),
            granularity: String::new(),
            seed: 0,
            jobs: 1,
            quick: false,
            resumed: 0,
            seconds: 0.0,
            baseline,
            operators,
            misses: mutants.iter().filter(|tried| !tried.misses.is_empty()).cloned().collect(),
            mutants,
        }
    }

    /// One JSON document, ending in a newline.
    pub fn to_json(&self) -> String {
        to_json(self)
    }

    /// For a person.
    pub fn write<W: Write>(&self, out: &mut W) -> io::Result<()> {
        let (bold, dim) = (Style::new().bold(), Style::new().dimmed());
        let yellow = AnsiColor::Yellow.on_default();
        for note in &self.baseline.notes {
            writeln!(out, "{yellow}   note{yellow:#}  {note}")?;
        }
        if let Some(first) = self.baseline.left_out.first() {
            let left = count(self.baseline.left_out.len(), "test");
            writeln!(
                out,
                "{yellow}   note{yellow:#}  {left} left out, which do not pass each time: {first} …"
            )?;
        }
        let unconfirmed: usize = self.mutants.iter().map(|tried| tried.unconfirmed.len()).sum();
        if unconfirmed > 0 {
            writeln!(
                out,
                "{yellow}   note{yellow:#}  {} failed once and not again",
                count(unconfirmed, "test")
            )?;
        }
        let unjudged: usize = self.mutants.iter().map(|tried| tried.unjudged).sum();
        if unjudged > 0 {
            let tests = count(unjudged, "test");
            writeln!(
                out,
                "{yellow}   note{yellow:#}  {tests} not judged: they stood behind one that hung or ended the JVM"
            )?;
        }
        for tried in &self.misses {
            write_misses(out, tried)?;
        }
        if self.quick {
            let what = "quick: classes all of whose tests would run were not run; killed and not killed are those of the others";
            writeln!(out, "{yellow}   note{yellow:#}  {what}")?;
        }
        writeln!(
            out,
            "{dim}{:<20} {:>7} {:>7} {:>9} {:>9} {:>11} {:>7}{dim:#}",
            "operator", "mutants", "killed", "run", "class", "not killed", "misses"
        )?;
        for row in &self.operators {
            writeln!(
                out,
                "{:<20} {:>7} {:>7} {:>9} {:>9} {:>11} {:>7}",
                row.operator,
                row.mutants,
                row.killed,
                percent(row.run_share),
                percent(row.run_class_share),
                percent(row.run_not_killed),
                row.misses
            )?;
        }
        let tests = count(self.baseline.tests, "test");
        writeln!(
            out,
            "{bold}  audit{bold:#}  {}, seed {}: {} of {tests}; {} always run",
            self.technique,
            self.seed,
            count(self.mutants.len(), "mutant"),
            self.baseline.always
        )?;
        self.write_time(out)?;
        let all: usize = self.misses.iter().map(|tried| tried.misses.len()).sum();
        let (style, word) = match all {
            0 => (AnsiColor::Green.on_default().bold(), "   PASS"),
            _ => (AnsiColor::Red.on_default().bold(), "   FAIL"),
        };
        let text = if all == 0 { "no miss".to_owned() } else { misses(all) };
        writeln!(out, "{style}{word}{style:#}  {text}")
    }

    fn write_time<W: Write>(&self, out: &mut W) -> io::Result<()> {
        let (bold, dim) = (Style::new().bold(), Style::new().dimmed());
        let new = self.mutants.len().saturating_sub(self.resumed);
        let each = |value: fn(&MutantResult) -> f64| {
            self.mutants.iter().map(value).sum::<f64>() / self.mutants.len().max(1) as f64
        };
        let resumed =
            if self.resumed > 0 { format!(", {} tried before", self.resumed) } else { String::new() };
        writeln!(
            out,
            "{bold}   time{bold:#}  {:.0} s in all{resumed}; {:.1} mutants a minute, {} at a time",
            self.seconds,
            new as f64 * 60.0 / self.seconds.max(0.001),
            self.jobs
        )?;
        writeln!(
            out,
            "         {dim}each {:.1} s: decided in {:.2} s, tests {:.1} s; all tests without an edit {:.1} s, {:.1} s as run here{dim:#}",
            each(|tried| tried.seconds),
            each(|tried| tried.decide_seconds),
            each(|tried| tried.suite_seconds),
            self.baseline.suite_seconds,
            self.baseline.suite_fastest_seconds
        )
    }
}

fn write_misses<W: Write>(out: &mut W, tried: &MutantResult) -> io::Result<()> {
    let (red, dim) = (AnsiColor::Red.on_default().bold(), Style::new().dimmed());
    for miss in &tried.misses {
        writeln!(out, "{red}   MISS{red:#}  {}  fails, and would have been skipped", miss.test)?;
        writeln!(out, "         {}: {} {}", tried.operator, tried.entity, tried.what)?;
        let trace = miss.evidence.trace.get(..12).unwrap_or(&miss.evidence.trace);
        let facts = miss.evidence.facts;
        writeln!(out, "         {dim}thought safe: all {facts} facts of trace {trace} hold{dim:#}")?;
        if !miss.alone {
            writeln!(
                out,
                "         {dim}passes by itself: it relies on what an earlier test left behind{dim:#}"
            )?;
        }
        if miss.facts.is_empty() {
            writeln!(out, "         {dim}none of them is about what was edited{dim:#}")?;
        }
        for fact in &miss.facts {
            writeln!(out, "         {dim}relies on {fact}{dim:#}")?;
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

fn row(operator: &str, tried: &[&MutantResult]) -> Row {
    let mean = |value: &dyn Fn(&MutantResult) -> f64| {
        tried.iter().map(|tried| value(tried)).sum::<f64>() / tried.len().max(1) as f64
    };
    let (run, killed): (usize, usize) =
        tried.iter().fold((0, 0), |(run, killed), tried| (run + tried.judged_run, killed + tried.killed_run));
    Row {
        operator: operator.to_owned(),
        mutants: tried.len(),
        killed: tried.iter().filter(|tried| tried.killed > 0).count(),
        run_share: mean(&|tried| share(tried.run, tried.tests)),
        run_class_share: mean(&|tried| share(tried.run_class, tried.tests)),
        run_not_killed: share(run.saturating_sub(killed), run),
        misses: tried.iter().map(|tried| tried.misses.len()).sum(),
    }
}

fn share(part: usize, whole: usize) -> f64 {
    if whole == 0 { 0.0 } else { part as f64 / whole as f64 }
}

fn percent(share: f64) -> String {
    format!("{:.1} %", share * 100.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_are_means_over_mutants_and_misses_are_loud() {
        let tried = |operator: &str, run, killed_run, misses: usize| MutantResult {
            operator: operator.to_owned(),
            tests: 10,
            run,
            run_class: 10,
            judged_run: run,
            killed: killed_run + misses,
            killed_run,
            misses: (0..misses)
                .map(|_| MutantMiss { test: "T#m".to_owned(), ..MutantMiss::default() })
                .collect(),
            ..MutantResult::default()
        };
        let all = vec![tried("a", 2, 1, 0), tried("a", 0, 0, 0), tried("b", 8, 8, 1)];
        let report = MutantReport::new("0", AuditBaseline::default(), all);
        let rows: Vec<_> =
            report.operators.iter().map(|row| (&*row.operator, row.killed, row.misses)).collect();
        assert_eq!(rows, [("a", 1, 0), ("b", 1, 1), ("all", 2, 1)]);
        let shares = report.operators.iter().map(|row| (row.run_share, row.run_not_killed));
        assert_eq!(shares.collect::<Vec<_>>(), [(0.1, 0.5), (0.8, 0.0), (1.0 / 3.0, 0.1)]);
        let mut out = Vec::new();
        report.write(&mut out).unwrap();
        let text = String::from_utf8(out).unwrap();
        assert!(text.contains("MISS") && text.contains("1 miss"), "{text}");
        assert!(report.to_json().contains("\"run_class_share\": 1.0"));
    }
}
