//! Malicious jars: cut, flipped, encrypted, bombs. They give an error or a problem, never a panic or a wrong
//! class.

use crate::Disk;
use std::fs;
use std::time::{Duration, Instant};
use tamis_project::classpath::ClassPath;
use tamis_test_support::jar;

const CONTENT: &str = "the content of a class, which is not a class, but the reader of jars does not care";

fn sample() -> Vec<u8> {
    let manifest = "Manifest-Version: 1.0\r\nMulti-Release: true\r\nClass-Path: none.jar\r\n";
    let entries = [
        ("META-INF/MANIFEST.MF", manifest),
        ("p/A.class", CONTENT),
        ("META-INF/versions/9/p/A.class", CONTENT),
    ];
    [jar::deflated(&entries), b"tail".to_vec()].concat()
}

/// Opens and reads everything; a class that can be read must have its original content.
fn survives(disk: &Disk, bytes: &[u8]) -> Option<ClassPath> {
    disk.write("hostile.jar", bytes);
    let class_path = match disk.try_open_for(Some(17), &["hostile.jar"]) {
        Ok(class_path) => class_path,
        Err(error) => {
            assert!(disk.shown(error).starts_with("hostile.jar: "));
            return None;
        }
    };
    let mut buffer = Vec::new();
    for entry in class_path.classes().iter().chain(class_path.shadowed()) {
        match class_path.read(entry, &mut buffer) {
            Ok(()) => assert_eq!(buffer, CONTENT.as_bytes()),
            Err(error) => assert!(disk.shown(error).starts_with("hostile.jar!/")),
        }
    }
    disk.problems(&class_path);
    Some(class_path)
}

#[test]
fn a_jar_cut_anywhere_is_an_error() {
    let disk = Disk::new();
    let whole = sample();
    let archive = whole.len() - b"tail".len();
    for length in 0..whole.len() {
        let opened = survives(&disk, &whole[..length]);
        assert_eq!(opened.is_some(), length >= archive, "cut to {length} of {archive}");
    }
}

#[test]
fn a_flipped_bit_gives_no_wrong_class() {
    let disk = Disk::new();
    let mut bytes = sample();
    for at in 0..bytes.len() {
        for bit in 0..8 {
            bytes[at] ^= 1 << bit;
            survives(&disk, &bytes);
            bytes[at] ^= 1 << bit;
        }
    }
}

#[test]
fn a_number_set_to_its_extreme_anywhere_gives_no_wrong_class() {
    let disk = Disk::new();
    let bytes = sample();
    for width in [2, 4] {
        for at in 0..bytes.len() - width {
            for value in [0x00, 0x7F, 0xFF] {
                let mut bytes = bytes.clone();
                bytes[at..at + width].fill(value);
                survives(&disk, &bytes);
            }
        }
    }
}

/// Changes a field of the central directory's entry for `p/A.class`.
fn with_field(entries: &[(&str, &str)], at: usize, value: &[u8]) -> Vec<u8> {
    let mut bytes = jar::deflated(entries);
    let name = bytes.windows(9).rposition(|window| window == b"p/A.class").unwrap();
    let field = name - 46 + at;
    bytes[field..field + value.len()].copy_from_slice(value);
    bytes
}

#[test]
fn an_entry_that_cannot_be_decoded_is_a_problem_and_still_hides_later_ones() {
    let disk = Disk::new();
    let check = |at: usize, value: &[u8], why: &str| {
        disk.write("a.jar", with_field(&[("p/A.class", CONTENT), ("p/B.class", CONTENT)], at, value));
        disk.write("b.jar", jar::stored(&[("p/A.class", "another")]));
        let class_path = disk.open(&["a.jar", "b.jar"]);
        assert_eq!(disk.problems(&class_path), [format!("a.jar!/p/A.class: {why}")]);
        assert_eq!(disk.refusal(&class_path, "p/A"), format!("a.jar!/p/A.class: {why}"));
        assert_eq!(crate::text(&class_path, "p/B"), CONTENT);
    };
    let store = "store the entry plain or deflated";
    check(8, &1u16.to_le_bytes(), &format!("the entry is encrypted; {store}"));
    check(10, &12u16.to_le_bytes(), &format!("compressed with method 12; {store}"));
    let large = "bytes are more than a class can have; remove it from the class path";
    check(24, &u32::MAX.to_le_bytes(), &format!("4294967295 {large}"));
    check(20, &(65u32 << 20).to_le_bytes(), &format!("68157440 {large}"));
    let again = "build it again, or fetch it again";
    check(
        42,
        &0x7FFF_FFFFu32.to_le_bytes(),
        &format!("malformed at byte 0x7fffffff: the entry's data lies outside the archive; {again}"),
    );
}

