//! The facts that each test of a run used.

use crate::selection::test_name;
use crate::words;
use serde::Serialize;
use std::collections::BTreeSet;
use tamis_select::facts::{Fact, FactKind};
use tamis_select::stored::{StoredOutcome, TestKey};

/// The document.
#[derive(Clone, Debug, Default, Serialize)]
pub struct ObservationReport {
    /// The number of JVMs that ran tests or could have run them.
    pub jvms: usize,
    /// The tests, or classes whose tests are selected together.
    pub tests: Vec<ObservedTest>,
    /// Tests that were skipped.
    pub skipped: Vec<String>,
    /// Gaps, one sentence each.
    pub notes: Vec<String>,
}

/// A test, or a class whose tests are selected together.
#[derive(Clone, Debug, Default, Serialize)]
pub struct ObservedTest {
    /// Its module.
    pub module: String,
    /// `org.x.ParserTest#flatten`
    pub test: String,
    /// `passed`, `failed`…
    pub outcome: &'static str,
    /// Its duration.
    pub seconds: f64,
    /// Why the tests of the class are selected together.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub whole: Option<String>,
    /// Why it always runs: what could not be seen.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub always: Option<String>,
    /// Methods that it entered.
    pub methods: BTreeSet<String>,
    /// Classes whose static initialisers it depends on, whenever they ran.
    pub initialised: BTreeSet<String>,
    /// Other inputs: files, properties, reflection, a line each.
    pub inputs: Vec<String>,
    /// Classes of libraries.
    pub libraries: BTreeSet<String>,
}

impl ObservationReport {
    /// Adds a note, once.
    pub fn note(&mut self, what: String) {
        if !self.notes.contains(&what) {
            self.notes.push(what);
        }
    }

    /// Adds a test. A class that has ended again replaces its first result.
    pub fn add(&mut self, test: ObservedTest) {
        match self.tests.iter_mut().find(|known| (&known.module, &known.test) == (&test.module, &test.test)) {
            Some(known) => *known = test,
            None => self.tests.push(test),
        }
    }

    /// Sorts what has no order.
    pub fn finish(&mut self) {
        self.skipped.sort();
        self.skipped.dedup();
    }
}

impl ObservedTest {
    /// From the facts of a test.
    pub fn new<'f>(
        key: &TestKey,
        outcome: StoredOutcome,
        microseconds: u64,
        facts: impl Iterator<Item = &'f Fact>,
    ) -> ObservedTest {
        let mut test = ObservedTest {
            module: key.module.clone(),
            test: test_name(&key.class, key.method.as_deref()),
            outcome: outcome.word(),
            seconds: microseconds as f64 / 1e6,
            ..ObservedTest::default()
        };
        let mut facts: Vec<&Fact> = facts.collect();
        facts.sort_unstable();
        for fact in facts {
            let subject = fact.question.displayed();
            match fact.question.kind {
                FactKind::Body => _ = test.methods.insert(subject),
                FactKind::Init => _ = test.initialised.insert(subject),
                FactKind::Library => _ = test.libraries.insert(subject),
                // The test class itself has a shape that counts, too.
                FactKind::Shape if subject == key.class => {}
                _ => test.inputs.extend(words::input(fact)),
            }
        }
        test
    }
}
