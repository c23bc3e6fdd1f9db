//! Directories of class files.

use crate::{Disk, names, text};
use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::fs;
use std::os::unix::ffi::OsStrExt;
use tamis_project::classpath::{ClassPath, ClassPathOptions, RootKind, stamp_of};

#[test]
fn classes_are_named_by_their_path_and_sorted() {
    let disk = Disk::new();
    for file in [
        "d/b/Z.class",
        "d/b/A$1.class",
        "d/A.class",
        "d/b/c/D.class",
        "d/b/A.java",
        "d/.class",
        "d/b/X.CLASS",
    ] {
        disk.write(file, file);
    }
    let class_path = disk.open(&["d"]);
    assert_eq!(names(&class_path), ["A", "b/A$1", "b/Z", "b/c/D"]);
    assert_eq!(text(&class_path, "b/c/D"), "d/b/c/D.class");
    assert_eq!(disk.found(&class_path, "b/c/D"), "d/b/c/D.class");
    assert_eq!(class_path.find("b/c/D").unwrap().package(), "b/c");
    assert_eq!(class_path.roots()[0].kind(), RootKind::Directory);
    assert!(class_path.problems().is_empty() && class_path.find("b/c").is_none());
}

#[test]
fn versions_in_a_directory_are_not_classes() {
    let disk = Disk::new();
    disk.write("d/META-INF/MANIFEST.MF", "Multi-Release: true\n");
    disk.write("d/META-INF/versions/9/A.class", "nine");
    disk.write("d/META-INF/other/B.class", "odd, but one can load it");
    disk.write("d/A.class", "base");
    let class_path = disk.open_for(Some(17), &["d"]);
    assert_eq!(names(&class_path), ["A", "META-INF/other/B"]);
    assert!(class_path.problems().is_empty() && class_path.shadowed().is_empty());
}

#[test]
fn the_first_root_wins_and_hidden_classes_are_listed() {
    let disk = Disk::new();
    for file in ["one/p/A.class", "one/q/B.class", "two/p/A.class", "two/p/C.class", "three/p/A.class"] {
        disk.write(file, file);
    }
    let class_path = disk.open(&["two", "one", "three"]);
    assert_eq!(text(&class_path, "p/A"), "two/p/A.class");
    let shadowed: Vec<_> =
        class_path.shadowed().iter().map(|e| disk.shown(e.location(&class_path))).collect();
    assert_eq!(shadowed, ["one/p/A.class", "three/p/A.class"]);
    let split: Vec<_> = class_path.split_packages().into_iter().collect();
    assert_eq!(split, [("p", BTreeSet::from([0, 1, 2]))]);
    assert_eq!(text(&disk.open(&["one", "two"]), "p/A"), "one/p/A.class");
}

#[test]
fn symbolic_links_are_followed() {
    let disk = Disk::new();
    disk.write("real/A.class", "linked file");
    disk.write("real/p/B.class", "linked directory");
    disk.link("d/A.class", disk.at("real/A.class"));
    disk.link("d/q", "../real/p");
    let class_path = disk.open(&["d"]);
    assert_eq!(names(&class_path), ["A", "q/B"]);
    assert_eq!(text(&class_path, "A"), "linked file");
    assert_eq!(
        class_path.find("A").unwrap().stamp,
        stamp_of(&fs::metadata(disk.at("real/A.class")).unwrap())
    );
}

#[test]
fn a_loop_of_symbolic_links_is_a_problem() {
    let disk = Disk::new();
    disk.write("d/p/A.class", "");
    disk.link("d/p/up", disk.at("d"));
    disk.link("d/self", "self");
    let class_path = disk.open(&["d"]);
    assert_eq!(names(&class_path), ["p/A"]);
    let problems = disk.problems(&class_path);
    assert_eq!(
        problems[0],
        "d/p/up: a symbolic link to one of its parent directories, not followed; remove it"
    );
    assert!(problems[1].starts_with("d/self: cannot be read: "), "{}", problems[1]);
    assert_eq!(problems.len(), 2);
}

#[test]
fn links_that_multiply_without_a_loop_are_bounded() {
    let disk = Disk::new();
    for n in 0..24 {
        disk.link(&format!("d{n}/a"), format!("../d{}", n + 1));
        disk.link(&format!("d{n}/b"), format!("../d{}", n + 1));
    }
    disk.write("d24/A.class", "");
    let class_path = disk.open(&["d0"]);
    assert!(class_path.problems()[0].to_string().contains("too many symbolic links"));
}

