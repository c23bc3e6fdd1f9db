//! Events of a run, for a listener that shows its progress.

use crate::broken_changes::CodeChange;
use crate::decide::ModuleDecision;
use crate::reason::AlwaysReason;
use tamis_wire::{Outcome, TestId};

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
