//! Puts together what was decided and what happened, as one document.

use crate::run::RunSettings;
use crate::sync::lock;
use std::collections::BTreeMap;
use std::sync::Mutex;
use std::time::{Duration, SystemTime, UNIX_EPOCH};
use tamis_report::selection::{self, BrokenFact, ChangeEntry, EvidenceEntry, SelectionReport, TestEntry};
use tamis_select::broken_changes::CodeChange;
use tamis_select::decide::{Decision, ModuleDecision, RunReason, TestDecision};
use tamis_select::events::{RunEvent, RunListener};
use tamis_wire::{Outcome, TestId};

/// Hears everything, and passes it on.
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
                RunEvent::Gap { what, .. } if !state.notes.contains(what) => state.notes.push(what.clone()),
                RunEvent::Changed { changes, .. } => state.changes.extend(changes.iter().cloned()),
                RunEvent::Started { .. } | RunEvent::Skipped { .. } | RunEvent::Gap { .. } => {}
            }
        }
        if let Some(next) = self.next {
            next.event(event);
        }
    }
}

impl<'n> ReportBuilder<'n> {
    /// Passes on to another one.
    pub fn new(next: Option<&'n dyn RunListener>) -> ReportBuilder<'n> {
        ReportBuilder { state: Mutex::default(), next }
    }

    /// What was decided, by module.
    pub fn choices(&self) -> Vec<ModuleDecision> {
        lock(&self.state).choices.values().cloned().collect()
    }

    /// What was decided, before anything ran.
    pub fn decided(&self, settings: &RunSettings) -> SelectionReport {
        let state = lock(&self.state);
        let mut selection = start(settings, &state);
        for choice in state.choices.values() {
            for test in &choice.tests {
                add_changes(test, &state.changes, &mut selection);
                selection.tests.push(entry(test, settings.all));
            }
        }
        selection.finish();
        selection
    }

    /// What was decided and what came of it. Tests that would run and did not (another module, a filter) are left out.
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
                        selection.tests.push(entry(test, false));
                    }
                    continue;
                }
                for key in own {
                    let Some((outcome, microseconds)) = ran.remove(&key) else { continue };
                    let mut entry = entry(test, true);
                    entry.method = key.1.method.clone();
                    entry.tests = 1;
                    entry.outcome = Some(word(outcome).to_owned());
                    entry.seconds = Some(seconds(microseconds));
                    selection.tests.push(entry);
                }
            }
        }
        for ((module, test), (outcome, microseconds)) in ran {
            let reason = if settings.all { "asked" } else { "new" };
            selection.tests.push(TestEntry {
                module,
                class: test.class,
                method: test.method,
                decision: "run",
                reason: Some(selection::ReasonEntry {
                    kind: reason.to_owned(),
                    ..selection::ReasonEntry::default()
                }),
                evidence: None,
                whole: None,
                tests: 1,
                outcome: Some(word(outcome).to_owned()),
                seconds: Some(seconds(microseconds)),
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
        let are = if classes.len() == 1 { "class always runs" } else { "classes always run" };
        selection.notes.push(format!(
            "{} test {are}: tamis explain {} says why",
            classes.len(),
            classes.first().unwrap_or(&"")
        ));
    }
    selection
}

/// What made a test run: of changes in code, those that the last run shows are known exactly.
fn add_changes(test: &TestDecision, known: &[CodeChange], selection: &mut SelectionReport) {
    if let Decision::Run(reason) = &test.decision {
        let is_code = |change: &CodeChange| change.kind.chars().all(|letter| letter.is_ascii_uppercase());
        let new = reason.changes().iter().filter(|change| known.is_empty() || !is_code(change));
        selection.changes.extend(new.cloned().map(ChangeEntry::from));
    }
}

/// A decision as reports have it; one that is overruled runs all the same.
fn entry(test: &TestDecision, overruled: bool) -> TestEntry {
    let mut entry = TestEntry {
        module: test.key.module.clone(),
        class: test.key.class.clone(),
        method: test.key.method.clone(),
        decision: "run",
        reason: None,
        evidence: None,
        whole: test.whole.clone(),
        tests: test.tests,
        outcome: None,
        seconds: Some(seconds(test.microseconds)),
    };
    match &test.decision {
        Decision::Run(reason) => {
            let mut facts: Vec<BrokenFact> = reason
                .broken()
                .iter()
                .map(|(fact, now)| {
                    let word = fact.question.kind.word();
                    BrokenFact {
                        fact: word.to_owned(),
                        entity: fact.question.displayed(),
                        detail: match (&fact.answer, now) {
                            (None, _) => "added",
                            (_, None) => "removed",
                            _ => "changed",
                        }
                        .to_owned(),
                    }
                })
                .collect();
            facts.dedup();
            let first = facts.first();
            let (kind, detail) = match reason {
                RunReason::New => ("new", None),
                RunReason::Failed => ("failed", None),
                RunReason::Broken => ("broken", None),
                RunReason::NotRun => ("not-run", None),
                RunReason::Flaky => ("flaky", None),
                RunReason::Always(why) => ("always", Some(why.clone())),
                RunReason::Changed(_) => ("changed", first.map(|fact| layer(&fact.fact, &fact.detail))),
                RunReason::Asked => ("asked", None),
            };
            entry.reason = Some(selection::ReasonEntry {
                kind: kind.to_owned(),
                fact: first.map(|fact| fact.fact.clone()),
                entity: first.map(|fact| fact.entity.clone()),
                detail,
                facts,
            });
        }
        Decision::Skip(_) if overruled => {
            entry.reason = Some(selection::ReasonEntry {
                kind: "asked".to_owned(),
                ..selection::ReasonEntry::default()
            });
        }
        Decision::Skip(held) => {
            entry.decision = "skip";
            entry.evidence = Some(EvidenceEntry {
                trace: held.digest.to_string(),
                facts: held.facts,
                recorded: iso(held.recorded),
                place: held.place.clone(),
            });
        }
    }
    entry
}

/// The layer that changed, where a fact is about one.
fn layer(fact: &str, detail: &str) -> String {
    match (fact, detail) {
        ("body" | "init", "changed") => "code".to_owned(),
        (_, detail) => detail.to_owned(),
    }
}

fn word(outcome: Outcome) -> &'static str {
    match outcome {
        Outcome::Passed => "passed",
        Outcome::Failed => "failed",
        Outcome::Aborted => "aborted",
        Outcome::Ignored => "ignored",
        Outcome::Unknown => "unknown",
    }
}

