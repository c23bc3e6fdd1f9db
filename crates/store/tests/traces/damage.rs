//! Damaged files never cause a panic, or a trace that was not recorded.

use crate::sample::{HYBRID, check, facts, finish, of, pass, run, sql, test};
use proptest::prelude::*;
use std::fs;
use std::path::Path;
use tamis_select::facts::{Fact, FactTable};
use tamis_store::traces::{FinishedTest, NewTrace, RetentionRule, StoredOutcome, TraceStore};

const TRACES: [(&str, &str); 4] =
    [("ATest", "f=1 g=1 h=-"), ("ATest", "f=2 g=1"), ("BTest", "f=1 i=-"), ("CTest", "f=1 g=1 h=-")];

fn fill(directory: &Path) {
    let mut store = TraceStore::open(directory).unwrap();
    for (class, text) in TRACES {
        pass(&mut store, class, text);
        finish(&mut store, &run("1"), class, StoredOutcome::Passed, Some(text));
    }
    store.started(&run("2"), &[test("BTest")]).unwrap();
}

/// Checks that every loaded trace was recorded for its test. Returns the number of loaded traces.
fn nothing_new(directory: &Path, what: &str) -> usize {
    let Ok(Some(store)) = TraceStore::read_only(directory) else { return 0 };
    let Ok(stored) = store.load(HYBRID) else { return 0 };
    let mut believed = 0;
    for known in &stored.tests {
        for trace in &known.traces {
            let Some(facts) = of(&stored, trace.set) else { continue };
            let recorded =
                TRACES.iter().any(|(class, text)| known.key == test(class) && facts == sorted(text));
            assert!(recorded, "{what}: {} never relied on {facts:?}", known.key.class);
            believed += 1;
        }
    }
    believed
}

fn sorted(text: &str) -> Vec<Fact> {
    let mut facts = facts(text);
    facts.sort();
    facts
}

/// Uses every operation of a store; errors are allowed.
fn use_all(directory: &Path) {
    let one: FactTable = facts("f=1 z=1").into_iter().collect();
    let Ok(mut store) = TraceStore::open(directory) else { return };
    let trace = NewTrace::of_all(test("DTest"), "class", &one, 0);
    let _ = store.commit(&run("3"), &[trace]);
    let ended = FinishedTest {
        test: test("ATest"),
        outcome: StoredOutcome::Failed,
        microseconds: 0,
        facts: None,
        always: None,
    };
    let _ = store.finished(&run("3"), &[ended]);
    let _ = store.verdicts();
    let _ = store.stats();
    let _ = store.gc(&RetentionRule::default());
    let _ = store.clear();
}

#[test]
fn edited_rows_are_ignored() {
    for (edit, left) in [
        ("SELECT 1", 4),
        ("UPDATE fact SET entity = 'a/B.x()V' WHERE entity = 'a/B.f()V'", 0),
        ("UPDATE fact SET answer = NULL WHERE entity = 'a/B.g()V'", 1),
        ("UPDATE fact SET answer = zeroblob(16) WHERE entity = 'a/B.i()V'", 3),
        ("UPDATE fact SET answer = x'00' WHERE entity = 'a/B.i()V'", 3),
        ("UPDATE fact SET about = 2 WHERE entity = 'a/B.i()V'", 3),
        ("UPDATE fact SET about = 250 WHERE entity = 'a/B.i()V'", 3),
        ("DELETE FROM fact WHERE entity = 'a/B.i()V'", 3),
        ("UPDATE fact SET number = number + 1000", 0),
        ("UPDATE fact_set SET facts = x'01'", 0),
        ("UPDATE fact_set SET facts = substr(facts, 1, length(facts) - 1)", 0),
        ("UPDATE fact_set SET facts = x''", 0),
        ("UPDATE fact_set SET canonical = canonical + 1", 0),
        ("UPDATE fact_set SET digest = randomblob(16)", 0),
        ("DELETE FROM fact_set", 0),
        (
            "UPDATE trace SET test = (SELECT number FROM test WHERE class = 'CTest') \
          WHERE test = (SELECT number FROM test WHERE class = 'BTest')",
            3,
        ),
        ("UPDATE test SET class = 'XTest' WHERE class = 'BTest'", 3),
        ("UPDATE trace SET technique = 'hybrid '", 0),
        ("DELETE FROM test", 0),
        ("DELETE FROM run", 4),
        ("UPDATE trace SET recorded = -1, matched = 9223372036854775807, microseconds = -5", 4),
    ] {
        let there = tempfile::tempdir().unwrap();
        fill(there.path());
        sql(there.path(), edit);
        assert_eq!(nothing_new(there.path(), edit), left, "{edit}");
        use_all(there.path());
    }
}

#[test]
fn impossible_numbers_are_an_error() {
    let there = tempfile::tempdir().unwrap();
    fill(there.path());
    sql(there.path(), "UPDATE fact SET number = 4000000000 WHERE entity = 'a/B.i()V'");
    let error = TraceStore::read_only(there.path()).unwrap().unwrap().load(HYBRID).unwrap_err();
    assert!(error.to_string().contains("impossible numbers"), "{error}");
}

#[test]
fn a_damaged_set_is_repaired_when_it_is_recorded_again() {
    let there = tempfile::tempdir().unwrap();
    fill(there.path());
    sql(there.path(), "UPDATE fact_set SET facts = x'01'");
    pass(&mut TraceStore::open(there.path()).unwrap(), "ATest", "f=2 g=1");
    check(there.path(), "ATest", &["f=2 g=1"]);
    check(there.path(), "BTest", &[]);
    let forgotten = TraceStore::open(there.path()).unwrap().gc(&RetentionRule::default()).unwrap();
    assert_eq!((forgotten.traces, forgotten.fact_sets), (3, 2), "unreadable rows are deleted");
}

#[test]
fn a_truncated_file_never_gives_wrong_traces() {
    let there = tempfile::tempdir().unwrap();
    fill(there.path());
    let whole = fs::read(there.path().join("traces.db")).unwrap();
    for length in (0..whole.len()).step_by(1531).chain([1, 15, 16, 99, 100, 101, whole.len() - 1]) {
        fs::write(there.path().join("traces.db"), &whole[..length]).unwrap();
        nothing_new(there.path(), &format!("cut to {length}"));
        use_all(there.path());
        TraceStore::remove(there.path()).unwrap();
    }
}

#[test]
fn journal_files_of_another_store_are_not_used() {
    let there = tempfile::tempdir().unwrap();
    fill(there.path());
    for suffix in ["-wal", "-shm", "-journal"] {
        fs::write(there.path().join(format!("traces.db{suffix}")), [0x37u8; 40_000]).unwrap();
    }
    nothing_new(there.path(), "leftovers");
    pass(&mut TraceStore::open(there.path()).unwrap(), "ATest", "f=1 g=1 h=-");
    nothing_new(there.path(), "leftovers");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(150))]
    #[test]
    fn damage_anywhere_never_causes_a_panic_or_another_trace(
        changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..40),
    ) {
        let there = tempfile::tempdir().unwrap();
        fill(there.path());
        let path = there.path().join("traces.db");
        let mut bytes = fs::read(&path).unwrap();
        for (at, byte) in &changes {
            let at = at.index(bytes.len());
            bytes[at] = *byte;
        }
        fs::write(&path, &bytes).unwrap();
        nothing_new(there.path(), &format!("{changes:?}"));
        use_all(there.path());
    }
}
