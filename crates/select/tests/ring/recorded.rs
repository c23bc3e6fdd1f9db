//! The traces that the recorder makes from messages, in the form in which the store returns them.

use crate::world::TableWorld;
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;
use std::sync::Mutex;
use std::time::SystemTime;
use tamis_program::digest::Digest;
use tamis_select::events::{RunEvent, RunListener};
use tamis_select::facts::{Answer, Fact, FactTable, Question};
use tamis_select::recording::{ClassResult, Granularity, JvmRecorder, ResultSink, RunContext};
use tamis_select::stored::{StoredOutcome, StoredTest, StoredTrace, StoredTraces, TestKey};
use tamis_select::technique::HYBRID;
use tamis_wire::{AgentMessage, TestId};

/// The traces that a JVM's messages give.
pub(crate) fn record(world: &TableWorld, messages: Vec<AgentMessage>) -> StoredTraces {
    let results = Results::default();
    let nothing = StoredTraces::default();
    let context = RunContext {
        technique: HYBRID,
        granularity: Granularity::Auto,
        threads: 0,
        writer: Some(&results),
        stored: &nothing,
        listener: &NoListener,
    };
    let mut recorder = JvmRecorder::new(&context, world, FxHashMap::default(), SystemTime::UNIX_EPOCH);
    let is_complete = matches!(messages.last(), Some(AgentMessage::Bye));
    messages.into_iter().for_each(|message| drop(recorder.handle_message(message)));
    recorder.end(is_complete);
    results.tests.into_inner().unwrap().stored()
}

struct NoListener;

impl RunListener for NoListener {
    fn event(&self, _: &RunEvent) {}
}

/// A store in memory.
#[derive(Default)]
struct Results {
    tests: Mutex<RecordedTests>,
}

#[derive(Default)]
struct RecordedTests(BTreeMap<TestKey, RecordedTest>);

#[derive(Default)]
struct RecordedTest {
    last: Option<StoredOutcome>,
    always: Option<String>,
    whole: Option<String>,
    traces: Vec<BTreeMap<Question, Answer>>,
}

impl ResultSink for Results {
    fn started(&self, _: &str, _: &TestId) {}

    fn add_class(&self, result: ClassResult, facts: &FactTable) {
        let tests = &mut self.tests.lock().unwrap().0;
        for ended in result.ended {
            let known = tests.entry(ended.key).or_default();
            let trace = ended.facts.iter().filter_map(|number| facts.get(number));
            let trace: BTreeMap<Question, Answer> =
                trace.map(|fact| (fact.question.clone(), fact.answer)).collect();
            if ended.always.is_empty() && !trace.is_empty() {
                known.add(trace);
            }
            known.last = Some(ended.outcome.into());
            known.always = ended.always.first().map(|reason| format!("{reason:?}"));
        }
        if result.whole.is_some() || result.was_whole {
            tests.entry(result.class).or_default().whole = result.whole.map(|reason| format!("{reason:?}"));
        }
    }
}

impl RecordedTest {
    /// Unites traces that do not contradict each other, as the store does.
    fn add(&mut self, trace: BTreeMap<Question, Answer>) {
        let agrees = |known: &&mut BTreeMap<Question, Answer>| {
            trace.iter().all(|(question, answer)| known.get(question).is_none_or(|other| other == answer))
        };
        match self.traces.iter_mut().find(agrees) {
            Some(known) => known.extend(trace),
            None => self.traces.push(trace),
        }
    }
}

impl RecordedTests {
    fn stored(self) -> StoredTraces {
        let mut numbers: BTreeMap<Fact, usize> = BTreeMap::new();
        let (mut sets, mut tests) = (Vec::new(), Vec::new());
        for (key, known) in self.0 {
            let mut traces = Vec::new();
            for trace in known.traces {
                let mut set = Vec::new();
                for (question, answer) in trace {
                    let next = numbers.len();
                    set.push(*numbers.entry(Fact { question, answer }).or_insert(next));
                }
                set.sort_unstable();
                traces.push(StoredTrace {
                    digest: Digest::of(format!("{set:?}").as_bytes()),
                    set: sets.len(),
                    recorded: SystemTime::UNIX_EPOCH,
                    matched: SystemTime::UNIX_EPOCH,
                    microseconds: 0,
                    run: None,
                });
                sets.push(set);
            }
            tests.push(StoredTest {
                key,
                traces,
                last: known.last,
                flaky: false,
                running: false,
                always: known.always,
                whole: known.whole,
            });
        }
        let mut facts: Vec<(Fact, usize)> = numbers.into_iter().collect();
        facts.sort_unstable_by_key(|(_, number)| *number);
        let facts = facts.into_iter().map(|(fact, _)| fact).collect();
        StoredTraces { facts, tests, sets: Some(Box::new(sets)), ..StoredTraces::default() }
    }
}
