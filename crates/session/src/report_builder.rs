//! Builds the document of a run from its events.

use crate::settings::RunSettings;
use crate::sync::lock;
use std::collections::BTreeMap;
use std::sync::Mutex;
use tamis_report::failure::FailureEntry;
use tamis_report::full_runs::JvmTimes;
use tamis_report::selection::{ChangeEntry, ReasonEntry, ReasonKind, SelectionReport, TestEntry};
use tamis_report::words;
use tamis_select::broken_changes::CodeChange;
use tamis_select::decide::{Decision, ModuleDecision, RunReason, TestDecision};
use tamis_select::events::{RunEvent, RunListener};
use tamis_select::stored::StoredOutcome;
use tamis_wire::{Outcome, TestFailure, TestId};

/// A listener that collects the events of a run and passes them on.
pub struct ReportBuilder<'n> {
    state: Mutex<ReportState>,
    next: Option<&'n dyn RunListener>,
}

#[derive(Default)]
struct ReportState {
    choices: BTreeMap<String, ModuleDecision>,
    ran: BTreeMap<(String, TestId), (Outcome, u64)>,
    /// The first error of each failed test, or of the set-up of a class.
    failures: BTreeMap<(String, TestId), FailureEntry>,
    jvm_seconds: BTreeMap<String, f64>,
    notes: Vec<String>,
    changes: Vec<CodeChange>,
    seconds: f64,
}

impl ReportState {
    fn note(&mut self, what: String) {
        if !self.notes.contains(&what) {
            self.notes.push(what);
        }
    }
}

impl RunListener for ReportBuilder<'_> {
    fn event(&self, event: &RunEvent) {
        {
            let mut state = lock(&self.state);
            match event {
                RunEvent::Chosen(choice) => {
                    state.seconds += choice.seconds;
                    choice.rules.iter().for_each(|rule| state.note(words::rule_used(rule)));
                    state.choices.insert(choice.module.clone(), choice.clone());
                }
                RunEvent::Finished { module, test, outcome, microseconds } => {
                    let ran =
                        state.ran.entry((module.clone(), test.clone())).or_insert((Outcome::Ignored, 0));
                    *ran = (ran.0.worse(*outcome), ran.1 + microseconds);
                }
                RunEvent::Failed { module, test, failure, own_frame } => {
                    let key = (module.clone(), test.clone());
                    state.failures.entry(key).or_insert_with(|| failure_entry(failure, *own_frame));
                }
                RunEvent::JvmEnded { module, seconds } => {
                    *state.jvm_seconds.entry(module.clone()).or_default() += seconds;
                }
                RunEvent::Gap { what, .. } => state.note(what.clone()),
                RunEvent::Left { field, tests, .. } => state.note(words::new_leftover(field, *tests)),
                RunEvent::Unseen { reason, .. } => state.note(words::always_reason(reason)),
                RunEvent::Changed { changes, .. } => state.changes.extend(changes.iter().cloned()),
                RunEvent::Started { .. } | RunEvent::Skipped { .. } => {}
            }
        }
        if let Some(next) = self.next {
            next.event(event);
        }
    }
}

