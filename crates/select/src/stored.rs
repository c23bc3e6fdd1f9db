//! Recorded traces in memory: tests, their outcomes, and the facts of their passing runs.
//!
//! `store` reads and writes them. A set of facts stays in its stored form, because deciding reads only a
//! fifth of all sets.

use crate::facts::Fact;
use std::collections::BTreeSet;
use std::fmt::Debug;
use std::time::SystemTime;
use tamis_program::digest::Digest;

/// A test, as its framework and build name it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TestKey {
    /// The module of the build.
    pub module: String,
    /// The class that holds it.
    pub class: String,
    /// The method, never empty; `None` for the class itself.
    pub method: Option<String>,
}

/// One invocation of the user's build under Tamis.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoredRun {
    /// Unique for each run on each machine.
    pub id: String,
    /// When it began.
    pub began: SystemTime,
    /// A name of the machine or job that people know, never a path.
    pub place: String,
}

/// Sets of facts in their stored form.
pub trait FactSets: Debug + Send + Sync {
    /// The number of sets.
    fn len(&self) -> usize;

    /// Whether there is no set.
    fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Whether something is true of all facts of a set, given as ascending indices into
    /// [`StoredTraces::facts`]. Stops at the first fact for which it is false. Returns false for a set that
    /// cannot be read.
    fn all(&self, set: usize, is_true: &mut dyn FnMut(usize) -> bool) -> bool;
}

impl FactSets for Vec<Vec<usize>> {
    fn len(&self) -> usize {
        Vec::len(self)
    }

    fn all(&self, set: usize, is_true: &mut dyn FnMut(usize) -> bool) -> bool {
        self.get(set).is_some_and(|facts| facts.iter().all(|fact| is_true(*fact)))
    }
}

/// The recorded traces of one technique.
#[derive(Debug, Default)]
pub struct StoredTraces {
    /// The facts of all traces, without duplicates. Some may belong only to deleted traces.
    pub facts: Vec<Fact>,
    /// The known tests ordered by name, tests without a trace included.
    pub tests: Vec<StoredTest>,
    /// The runs in which traces were recorded.
    pub runs: Vec<StoredRun>,
    /// The number of traces that could not be read. Their tests run, unless another trace holds.
    pub unreadable: usize,
    /// Static fields in which a test was seen to leave something: module, and `a/B.name`.
    pub left_fields: BTreeSet<(String, String)>,
    /// The sets of facts; `None` if nothing is recorded.
    pub sets: Option<Box<dyn FactSets>>,
}

impl StoredTraces {
    /// The number of different sets of facts.
    pub fn set_count(&self) -> usize {
        self.sets.as_ref().map_or(0, |sets| sets.len())
    }

    /// Whether something is true of all facts of a set; see [`FactSets::all`].
    pub fn all(&self, set: usize, mut is_true: impl FnMut(usize) -> bool) -> bool {
        self.sets.as_ref().is_some_and(|sets| sets.all(set, &mut is_true))
    }

    /// The facts of a set; `None` if it cannot be read.
    pub fn facts_of(&self, set: usize) -> Option<Vec<&Fact>> {
        let mut facts = Vec::new();
        self.all(set, |index| {
            self.facts.get(index).is_some_and(|fact| {
                facts.push(fact);
                true
            })
        })
        .then_some(facts)
    }
}

/// A known test.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoredTest {
    /// The test.
    pub key: TestKey,
    /// Its passing traces, the one that held last first.
    pub traces: Vec<StoredTrace>,
    /// Its last outcome.
    pub last: Option<StoredOutcome>,
    /// It passed and failed with the same facts.
    pub flaky: bool,
    /// It was started and has not ended: another process is running it, or it crashed.
    pub running: bool,
    /// Why it always runs.
    pub always: Option<String>,
    /// For a class: why its tests are selected together.
    pub whole: Option<String>,
}

/// The facts of one passing run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoredTrace {
    /// The digest of the set.
    pub digest: Digest,
    /// The set, for [`StoredTraces::all`]. Tests with the same facts have the same number.
    pub set: usize,
    /// When it was recorded.
    pub recorded: SystemTime,
    /// When it was last seen to hold, to the hour.
    pub matched: SystemTime,
    /// The test's duration.
    pub microseconds: u64,
    /// Its run, as an index into [`StoredTraces::runs`].
    pub run: Option<usize>,
}

macro_rules! outcomes {
    ($($(#[$doc:meta])* $outcome:ident $word:literal),* $(,)?) => {
        /// The outcome of a test. The words are stored: add, never change.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum StoredOutcome { $($(#[$doc])* $outcome),* }

        impl StoredOutcome {
            /// All outcomes.
            pub const ALL: &[StoredOutcome] = &[$(StoredOutcome::$outcome),*];

            /// The word that is stored.
            pub fn word(self) -> &'static str {
                match self { $(StoredOutcome::$outcome => $word),* }
            }

            /// The outcome of a stored word. A word of a later version does not count as passed.
            pub fn from_word(word: &str) -> StoredOutcome {
                match word { $($word => StoredOutcome::$outcome,)* _ => StoredOutcome::Unknown }
            }
        }
    };
}

outcomes! {
    /// It passed.
    Passed "passed",
    /// It failed or threw.
    Failed "failed",
    /// An assumption did not hold.
    Aborted "aborted",
    /// It was not run: disabled, ignored.
    Ignored "ignored",
    /// Its JVM crashed.
    Crashed "crashed",
    /// Its end was not reported.
    Unknown "unknown",
}

impl From<tamis_wire::Outcome> for StoredOutcome {
    fn from(outcome: tamis_wire::Outcome) -> StoredOutcome {
        match outcome {
            tamis_wire::Outcome::Passed => StoredOutcome::Passed,
            tamis_wire::Outcome::Failed => StoredOutcome::Failed,
            tamis_wire::Outcome::Aborted => StoredOutcome::Aborted,
            tamis_wire::Outcome::Ignored => StoredOutcome::Ignored,
            tamis_wire::Outcome::Unknown => StoredOutcome::Unknown,
        }
    }
}
