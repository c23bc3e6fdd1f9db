//! Decisions in serialised form: the document of a selection, and `run.json`.
//!
//! [`TestEntry`] is the serialised [`TestDecision`]. `tamis explain` reads `run.json` with the same types.

use crate::failure::FailureEntry;
use crate::time::iso;
use crate::words;
use serde::{Deserialize, Serialize};
use std::cmp::Reverse;
use std::collections::BTreeMap;
use tamis_select::broken_changes::CodeChange;
use tamis_select::decide::{Decision, RunReason, SkipEvidence, TestDecision};

/// The document of a selection, or of a run with selection.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct SelectionReport {
    format: u32,
    tamis: String,
    /// The selection technique.
    pub technique: String,
    /// Whether single tests or whole classes were selected.
    pub granularity: String,
    /// The tests, in the order of module, class and method.
    pub tests: Vec<TestEntry>,
    /// The changes that recorded tests depend on.
    pub changes: Vec<ChangeEntry>,
    /// The numbers.
    pub summary: RunSummary,
    /// Gaps and fall-backs, one sentence each.
    pub notes: Vec<String>,
    /// The file with the output of the build, if the output was not shown.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub log: Option<String>,
}

/// A test, or a class that is selected as a whole.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct TestEntry {
    /// Its module.
    pub module: String,
    /// Its class.
    pub class: String,
    /// Its method; `null` is the whole class.
    pub method: Option<String>,
    /// Run or skip.
    pub decision: DecisionWord,
    /// Why it runs.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<ReasonEntry>,
    /// Why it may be skipped.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub evidence: Option<EvidenceEntry>,
    /// Why the class is selected as a whole.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub whole: Option<String>,
    /// The number of tests that it stands for.
    pub tests: usize,
    /// Its outcome, if it ran.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub outcome: Option<String>,
    /// Its duration, if it ran; else the last recorded one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seconds: Option<f64>,
    /// Its error, if it failed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub failure: Option<FailureEntry>,
}

/// The two decisions.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum DecisionWord {
    /// The test runs.
    #[default]
    Run,
    /// The test is skipped.
    Skip,
}

/// Why a test runs.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct ReasonEntry {
    /// The kind of reason.
    pub kind: ReasonKind,
    /// The kind of the first fact that does not hold.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fact: Option<String>,
    /// Its subject.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub entity: Option<String>,
    /// The layer that changed, or the reason why the test always runs.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub detail: Option<String>,
    /// All facts that do not hold; of a test that failed the last time, those that did not hold when it failed first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub facts: Vec<BrokenFact>,
    /// Of a test that failed the last time: when it failed first.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub since: Option<String>,
}

/// The words for [`RunReason`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ReasonKind {
    /// Facts of the nearest trace do not hold.
    Changed,
    /// No recorded run.
    New,
    /// It failed last time.
    Failed,
    /// It started last time and did not end.
    Broken,
    /// It was disabled or aborted last time.
    NotRun,
    /// It passed and failed with the same facts.
    Flaky,
    /// It uses something that recording does not understand.
    Always,
    /// The user asked for it.
    Asked,
}

/// A fact that does not hold.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct BrokenFact {
    /// Its kind.
    pub fact: String,
    /// Its subject.
    pub entity: String,
    /// `changed`, `added` or `removed`.
    pub detail: String,
}

/// A trace that holds.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct EvidenceEntry {
    /// Its digest.
    pub trace: String,
    /// The number of its facts.
    pub facts: usize,
    /// When it was recorded.
    pub recorded: String,
    /// The machine on which it was recorded.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub place: String,
    /// Whether it follows from the static graph, without a recorded run.
    #[serde(default, rename = "static", skip_serializing_if = "std::ops::Not::not")]
    pub is_static: bool,
}

