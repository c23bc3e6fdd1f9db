//! Several processes use one store. A child process is this program again, with its role in the environment.

use crate::sample::{HYBRID, find, finish, load, pass, pass_in, run, sql, test};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};
use tamis_store::traces::{RetentionRule, StoreProblem, StoredOutcome, TraceStore};

const DIRECTORY: &str = "TAMIS_TEST_STORE";
const NAME: &str = "TAMIS_TEST_CHILD";

/// Starts a child that records tests named after it.
fn child(directory: &Path, name: &str) -> Child {
    Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "processes::the_child_of_other_tests", "--nocapture"])
        .env(DIRECTORY, directory)
        .env(NAME, name)
        .stdout(Stdio::null())
        .spawn()
        .unwrap()
}

#[test]
fn the_child_of_other_tests() {
    let (Ok(directory), Ok(name)) = (std::env::var(DIRECTORY), std::env::var(NAME)) else { return };
    let mut store = TraceStore::open(&PathBuf::from(directory)).unwrap();
    for number in 0..if name == "endless" { usize::MAX } else { 60 } {
        let class = format!("{name}{number}");
        store.started(&run(&name), &[test(&class)]).unwrap();
        pass_in(&mut store, &run(&name), &class, HYBRID, &format!("shared=1 own{number}=1 {name}=1"));
        finish(&mut store, &run(&name), &class, StoredOutcome::Passed, None);
    }
}

#[test]
fn concurrent_processes_lose_nothing() {
    let there = tempfile::tempdir().unwrap();
    let directory = there.path().join("store");
    let names = ["one", "two", "three"];
    let children: Vec<Child> = names.iter().map(|name| child(&directory, name)).collect();
    // Another process deletes unused facts meanwhile. Known numbers must not be given to other facts.
    let mut store = TraceStore::open(&directory).unwrap();
    for _ in 0..5 {
        store.gc(&RetentionRule::default()).unwrap();
        std::thread::sleep(Duration::from_millis(20));
    }
    for mut child in children {
        assert!(child.wait().unwrap().success());
    }
    let stored = load(&directory);
    for name in names {
        for number in 0..60 {
            let test = find(&stored, &format!("{name}{number}"));
            assert_eq!((test.last, test.running, test.traces.len()), (Some(StoredOutcome::Passed), false, 1));
            let facts = crate::sample::of(&stored, test.traces[0].set).unwrap();
            let mut expected = crate::sample::facts(&format!("shared=1 own{number}=1 {name}=1"));
            expected.sort();
            assert_eq!(facts, expected);
        }
    }
}

#[test]
fn a_killed_process_loses_at_most_the_running_test() {
    let there = tempfile::tempdir().unwrap();
    for round in 0..8 {
        let directory = there.path().join(round.to_string());
        let mut child = child(&directory, "endless");
        let recorded = |directory: &Path| match TraceStore::read_only(directory) {
            Ok(Some(store)) => store.stats().map_or(0, |stats| stats.traces),
            _ => 0,
        };
        let began = Instant::now();
        while recorded(&directory) < 5 {
            assert!(began.elapsed() < Duration::from_secs(60), "the child records nothing");
        }
        std::thread::sleep(Duration::from_micros(1700 * round));
        let seen = recorded(&directory);
        child.kill().unwrap();
        child.wait().unwrap();
        // The next process can write.
        let mut store = TraceStore::open(&directory).unwrap();
        pass(&mut store, "next", "f=1");
        let stored = store.load(HYBRID).unwrap();
        let mut whole: Vec<usize> = Vec::new();
        for test in stored.tests.iter().filter(|test| test.key.class != "next") {
            let number: usize = test.key.class.strip_prefix("endless").unwrap().parse().unwrap();
            match (test.last, test.running) {
                (Some(StoredOutcome::Passed), false) => {
                    assert!(stored.facts_of(test.traces[0].set).is_some_and(|facts| facts.len() == 3));
                    whole.push(number);
                }
                (None, true) => {} // The test that was running.
                other => panic!("{number} is {other:?}"),
            }
        }
        whole.sort_unstable();
        assert!(whole.iter().copied().eq(0..whole.len()), "{whole:?}");
        assert!(
            whole.len() as u64 + 1 >= seen,
            "{seen} were recorded before the kill, {} are left",
            whole.len()
        );
        assert!(stored.tests.len() <= whole.len() + 2, "at most one test was running");
    }
}