fn seconds(microseconds: u64) -> f64 {
    microseconds as f64 / 1e6
}

/// `2026-01-31T12:00:00Z`
pub fn iso(time: SystemTime) -> String {
    let since = time.duration_since(UNIX_EPOCH).unwrap_or(Duration::ZERO).as_secs();
    let (days, rest) = (since / 86_400, since % 86_400);
    let (year, month, day) = civil(days);
    format!("{year:04}-{month:02}-{day:02}T{:02}:{:02}:{:02}Z", rest / 3600, rest / 60 % 60, rest % 60)
}

/// The date of a day counted from 1970, in the Gregorian calendar: eras of 400 years, years that begin in March.
fn civil(days: u64) -> (u64, u64, u64) {
    let shifted = days + 719_468;
    let (era, day_of_era) = (shifted / 146_097, shifted % 146_097);
    let year_of_era = (day_of_era - day_of_era / 1460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let shifted_month = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * shifted_month + 2) / 5 + 1;
    let month = if shifted_month < 10 { shifted_month + 3 } else { shifted_month - 9 };
    (year_of_era + era * 400 + u64::from(month <= 2), month, day)
}

#[cfg(test)]
mod tests {
    use super::iso;
    use std::time::{Duration, UNIX_EPOCH};

    #[test]
    fn times_are_written_in_utc() {
        for (seconds, text) in [
            (0, "1970-01-01T00:00:00Z"),
            (951_827_696, "2000-02-29T12:34:56Z"),
            (1_769_860_800, "2026-01-31T12:00:00Z"),
            (4_107_542_399, "2100-02-28T23:59:59Z"),
        ] {
            assert_eq!(iso(UNIX_EPOCH + Duration::from_secs(seconds)), text);
        }
    }
}
