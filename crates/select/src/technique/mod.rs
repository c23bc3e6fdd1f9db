//! Techniques: the questions that follow from a footprint. One file each.

mod class;
mod hybrid;

use crate::facts::{CodeFacts, QuestionTable};
use crate::history::{Closure, History};
pub use hybrid::HybridCache;
use tamis_program::bitset::BitSet;
use tamis_program::snapshot::{ClassId, Snapshot};

/// The selection technique: it turns a footprint into questions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub enum Technique {
    /// Methods where they are understood, classes elsewhere.
    #[default]
    Hybrid,
    /// Whole classes, as in Ekstazi.
    Class,
    /// Ignores all traces: every test runs.
    All,
}

impl Technique {
    /// The name of the option.
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

    /// The questions about code on which a test depends, by their numbers in [`TestRun::questions`].
    pub fn questions(self, seen: TestRun<'_, '_>) -> BitSet<u32> {
        match self {
            Technique::Hybrid => hybrid::questions(seen),
            Technique::Class | Technique::All => class::questions(seen),
        }
    }
}

/// The run of a test.
pub struct TestRun<'a, 's> {
    /// The program.
    pub snapshot: &'s Snapshot,
    /// The program's code, for questions.
    pub code: &'a CodeFacts<'s>,
    /// The history of the JVM.
    pub history: &'a History<'s>,
    /// The questions so far.
    pub questions: &'a mut QuestionTable,
    /// The cache for the tests of this JVM.
    pub cache: &'a mut HybridCache,
    /// The completed footprint of the test: the result of [`History::closure_of`].
    pub used: &'a Closure,
    /// The class of the test.
    pub test: Option<ClassId>,
}
