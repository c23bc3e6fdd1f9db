//! The entries that an index keeps and drops.

use crate::sample::{OLD, load, stamp};
use std::fs;
use std::os::unix::fs::MetadataExt;
use std::time::SystemTime;
use tamis_program::stamp::FileStamp;
use tamis_store::index::{DigestIndex, LoadStart};

fn names(list: &[&str]) -> Vec<String> {
    list.iter().map(ToString::to_string).collect()
}

#[test]
fn used_files_are_found_by_stamp_and_families_by_content() {
    let there = tempfile::tempdir().unwrap();
    let path = there.path().join("not/there/yet/index");
    let classes = [("a", stamp(1)), ("b", stamp(2)), ("b$c", stamp(3))];
    assert_eq!(load(&path, &classes), (vec![], vec![]));
    assert_eq!(load(&path, &classes), (names(&["a", "b", "b$c"]), names(&["a", "b", "b$c"])));
    assert!(DigestIndex::open(&path, LoadStart::now()).problem.is_none());
}

#[test]
fn each_part_of_a_stamp_counts() {
    let there = tempfile::tempdir().unwrap();
    let path = there.path().join("index");
    let was = stamp(1);
    for other in [
        FileStamp { size: 8, ..was },
        FileStamp { mtime_ns: OLD - 1, ..was },
        FileStamp { ctime_ns: OLD, ..was },
        FileStamp { inode: 2, ..was },
        FileStamp { device: 8, ..was },
    ] {
        load(&path, &[("a", was)]);
        assert_eq!(load(&path, &[("a", was)]).0, names(&["a"]));
        assert_eq!(load(&path, &[("a", other)]), (vec![], names(&["a"])), "{other:?}");
    }
}

#[test]
fn a_recently_changed_file_is_read_again_until_it_is_old() {
    let there = tempfile::tempdir().unwrap();
    let path = there.path().join("index");
    let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap().as_nanos() as i128;
    let second = 1_000_000_000;
    for young in [
        FileStamp { mtime_ns: now, ..stamp(1) },
        FileStamp { ctime_ns: now - second, ..stamp(1) },
        FileStamp { mtime_ns: now + 3_600 * second, ..stamp(1) },
        // This number does not fit in 64 bits, and must not be truncated.
        FileStamp { mtime_ns: i128::MIN, ..stamp(1) },
    ] {
        for _ in 0..2 {
            assert_eq!(load(&path, &[("a", young)]).0, names(&[]), "{young:?}");
        }
    }
    let old = FileStamp { ctime_ns: now - 60 * second, ..stamp(1) };
    load(&path, &[("a", old)]);
    assert_eq!(load(&path, &[("a", old)]).0, names(&["a"]));
}

#[test]
fn an_up_to_date_index_is_not_written_again() {
    let there = tempfile::tempdir().unwrap();
    let path = there.path().join("index");
    let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap().as_nanos() as i128;
    let young = FileStamp { mtime_ns: now, ..stamp(9) };
    let inode = || fs::metadata(&path).unwrap().ino();
    let classes = [("a", stamp(1)), ("b", young)];
    load(&path, &classes);
    let before = inode();
    load(&path, &classes);
    assert_eq!(inode(), before, "nothing changed, and b is still too young");
    for changed in [&classes[..1], &[("a", stamp(2))], &[("a", stamp(2)), ("c", stamp(3))], &[]] {
        let before = inode();
        // Keeps the old file open, so that the new one cannot get its inode.
        let held = fs::File::open(&path).unwrap();
        load(&path, changed);
        let same = changed == &classes[..1]; // b was too young to be in it.
        assert_eq!(inode() == before, same, "{changed:?}");
        drop(held);
    }
    assert_eq!(fs::read_dir(there.path()).unwrap().count(), 1, "no temporary file is left");
}

#[test]
fn a_family_is_kept_for_eight_writes_without_use() {
    let there = tempfile::tempdir().unwrap();
    for (writes, known) in [(1, true), (8, true), (9, false)] {
        let path = there.path().join(format!("index{writes}"));
        load(&path, &[("a", stamp(1)), ("x", stamp(1))]);
        for write in 0..writes {
            load(&path, &[("a", stamp(100 + write))]); // Another stamp each time forces a write.
        }
        let back = load(&path, &[("a", stamp(1)), ("x", stamp(1))]).1;
        assert_eq!(back.contains(&"x".to_owned()), known, "{writes} writes");
    }
}

#[test]
fn unused_families_are_bounded_in_bytes() {
    let there = tempfile::tempdir().unwrap();
    let path = there.path().join("index");
    let many: Vec<String> = (0..6_000).map(|i| format!("c{i:04}")).collect();
    let many: Vec<_> = many.iter().map(|name| (name.as_str(), stamp(1))).collect();
    load(&path, &many);
    let before = fs::metadata(&path).unwrap().len();
    load(&path, &[("a", stamp(1))]);
    let after = fs::metadata(&path).unwrap().len();
    assert!(before > 2 << 20, "{before}");
    assert!((1 << 20..3 << 19).contains(&after), "{after}");
}

#[test]
fn a_failed_write_of_the_index_is_an_error() {
    let there = tempfile::tempdir().unwrap();
    let file = there.path().join("file");
    fs::write(&file, "").unwrap();
    for path in [file.join("index"), there.path().to_owned()] {
        let index = DigestIndex::open(&path, LoadStart::now());
        let known = index.known();
        let mut update = tamis_store::index::IndexUpdate::new(&known);
        update.new_family(tamis_store::index::NewFamily::new(crate::sample::key("a"), &[], &mut Vec::new()));
        assert!(update.write(&path).is_err(), "{}", path.display());
    }
    assert_eq!(fs::read_dir(there.path()).unwrap().count(), 1, "no temporary file is left");
}
