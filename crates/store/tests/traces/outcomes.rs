use crate::sample::{always, find, finish, load, pass, run, test};
use tamis_store::traces::{StoredOutcome, TraceStore};

#[test]
fn outcomes_are_stored_without_traces() {
    let there = tempfile::tempdir().unwrap();
    let mut store = TraceStore::open(there.path()).unwrap();
    for outcome in StoredOutcome::ALL {
        finish(&mut store, &run("1"), outcome.word(), *outcome, None);
    }
    let stored = load(there.path());
    assert_eq!(stored.tests.len(), StoredOutcome::ALL.len());
    for outcome in StoredOutcome::ALL {
        assert_eq!(find(&stored, outcome.word()).last, Some(*outcome));
    }
}

#[test]
fn a_test_that_was_started_and_not_finished_counts_as_running() {
    let there = tempfile::tempdir().unwrap();
    let mut store = TraceStore::open(there.path()).unwrap();
    pass(&mut store, "ATest", "f=1");
    finish(&mut store, &run("1"), "ATest", StoredOutcome::Passed, None);
    store.started(&run("2"), &[test("ATest"), test("BTest")]).unwrap();
    finish(&mut store, &run("2"), "BTest", StoredOutcome::Passed, None);
    drop(store);
    let stored = load(there.path());
    assert!(find(&stored, "ATest").running);
    assert!(!find(&stored, "BTest").running);
    // The next run ends normally.
    let mut store = TraceStore::open(there.path()).unwrap();
    store.started(&run("3"), &[test("ATest")]).unwrap();
    finish(&mut store, &run("3"), "ATest", StoredOutcome::Passed, None);
    assert!(!find(&load(there.path()), "ATest").running);
}

#[test]
fn a_test_started_by_a_later_run_stays_marked() {
    let there = tempfile::tempdir().unwrap();
    let mut store = TraceStore::open(there.path()).unwrap();
    store.started(&run("early"), &[test("ATest")]).unwrap();
    std::thread::sleep(std::time::Duration::from_millis(5));
    store.started(&run("late"), &[test("ATest")]).unwrap();
    finish(&mut store, &run("early"), "ATest", StoredOutcome::Passed, None);
    assert!(find(&load(there.path()), "ATest").running, "the later run is still running");
    finish(&mut store, &run("late"), "ATest", StoredOutcome::Passed, None);
    assert!(!find(&load(there.path()), "ATest").running);
}

#[test]
fn twenty_outcomes_are_kept_in_order() {
    let there = tempfile::tempdir().unwrap();
    let mut store = TraceStore::open(there.path()).unwrap();
    finish(&mut store, &run("0"), "ATest", StoredOutcome::Failed, Some("a"));
    assert!(!find(&load(there.path()), "ATest").flaky);
    for number in 0..20 {
        finish(&mut store, &run("1"), "ATest", StoredOutcome::Passed, Some("a"));
        let flaky = find(&load(there.path()), "ATest").flaky;
        assert_eq!(flaky, number < 19, "after {number} more: flaky until the failure is forgotten");
    }
    finish(&mut store, &run("1"), "ATest", StoredOutcome::Aborted, None);
    let verdicts = store.verdicts().unwrap();
    assert_eq!(verdicts.len(), 1);
    let (key, verdicts) = &verdicts[0];
    assert_eq!((key, verdicts.len()), (&test("ATest"), 20));
    assert_eq!(verdicts[19].outcome, StoredOutcome::Aborted);
    assert!(
        verdicts[..19]
            .iter()
            .all(|verdict| verdict.outcome == StoredOutcome::Passed && verdict.microseconds == 3)
    );
}

#[test]
fn a_reason_to_always_run_stays_until_it_is_withdrawn() {
    let there = tempfile::tempdir().unwrap();
    let mut store = TraceStore::open(there.path()).unwrap();
    always(&mut store, "ATest", Some("a method is too large"));
    assert_eq!(find(&load(there.path()), "ATest").always.as_deref(), Some("a method is too large"));
    always(&mut store, "ATest", None);
    assert_eq!(find(&load(there.path()), "ATest").always, None);
}
