//! Techniques: which questions a test's run makes worth asking. One file each.

mod class;
mod hybrid;

use crate::fact::{Code, Question};
use crate::snapshot::{ClassId, Snapshot};
use crate::used::{History, Used};
use std::collections::BTreeSet;

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

    /// The questions about code that a test relies on.
    pub fn questions(self, seen: Seen<'_, '_>) -> BTreeSet<Question> {
        match self {
            Technique::Hybrid => hybrid::questions(seen),
            Technique::Class | Technique::All => class::questions(seen),
        }
    }
}

/// What is known of a test's run.
pub struct Seen<'a, 's> {
    /// The program it ran.
    pub snapshot: &'s Snapshot,
    /// The same, to be asked.
    pub code: &'a Code<'s>,
    /// The JVM it ran in.
    pub history: &'a mut History<'s>,
    /// What it used: [`History::all_of`] its own.
    pub used: &'a Used,
    /// The class that holds the test.
    pub test: Option<ClassId>,
}
