//! Methods and the heads of their classes, as HyRTS has them.
//!
//! All questions of `hybrid`, which are those that HyRTS lacks to be safe. In addition the head of each class of which a
//! method was entered or which was touched, and the test class as a whole.

use super::hybrid::HybridQuestions;
use super::member_questions::{MemberQuestions, family_above};
use super::{FactExtractor, Technique, TestRun};
use crate::facts::FactKind;
use crate::history::ClosureKind;
use tamis_program::bitset::BitSet;
use tamis_program::snapshot::ClassId;

/// The technique.
#[derive(Debug)]
pub(super) struct Method;

impl Technique for Method {
    fn name(&self) -> &'static str {
        "method"
    }

    fn closure(&self) -> ClosureKind {
        ClosureKind::LeftoverState
    }

    fn extractor(&self) -> Box<dyn FactExtractor> {
        Box::new(MethodFacts::default())
    }
}

#[derive(Default)]
struct MethodFacts(HybridQuestions);

impl FactExtractor for MethodFacts {
    fn questions(&mut self, mut run: TestRun<'_, '_>) -> BitSet<u32> {
        let used = run.used;
        let MethodFacts(hybrid) = self;
        let mut found = hybrid.0.bodies(&mut run, &used.methods);
        hybrid.beside_bodies(&mut run, &mut found);
        let heads = entered_or_touched(&hybrid.0, &run);
        hybrid.0.classes(&mut run, FactKind::Head, &heads, &mut found);
        about_test_class(&mut hybrid.0, &mut run, &mut found);
        found
    }
}

/// The project's classes of which a method was entered, or which were touched.
pub(super) fn entered_or_touched(members: &MemberQuestions, run: &TestRun<'_, '_>) -> BitSet<ClassId> {
    let mut classes = members.touched(run);
    classes.unite(&run.history.classes_of(&run.used.methods));
    classes.iter().filter(|class| run.snapshot.is_project(*class)).collect()
}

/// The test class and the project's classes above it, each as a whole.
pub(super) fn about_test_class(
    members: &mut MemberQuestions,
    run: &mut TestRun<'_, '_>,
    found: &mut BitSet<u32>,
) {
    if let Some(test) = run.test {
        members.classes(run, FactKind::Class, &family_above(run.snapshot, test), found);
    }
}
