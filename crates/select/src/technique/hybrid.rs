//! Methods where they are understood, classes elsewhere: ours.
//!
//! The body of every method entered. For every class whose objects the test may have met: which method a call finds
//! (only for methods that were entered: had it found another one, that would have been entered), its supertypes, and what
//! of it external code may call. For every class touched: its static initialiser. For the test class, and for classes
//! whose structure somebody looked at: all that reflection shows.

use super::member_questions::MemberQuestions;
use super::{FactExtractor, Technique, TestRun};
use crate::facts::FactKind;
use crate::history::ClosureKind;
use tamis_program::bitset::BitSet;

/// The technique.
#[derive(Debug)]
pub(super) struct Hybrid;

impl Technique for Hybrid {
    fn name(&self) -> &'static str {
        "hybrid"
    }

    fn closure(&self) -> ClosureKind {
        ClosureKind::LeftoverState
    }

    fn extractor(&self) -> Box<dyn FactExtractor> {
        Box::new(HybridQuestions::default())
    }
}

/// The questions of the tests of one JVM.
#[derive(Default)]
pub(super) struct HybridQuestions(pub(super) MemberQuestions);

impl FactExtractor for HybridQuestions {
    fn questions(&mut self, mut run: TestRun<'_, '_>) -> BitSet<u32> {
        let used = run.used;
        let mut found = self.0.bodies(&mut run, &used.methods);
        self.beside_bodies(&mut run, &mut found);
        found
    }
}

impl HybridQuestions {
    /// All questions but those about bodies.
    pub(super) fn beside_bodies(&mut self, run: &mut TestRun<'_, '_>, found: &mut BitSet<u32>) {
        let HybridQuestions(members) = self;
        let touched = members.touched(run);
        let mentioned = members.mentioned(run, &touched);
        members.about_classes(run, &touched, &mentioned, found);
        let receivers = members.receivers(run, mentioned);
        found.unite(&receivers.inherits);
        members.classes(run, FactKind::Supers, &receivers.met, found);
        members.classes(run, FactKind::External, &receivers.met, found);
    }
}
