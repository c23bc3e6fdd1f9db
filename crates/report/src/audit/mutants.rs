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
    /// Tests that fail because of the edit: all failed tests, except those of `unconfirmed`.
    pub depends: usize,
    /// The tests that would have run.
    pub selected: usize,
    /// The tests that would have run with technique `class`.
    pub selected_class: usize,
    /// Tests that depend on the edit and would have been skipped: the number of `misses`.
    pub missed: usize,
    /// Failed tests.
    pub killed: usize,
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

/// The numbers of one kind of edit. Tests are counted once for each mutant.
#[derive(Clone, Debug, Default, Serialize)]
pub struct OperatorRow {
    /// The kind.
    pub operator: String,
    /// Mutants.
    pub mutants: usize,
    /// Mutants that made a test fail.
    pub killed: usize,
    /// All tests.
    pub tests: usize,
    /// Tests that fail because of the edit.
    pub depends: usize,
    /// Tests that would run.
    pub selected: usize,
    /// Tests that would run with technique `class`.
    pub selected_class: usize,
    /// Tests that depend on the edit and would have been skipped.
    pub missed: usize,
    /// `depends` / `tests`
    pub depends_share: f64,
    /// `selected` / `tests`
    pub selected_share: f64,
    /// `selected_class` / `tests`
    pub selected_class_share: f64,
    /// `selected` / `depends`. `None` if no test depends on the edits, or if not all tests ran.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ratio: Option<f64>,
    /// `selected_class` / `depends`
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ratio_class: Option<f64>,
}

impl MutantReport {
    /// From the results; `quick` if not all tests ran.
    pub fn new(
        version: &str,
        quick: bool,
        baseline: AuditBaseline,
        mutants: Vec<MutantResult>,
    ) -> MutantReport {
        let mut by_operator: BTreeMap<&str, Vec<&MutantResult>> = BTreeMap::new();
        for tried in &mutants {
            by_operator.entry(&tried.operator).or_default().push(tried);
        }
        let mut operators: Vec<OperatorRow> =
            by_operator.iter().map(|(name, tried)| row(name, tried, quick)).collect();
        operators.push(row("all", &mutants.iter().collect::<Vec<_>>(), quick));
        MutantReport {
            format: 1,
            tamis: version.to_owned(),
            audit: "mutants",
            technique: String::new(),
            granularity: String::new(),
            seed: 0,
            jobs: 1,
            quick,
            resumed: 0,
            seconds: 0.0,
            baseline,
            operators,
            misses: mutants.iter().filter(|tried| !tried.misses.is_empty()).cloned().collect(),
            mutants,
        }
    }
}

fn row(operator: &str, tried: &[&MutantResult], quick: bool) -> OperatorRow {
    let sum = |value: fn(&MutantResult) -> usize| tried.iter().map(|tried| value(tried)).sum();
    let (tests, depends) = (sum(|tried| tried.tests), sum(|tried| tried.depends));
    let (selected, selected_class) = (sum(|tried| tried.selected), sum(|tried| tried.selected_class));
    // Tests that did not run may depend on the edit too.
    let ratio = |part: usize| (!quick && depends > 0).then(|| share(part, depends));
    OperatorRow {
        operator: operator.to_owned(),
        mutants: tried.len(),
        killed: tried.iter().filter(|tried| tried.depends > 0).count(),
        tests,
        depends,
        selected,
        selected_class,
        missed: sum(|tried| tried.missed),
        depends_share: share(depends, tests),
        selected_share: share(selected, tests),
        selected_class_share: share(selected_class, tests),
        ratio: ratio(selected),
        ratio_class: ratio(selected_class),
    }
}

fn share(part: usize, whole: usize) -> f64 {
    if whole == 0 { 0.0 } else { part as f64 / whole as f64 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tests_are_summed_over_mutants() {
        let tried = |operator: &str, selected, depends, missed| MutantResult {
            operator: operator.to_owned(),
            tests: 10,
            depends,
            selected,
            selected_class: 10,
            missed,
            ..MutantResult::default()
        };
        let all = vec![tried("a", 4, 2, 0), tried("a", 2, 0, 0), tried("b", 0, 0, 0), tried("c", 8, 10, 2)];
        let report = MutantReport::new("0", false, AuditBaseline::default(), all.clone());
        let rows: Vec<_> = report
            .operators
            .iter()
            .map(|row| (&*row.operator, row.killed, row.tests, row.depends, row.selected, row.missed))
            .collect();
        assert_eq!(
            rows,
            [("a", 1, 20, 2, 6, 0), ("b", 0, 10, 0, 0, 0), ("c", 1, 10, 10, 8, 2), ("all", 2, 40, 12, 14, 2)]
        );
        let ratios: Vec<_> = report.operators.iter().map(|row| (row.ratio, row.ratio_class)).collect();
        let (a, c) = ((Some(3.0), Some(10.0)), (Some(0.8), Some(1.0)));
        assert_eq!(ratios, [a, (None, None), c, (Some(14.0 / 12.0), Some(40.0 / 12.0))]);
        let shares = report.operators.first().map(|row| (row.depends_share, row.selected_share));
        assert_eq!(shares, Some((0.1, 0.3)));
        let quick = MutantReport::new("0", true, AuditBaseline::default(), all);
        assert!(quick.operators.iter().all(|row| row.ratio.is_none() && row.ratio_class.is_none()));
    }
}