#[test]
fn a_non_file_named_like_a_class_is_a_problem() {
    let disk = Disk::new();
    disk.write("d/Directory.class/Inner.class", "");
    disk.link("d/Dangling.class", "nowhere");
    disk.link("d/notes.txt", "nowhere");
    let _socket = std::os::unix::net::UnixListener::bind(disk.at("d/Socket.class")).unwrap();
    let class_path = disk.open(&["d"]);
    assert!(names(&class_path).is_empty());
    let problems = disk.problems(&class_path);
    assert!(problems[0].starts_with("d/Dangling.class: cannot be read: No such file"), "{}", problems[0]);
    let why = "named like a class file, but not a file; no class can be loaded from it, so remove it";
    assert_eq!(problems[1..], [format!("d/Directory.class: {why}"), format!("d/Socket.class: {why}")]);
}

#[test]
fn a_name_that_is_not_unicode_is_a_problem_on_one_line() {
    let disk = Disk::new();
    disk.write("d/A.class", "");
    fs::write(disk.at("d").join(OsStr::from_bytes(b"\xff.class")), "").unwrap();
    fs::create_dir(disk.at("d").join(OsStr::from_bytes(b"\xfe\n"))).unwrap();
    let class_path = disk.open(&["d"]);
    assert_eq!(names(&class_path), ["A"]);
    assert_eq!(disk.problems(&class_path).len(), 2);
}

#[test]
fn a_directory_that_may_not_be_read_is_a_problem() {
    use std::os::unix::fs::PermissionsExt;
    let disk = Disk::new();
    disk.write("d/p/A.class", "");
    disk.write("d/B.class", "");
    fs::set_permissions(disk.at("d/p"), fs::Permissions::from_mode(0o000)).unwrap();
    fs::set_permissions(disk.at("d/B.class"), fs::Permissions::from_mode(0o000)).unwrap();
    if fs::read_dir(disk.at("d/p")).is_ok() {
        return; // Root may read everything; the tests of dangling and circular links cover this.
    }
    let class_path = disk.open(&["d"]);
    assert!(disk.problems(&class_path)[0].starts_with("d/p: cannot be read: Permission denied"));
    assert!(disk.refusal(&class_path, "B").starts_with("d/B.class: cannot be read: Permission denied"));
    fs::set_permissions(disk.at("d/p"), fs::Permissions::from_mode(0o700)).unwrap();
}

#[test]
fn a_file_that_vanishes_or_changes_after_the_listing_is_a_clear_error() {
    let disk = Disk::new();
    for file in ["d/Gone.class", "d/Grown.class", "d/Replaced.class", "d/p/Gone.class"] {
        disk.write(file, "old");
    }
    let class_path = disk.open(&["d"]);
    fs::remove_file(disk.at("d/Gone.class")).unwrap();
    fs::remove_dir_all(disk.at("d/p")).unwrap();
    disk.write("d/p", "now a file");
    disk.write("d/Grown.class", "longer");
    disk.write("d/new", "new");
    fs::rename(disk.at("d/new"), disk.at("d/Replaced.class")).unwrap();
    let vanished = "vanished after the class path was listed; try again when the build has ended";
    let changed = "changed after the class path was listed; try again when the build has ended";
    assert_eq!(disk.refusal(&class_path, "Gone"), format!("d/Gone.class: {vanished}"));
    assert_eq!(disk.refusal(&class_path, "p/Gone"), format!("d/p/Gone.class: {vanished}"));
    assert_eq!(disk.refusal(&class_path, "Grown"), format!("d/Grown.class: {changed}"));
    assert_eq!(disk.refusal(&class_path, "Replaced"), format!("d/Replaced.class: {changed}"));
}

#[test]
fn a_file_too_large_for_a_class_is_refused_without_reading_it() {
    let disk = Disk::new();
    let file = fs::File::create(disk.write("d/A.class", "")).unwrap();
    file.set_len(1 << 40).unwrap();
    let class_path = disk.open(&["d"]);
    let why = "1099511627776 bytes are more than a class can have; remove it from the class path";
    assert_eq!(disk.refusal(&class_path, "A"), format!("d/A.class: {why}"));
}

#[test]
fn the_listing_is_the_same_for_any_number_of_threads() {
    let disk = Disk::new();
    for n in 0..600 {
        disk.write(&format!("d/p{}/q{}/C{n}.class", n % 7, n % 11), n.to_string());
    }
    let listing = |threads| {
        let options = ClassPathOptions { threads, ..ClassPathOptions::default() };
        let class_path = ClassPath::open(&[disk.at("d")], &options).unwrap();
        class_path.classes().iter().map(|e| (e.name.clone(), e.stamp)).collect::<Vec<_>>()
    };
    assert_eq!(listing(1).len(), 600);
    for threads in [0, 2, 3, 16] {
        assert_eq!(listing(threads), listing(1));
    }
}
