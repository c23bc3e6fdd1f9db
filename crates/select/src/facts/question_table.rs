//! Questions that were asked, without duplicates and by number.
//!
//! The tests of a JVM ask the same questions thousands of times. Their names are built once.

use super::{CodeFacts, FactKind, Question};
use crate::reason::AlwaysReason;
use rustc_hash::FxHashMap;
use tamis_program::snapshot::{ClassId, MethodId};

/// Something that is shared between tests and is not a question: it is compared, never answered.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Marker {
    /// Any system property, set by code that may set all of them.
    AnyProperty,
    /// The JDK's defaults: locale, time zone, streams.
    JdkDefaults,
    /// The contexts that Spring's test framework keeps.
    SpringContexts,
    /// One of them, by its number in the JVM.
    SpringContext(u32),
    /// The store that all test classes of a Jupiter run share.
    JupiterRootStore,
    /// A class that was generated while tests ran.
    Generated(String),
    /// Generated classes that cannot be looked up by name.
    GeneratedHidden,
    /// A class that was changed after it was loaded.
    Retransformed(String),
    /// Something that the agent could not see.
    NotSeen(AlwaysReason),
}

/// The questions of a JVM's tests, and markers among them.
#[derive(Default)]
pub struct QuestionTable {
    /// None where the number is a marker's.
    questions: Vec<Option<Question>>,
    numbers: FxHashMap<Question, u32>,
    markers: FxHashMap<Marker, u32>,
    classes: FxHashMap<(FactKind, ClassId), u32>,
    methods: FxHashMap<(FactKind, ClassId, MethodId), u32>,
}

impl QuestionTable {
    /// The number of a question.
    pub fn number(&mut self, question: Question) -> u32 {
        let next = self.questions.len() as u32;
        *self.numbers.entry(question).or_insert_with_key(|question| {
            self.questions.push(Some(question.clone()));
            next
        })
    }

    /// The number of a marker.
    pub fn marker(&mut self, marker: Marker) -> u32 {
        let next = self.questions.len() as u32;
        *self.markers.entry(marker).or_insert_with(|| {
            self.questions.push(None);
            next
        })
    }

    /// The number of a question about a class.
    pub fn class(&mut self, code: &CodeFacts<'_>, about: FactKind, class: ClassId) -> u32 {
        if let Some(known) = self.classes.get(&(about, class)) {
            return *known;
        }
        let number = self.number(code.of_class(about, class));
        self.classes.insert((about, class), number);
        number
    }

    /// The number of a question about a method, looked up on `receiver`.
    pub fn method(
        &mut self,
        code: &CodeFacts<'_>,
        about: FactKind,
        receiver: ClassId,
        method: MethodId,
    ) -> u32 {
        if let Some(known) = self.methods.get(&(about, receiver, method)) {
            return *known;
        }
        let number = self.number(code.of_method(about, receiver, method));
        self.methods.insert((about, receiver, method), number);
        number
    }

    /// A question by its number.
    pub fn get(&self, number: u32) -> Option<&Question> {
        self.questions.get(number as usize)?.as_ref()
    }

    /// The number of questions.
    pub fn len(&self) -> usize {
        self.questions.len()
    }

    /// Whether there is no question.
    pub fn is_empty(&self) -> bool {
        self.questions.is_empty()
    }
}
