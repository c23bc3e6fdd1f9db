//! Techniques: which questions a test's run makes worth asking. One file each.

mod class;
mod hybrid;

use crate::facts::{CodeFacts, QuestionTable};
use crate::history::{Closure, History};
pub use hybrid::HybridCache;
use tamis_program::bitset::BitSet;
use tamis_program::snapshot::{ClassId, Snapshot};

/// How facts are extracted from what a test used.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub enum Technique {
    /// Methods where they are understood, classes elsewhere.
    #[default]
    Hybrid,
    /// Whole classes: Ekstazi.
    Class,
    /// Nothing is believed; every test runs.
    All,
}

impl Technique {
    /// As people write it.
    pub fn word(self) -> &'static str {
        match self {
            Technique::Hybrid => "hybrid",
            Technique::Class => "class",
            Technique::All => "all",
        }
    }

    /// The technique of this name.
    pub fn from_word(word: &str) -> Option<Technique> {
        [Technique::Hybrid, Technique::Class, Technique::All].into_iter().find(|known| known.word() == word)
    }

    /// The questions about code that a test relies on, by their numbers in [`Seen::asked`].
    pub fn questions(self, seen: TestRun<'_, '_>) -> BitSet<u32> {
        match self {
            Technique::Hybrid => hybrid::questions(seen),
            Technique::Class | Technique::All => class::questions(seen),
        }
    }
}

/// What is known of a test's run.
pub struct TestRun<'a, 's> {
    /// The program it ran.
    pub snapshot: &'s Snapshot,
    /// The same, to be asked.
    pub code: &'a CodeFacts<'s>,
    /// The JVM it ran in.
    pub history: &'a History<'s>,
    /// Questions that were asked before.
    pub questions: &'a mut QuestionTable,
    /// What was asked of earlier tests of this JVM.
    pub cache: &'a mut HybridCache,
    /// What it used: [`History::all_of`] its own.
    pub used: &'a Closure,
    /// The class that holds the test.
    pub test: Option<ClassId>,
}
