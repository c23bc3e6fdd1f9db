//! Questions of tests that follow from the static graph, without a recorded run.

use super::{ReachKind, StaticGraph, StaticReach, TestRoots};
use crate::facts::{CodeFacts, FactKind, FlowTable, Question, QuestionTable};
use crate::history::History;
use crate::new_tests::test_methods;
use crate::technique::{FactExtractor, Technique, TestRun};
use crate::world::{JVM_FACTS, World};
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;
use tamis_program::bitset::BitSet;
use tamis_program::snapshot::{ClassId, MethodId};

/// Properties of the JVM on which every test with a static trace depends, besides those of all tests.
const STATIC_JVM_FACTS: [&str; 2] = ["libraries", "resources"];

/// The tests of one module, with their graph.
pub struct StaticTests<'w> {
    world: &'w dyn World,
    graph: StaticGraph<'w>,
    /// The history of no JVM: it only numbers methods.
    history: History<'w>,
    extractor: Box<dyn FactExtractor>,
    tests: FxHashMap<ClassId, BTreeSet<String>>,
}

impl<'w> StaticTests<'w> {
    /// The tests of this world.
    pub fn new(
        world: &'w dyn World,
        technique: &dyn Technique,
        kind: ReachKind,
        threads: usize,
    ) -> StaticTests<'w> {
        StaticTests {
            world,
            graph: StaticGraph::new(world, kind, threads),
            history: History::new(world.snapshot()),
            extractor: technique.extractor(),
            tests: FxHashMap::default(),
        }
    }

    /// What each of these tests may reach, found with this many threads.
    pub fn reaches(&mut self, tests: &[(ClassId, Option<&str>)], threads: usize) -> Vec<StaticReach> {
        let roots: Vec<TestRoots> = tests.iter().map(|(class, method)| self.roots(*class, *method)).collect();
        self.graph.reaches(&roots, threads)
    }

    /// What one test may reach.
    pub fn reach(&mut self, class: ClassId, method: Option<&str>) -> StaticReach {
        let roots = self.roots(class, method);
        self.graph.reach(&roots)
    }

    fn roots(&mut self, class: ClassId, method: Option<&str>) -> TestRoots {
        let (world, tests) = (self.world, &mut self.tests);
        let mut tests_of = |class| tests.entry(class).or_insert_with(|| test_methods(world, class)).clone();
        TestRoots::of(world.snapshot(), class, method, &mut tests_of)
    }

    /// The methods over which a test may reach the subject of a question; empty if it is not code.
    pub fn path(&mut self, class: ClassId, method: Option<&str>, question: &Question) -> Vec<String> {
        let roots = self.roots(class, method);
        let snapshot = self.world.snapshot();
        let code = CodeFacts::new(snapshot);
        let is_target = |method: MethodId| match question.kind {
            FactKind::Body => code.of_method(FactKind::Body, method.class, method) == *question,
            FactKind::Inherits => {
                let subject = question.subject.rsplit_once('(').map_or("", |(before, _)| before);
                let name = code.of_method(FactKind::Inherits, method.class, method);
                let own = name.subject.rsplit_once('(').map_or("", |(before, _)| before);
                let last = |text: &str| text.rsplit('.').next().map(str::to_owned);
                last(own) == last(subject)
            }
            kind => kind.is_code() && code.of_class(kind, method.class) == *question,
        };
        let path = self.graph.path(&roots, is_target).unwrap_or_default();
        path.into_iter()
            .map(|method| code.of_method(FactKind::Body, method.class, method).displayed())
            .collect()
    }

    /// The questions on which a test with this reach depends.
    pub fn questions(
        &mut self,
        reach: &StaticReach,
        test: ClassId,
        code: &CodeFacts<'w>,
        questions: &mut QuestionTable,
    ) -> BitSet<u32> {
        let mut own = BitSet::default();
        for name in JVM_FACTS.iter().chain(&STATIC_JVM_FACTS) {
            own.insert(questions.number(Question::new(FactKind::Jvm, *name)));
        }
        own.insert(questions.number(Question::new(FactKind::Class, "module-info")));
        for class in &reach.absent {
            own.insert(questions.number(Question::new(FactKind::Class, class.as_str())));
        }
        let snapshot = self.world.snapshot();
        let run = TestRun {
            snapshot,
            code,
            history: &self.history,
            flows: &FlowTable::default(),
            questions,
            used: &reach.used,
            test: Some(test),
        };
        own.unite(&self.extractor.questions(run));
        own
    }
}
