use crate::sample::{check, find, finish, load, pass, run, sql};
use tamis_store::traces::{StoredOutcome, TraceStore};

#[test]
fn traces_of_another_store_are_added() {
    let there = tempfile::tempdir().unwrap();
    let (ours, theirs) = (there.path().join("ours"), there.path().join("theirs"));
    let mut store = TraceStore::open(&theirs).unwrap();
    pass(&mut store, "ATest", "f=2 g=1");
    pass(&mut store, "ATest", "f=1 g=1");
    pass(&mut store, "BTest", "f=2");
    finish(&mut store, &run("1"), "CTest", StoredOutcome::Failed, None);
    drop(store);
    let mut store = TraceStore::open(&ours).unwrap();
    pass(&mut store, "ATest", "f=1 g=1");
    assert_eq!(store.import(&theirs).unwrap(), 2);
    assert_eq!(store.import(&theirs).unwrap(), 0, "nothing is new the second time");
    check(&ours, "ATest", &["f=1 g=1", "f=2 g=1"]);
    check(&ours, "BTest", &["f=2"]);
    let stored = load(&ours);
    assert_eq!(find(&stored, "BTest").last, None, "outcomes are not imported");
    assert!(stored.tests.iter().all(|test| test.key.class != "CTest"));
}

#[test]
fn a_set_that_does_not_match_its_digest_is_not_imported() {
    let there = tempfile::tempdir().unwrap();
    let (ours, theirs) = (there.path().join("ours"), there.path().join("theirs"));
    let mut store = TraceStore::open(&theirs).unwrap();
    pass(&mut store, "ATest", "f=1");
    pass(&mut store, "BTest", "g=1");
    drop(store);
    sql(&theirs, "UPDATE fact SET answer = zeroblob(16) WHERE entity LIKE '%.g%'");
    let mut store = TraceStore::open(&ours).unwrap();
    assert_eq!(store.import(&theirs).unwrap(), 1);
    check(&ours, "BTest", &[]);
}

#[test]
fn an_import_keeps_at_most_ten_traces() {
    let there = tempfile::tempdir().unwrap();
    let (ours, theirs) = (there.path().join("ours"), there.path().join("theirs"));
    for (directory, letter) in [(&ours, 'o'), (&theirs, 't')] {
        let mut store = TraceStore::open(directory).unwrap();
        for version in 0..8 {
            pass(&mut store, "ATest", &format!("f={letter}{version}"));
        }
    }
    TraceStore::open(&ours).unwrap().import(&theirs).unwrap();
    assert_eq!(find(&load(&ours), "ATest").traces.len(), 10);
}

#[test]
fn importing_a_missing_store_is_an_error() {
    let there = tempfile::tempdir().unwrap();
    let mut store = TraceStore::open(there.path()).unwrap();
    let error = store.import(&there.path().join("nowhere")).unwrap_err();
    assert!(error.to_string().contains("there is no store"), "{error}");
}
