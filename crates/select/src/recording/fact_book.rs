//! The questions that the tests of a JVM make worth asking, and their answers.
//!
//! A fact is answered once and shared by all tests. Files may change while tests run, so their answers are found again for
//! each test class, and an answer that is too late is not a fact.

use crate::facts::{Fact, FactKind, FactTable, Marker, Question, QuestionTable};
use crate::reason::AlwaysReason;
use crate::stored::{StoredTraces, TestKey};
use crate::world::{AnswerCache, World};
use rustc_hash::FxHashMap;
use std::time::SystemTime;
use tamis_program::bitset::BitSet;
use tamis_program::snapshot::ClassId;

/// Questions, answers, and which answers count.
pub(super) struct FactBook<'w> {
    world: &'w dyn World,
    /// When the JVM connected: files that changed later may not be what a test read.
    since: SystemTime,
    pub(super) answers: AnswerCache<'w>,
    pub(super) questions: QuestionTable,
    /// The answered questions.
    pub(super) table: FactTable,
    /// The answered questions about files.
    files: Vec<u32>,
    /// Questions whose files changed under the tests, with the reason to record nothing.
    late: FxHashMap<u32, AlwaysReason>,
    /// The numbers of the questions of stored facts, by the fact's place.
    of_stored: Vec<Option<u32>>,
    /// Markers of what could not be seen in initialisers: tests that rely on one always run.
    unseen: FxHashMap<u32, AlwaysReason>,
}

impl<'w> FactBook<'w> {
    pub(super) fn new(world: &'w dyn World, since: SystemTime) -> FactBook<'w> {
        FactBook {
            world,
            since,
            answers: AnswerCache::new(world),
            questions: QuestionTable::default(),
            table: FactTable::default(),
            files: Vec::new(),
            late: FxHashMap::default(),
            of_stored: Vec::new(),
            unseen: FxHashMap::default(),
        }
    }

    /// The number of a question that is not about code.
    pub(super) fn ask(&mut self, kind: FactKind, subject: &str) -> u32 {
        self.questions.number(Question::new(kind, subject))
    }

    /// The number of a question about a class of the project.
    pub(super) fn ask_class(&mut self, kind: FactKind, class: ClassId) -> u32 {
        self.questions.class(&self.answers.code, kind, class)
    }

    /// The number of something that could not be seen: tests that rely on it always run.
    pub(super) fn unseen(&mut self, reason: AlwaysReason) -> u32 {
        let number = self.questions.marker(Marker::NotSeen(reason.clone()));
        self.unseen.insert(number, reason);
        number
    }

    /// Why a test with these questions always runs.
    pub(super) fn reasons_unseen(&self, numbers: &BitSet<u32>) -> Vec<AlwaysReason> {
        if self.unseen.is_empty() {
            return Vec::new();
        }
        numbers.iter().filter_map(|number| self.unseen.get(&number)).cloned().collect()
    }

    /// Keeps the questions about code and those of these kinds.
    pub(super) fn keep_kinds(&self, kinds: &[FactKind], numbers: &mut BitSet<u32>) {
        if kinds == FactKind::OUTSIDE {
            return;
        }
        let counts = |question: &Question| question.kind.is_code() || kinds.contains(&question.kind);
        *numbers = numbers.iter().filter(|number| self.questions.get(*number).is_some_and(counts)).collect();
    }

    /// Answers all of these questions. Returns why they cannot be relied on.
    pub(super) fn answer_all(&mut self, numbers: &BitSet<u32>) -> Vec<AlwaysReason> {
        let new: Vec<u32> = numbers.clone().without(self.table.numbers()).iter().collect();
        self.answers.expect(new.iter().filter_map(|number| self.questions.get(*number)));
        new.into_iter().for_each(|number| self.answer(number));
        if self.late.is_empty() {
            return Vec::new();
        }
        numbers.iter().filter_map(|number| self.late.get(&number)).cloned().collect()
    }

    fn answer(&mut self, number: u32) {
        if self.table.get(number).is_some() {
            return;
        }
        let Some(question) = self.questions.get(number).cloned() else { return };
        if let Some(path) = self.world.changed_since(&question, self.since) {
            self.late.insert(number, AlwaysReason::ChangedMeanwhile(path));
        }
        if question.kind.is_of_file() || question.kind == FactKind::Resource {
            self.files.push(number);
        }
        let answer = self.answers.answer(&question);
        self.table.put(number, Fact { question, answer });
    }

    /// Forgets the answers about files: files may have changed since the last class ended, code has not.
    pub(super) fn forget_files(&mut self) {
        for number in self.files.drain(..) {
            self.table.forget(number);
            self.late.remove(&number);
        }
        self.answers.forget_files();
    }

    /// Adds the questions of earlier traces that still hold. Runs that differ by chance rely on the questions of both.
    pub(super) fn unite_with_earlier(&mut self, stored: &StoredTraces, key: &TestKey, own: &mut BitSet<u32>) {
        let Ok(at) = stored.tests.binary_search_by(|test| test.key.cmp(key)) else { return };
        for trace in stored.tests.get(at).iter().flat_map(|test| &test.traces) {
            let mut extra: Vec<u32> = Vec::new();
            let agrees = stored.all(trace.set, |index| {
                let Some(fact) = stored.facts.get(index) else { return false };
                if self.of_stored.len() <= index {
                    self.of_stored.resize(index + 1, None);
                }
                let Some(place) = self.of_stored.get_mut(index) else { return false };
                let number = *place.get_or_insert_with(|| self.questions.number(fact.question.clone()));
                if own.contains(number) {
                    return self.table.get(number).is_some_and(|ours| ours.answer == fact.answer);
                }
                extra.push(number);
                true
            });
            if agrees {
                for number in extra.into_iter().filter(|number| own.insert(*number)) {
                    self.answer(number);
                }
            }
        }
    }
}
