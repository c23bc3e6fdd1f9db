use crate::sample::{check, pass, run, sql, test};
use std::fs;
use std::path::Path;
use tamis_store::traces::{StoreError, StoreProblem, TraceStore};

/// Opens the store for writing and for reading. Both must refuse with one line.
fn refused(directory: &Path) -> StoreError {
    let reading = TraceStore::read_only(directory).err().expect("must not be read");
    let writing = TraceStore::open(directory).err().expect("must not be written");
    for error in [&reading, &writing] {
        let line = error.to_string();
        assert!(!line.contains(char::is_control) && line.contains("traces.db") && line.len() < 300, "{line}");
    }
    assert_eq!(
        std::mem::discriminant(&reading.problem),
        std::mem::discriminant(&writing.problem),
        "{reading} {writing}"
    );
    writing
}

#[test]
fn a_new_store_has_a_database_and_a_gitignore() {
    let there = tempfile::tempdir().unwrap();
    let directory = there.path().join("new/.tamis");
    assert!(TraceStore::read_only(&directory).unwrap().is_none(), "reading makes nothing");
    assert!(!directory.exists());
    drop(TraceStore::open(&directory).unwrap());
    let mut names: Vec<_> =
        fs::read_dir(&directory).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    names.sort();
    assert_eq!(names, [".gitignore", "traces.db"]);
    assert_eq!(fs::read_to_string(directory.join(".gitignore")).unwrap(), "*\n");
    fs::write(directory.join(".gitignore"), "mine").unwrap();
    drop(TraceStore::open(&directory).unwrap());
    assert_eq!(fs::read_to_string(directory.join(".gitignore")).unwrap(), "mine");
}

#[test]
fn an_empty_file_is_a_new_store() {
    let there = tempfile::tempdir().unwrap();
    fs::write(there.path().join("traces.db"), "").unwrap();
    assert!(TraceStore::read_only(there.path()).unwrap().is_none());
    pass(&mut TraceStore::open(there.path()).unwrap(), "ATest", "f=1");
    check(there.path(), "ATest", &["f=1"]);
}

#[test]
fn a_database_of_another_program_is_left_alone() {
    let there = tempfile::tempdir().unwrap();
    sql(there.path(), "CREATE TABLE bookmarks (url TEXT)");
    let before = fs::read(there.path().join("traces.db")).unwrap();
    assert!(matches!(refused(there.path()).problem, StoreProblem::Foreign));
    assert_eq!(fs::read(there.path().join("traces.db")).unwrap(), before);
}

#[test]
fn a_store_of_a_newer_version_is_refused_with_advice() {
    let there = tempfile::tempdir().unwrap();
    drop(TraceStore::open(there.path()).unwrap());
    sql(there.path(), "PRAGMA user_version = 99; CREATE TABLE later (x)");
    let error = refused(there.path());
    assert!(matches!(error.problem, StoreProblem::Newer));
    assert!(error.to_string().contains("newer tamis; update"), "{error}");
}

#[test]
fn tables_that_are_not_ours_are_refused() {
    for change in [
        "DROP TABLE verdict",
        "ALTER TABLE test ADD COLUMN more TEXT",
        "ALTER TABLE trace RENAME TO other; CREATE VIEW trace AS SELECT * FROM other",
        "DROP INDEX fact_checksum",
        "PRAGMA user_version = -1",
    ] {
        let there = tempfile::tempdir().unwrap();
        drop(TraceStore::open(there.path()).unwrap());
        sql(there.path(), change);
        assert!(matches!(refused(there.path()).problem, StoreProblem::Damaged(_)), "{change}");
    }
}

#[test]
fn triggers_in_the_file_do_not_run() {
    let there = tempfile::tempdir().unwrap();
    pass(&mut TraceStore::open(there.path()).unwrap(), "ATest", "f=1");
    sql(
        there.path(),
        "CREATE TABLE notes (x); CREATE VIEW mine AS SELECT * FROM tests; \
         CREATE TRIGGER t AFTER INSERT ON trace BEGIN DELETE FROM trace; END",
    );
    pass(&mut TraceStore::open(there.path()).unwrap(), "ATest", "f=2");
    check(there.path(), "ATest", &["f=1", "f=2"]);
}

