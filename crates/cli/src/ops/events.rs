//! What happens during a run, told to whoever shows it.

use super::decide::ModuleDecision;
use tamis_report::selection::ChangeEntry;
use tamis_wire::{Outcome, TestId};

/// Something that happened.
#[derive(Clone, Debug)]
pub enum RunEvent {
    /// A test JVM has started, and this was decided for it.
    Chosen(ModuleDecision),
    /// A test has begun.
    Started {
        /// Its module.
        module: String,
        /// Which.
        test: TestId,
    },
    /// A test, or an invocation of it, has ended.
    Finished {
        /// Its module.
        module: String,
        /// Which.
        test: TestId,
        /// How.
        outcome: Outcome,
        /// After how long.
        microseconds: u64,
    },
    /// A test was left out.
    Skipped {
        /// Its module.
        module: String,
        /// Which.
        test: TestId,
    },
    /// The classes of a module are not what they were in the last run.
    Changed {
        /// The module.
        module: String,
        /// How.
        changes: Vec<ChangeEntry>,
    },
    /// Nothing is known, or kept, of a JVM or more; one line that says why.
    Gap {
        /// The module.
        module: String,
        /// What.
        what: String,
    },
}

/// Who shows it.
pub trait RunListener: Sync {
    /// Something happened.
    fn event(&self, event: &RunEvent);
}
