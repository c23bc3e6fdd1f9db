//! Builds the document of a run from its events.

use crate::settings::RunSettings;
use crate::sync::lock;
use std::collections::BTreeMap;
use std::sync::Mutex;
use tamis_report::selection::{ChangeEntry, ReasonEntry, ReasonKind, SelectionReport, TestEntry};
use tamis_report::words;
use tamis_select::broken_changes::CodeChange;
use tamis_select::decide::{Decision, ModuleDecision, RunReason, TestDecision};
use tamis_select::events::{RunEvent, RunListener};
use tamis_select::stored::StoredOutcome;
use tamis_wire::{Outcome, TestId};

/// A listener that collects the events of a run and passes them on.
pub struct ReportBuilder<'n> {
    state: Mutex<ReportState>,
    next: Option<&'n dyn RunListener>,
}

#[derive(Default)]
struct ReportState {
    choices: BTreeMap<String, ModuleDecision>,
    ran: BTreeMap<(String, TestId), (Outcome, u64)>,
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
                    state.choices.insert(choice.module.clone(), choice.clone());
                }
                RunEvent::Finished { module, test, outcome, microseconds } => {
                    let ran =
                        state.ran.entry((module.clone(), test.clone())).or_insert((Outcome::Ignored, 0));
                    *ran = (ran.0.worse(*outcome), ran.1 + microseconds);
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

    /// The decisions and the results. Tests that would run and did not (another module, a filter) are left out.
    pub fn ended(&self, settings: &RunSettings) -> SelectionReport {
        let state = lock(&self.state);
        let mut selection = start(settings, &state);
        let mut ran = state.ran.clone();
        let (mut passed, mut failed, mut spent) = (0, 0, 0);
        for (outcome, microseconds) in ran.values() {
            spent += microseconds;
            match outcome {
                Outcome::Passed => passed += 1,
                Outcome::Failed | Outcome::Unknown => failed += 1,
                Outcome::Aborted | Outcome::Ignored => {}
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
                    selection.tests.push(entry);
                }
            }
        }
        for ((module, test), (outcome, microseconds)) in ran {
            let kind = if settings.all { ReasonKind::Asked } else { ReasonKind::New };
            selection.tests.push(TestEntry {
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
        selection.summary.seconds = Some(seconds(spent));
        selection.finish();
        selection
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
        let is_code = |change: &CodeChange| change.kind.chars().all(|letter| letter.is_ascii_uppercase());
        let new = reason.changes().iter().filter(|change| known.is_empty() || !is_code(change));
        selection.changes.extend(new.cloned().map(ChangeEntry::from));
    }
}

fn word(outcome: Outcome) -> &'static str {
    StoredOutcome::from(outcome).word()
}

fn seconds(microseconds: u64) -> f64 {
    microseconds as f64 / 1e6
}