/// A change.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct ChangeEntry {
    /// An atomic change, as in `tamis diff`; for what is not code, the kind of the fact.
    pub kind: String,
    /// The changed entity.
    pub entity: String,
    /// Of a look-up: the class of the objects.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub receiver: Option<String>,
    /// The layer that changed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub detail: Option<String>,
    /// The number of tests that run because of it; left out if none does.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub tests: usize,
}

/// Numbers. A class that is selected as a whole counts all its tests.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct RunSummary {
    /// Tests that run.
    pub run: usize,
    /// Tests that are skipped.
    pub skip: usize,
    /// The last recorded duration of the skipped tests.
    pub spared_seconds: f64,
    /// The duration of deciding.
    pub analysis_seconds: f64,
    /// Tests that passed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub passed: Option<usize>,
    /// Tests that failed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub failed: Option<usize>,
    /// Tests that were disabled, or of which an assumption did not hold.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ignored: Option<usize>,
    /// The time that the test JVMs took less than in full runs of the same modules.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub saved_seconds: Option<f64>,
    /// The time that they took in these full runs.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub full_seconds: Option<f64>,
    /// Whether the run was interrupted.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub interrupted: bool,
    /// The duration of the tests that ran.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seconds: Option<f64>,
    /// The exit code of the build.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub exit: Option<i32>,
    /// Why a run saw no test.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub no_tests: Option<NoTestsEntry>,
}

/// Why a run that succeeded saw no test, neither one that ran nor one that was skipped.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct NoTestsEntry {
    /// The kind of cause.
    pub kind: NoTestsKind,
    /// The cause and the next step, in one line.
    pub detail: String,
}

/// The words for causes of a run without tests.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum NoTestsKind {
    /// An argument turns tests off.
    TurnedOff,
    /// The build tool considered the results of an earlier build as up to date.
    UpToDate,
    /// The build tool took the results from its cache.
    FromCache,
    /// The tests ran inside the build tool's own JVM.
    BuildJvm,
    /// The tests ran in a JVM without classes of the project.
    NoProjectClasses,
    /// The build wrote reports on tests, and no JVM that ran them connected.
    NotConnected,
    /// JVMs connected, and none of them ran tests.
    NoTestJvm,
    /// No JVM connected.
    NoJvm,
}

impl SelectionReport {
    /// An empty one.
    pub fn new(version: &str, technique: &str, granularity: &str) -> SelectionReport {
        SelectionReport {
            format: 1,
            tamis: version.to_owned(),
            technique: technique.to_owned(),
            granularity: granularity.to_owned(),
            ..SelectionReport::default()
        }
    }

    /// Reads `run.json`; nothing if it is not one.
    pub fn read(document: &str) -> Option<SelectionReport> {
        serde_json::from_str(document).ok()
    }

    /// Sorts, and counts.
    pub fn finish(&mut self) {
        self.tests.sort_by(|a, b| (&a.module, &a.class, &a.method).cmp(&(&b.module, &b.class, &b.method)));
        self.changes.sort();
        self.changes.dedup();
        self.count_causes();
        let count = |decision: DecisionWord| {
            self.tests.iter().filter(|test| test.decision == decision).map(|test| test.tests).sum()
        };
        self.summary.run = count(DecisionWord::Run);
        self.summary.skip = count(DecisionWord::Skip);
        let skipped = self.tests.iter().filter(|test| test.decision == DecisionWord::Skip);
        self.summary.spared_seconds = round(skipped.filter_map(|test| test.seconds).sum());
        self.summary.analysis_seconds = round(self.summary.analysis_seconds);
    }

