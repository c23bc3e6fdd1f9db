//! A run that only shows what each test uses: nothing is read from a store, nothing is kept.
//!
//! The facts are those that a recording would store, and also those of tests that would leave no trace.

use crate::error::SessionError;
use crate::run::{RunCommand, Session};
use crate::run_dir::RunDir;
use crate::settings::RunSettings;
use crate::sync::lock;
use std::process::{Command, ExitStatus};
use std::sync::Mutex;
use tamis_report::observation::{ObservationReport, ObservedTest};
use tamis_report::words;
use tamis_select::events::{RunEvent, RunListener};
use tamis_select::facts::FactTable;
use tamis_select::recording::{ClassResult, ResultSink};
use tamis_select::stored::StoredOutcome;
use tamis_wire::TestId;

/// Runs a command without the tests to `skip`, and collects what the others use.
pub fn observe(
    command: Command,
    skip: &[TestId],
    settings: &RunSettings,
) -> Result<(ExitStatus, ObservationReport), SessionError> {
    let room = RunDir::new()?;
    let settings = RunSettings {
        all: false,
        record: false,
        observe: true,
        store: room.path().join("store"),
        ..settings.clone()
    };
    let observation = Observation::default();
    let session = Session::open(&settings, &observation).observing(&observation, skip);
    let status = session.run(RunCommand::plain(command, &room), None)?;
    drop(session);
    let mut report = observation.0.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner);
    report.finish();
    Ok((status, report))
}

/// Receives events and results of the run.
#[derive(Default)]
struct Observation(Mutex<ObservationReport>);

impl RunListener for Observation {
    fn event(&self, event: &RunEvent) {
        let mut report = lock(&self.0);
        match event {
            RunEvent::Chosen(_) => report.jvms += 1,
            RunEvent::Skipped { test, .. } => report.skipped.push(test.to_string()),
            RunEvent::Left { field, tests, .. } => report.note(words::new_leftover(field, *tests)),
            RunEvent::Gap { what, .. } => report.note(what.clone()),
            RunEvent::Unseen { reason, .. } => report.note(words::always_reason(reason)),
            RunEvent::Started { .. }
            | RunEvent::Failed { .. }
            | RunEvent::Finished { .. }
            | RunEvent::JvmEnded { .. }
            | RunEvent::Changed { .. } => {}
        }
    }
}

impl ResultSink for Observation {
    fn started(&self, _: &str, _: &TestId) {}

    fn wants_all_facts(&self) -> bool {
        true
    }

    fn add_class(&self, result: ClassResult, facts: &FactTable) {
        let mut report = lock(&self.0);
        for test in result.ended {
            let facts = test.facts.iter().filter_map(|number| facts.get(number));
            let outcome = StoredOutcome::from(test.outcome);
            let mut observed = ObservedTest::new(&test.key, outcome, test.microseconds, facts);
            observed.always = words::always_reasons(&test.always);
            observed.whole =
                result.whole.as_ref().filter(|_| test.key.method.is_none()).map(words::whole_reason);
            report.add(observed);
        }
    }
}