#[test]
fn an_entry_that_contradicts_the_directory_is_refused_when_read() {
    let disk = Disk::new();
    let check = |at: usize, value: &[u8], why: &str| {
        disk.write("a.jar", with_field(&[("p/A.class", CONTENT)], at, value));
        let class_path = disk.open(&["a.jar"]);
        let refusal = disk.refusal(&class_path, "p/A");
        assert!(refusal.starts_with("a.jar!/p/A.class: malformed at byte "), "{refusal}");
        assert!(refusal.contains(why), "{refusal}");
    };
    check(16, &[0; 4], "the entry's check sum does not match its content");
    check(42, &[1, 0, 0, 0], "lies outside the archive");
    check(24, &5u32.to_le_bytes(), "corrupt, or not as long as it should be");
    check(24, &500u32.to_le_bytes(), "corrupt, or not as long as it should be");
    check(24, &(60u32 << 20).to_le_bytes(), "claims to inflate to more than is possible");
    check(10, &[0, 0], "a stored entry whose two sizes differ");
}

#[test]
fn a_bomb_costs_nothing() {
    let disk = Disk::new();
    let zeros = "\0".repeat(100 << 20);
    let honest = jar::deflated(&[("p/A.class", zeros.as_str())]);
    let small = with_field(&[("p/A.class", &zeros)], 24, &1000u32.to_le_bytes());
    let start = Instant::now();
    disk.write("a.jar", honest);
    assert!(disk.refusal(&disk.open(&["a.jar"]), "p/A").contains("more than a class can have"));
    disk.write("a.jar", small);
    assert!(disk.refusal(&disk.open(&["a.jar"]), "p/A").contains("not as long as it should be"));
    assert!(start.elapsed() < Duration::from_secs(1));
}

#[test]
fn the_search_ends_soon_in_a_file_full_of_end_records() {
    let disk = Disk::new();
    let start = Instant::now();
    disk.write("a.jar", b"PK\x05\x06".repeat(50_000));
    disk.try_open_for(None, &["a.jar"]).unwrap_err();
    assert!(start.elapsed() < Duration::from_secs(5));
}

#[test]
fn a_huge_sparse_file_does_not_fill_the_memory() {
    let disk = Disk::new();
    let path = disk.write("a.jar", "");
    let file = fs::File::options().write(true).open(&path).unwrap();
    file.set_len(8 << 30).unwrap();
    use std::os::unix::fs::FileExt;
    // An end record that claims a central directory of 4 GiB less one byte.
    let end = [b"PK\x05\x06".as_slice(), &[0; 8], &(u32::MAX - 1).to_le_bytes(), &[0; 6]].concat();
    file.write_all_at(&end, (8 << 30) - 22).unwrap();
    let error = disk.try_open_for(None, &["a.jar"]).unwrap_err();
    assert!(error.to_string().contains("not a class path entry"), "{error}");
    file.write_all_at(b"PK\x03\x04", 0).unwrap();
    let error = disk.try_open_for(None, &["a.jar"]).unwrap_err();
    assert!(error.to_string().contains("the central directory is larger than any real one"), "{error}");
}

#[test]
fn a_jar_truncated_after_opening_is_an_error() {
    let disk = Disk::new();
    disk.write("a.jar", jar::deflated(&[("A.class", CONTENT)]));
    let class_path = disk.open(&["a.jar"]);
    fs::File::options().write(true).open(disk.at("a.jar")).unwrap().set_len(10).unwrap();
    let why = "changed after the class path was listed; try again when the build has ended";
    assert_eq!(disk.refusal(&class_path, "A"), format!("a.jar!/A.class: {why}"));
}