impl<'n> ReportBuilder<'n> {
    /// Passes events on to `next`.
    pub fn new(next: Option<&'n dyn RunListener>) -> ReportBuilder<'n> {
        ReportBuilder { state: Mutex::default(), next }
    }

    /// The decisions, by module.
    pub fn choices(&self) -> Vec<ModuleDecision> {
        lock(&self.state).choices.values().cloned().collect()
    }

    /// The decisions, before anything runs.
    pub fn decided(&self, settings: &RunSettings) -> SelectionReport {
        let state = lock(&self.state);
        let mut selection = start(settings, &state);
        for choice in state.choices.values() {
            for test in &choice.tests {
                add_changes(test, &state.changes, &mut selection);
                selection.tests.push(TestEntry::new(test, settings.all));
            }
        }
        selection.finish();
        selection
    }

    /// How long the JVMs of each module lived, and the modules of which known tests were left out.
    pub fn jvm_times(&self) -> JvmTimes {
        let state = lock(&self.state);
        let is_missing = |test: &&TestDecision| {
            let is_it = |id: &TestId| {
                id.class == test.key.class && (test.key.method.is_none() || test.key.method == id.method)
            };
            !test.is_skip() && !state.ran.keys().any(|(module, id)| *module == test.key.module && is_it(id))
        };
        let is_filtered = |choice: &&ModuleDecision| choice.tests.iter().any(|test| is_missing(&test));
        JvmTimes {
            seconds: state.jvm_seconds.clone(),
            filtered: state
                .choices
                .values()
                .filter(is_filtered)
                .map(|choice| choice.module.clone())
                .collect(),
        }
    }

    /// The decisions and the results. Tests that would run and did not (another module, a filter) are left out.
    pub fn ended(&self, settings: &RunSettings) -> SelectionReport {
        let state = lock(&self.state);
        let mut selection = start(settings, &state);
        let mut ran = state.ran.clone();
        let (mut passed, mut failed, mut ignored, mut spent) = (0, 0, 0, 0);
        for (outcome, microseconds) in ran.values() {
            spent += microseconds;
            match outcome {
                Outcome::Passed => passed += 1,
                Outcome::Failed | Outcome::Unknown => failed += 1,
                Outcome::Aborted | Outcome::Ignored => ignored += 1,
            }
        }
        let is_of = |test: &TestDecision, (module, id): &(String, TestId)| {
            *module == test.key.module
                && id.class == test.key.class
                && (test.key.method.is_none() || test.key.method == id.method)
        };
        for choice in state.choices.values() {
            for test in &choice.tests {
                let own: Vec<(String, TestId)> = ran.keys().filter(|key| is_of(test, key)).cloned().collect();
                if !own.is_empty() {
                    add_changes(test, &state.changes, &mut selection);
                }
                if own.is_empty() {
                    if test.is_skip() {
                        selection.tests.push(TestEntry::new(test, false));
                    }
                    continue;
                }
                for key in own {
                    let Some((outcome, microseconds)) = ran.remove(&key) else { continue };
                    let mut entry = TestEntry::new(test, true);
                    entry.method = key.1.method.clone();
                    entry.tests = 1;
                    entry.outcome = Some(word(outcome).to_owned());
                    entry.seconds = Some(seconds(microseconds));
                    entry.failure = state.failures.get(&key).cloned();
                    selection.tests.push(entry);
                }
            }
        }
        for ((module, test), (outcome, microseconds)) in ran {
            let kind = if settings.all { ReasonKind::Asked } else { ReasonKind::New };
            let failure = state.failures.get(&(module.clone(), test.clone())).cloned();
            selection.tests.push(TestEntry {
                failure,
                module,
                class: test.class,
                method: test.method,
                reason: Some(ReasonEntry::new(kind)),
                tests: 1,
                outcome: Some(word(outcome).to_owned()),
                seconds: Some(seconds(microseconds)),
                ..TestEntry::default()
            });
        }
        selection.summary.passed = Some(passed);
        selection.summary.failed = Some(failed);
        selection.summary.ignored = Some(ignored);
        selection.summary.seconds = Some(seconds(spent));
        selection.finish();
        selection
    }
}

/// The first part of a trace that says most, in serialised form.
const TRACE_LINES: usize = 60;

/// The error of a failed test. The file of its frame is not known yet.
pub fn failure_entry(failure: &TestFailure, own_frame: Option<usize>) -> FailureEntry {
    let frame = own_frame.and_then(|at| failure.trace.get(at)).and_then(|line| line.strip_prefix("at "));
    FailureEntry {
        error: failure.error.clone(),
        message: failure.message.clone(),
        // Without the names of loader and module.
        frame: frame.map(|frame| frame.rsplit('/').next().unwrap_or(frame).to_owned()),
        file: None,
        line: frame.and_then(|frame| frame.trim_end_matches(')').rsplit_once(':')?.1.parse().ok()),
        trace: failure.trace.iter().take(TRACE_LINES).cloned().collect(),
    }
}

fn start(settings: &RunSettings, state: &ReportState) -> SelectionReport {
    let mut selection = SelectionReport::new(
        env!("CARGO_PKG_VERSION"),
        settings.technique.name(),
        settings.granularity.word(),
    );
    selection.notes = state.notes.clone();
    selection.changes = state.changes.iter().cloned().map(ChangeEntry::from).collect();
    selection.summary.analysis_seconds = state.seconds;
    let always = |test: &&TestDecision| matches!(test.decision, Decision::Run(RunReason::Always(_)));
    let mut classes: Vec<&str> = state
        .choices
        .values()
        .flat_map(|choice| choice.tests.iter().filter(always))
        .map(|test| test.key.class.as_str())
        .collect();
    classes.dedup();
    if !classes.is_empty() {
        selection.notes.push(words::always_run(&classes));
    }
    selection
}

/// Adds the changes for which a test runs. Changes in code come from the comparison with the last run, if there is one.
fn add_changes(test: &TestDecision, known: &[CodeChange], selection: &mut SelectionReport) {
    if let Decision::Run(reason) = &test.decision {
        // A fact about a whole class is explained by any known change in it.
        let is_known = |change: &CodeChange| {
            let class = format!("{}.", change.entity);
            known.iter().any(|known| known.entity == change.entity || known.entity.starts_with(&class))
        };
        let new = reason.changes().iter().filter(|change| !is_known(change));
        selection.changes.extend(new.cloned().map(ChangeEntry::from));
    }
}

fn word(outcome: Outcome) -> &'static str {
    StoredOutcome::from(outcome).word()
}

fn seconds(microseconds: u64) -> f64 {
    microseconds as f64 / 1e6
}
