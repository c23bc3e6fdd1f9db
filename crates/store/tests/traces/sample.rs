//! Builds small stores in a notation that is short to read.

use std::path::Path;
use std::time::{Duration, SystemTime};
use tamis_program::digest::Digest;
use tamis_select::facts::{Fact, FactKind, FactTable, Question};
use tamis_store::traces::{
    CommitOutcome, FinishedTest, NewTrace, StoredOutcome, StoredRun, StoredTest, StoredTraces, TestKey,
    TraceStore,
};

pub(crate) const HYBRID: &str = "hybrid";

pub(crate) fn test(class: &str) -> TestKey {
    TestKey { module: "app".to_owned(), class: class.to_owned(), method: None }
}

pub(crate) fn run(id: &str) -> StoredRun {
    StoredRun {
        id: id.to_owned(),
        began: SystemTime::now() - Duration::from_secs(1),
        place: "here".to_owned(),
    }
}

/// Facts such as `f=1 g=2 h=-`: the body of `f` is 1, and there is no `h`.
pub(crate) fn facts(text: &str) -> Vec<Fact> {
    let fact = |text: &str| {
        let (name, answer) = text.split_once('=').unwrap();
        let answer = (answer != "-").then(|| Digest::of(answer.as_bytes()));
        Fact { question: Question::new(FactKind::Body, format!("a/B.{name}()V")), answer }
    };
    text.split_whitespace().map(fact).collect()
}

pub(crate) fn pass(store: &mut TraceStore, class: &str, text: &str) -> CommitOutcome {
    pass_in(store, &run("run"), class, HYBRID, text)
}

pub(crate) fn pass_in(
    store: &mut TraceStore,
    run: &StoredRun,
    class: &str,
    technique: &str,
    text: &str,
) -> CommitOutcome {
    let told: FactTable = facts(text).into_iter().collect();
    let trace = NewTrace::of_all(test(class), technique, &told, 7);
    store.commit(run, &[trace]).unwrap()[0]
}

pub(crate) fn finish(
    store: &mut TraceStore,
    run: &StoredRun,
    class: &str,
    outcome: StoredOutcome,
    facts: Option<&str>,
) {
    let facts = facts.map(|text| Digest::of(text.as_bytes()));
    let finished = FinishedTest { test: test(class), outcome, microseconds: 3, facts, always: None };
    store.finished(run, &[finished]).unwrap();
}

/// Records that a test passed, with a reason to always run or without.
pub(crate) fn always(store: &mut TraceStore, class: &str, reason: Option<&str>) {
    let always = reason.map(str::to_owned);
    let finished = FinishedTest {
        test: test(class),
        outcome: StoredOutcome::Passed,
        microseconds: 3,
        facts: None,
        always,
    };
    store.finished(&run("run"), &[finished]).unwrap();
}

pub(crate) fn load(directory: &Path) -> StoredTraces {
    TraceStore::read_only(directory).unwrap().unwrap().load(HYBRID).unwrap()
}

pub(crate) fn find<'s>(stored: &'s StoredTraces, class: &str) -> &'s StoredTest {
    stored.tests.iter().find(|known| known.key == test(class)).unwrap()
}

/// The traces of a test as [`facts`] writes them, sorted.
pub(crate) fn traces(directory: &Path, class: &str) -> Vec<Vec<Fact>> {
    let stored = load(directory);
    let Some(test) = stored.tests.iter().find(|known| known.key == test(class)) else { return Vec::new() };
    let mut traces: Vec<Vec<Fact>> =
        test.traces.iter().map(|trace| of(&stored, trace.set).unwrap()).collect();
    traces.sort();
    traces
}

pub(crate) fn of(stored: &StoredTraces, set: usize) -> Option<Vec<Fact>> {
    let mut facts: Vec<Fact> = stored.facts_of(set)?.into_iter().cloned().collect();
    facts.sort();
    Some(facts)
}

/// Asserts the traces of a test.
pub(crate) fn check(directory: &Path, class: &str, expected: &[&str]) {
    let mut expected: Vec<Vec<Fact>> = expected.iter().map(|text| facts(text)).collect();
    expected.iter_mut().for_each(|facts| facts.sort());
    expected.sort();
    assert_eq!(traces(directory, class), expected, "{class}");
}

/// Runs SQL on the file directly.
pub(crate) fn sql(directory: &Path, sql: &str) {
    let connection = rusqlite::Connection::open(directory.join("traces.db")).unwrap();
    connection.pragma_update(None, "foreign_keys", false).unwrap();
    connection.execute_batch(sql).unwrap();
}
