//! Valid elements of a class path, and the errors for invalid ones.

use crate::{Disk, names, text};
use std::fs;
use tamis_project::classpath::{ClassPath, ClassPathOptions, RootKind};
use tamis_test_support::jar;

#[test]
fn a_file_without_classes_is_refused_with_its_kind_and_a_remedy() {
    let disk = Disk::new();
    let check = |name: &str, content: &[u8], expected: &str| {
        disk.write(name, content);
        let error = disk.try_open_for(None, &[name]).unwrap_err();
        assert_eq!(disk.shown(error), format!("{name}: {expected}"));
    };
    let unpack = "unpack it, and give the directory of classes or the jar that was in it";
    let give = "give a directory of class files, a jar, or a JDK's home";
    let fetch = "if it should be a jar, fetch it again: a server's answer was stored in its place";
    let compile = "compile it, and give the directory of class files";
    check("A.java", b"class A {}", &format!("a Java source file, not a class path entry; {compile}"));
    check("a.tar.gz", b"\x1f\x8b\x08", &format!("a gzip archive, not a class path entry; {unpack}"));
    check("a.jar", b"<!DOCTYPE html>", &format!("a web page, not a class path entry; {fetch}"));
    check("pom.xml", b"<project/>", &format!("an XML file, not a class path entry; {give}"));
    check("lib.so", b"\x7fELF\x02", &format!("a native program or library, not a class path entry; {give}"));
    check("text", &[b'x'; 100_000], &format!("a file of unknown kind, not a class path entry; {give}"));
    check(
        "empty.jar",
        b"",
        "an empty file, not a class path entry; build it again, or leave it out of the class path",
    );
    check(
        "x.jmod",
        b"JM\x02\x00PK",
        "a jmod of an unknown version, not a class path entry; give the JDK's home instead",
    );
    check(
        "cut.jar",
        b"PK\x03\x04",
        "malformed at byte 0x4: the archive ends before its central directory; build it again, or fetch it again",
    );
    let _socket = std::os::unix::net::UnixListener::bind(disk.at("socket")).unwrap();
    let error = disk.try_open_for(None, &["socket"]).unwrap_err();
    assert_eq!(
        disk.shown(error),
        format!("socket: a pipe, socket or device, not a class path entry; {give}")
    );
}

#[test]
fn a_root_that_does_not_exist_is_an_error() {
    let disk = Disk::new();
    disk.write("file", "");
    disk.link("dangling", "nowhere");
    for missing in ["missing", "file/below", "dangling"] {
        let error = disk.try_open_for(None, &[missing]).unwrap_err();
        let expected = format!(
            "{missing}: no such file or directory; build the project first, or correct the class path"
        );
        assert_eq!(disk.shown(error), expected);
    }
    let error = disk.try_open_for(None, &["missing/*"]).unwrap_err();
    assert!(disk.shown(error).starts_with("missing: no such file or directory"));
}

#[test]
fn a_single_class_file_is_a_root_of_one_class() {
    let disk = Disk::new();
    disk.write("p/A$B.class", "content");
    let class_path = disk.open(&["p/A$B.class"]);
    assert_eq!(names(&class_path), ["A$B"]);
    assert_eq!(text(&class_path, "A$B"), "content");
    assert_eq!(disk.found(&class_path, "A$B"), "p/A$B.class");
    assert_eq!(class_path.roots()[0].kind(), RootKind::ClassFile);
}

#[test]
fn a_wildcard_expands_to_all_jars_of_a_directory_in_order() {
    let disk = Disk::new();
    for name in ["lib/c.jar", "lib/a.jar", "lib/b.JAR", "lib/d.zip", "lib/sub/e.jar"] {
        disk.write(name, jar::deflated(&[("A.class", name)]));
    }
    fs::create_dir(disk.at("lib/f.jar")).unwrap();
    disk.write("lib/Loose.class", "");
    let class_path = disk.open(&["lib/*"]);
    let roots: Vec<_> = class_path.roots().iter().map(|root| disk.shown(root.path.display())).collect();
    assert_eq!(roots, ["lib/a.jar", "lib/b.JAR", "lib/c.jar"]);
    assert_eq!(text(&class_path, "A"), "lib/a.jar");
    let class_path = disk.open(&["lib/sub/../f.jar/*"]);
    assert!(class_path.roots().is_empty());
    let problem =
        "lib/sub/../f.jar/*: no jar matches; correct the directory, or leave it out of the class path";
    assert_eq!(disk.problems(&class_path), [problem]);
}

#[test]
fn only_the_first_of_two_equal_roots_counts() {
    let disk = Disk::new();
    disk.write("d/A.class", "");
    disk.write("a.jar", jar::deflated(&[("A.class", "")]));
    let class_path = disk.open(&["d", "a.jar", "d/.", "d/../a.jar"]);
    assert_eq!(class_path.roots().len(), 2);
    assert_eq!(class_path.shadowed().len(), 1);
}

#[test]
fn an_empty_class_path_holds_nothing() {
    assert!(ClassPath::open(&[], &ClassPathOptions::default()).unwrap().classes().is_empty());
}

#[test]
fn more_jars_than_file_handles_can_still_be_read() {
    let disk = Disk::new();
    for n in 0..300 {
        disk.write(&format!("lib/{n:03}.jar"), jar::deflated(&[(format!("C{n:03}.class"), n.to_string())]));
    }
    let class_path = disk.open(&["lib/*"]);
    assert!(handles() < 250, "{} files are open", handles());
    for n in 0..300 {
        assert_eq!(text(&class_path, &format!("C{n:03}")), n.to_string());
    }
    // The result is the same whether the jar's handle was kept or not.
    for n in 0..300 {
        disk.write(&format!("lib/{n:03}.jar"), "");
        let refusal = disk.refusal(&class_path, &format!("C{n:03}"));
        assert!(refusal.contains("changed after the class path was listed"), "{refusal}");
    }
}

fn handles() -> usize {
    fs::read_dir("/proc/self/fd").map_or(0, Iterator::count)
}

#[test]
fn names_from_an_archive_cannot_control_the_terminal() {
    let disk = Disk::new();
    disk.write("a.jar", jar::stored(&[("\u{1b}[2J\n.class", "")]));
    let class_path = disk.open(&["a.jar"]);
    let shown = class_path.classes()[0].location(&class_path).to_string();
    assert_eq!(disk.shown(shown), "a.jar!/\\u{1b}[2J\\n.class");
}