    /// Counts for each change the tests that run because of it. A fact about a whole class counts for the changes in it.
    fn count_causes(&mut self) {
        for change in &mut self.changes {
            change.tests = 0;
        }
        let mut of: BTreeMap<String, Vec<usize>> = BTreeMap::new();
        for (at, change) in self.changes.iter().enumerate() {
            of.entry(change.entity.clone()).or_default().push(at);
            if change.is_code() {
                of.entry(change.class().to_owned()).or_default().push(at);
            }
        }
        for test in self.tests.iter().filter(|test| test.decision == DecisionWord::Run) {
            let Some(reason) = test.reason.as_ref().filter(|reason| reason.kind == ReasonKind::Changed)
            else {
                continue;
            };
            let mut causes: Vec<usize> = Vec::new();
            for fact in &reason.facts {
                let entity = match fact.fact.as_str() {
                    "init" => format!("{}.<clinit>()V", fact.entity),
                    _ => fact.entity.clone(),
                };
                causes.extend(of.get(&entity).or_else(|| of.get(&fact.entity)).into_iter().flatten());
            }
            causes.sort_unstable();
            causes.dedup();
            for at in causes {
                if let Some(change) = self.changes.get_mut(at) {
                    change.tests += test.tests;
                }
            }
        }
    }

    /// The tests that failed or did not end.
    pub fn failed(&self) -> impl Iterator<Item = &TestEntry> {
        let is_failed = |word: &str| ["failed", "unknown", "crashed"].contains(&word);
        self.tests.iter().filter(move |test| test.outcome.as_deref().is_some_and(is_failed))
    }

    /// The changes for which tests run, those that explain most tests first.
    pub fn causes(&self) -> Vec<&ChangeEntry> {
        let mut causes: Vec<&ChangeEntry> = self.changes.iter().filter(|change| change.tests > 0).collect();
        causes.sort_by_key(|cause| Reverse((cause.tests, cause.is_code())));
        causes
    }

    /// The tests that run, or ran.
    pub fn running(&self) -> impl Iterator<Item = &TestEntry> {
        self.tests.iter().filter(|test| test.decision == DecisionWord::Run)
    }
}

impl ChangeEntry {
    /// Whether it is a change in code of the project, and not in a file, a property or a library.
    pub fn is_code(&self) -> bool {
        self.kind.chars().all(|letter| letter.is_ascii_uppercase())
    }

    /// The class of a change in code.
    fn class(&self) -> &str {
        let before = self.entity.split('(').next().unwrap_or(&self.entity);
        let is_member = !matches!(self.kind.as_str(), "AF" | "DF" | "CH");
        before.rsplit_once('.').filter(|_| is_member).map_or(before, |(class, _)| class)
    }
}

impl NoTestsEntry {
    /// With the name of the build tool, if its JVM was seen.
    pub fn new(kind: NoTestsKind, tool: Option<&str>) -> NoTestsEntry {
        NoTestsEntry { kind, detail: words::no_tests(kind, tool) }
    }
}

impl TestEntry {
    /// From a decision. With `overruled` the test runs although it could be skipped.
    pub fn new(test: &TestDecision, overruled: bool) -> TestEntry {
        let mut entry = TestEntry {
            module: test.key.module.clone(),
            class: test.key.class.clone(),
            method: test.key.method.clone(),
            whole: test.whole.as_ref().map(words::whole_reason),
            tests: test.tests,
            seconds: Some(test.microseconds as f64 / 1e6),
            ..TestEntry::default()
        };
        match &test.decision {
            Decision::Run(reason) => entry.reason = Some(ReasonEntry::from(reason)),
            Decision::Skip(_) if overruled => entry.reason = Some(ReasonEntry::new(ReasonKind::Asked)),
            Decision::Skip(evidence) => {
                entry.decision = DecisionWord::Skip;
                entry.evidence = Some(EvidenceEntry::from(evidence));
            }
        }
        entry
    }

    /// `org.x.ParserTest#flatten`, or a whole class.
    pub fn name(&self) -> String {
        test_name(&self.class, self.method.as_deref())
    }
}

/// `org.x.ParserTest#flatten`, or a whole class.
pub fn test_name(class: &str, method: Option<&str>) -> String {
    method.map_or_else(|| class.to_owned(), |method| format!("{class}#{method}"))
}

