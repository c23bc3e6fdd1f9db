//! Events of a run, for a listener that shows its progress.

use crate::broken_changes::CodeChange;
use crate::decide::ModuleDecision;
use crate::reason::AlwaysReason;
use tamis_wire::{Outcome, TestFailure, TestId};

/// An event.
#[derive(Clone, Debug)]
pub enum RunEvent {
    /// A test JVM has started, and its tests are decided.
    Chosen(ModuleDecision),
    /// A test has begun.
    Started {
        /// Its module.
        module: String,
        /// The test.
        test: TestId,
    },
    /// The error of a test, or of the set-up of a class, that is about to end as failed.
    Failed {
        /// Its module.
        module: String,
        /// The test.
        test: TestId,
        /// The error.
        failure: TestFailure,
        /// The innermost frame in code of the project: an index into the trace of the failure.
        own_frame: Option<usize>,
    },
    /// A test, or an invocation of it, has ended.
    Finished {
        /// Its module.
        module: String,
        /// The test.
        test: TestId,
        /// Its outcome.
        outcome: Outcome,
        /// Its duration.
        microseconds: u64,
    },
    /// A test JVM has ended.
    JvmEnded {
        /// Its module.
        module: String,
        /// The time since it connected.
        seconds: f64,
    },
    /// A test was skipped.
    Skipped {
        /// Its module.
        module: String,
        /// The test.
        test: TestId,
    },
    /// The classes of a module differ from the last run.
    Changed {
        /// The module.
        module: String,
        /// The changes.
        changes: Vec<CodeChange>,
    },
    /// A test left something in a static field, which no recorded run has shown. Tests that may use the field
    /// run.
    Left {
        /// The module.
        module: String,
        /// `a/B.name`
        field: String,
        /// The number of tests that could be skipped and may use it.
        tests: usize,
    },
    /// Something that concerns all tests of a JVM could not be seen.
    Unseen {
        /// The module.
        module: String,
        /// The consequence for the tests.
        reason: AlwaysReason,
    },
    /// Something of one or more JVMs is not known or not kept.
    Gap {
        /// The module.
        module: String,
        /// One line that says what is missing, and why.
        what: String,
    },
}

/// Receives the events of a run.
pub trait RunListener: Sync {
    /// Receives one event.
    fn event(&self, event: &RunEvent);
}