#[test]
fn a_file_that_is_not_a_database_is_damaged_and_can_be_removed() {
    let there = tempfile::tempdir().unwrap();
    fs::write(there.path().join("traces.db"), "<html>404</html>".repeat(100)).unwrap();
    assert!(matches!(refused(there.path()).problem, StoreProblem::Damaged(_)));
    TraceStore::remove(there.path()).unwrap();
    TraceStore::remove(there.path()).unwrap();
    pass(&mut TraceStore::open(there.path()).unwrap(), "ATest", "f=1");
}

#[test]
fn a_directory_or_a_pipe_is_refused() {
    let there = tempfile::tempdir().unwrap();
    fs::create_dir(there.path().join("traces.db")).unwrap();
    assert!(matches!(refused(there.path()).problem, StoreProblem::Foreign));
    fs::remove_dir(there.path().join("traces.db")).unwrap();
    let made = std::process::Command::new("mkfifo").arg(there.path().join("traces.db")).status().unwrap();
    assert!(made.success());
    assert!(matches!(refused(there.path()).problem, StoreProblem::Foreign));
}

#[test]
fn an_impossible_directory_is_an_error_of_one_line() {
    let there = tempfile::tempdir().unwrap();
    fs::write(there.path().join("file"), "").unwrap();
    let error = TraceStore::open(&there.path().join("file/.tamis")).err().unwrap();
    assert!(error.to_string().contains(".tamis cannot be used: "), "{error}");
    let line = TraceStore::open(&there.path().join("file/two\nlines")).err().unwrap().to_string();
    assert!(!line.contains('\n'), "{line}");
}

#[test]
fn a_store_opened_for_reading_cannot_be_written() {
    let there = tempfile::tempdir().unwrap();
    pass(&mut TraceStore::open(there.path()).unwrap(), "ATest", "f=1");
    let mut store = TraceStore::read_only(there.path()).unwrap().unwrap();
    let error = store.started(&run("1"), &[test("ATest")]).unwrap_err();
    assert!(matches!(error.problem, StoreProblem::ReadOnly), "{error}");
    check(there.path(), "ATest", &["f=1"]);
}

#[test]
fn a_store_can_be_copied_to_another_directory() {
    let there = tempfile::tempdir().unwrap();
    let (from, to) = (there.path().join("from"), there.path().join("to #%? ü"));
    pass(&mut TraceStore::open(&from).unwrap(), "ATest", "f=1");
    fs::create_dir(&to).unwrap();
    fs::copy(from.join("traces.db"), to.join("traces.db")).unwrap();
    fs::remove_dir_all(&from).unwrap();
    check(&to, "ATest", &["f=1"]);
    pass(&mut TraceStore::open(&to).unwrap(), "ATest", "f=2");
    check(&to, "ATest", &["f=1", "f=2"]);
}

#[test]
fn a_copy_of_a_store_in_use_has_all_committed_traces() {
    let there = tempfile::tempdir().unwrap();
    let (from, to) = (there.path().join("from"), there.path().join("to"));
    let mut store = TraceStore::open(&from).unwrap();
    pass(&mut store, "ATest", "f=1");
    fs::create_dir(&to).unwrap();
    for entry in fs::read_dir(&from).unwrap() {
        let path = entry.unwrap().path();
        fs::copy(&path, to.join(path.file_name().unwrap())).unwrap();
    }
    check(&to, "ATest", &["f=1"]);
}

#[test]
fn clearing_leaves_a_usable_store() {
    let there = tempfile::tempdir().unwrap();
    let mut store = TraceStore::open(there.path()).unwrap();
    pass(&mut store, "ATest", "f=1");
    store.clear().unwrap();
    check(there.path(), "ATest", &[]);
    assert_eq!(store.stats().unwrap().facts, 0);
    pass(&mut store, "ATest", "f=1");
    check(there.path(), "ATest", &["f=1"]);
}
