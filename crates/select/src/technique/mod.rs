//! Techniques: which facts follow from what a test used. One file each, and one line in [`TECHNIQUES`].

mod block;
mod class;
mod hybrid;
mod member_questions;
mod method;
mod method_f;
mod static_class;
mod static_member;

use crate::facts::{CodeFacts, FactKind, FlowTable, QuestionTable};
use crate::history::{Closure, ClosureKind, History};
use crate::static_graph::ReachKind;
use std::fmt::Debug;
use tamis_program::bitset::BitSet;
use tamis_program::snapshot::{ClassId, Snapshot};
use tamis_wire::ProbeDetail;

/// The default technique.
pub const HYBRID: &dyn Technique = &hybrid::Hybrid;

/// The technique that others are compared with.
pub const CLASS: &dyn Technique = &class::Class;

/// Members that a static graph reaches; a virtual call may find every subclass.
pub const STATIC_MEMBER: &dyn Technique = &static_member::StaticMember(ReachKind::Hierarchy);

/// The same; a virtual call may find the classes of which the test may make objects.
pub const STATIC_MEMBER_INSTANTIATED: &dyn Technique = &static_member::StaticMember(ReachKind::Instantiated);

/// All techniques, the default first.
pub const TECHNIQUES: &[&dyn Technique] = &[
    HYBRID,
    &block::Block,
    &method::Method,
    &method_f::MethodF,
    CLASS,
    STATIC_MEMBER,
    &static_class::StaticClass,
];

/// A way to extract facts from the run of a test.
pub trait Technique: Debug + Sync {
    /// The word by which people ask for it, and under which its traces are stored.
    fn name(&self) -> &'static str;

    /// The dependencies that it follows from what a test used.
    fn closure(&self) -> ClosureKind;

    /// What probes must tell about methods.
    fn detail(&self) -> ProbeDetail {
        ProbeDetail::Methods
    }

    /// How it finds what a test may reach, if it does not use what the test did.
    fn reach(&self) -> Option<ReachKind> {
        None
    }

    /// The kinds of facts that it records besides those about code.
    fn baseline(&self) -> &'static [FactKind] {
        FactKind::OUTSIDE
    }

    /// A new extractor for the tests of one JVM.
    fn extractor(&self) -> Box<dyn FactExtractor>;
}

impl PartialEq for dyn Technique {
    fn eq(&self, other: &dyn Technique) -> bool {
        self.name() == other.name()
    }
}

/// Extracts the facts about code of the tests of one JVM. It may remember work from one test to the next.
pub trait FactExtractor {
    /// The questions about code that a test relies on, by their numbers in [`TestRun::questions`].
    fn questions(&mut self, run: TestRun<'_, '_>) -> BitSet<u32>;
}

/// The technique of this name.
pub fn technique(name: &str) -> Option<&'static dyn Technique> {
    TECHNIQUES.iter().copied().find(|known| known.name() == name)
}

/// The run of a test.
pub struct TestRun<'a, 's> {
    /// The program.
    pub snapshot: &'s Snapshot,
    /// The same, to be asked.
    pub code: &'a CodeFacts<'s>,
    /// The JVM.
    pub history: &'a History<'s>,
    /// The flows of methods whose blocks have probes.
    pub flows: &'a FlowTable,
    /// The questions of the JVM's tests.
    pub questions: &'a mut QuestionTable,
    /// The footprint of the test, with the closure that the technique asks for.
    pub used: &'a Closure,
    /// The class that holds the test.
    pub test: Option<ClassId>,
}
