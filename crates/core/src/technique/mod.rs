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

    /// The questions about code that a test relies on. `test` is the class that holds it.
    pub fn questions(
        self,
        snapshot: &Snapshot,
        code: &Code<'_>,
        history: &mut History<'_>,
        used: &Used,
        test: Option<ClassId>,
    ) -> BTreeSet<Question> {
        match self {
            Technique::Hybrid => hybrid::questions(snapshot, code, history, used, test),
            Technique::Class | Technique::All => class::questions(snapshot, code, history, used, test),
        }
    }
}
