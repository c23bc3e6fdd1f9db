//! Methods, and classes where an instance method was added or deleted, as the variant of HyRTS has them.
//!
//! Instead of asking what a call finds on each class, it asks which instance methods the class and all classes above it
//! declare. Any method added there selects all tests that use the class.

use super::member_questions::{MemberQuestions, family_above};
use super::method::{about_test_class, entered_or_touched};
use super::{FactExtractor, Technique, TestRun};
use crate::facts::FactKind;
use crate::history::ClosureKind;
use tamis_program::bitset::BitSet;

/// The technique.
#[derive(Debug)]
pub(super) struct MethodF;

impl Technique for MethodF {
    fn name(&self) -> &'static str {
        "method-f"
    }

    fn closure(&self) -> ClosureKind {
        ClosureKind::LeftoverState
    }

    fn extractor(&self) -> Box<dyn FactExtractor> {
        Box::new(MethodFFacts::default())
    }
}

#[derive(Default)]
struct MethodFFacts(MemberQuestions);

impl FactExtractor for MethodFFacts {
    fn questions(&mut self, mut run: TestRun<'_, '_>) -> BitSet<u32> {
        let used = run.used;
        let MethodFFacts(members) = self;
        let mut found = members.bodies(&mut run, &used.methods);
        let touched = members.touched(&run);
        let mentioned = members.mentioned(&run, &touched);
        members.about_classes(&mut run, &touched, &mentioned, &mut found);
        let mut classes = entered_or_touched(members, &run);
        // The questions about single look-ups are left out: they follow from the methods of a class and of all above it.
        classes.unite(&members.receivers(&mut run, mentioned).met);
        let classes: BitSet<_> = classes
            .iter()
            .flat_map(|class| family_above(run.snapshot, class).iter().collect::<Vec<_>>())
            .collect();
        members.classes(&mut run, FactKind::Head, &classes, &mut found);
        members.classes(&mut run, FactKind::Methods, &classes, &mut found);
        about_test_class(members, &mut run, &mut found);
        found
    }
}
