use crate::sample::{always, check, facts, find, finish, load, pass, run, sql, test};
use std::time::Duration;
use tamis_store::traces::{ForgottenCounts, RetentionRule, StoredOutcome, TestKey, TraceStore, digest_of};

const DAY: Duration = Duration::from_secs(86_400);
const MONTH: &str = "2600000000";

#[test]
fn gc_keeps_everything_in_use() {
    let there = tempfile::tempdir().unwrap();
    let mut store = TraceStore::open(there.path()).unwrap();
    pass(&mut store, "ATest", "f=1 g=1");
    pass(&mut store, "ATest", "f=2");
    finish(&mut store, &run("1"), "BTest", StoredOutcome::Failed, None);
    always(&mut store, "CTest", Some("gap"));
    let before = store.stats().unwrap();
    let keep = RetentionRule { matched_within: Some(30 * DAY), tests: Some(&|_| true) };
    assert_eq!(store.gc(&keep).unwrap(), ForgottenCounts::default());
    assert_eq!(store.gc(&RetentionRule::default()).unwrap(), ForgottenCounts::default());
    check(there.path(), "ATest", &["f=1 g=1", "f=2"]);
    assert_eq!(find(&load(there.path()), "BTest").last, Some(StoredOutcome::Failed));
    assert_eq!(find(&load(there.path()), "CTest").always.as_deref(), Some("gap"));
    assert_eq!(store.stats().unwrap().facts, before.facts);
}

#[test]
fn gc_deletes_old_traces_with_their_facts() {
    let there = tempfile::tempdir().unwrap();
    let mut store = TraceStore::open(there.path()).unwrap();
    pass(&mut store, "ATest", "f=1 g=1");
    pass(&mut store, "ATest", "f=2 g=1");
    pass(&mut store, "BTest", "f=3");
    sql(there.path(), &format!("UPDATE trace SET matched = matched - {MONTH}"));
    store.matched(&[digest_of(&facts("g=1 f=2"))]).unwrap();
    let forgotten = store.gc(&RetentionRule { matched_within: Some(10 * DAY), tests: None }).unwrap();
    assert_eq!(forgotten, ForgottenCounts { tests: 1, traces: 2, fact_sets: 2, facts: 2 });
    check(there.path(), "ATest", &["f=2 g=1"]);
    // The store continues to work: no number is used twice.
    pass(&mut store, "BTest", "f=3 g=2");
    check(there.path(), "BTest", &["f=3 g=2"]);
    check(there.path(), "ATest", &["f=2 g=1"]);
}

#[test]
fn gc_deletes_tests_that_no_longer_exist() {
    let there = tempfile::tempdir().unwrap();
    let mut store = TraceStore::open(there.path()).unwrap();
    pass(&mut store, "ATest", "f=1");
    pass(&mut store, "BTest", "f=1");
    finish(&mut store, &run("1"), "CTest", StoredOutcome::Failed, None);
    store.started(&run("1"), &[test("CTest")]).unwrap();
    let is_there = |key: &TestKey| key.class == "ATest";
    let forgotten = store.gc(&RetentionRule { matched_within: None, tests: Some(&is_there) }).unwrap();
    assert_eq!(forgotten.tests, 2);
    let stored = load(there.path());
    assert_eq!(stored.tests.iter().map(|test| &*test.key.class).collect::<Vec<_>>(), ["ATest"]);
    assert!(store.verdicts().unwrap().is_empty());
}

#[test]
fn gc_turns_an_old_mark_into_a_crash() {
    let there = tempfile::tempdir().unwrap();
    let mut store = TraceStore::open(there.path()).unwrap();
    pass(&mut store, "ATest", "f=1");
    finish(&mut store, &run("1"), "ATest", StoredOutcome::Passed, None);
    store.started(&run("2"), &[test("ATest")]).unwrap();
    sql(there.path(), &format!("UPDATE running SET since = since - {MONTH}"));
    store.gc(&RetentionRule { matched_within: Some(DAY), tests: None }).unwrap();
    let stored = load(there.path());
    let test = find(&stored, "ATest");
    assert_eq!((test.running, test.last), (false, Some(StoredOutcome::Crashed)));
}

#[test]
fn gc_returns_space_to_the_disk() {
    let there = tempfile::tempdir().unwrap();
    let mut store = TraceStore::open(there.path()).unwrap();
    let many: String = (0..20_000).map(|number| format!("f{number}=1 ")).collect();
    pass(&mut store, "ATest", &many);
    let size = || std::fs::metadata(there.path().join("traces.db")).unwrap().len();
    store.gc(&RetentionRule::default()).unwrap();
    let before = size();
    store.gc(&RetentionRule { matched_within: None, tests: Some(&|_| false) }).unwrap();
    assert!(before > 1_000_000 && size() < 300_000, "{before} and then {}", size());
    assert_eq!(store.stats().unwrap().free, 0);
}

#[test]
fn a_trace_that_holds_is_marked_as_matched() {
    let there = tempfile::tempdir().unwrap();
    let mut store = TraceStore::open(there.path()).unwrap();
    pass(&mut store, "ATest", "f=1");
    pass(&mut store, "BTest", "f=1");
    sql(there.path(), "UPDATE trace SET matched = 0");
    store.matched(&[digest_of(&facts("f=1")), digest_of(&facts("f=404"))]).unwrap();
    let stored = load(there.path());
    for class in ["ATest", "BTest"] {
        assert!(find(&stored, class).traces[0].matched.elapsed().unwrap() < DAY, "{class} shares the set");
    }
}
