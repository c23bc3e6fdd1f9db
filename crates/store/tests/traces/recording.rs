use crate::sample::{HYBRID, check, facts, find, load, pass, pass_in, run, test, traces};
use tamis_select::facts::FactTable;
use tamis_store::traces::{CommitOutcome, NewTrace, TraceStore, digest_of};

#[test]
fn recorded_traces_are_found_again() {
    let there = tempfile::tempdir().unwrap();
    let mut store = TraceStore::open(there.path()).unwrap();
    assert_eq!(pass(&mut store, "ATest", "f=1 g=2 h=-"), CommitOutcome::New);
    assert_eq!(pass(&mut store, "BTest", "f=1 i=-"), CommitOutcome::New);
    check(there.path(), "ATest", &["f=1 g=2 h=-"]);
    check(there.path(), "BTest", &["f=1 i=-"]);
    let stored = load(there.path());
    let trace = &find(&stored, "ATest").traces[0];
    assert_eq!(trace.digest, digest_of(&facts("h=- f=1 g=2")));
    assert_eq!(trace.microseconds, 7);
    assert_eq!(stored.runs[trace.run.unwrap()].id, "run");
    assert!(trace.recorded.elapsed().unwrap().as_secs() < 60);
    assert_eq!(stored.facts.len(), 4, "f=1 is kept once");
    assert_eq!(stored.unreadable, 0);
}

#[test]
fn a_class_and_its_methods_are_different_tests() {
    let there = tempfile::tempdir().unwrap();
    let mut store = TraceStore::open(there.path()).unwrap();
    let method = |name: &str| tamis_store::traces::TestKey { method: Some(name.to_owned()), ..test("ATest") };
    let [one, two]: [FactTable; 2] = ["f=1", "f=2"].map(|text| facts(text).into_iter().collect());
    for (key, facts) in [(test("ATest"), &one), (method("b"), &two), (method("a"), &one)] {
        let trace = NewTrace::of_all(key, HYBRID, facts, 0);
        assert_eq!(store.commit(&run("run"), &[trace]).unwrap(), [CommitOutcome::New]);
    }
    let stored = load(there.path());
    let names: Vec<_> = stored.tests.iter().map(|test| test.key.method.as_deref()).collect();
    assert_eq!(names, [None, Some("a"), Some("b")]);
    assert_eq!(stored.tests[0].traces[0].set, stored.tests[1].traces[0].set, "equal sets are one set");
    assert_eq!(stored.set_count(), 2);
}

#[test]
fn techniques_are_kept_apart() {
    let there = tempfile::tempdir().unwrap();
    let mut store = TraceStore::open(there.path()).unwrap();
    pass(&mut store, "ATest", "f=1");
    assert_eq!(pass_in(&mut store, &run("run"), "ATest", "class", "g=1"), CommitOutcome::New);
    check(there.path(), "ATest", &["f=1"]);
    assert_eq!(store.techniques().unwrap(), ["class", "hybrid"]);
    assert_eq!(store.load("edge").unwrap().tests[0].traces, []);
}

#[test]
fn the_same_facts_again_are_the_same_trace() {
    let there = tempfile::tempdir().unwrap();
    let mut store = TraceStore::open(there.path()).unwrap();
    pass(&mut store, "ATest", "f=1 g=2");
    assert_eq!(pass_in(&mut store, &run("later"), "ATest", HYBRID, "g=2 f=1 f=1"), CommitOutcome::Again);
    check(there.path(), "ATest", &["f=1 g=2"]);
    let stored = load(there.path());
    assert_eq!(stored.runs[find(&stored, "ATest").traces[0].run.unwrap()].id, "later");
}