#[test]
fn a_locked_store_is_busy_and_can_be_read() {
    let there = tempfile::tempdir().unwrap();
    let mut store = TraceStore::open(there.path()).unwrap();
    pass(&mut store, "ATest", "f=1");
    let other = rusqlite::Connection::open(there.path().join("traces.db")).unwrap();
    other.execute_batch("BEGIN IMMEDIATE").unwrap();
    store.patience(Duration::from_millis(20)).unwrap();
    let error = store.started(&run("1"), &[test("ATest")]).unwrap_err();
    assert!(matches!(error.problem, StoreProblem::Busy), "{error}");
    assert_eq!(load(there.path()).tests.len(), 1);
    other.execute_batch("COMMIT").unwrap();
    store.started(&run("1"), &[test("ATest")]).unwrap();
}

#[test]
fn a_full_disk_loses_only_the_last_transaction() {
    let there = tempfile::tempdir().unwrap();
    let mut store = TraceStore::open(there.path()).unwrap();
    pass(&mut store, "ATest", "f=1");
    drop(store);
    // A separate file system would need privileges; a limit on file sizes does not.
    let script = "trap '' XFSZ; ulimit -f 200; exec \"$0\" --exact processes::the_child_that_meets_the_limit --nocapture";
    let status = Command::new("sh")
        .args(["-c", script])
        .arg(std::env::current_exe().unwrap())
        .env(DIRECTORY, there.path())
        .env(NAME, "full")
        .stdout(Stdio::null())
        .status()
        .unwrap();
    assert!(status.success());
    let mut store = TraceStore::open(there.path()).unwrap();
    crate::sample::check(there.path(), "ATest", &["f=1"]);
    crate::sample::check(there.path(), "BTest", &[]);
    pass(&mut store, "BTest", "f=2");
}

#[test]
fn the_child_that_meets_the_limit() {
    let (Ok(directory), Ok("full")) = (std::env::var(DIRECTORY), std::env::var(NAME).as_deref()) else {
        return;
    };
    let mut store = TraceStore::open(&PathBuf::from(directory)).unwrap();
    let many = crate::sample::facts(&(0..50_000).map(|number| format!("f{number}=1 ")).collect::<String>());
    let many = many.into_iter().collect();
    let trace = tamis_store::traces::NewTrace::of_all(test("BTest"), HYBRID, &many, 0);
    let error = store.commit(&run("1"), &[trace]).unwrap_err();
    assert!(matches!(error.problem, StoreProblem::Full | StoreProblem::Failed(_)), "{error}");
    // The store can still be read.
    assert_eq!(store.load(HYBRID).unwrap().tests.len(), 1);
}

#[test]
fn a_store_without_a_log_works() {
    let there = tempfile::tempdir().unwrap();
    drop(TraceStore::open(there.path()).unwrap());
    // As on a network file system. An open reader prevents switching back.
    sql(there.path(), "PRAGMA journal_mode = DELETE");
    let other = rusqlite::Connection::open(there.path().join("traces.db")).unwrap();
    other.execute_batch("BEGIN; SELECT * FROM test").unwrap();
    let mut store = TraceStore::open(there.path()).unwrap();
    other.execute_batch("COMMIT").unwrap();
    pass(&mut store, "ATest", "f=1");
    assert!(!there.path().join("traces.db-wal").exists());
    crate::sample::check(there.path(), "ATest", &["f=1"]);
}
