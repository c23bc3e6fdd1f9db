//! Damage to the file causes neither a panic nor a wrong result.

use crate::sample::{content, key, load, record, stamp};
use std::fs;
use std::path::Path;
use tamis_store::index::{DigestIndex, LoadStart};

const NAMES: [&str; 3] = ["a", "b", "b$c"];

fn written(path: &Path) -> Vec<u8> {
    load(path, &NAMES.map(|name| (name, stamp(name.len() as u64))));
    fs::read(path).unwrap()
}

/// Opens a damaged index; returns whether it still gives all results.
fn ask(path: &Path, what: &str) -> bool {
    let index = DigestIndex::open(path, LoadStart::now());
    let known = index.known();
    let mut files = known.files(b"root");
    let mut all = true;
    for name in NAMES {
        let answer = files.content(name, &stamp(name.len() as u64));
        assert!(answer.is_none_or(|answer| answer == content(name)), "{what}: wrong content for {name}");
        let mut records = Vec::new();
        let found = known.family(&key(name), &mut Vec::new(), &mut records);
        assert_eq!(records, if found { vec![record(name)] } else { vec![] }, "{what}: {name}");
        all &= found && answer.is_some();
    }
    if let Some(problem) = &index.problem {
        assert!(!all && !problem.contains('\n') && problem.ends_with("read instead"), "{what}: {problem}");
    }
    all
}

#[test]
fn every_changed_byte_is_detected() {
    let there = tempfile::tempdir().unwrap();
    let path = there.path().join("index");
    let whole = written(&path);
    assert!(ask(&path, "untouched"));
    for at in 0..whole.len() {
        let mut bytes = whole.clone();
        bytes[at] ^= 1 << (at % 8);
        fs::write(&path, &bytes).unwrap();
        assert!(!ask(&path, &format!("byte {at}")), "byte {at}");
    }
}

#[test]
fn every_truncation_is_detected() {
    let there = tempfile::tempdir().unwrap();
    let path = there.path().join("index");
    let whole = written(&path);
    for length in 0..whole.len() {
        fs::write(&path, &whole[..length]).unwrap();
        assert!(!ask(&path, &format!("cut to {length}")));
        assert!(DigestIndex::open(&path, LoadStart::now()).problem.is_some(), "cut to {length}");
    }
    fs::write(&path, [&whole[..], b"x"].concat()).unwrap();
    assert!(!ask(&path, "one byte more"));
}

#[test]
fn the_reason_is_reported() {
    let there = tempfile::tempdir().unwrap();
    let path = there.path().join("index");
    let whole = written(&path);
    let with = |at: usize, byte: u8| {
        let mut bytes = whole.clone();
        bytes[at] ^= byte;
        bytes
    };
    for (bytes, reason) in [
        (b"hello".to_vec(), "it is not an index of tamis"),
        (with(0, 1), "it is not an index of tamis"),
        (with(8, 1), "it was written by another version of tamis"),
        (with(12, 1), "it was written by another version of tamis"),
        (whole[..whole.len() - 1].to_vec(), "its length is wrong"),
        (with(60, 1), "its checksum is wrong"),
    ] {
        fs::write(&path, bytes).unwrap();
        let problem = DigestIndex::open(&path, LoadStart::now()).problem.unwrap();
        assert!(problem.contains(reason), "{problem}");
    }
    fs::remove_file(&path).unwrap();
    assert!(DigestIndex::open(&path, LoadStart::now()).problem.is_none(), "no index is no problem");
    fs::create_dir(&path).unwrap();
    assert!(DigestIndex::open(&path, LoadStart::now()).problem.is_some());
}

#[test]
fn a_damaged_index_is_written_again() {
    let there = tempfile::tempdir().unwrap();
    let path = there.path().join("index");
    let mut bytes = written(&path);
    let last = bytes.len() - 1;
    bytes[last] ^= 1; // Within the records of the last family, so the others stay intact.
    fs::write(&path, &bytes).unwrap();
    assert!(!ask(&path, "last byte"));
    assert!(DigestIndex::open(&path, LoadStart::now()).problem.is_none());
    written(&path);
    assert!(ask(&path, "written again"));
}