#[test]
fn traces_that_differ_by_chance_are_united_and_never_shrink() {
    let there = tempfile::tempdir().unwrap();
    let mut store = TraceStore::open(there.path()).unwrap();
    pass(&mut store, "ATest", "f=1 g=1");
    assert_eq!(pass(&mut store, "ATest", "f=1 h=1"), CommitOutcome::United);
    check(there.path(), "ATest", &["f=1 g=1 h=1"]);
    assert_eq!(pass(&mut store, "ATest", "f=1 g=1"), CommitOutcome::Again);
    check(there.path(), "ATest", &["f=1 g=1 h=1"]);
    assert_eq!(pass(&mut store, "ATest", "f=2 g=1"), CommitOutcome::New);
    check(there.path(), "ATest", &["f=1 g=1 h=1", "f=2 g=1"]);
    // It agrees with both, and the next run may be like either.
    assert_eq!(pass(&mut store, "ATest", "g=1 i=1"), CommitOutcome::United);
    check(there.path(), "ATest", &["f=1 g=1 h=1 i=1", "f=2 g=1 i=1"]);
    assert_eq!(store.stats().unwrap().fact_sets, 2, "sets that were replaced are gone");
}

#[test]
fn facts_of_another_process_are_used_when_uniting() {
    let there = tempfile::tempdir().unwrap();
    pass(&mut TraceStore::open(there.path()).unwrap(), "ATest", "f=1 g=1");
    assert_eq!(pass(&mut TraceStore::open(there.path()).unwrap(), "ATest", "f=1 h=1"), CommitOutcome::United);
    check(there.path(), "ATest", &["f=1 g=1 h=1"]);
}

#[test]
fn a_recording_that_failed_is_not_a_trace() {
    let there = tempfile::tempdir().unwrap();
    let mut store = TraceStore::open(there.path()).unwrap();
    assert_eq!(pass(&mut store, "ATest", ""), CommitOutcome::Empty);
    assert_eq!(pass(&mut store, "ATest", "f=1 g=1 f=2"), CommitOutcome::Contradiction);
    check(there.path(), "ATest", &[]);
}

#[test]
fn the_ten_traces_that_held_last_are_kept() {
    let there = tempfile::tempdir().unwrap();
    let mut store = TraceStore::open(there.path()).unwrap();
    for version in 0..10 {
        pass(&mut store, "ATest", &format!("f={version}"));
    }
    // All except the first held long ago.
    crate::sample::sql(there.path(), "UPDATE trace SET matched = recorded - 100000000 + fact_set");
    store.matched(&[digest_of(&facts("f=0"))]).unwrap();
    pass(&mut store, "ATest", "f=10");
    pass(&mut store, "ATest", "f=11");
    let kept: Vec<String> =
        [0, 3, 4, 5, 6, 7, 8, 9, 10, 11].iter().map(|version| format!("f={version}")).collect();
    check(there.path(), "ATest", &kept.iter().map(String::as_str).collect::<Vec<_>>());
    let stored = load(there.path());
    let newest: Vec<_> = find(&stored, "ATest").traces.iter().take(3).map(|trace| trace.digest).collect();
    for version in ["f=0", "f=10", "f=11"] {
        assert!(newest.contains(&digest_of(&facts(version))), "{version} held last and is asked first");
    }
}

#[test]
fn deciding_stops_at_the_first_fact_that_does_not_hold() {
    let there = tempfile::tempdir().unwrap();
    let mut store = TraceStore::open(there.path()).unwrap();
    pass(&mut store, "ATest", "f=1 g=1 h=1");
    let stored = load(there.path());
    let mut asked = 0;
    let holds = stored.all(0, |_| {
        asked += 1;
        asked < 2
    });
    assert!(!holds && asked == 2);
    assert!(stored.all(0, |_| true));
    assert!(!stored.all(1, |_| true), "there is no such set");
}

#[test]
fn two_threads_read_a_large_store_completely() {
    let there = tempfile::tempdir().unwrap();
    let mut store = TraceStore::open(there.path()).unwrap();
    let text = |class: usize| (0..1000).map(|f| format!("{class}f{f}=1 ")).collect::<String>() + "shared=1";
    for class in 0..30 {
        pass(&mut store, &format!("Test{class}"), &text(class));
    }
    let stored = store.load(HYBRID).unwrap();
    assert_eq!(stored.facts.len(), 30_001);
    for class in 0..30 {
        assert_eq!(traces(there.path(), &format!("Test{class}")).len(), 1);
        check(there.path(), &format!("Test{class}"), &[&text(class)]);
    }
}
