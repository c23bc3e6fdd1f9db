//! `tamis audit --mutants`: the results of each mutant, and numbers by kind of edit.

use crate::selection::EvidenceEntry;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// A mutant, and the results of the tests on it.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct MutantResult {
    /// Its identifier.
    pub id: String,
    /// The kind of edit.
    pub operator: String,
    /// The edit.
    pub entity: String,
    /// How it was edited.
    pub what: String,
    /// Tests on the mutant.
    pub tests: usize,
    /// The tests among them that would have run.
    pub run: usize,
    /// The tests that would have run with technique `class`.
    pub run_class: usize,
    /// The tests of `run` that ran: all, unless the audit is quick.
    #[serde(default)]
    pub judged_run: usize,
    /// Failed tests.
    pub killed: usize,
    /// Failed tests that would have run.
    pub killed_run: usize,
    /// Tests without a result, because an earlier test hung or ended the JVM.
    pub unjudged: usize,
    /// A test hung, or ended the JVM.
    pub broke_off: bool,
    /// Tests that failed and would have been skipped.
    pub misses: Vec<MutantMiss>,
    /// Tests that failed once and would have been skipped, but did not fail again, or fail without the edit.
    pub unconfirmed: Vec<String>,
    /// The duration of everything.
    pub seconds: f64,
    /// The duration of the decision.
    pub decide_seconds: f64,
    /// The duration of the tests, without those that only confirm.
    pub suite_seconds: f64,
}

/// A test that would have been skipped, and fails on the mutant.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct MutantMiss {
    /// Its module.
    pub module: String,
    /// `org.x.ParserTest#flatten`
    pub test: String,
    /// Why it would have been skipped.
    pub evidence: EvidenceEntry,
    /// Whether it fails without the tests before it; if not, it depends on something that one of them left behind.
    pub alone: bool,
    /// The facts of its trace about the edited class: `body a.B.m()V`.
    pub facts: Vec<String>,
    /// The atomic changes of the edit, and the code before and after.
    pub difference: String,
    /// The folder with both versions, all facts and the difference.
    pub reproducer: String,
}

/// The results without an edit.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct AuditBaseline {
    /// Tests that pass each time.
    pub tests: usize,
    /// Tests that do not; they are left out.
    pub left_out: Vec<String>,
    /// Tests that would run with nothing changed.
    pub always: usize,
    /// The duration of all tests without recording, each module in a JVM as the build starts it.
    pub suite_seconds: f64,
    /// The same with the JVM's first compiler only, if that is faster. Mutants run this way.
    #[serde(default)]
    pub suite_fastest_seconds: f64,
    /// Notes, one sentence each.
    pub notes: Vec<String>,
}

/// A line of the journal of an audit.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum JournalLine {
    /// The results without an edit; the last one counts.
    Baseline(AuditBaseline),
    /// A mutant.
    Tried(MutantResult),
}

impl JournalLine {
    /// The line.
    pub fn write(&self) -> String {
        let mut text = serde_json::to_string(self).unwrap_or_default();
        text.push('\n');
        text
    }

    /// `None` if the line is not complete.
    pub fn read(line: &str) -> Option<JournalLine> {
        serde_json::from_str(line).ok()
    }
}

/// The document.
#[derive(Clone, Debug, Serialize)]
pub struct MutantReport {
    format: u32,
    tamis: String,
    audit: &'static str,
    /// The selection technique.
    pub technique: String,
    /// Whether single tests or whole classes were selected.
    pub granularity: String,
    /// The seed of the edits.
    pub seed: u64,
    /// JVMs at a time.
    pub jobs: usize,
    /// Only classes of which a test would be skipped ran.
    pub quick: bool,
    /// Mutants that an earlier call tried.
    pub resumed: usize,
    /// The duration of this call.
    pub seconds: f64,
    /// The results without an edit.
    pub baseline: AuditBaseline,
    /// Numbers by kind of edit; the last row is for all.
    pub operators: Vec<OperatorRow>,
    /// The mutants with a miss.
    pub misses: Vec<MutantResult>,
    /// All mutants.
    pub mutants: Vec<MutantResult>,
}

/// The numbers of one kind of edit.
#[derive(Clone, Debug, Default, Serialize)]
pub struct OperatorRow {
    /// The kind.
    pub operator: String,
    /// Mutants.
    pub mutants: usize,
    /// Mutants that made a test fail.
    pub killed: usize,
    /// The mean share of tests that would run.
    pub run_share: f64,
    /// The mean share with technique `class`.
    pub run_class_share: f64,
    /// Of the tests that would run, the share that did not fail.
    pub run_not_killed: f64,
    /// Tests that would have been skipped and failed.
    pub misses: usize,
}

impl MutantReport {
    /// From the results.
    pub fn new(version: &str, baseline: AuditBaseline, mutants: Vec<MutantResult>) -> MutantReport {
        let mut by_operator: BTreeMap<&str, Vec<&MutantResult>> = BTreeMap::new();
        for tried in &mutants {
            by_operator.entry(&tried.operator).or_default().push(tried);
        }
        let mut operators: Vec<OperatorRow> =
            by_operator.iter().map(|(name, tried)| row(name, tried)).collect();
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
}

fn row(operator: &str, tried: &[&MutantResult]) -> OperatorRow {
    let mean = |value: &dyn Fn(&MutantResult) -> f64| {
        tried.iter().map(|tried| value(tried)).sum::<f64>() / tried.len().max(1) as f64
    };
    let (run, killed): (usize, usize) =
        tried.iter().fold((0, 0), |(run, killed), tried| (run + tried.judged_run, killed + tried.killed_run));
    OperatorRow {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_are_means_over_mutants() {
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
    }
}