impl ReasonEntry {
    /// Without facts.
    pub fn new(kind: ReasonKind) -> ReasonEntry {
        ReasonEntry { kind, fact: None, entity: None, detail: None, facts: Vec::new(), since: None }
    }
}

impl From<&RunReason> for ReasonEntry {
    fn from(reason: &RunReason) -> ReasonEntry {
        let mut facts: Vec<BrokenFact> = reason
            .broken()
            .iter()
            .map(|(fact, now)| BrokenFact {
                fact: fact.question.kind.word().to_owned(),
                entity: fact.question.displayed(),
                detail: match (&fact.answer, now) {
                    (None, _) => "added",
                    (_, None) => "removed",
                    _ => "changed",
                }
                .to_owned(),
            })
            .collect();
        facts.dedup();
        let first = facts.first();
        let (kind, detail) = match reason {
            RunReason::New => (ReasonKind::New, None),
            RunReason::Failed => (ReasonKind::Failed, None),
            RunReason::Broken => (ReasonKind::Broken, None),
            RunReason::NotRun => (ReasonKind::NotRun, None),
            RunReason::Flaky => (ReasonKind::Flaky, None),
            RunReason::Always(why) => (ReasonKind::Always, Some(why.clone())),
            RunReason::Changed(_) => (ReasonKind::Changed, first.map(BrokenFact::layer)),
            RunReason::Asked => (ReasonKind::Asked, None),
        };
        ReasonEntry {
            kind,
            fact: first.map(|fact| fact.fact.clone()),
            entity: first.map(|fact| fact.entity.clone()),
            detail,
            facts,
            since: None,
        }
    }
}

impl BrokenFact {
    /// The layer that changed, where a fact is about one.
    fn layer(&self) -> String {
        match (self.fact.as_str(), self.detail.as_str()) {
            ("body" | "init", "changed") => "code".to_owned(),
            (_, detail) => detail.to_owned(),
        }
    }
}

impl From<&SkipEvidence> for EvidenceEntry {
    fn from(evidence: &SkipEvidence) -> EvidenceEntry {
        EvidenceEntry {
            trace: evidence.digest.to_string(),
            facts: evidence.facts,
            recorded: iso(evidence.recorded),
            place: evidence.place.clone(),
            is_static: evidence.is_static,
        }
    }
}

impl From<CodeChange> for ChangeEntry {
    fn from(change: CodeChange) -> ChangeEntry {
        let CodeChange { kind, entity, receiver, detail } = change;
        ChangeEntry { kind, entity, receiver, detail, tests: 0 }
    }
}

fn is_zero(number: &usize) -> bool {
    *number == 0
}

fn round(value: f64) -> f64 {
    // An empty sum is minus zero.
    (value * 1e6).round() / 1e6 + 0.0
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::document::{Document, to_json};

    #[test]
    fn a_document_is_read_as_it_was_written() {
        let mut report = SelectionReport::new("1.0", "hybrid", "auto");
        let reason = ReasonEntry { detail: Some("why".to_owned()), ..ReasonEntry::new(ReasonKind::NotRun) };
        let entry = TestEntry { class: "a.T".to_owned(), tests: 1, ..TestEntry::default() };
        report.tests.push(TestEntry { reason: Some(reason), ..entry.clone() });
        let evidence = Some(EvidenceEntry { facts: 7, ..EvidenceEntry::default() });
        report.tests.push(TestEntry {
            decision: DecisionWord::Skip,
            evidence,
            method: Some("m".to_owned()),
            ..entry
        });
        report.finish();
        let text = to_json(Document::Selection(&report));
        assert!(text.contains("\"decision\": \"skip\"") && text.contains("\"kind\": \"not-run\""), "{text}");
        assert!(text.contains("\"method\": null"), "{text}");
        assert_eq!(to_json(Document::Selection(&SelectionReport::read(&text).unwrap())), text);
        assert!(SelectionReport::read("{}").is_none());
    }
}
