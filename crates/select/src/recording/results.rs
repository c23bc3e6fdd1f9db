//! The results of test classes, for the store.

use crate::facts::FactTable;
use crate::reason::{AlwaysReason, WholeReason};
use crate::stored::TestKey;
use tamis_program::bitset::BitSet;
use tamis_program::digest::Digest;
use tamis_wire::{Outcome, TestId};

/// The result of a test class.
pub struct ClassResult {
    /// The class.
    pub class: TestKey,
    /// Why its tests are selected together, if they are.
    pub whole: Option<WholeReason>,
    /// Whether they were selected together before.
    pub was_whole: bool,
    /// Static fields in which its tests left something: `a/B.name`.
    pub left: Vec<String>,
    /// Its tests, and the class itself if it is selected as one unit.
    pub ended: Vec<TestResult>,
}

/// The result of a test.
pub struct TestResult {
    /// The test.
    pub key: TestKey,
    /// Its outcome.
    pub outcome: Outcome,
    /// Its duration.
    pub microseconds: u64,
    /// The facts of a passing trace, by number; empty if there is nothing to keep.
    pub facts: BitSet<u32>,
    /// Why it always runs; empty if its facts decide.
    pub always: Vec<AlwaysReason>,
    /// The trace that held before it ran.
    pub held: Option<Digest>,
}

/// The receiver of results. It cannot fail: a store that fails costs the recording and is reported elsewhere.
pub trait ResultSink: Sync {
    /// A test with traces has begun. Until it ends, its traces do not count.
    fn started(&self, module: &str, test: &TestId);

    /// Whether it also wants the facts of tests that leave no trace: those that failed or always run.
    fn wants_all_facts(&self) -> bool {
        false
    }

    /// A test class has ended; `facts` holds the facts of its tests.
    fn add_class(&self, result: ClassResult, facts: &FactTable);
}
