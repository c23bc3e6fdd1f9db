//! Valid jars and jmods, and unusual ones that the JVM accepts.

use crate::{Disk, names, text};
use std::collections::BTreeSet;
use std::fs;
use tamis_project::classpath::{RootKind, stamp_of};
use tamis_test_support::jar;

const MULTI_RELEASE: &str = "Manifest-Version: 1.0\r\nMulti-Release: true\r\n";

#[test]
fn stored_and_deflated_entries_are_read() {
    let disk = Disk::new();
    let long = "x".repeat(100_000);
    let entries =
        [("p/", ""), ("p/A.class", &long), ("Empty.class", ""), ("readme.txt", "no"), ("q/.class", "")];
    disk.write("stored.jar", jar::stored(&entries));
    disk.write("deflated.jar", jar::deflated(&entries));
    for name in ["stored.jar", "deflated.jar"] {
        let class_path = disk.open(&[name]);
        assert_eq!(names(&class_path), ["Empty", "p/A"]);
        assert_eq!((text(&class_path, "p/A"), text(&class_path, "Empty")), (long.clone(), String::new()));
        assert_eq!(disk.found(&class_path, "p/A"), format!("{name}!/p/A.class"));
        assert_eq!(class_path.roots()[0].kind(), RootKind::Jar);
        let stamp = stamp_of(&fs::metadata(disk.at(name)).unwrap());
        assert_eq!(class_path.find("p/A").unwrap().stamp, stamp);
    }
}

#[test]
fn the_last_of_two_entries_with_one_name_wins() {
    let disk = Disk::new();
    disk.write("a.jar", jar::deflated(&[("A.class", "first"), ("A.class", "second"), ("A.class", "third")]));
    let class_path = disk.open(&["a.jar"]);
    assert_eq!(text(&class_path, "A"), "third");
    let mut buffer = Vec::new();
    class_path.read(&class_path.shadowed()[0], &mut buffer).unwrap();
    assert_eq!((buffer.as_slice(), class_path.shadowed().len()), (b"second".as_slice(), 2));
    assert!(class_path.split_packages().is_empty());
}

#[test]
fn a_name_with_parent_directories_is_an_ordinary_name() {
    let disk = Disk::new();
    disk.write("a.jar", jar::stored(&[("../../x.class", "up"), ("/etc/y.class", "abs")]));
    let class_path = disk.open(&["a.jar"]);
    assert_eq!(names(&class_path), ["../../x", "/etc/y"]);
    assert_eq!(text(&class_path, "../../x"), "up");
}

#[test]
fn a_name_that_is_not_unicode_is_a_problem() {
    let disk = Disk::new();
    let bytes = jar::stored(&[("a/XX.class", ""), ("B.class", "")]);
    let bytes: Vec<u8> = bytes.iter().map(|b| if *b == b'X' { 0xFF } else { *b }).collect();
    disk.write("a.jar", bytes);
    let class_path = disk.open(&["a.jar"]);
    assert_eq!(names(&class_path), ["B"]);
    assert!(
        disk.problems(&class_path)[0]
            .ends_with("the name is not Unicode, so no class can have it; rename it")
    );
}

#[test]
fn the_highest_applicable_version_is_the_class() {
    let disk = Disk::new();
    let entries = [
        ("META-INF/MANIFEST.MF", MULTI_RELEASE),
        ("META-INF/versions/21/p/A.class", "21"),
        ("p/A.class", "base"),
        ("META-INF/versions/9/p/A.class", "9"),
        ("META-INF/versions/11/p/A.class", "11"),
        ("META-INF/versions/11/p/Only.class", "only 11"),
        ("META-INF/versions/010/p/Odd.class", "never"),
        ("META-INF/versions/x/p/Odd.class", "never"),
        ("META-INF/versions/7/p/Odd.class", "never"),
        ("META-INF/versions/p/Odd.class", "never"),
        ("META-INF/versions/99999999999/p/Odd.class", "never"),
        ("META-INF/versions/9/META-INF/Odd.class", "never"),
    ];
    disk.write("a.jar", jar::deflated(&entries));
    let check = |release: Option<u32>, expected: &str, place: &str| {
        let class_path = disk.open_for(release, &["a.jar"]);
        assert_eq!(text(&class_path, "p/A"), expected);
        assert_eq!(disk.found(&class_path, "p/A"), place);
        let with_only = release.is_some_and(|release| release >= 11);
        assert_eq!(names(&class_path), if with_only { vec!["p/A", "p/Only"] } else { vec!["p/A"] });
        assert!(class_path.problems().is_empty());
        class_path.shadowed().len()
    };
    assert_eq!(check(None, "base", "a.jar!/p/A.class"), 0);
    assert_eq!(check(Some(8), "base", "a.jar!/p/A.class"), 0);
    assert_eq!(check(Some(9), "9", "a.jar!/META-INF/versions/9/p/A.class"), 1);
    assert_eq!(check(Some(10), "9", "a.jar!/META-INF/versions/9/p/A.class"), 1);
    assert_eq!(check(Some(17), "11", "a.jar!/META-INF/versions/11/p/A.class"), 2);
    assert_eq!(check(Some(u32::MAX), "21", "a.jar!/META-INF/versions/21/p/A.class"), 3);
}

#[test]
fn versions_count_only_if_the_manifest_is_multi_release() {
    let disk = Disk::new();
    disk.write("a.jar", jar::deflated(&[("A.class", "base"), ("META-INF/versions/9/A.class", "9")]));
    let class_path = disk.open_for(Some(17), &["a.jar"]);
    assert_eq!(text(&class_path, "A"), "base");
    assert!(class_path.shadowed().is_empty());
}

#[test]
fn bytes_before_and_after_the_archive_are_ignored() {
    let disk = Disk::new();
    let plain = jar::deflated(&[("A.class", "content")]);
    let script = b"#!/bin/sh\nexec java -jar \"$0\" # PK\x05\x06 and PK\x01\x02 and twenty-two more bytes\n";
    disk.write("script.jar", [script, plain.as_slice()].concat());
    disk.write("padded.jar", [plain.as_slice(), &[0; 3000]].concat());
    disk.write("both.jar", [script, plain.as_slice(), b"PK\x05\x06 is not the end"].concat());
    let mut commented = plain.clone();
    let end = commented.len();
    commented[end - 2..].copy_from_slice(&9u16.to_le_bytes());
    commented.extend(b"a comment");
    disk.write("commented.jar", commented);
    for name in ["script.jar", "padded.jar", "both.jar", "commented.jar"] {
        assert_eq!(text(&disk.open(&[name]), "A"), "content", "{name}");
    }
}

#[test]
fn a_jmod_holds_its_classes_below_a_directory() {
    let disk = Disk::new();
    let zip = jar::deflated(&[
        ("classes/p/A.class", "content"),
        ("lib/B.class", "not one"),
        ("classes/module-info.class", ""),
    ]);
    disk.write("x.jmod", [b"JM\x01\x00", zip.as_slice()].concat());
    let class_path = disk.open(&["x.jmod"]);
    assert_eq!(names(&class_path), ["module-info", "p/A"]);
    assert_eq!(text(&class_path, "p/A"), "content");
    assert_eq!(disk.found(&class_path, "p/A"), "x.jmod!/classes/p/A.class");
    assert_eq!(class_path.roots()[0].kind(), RootKind::Jmod);
}

#[test]
fn several_modular_jars_do_not_split_a_package() {
    let disk = Disk::new();
    disk.write("a.jar", jar::stored(&[("module-info.class", ""), ("p/A.class", ""), ("q/A.class", "")]));
    disk.write("b.jar", jar::stored(&[("module-info.class", ""), ("p/B.class", "")]));
    let class_path = disk.open(&["a.jar", "b.jar"]);
    assert_eq!(class_path.split_packages().into_iter().collect::<Vec<_>>(), [("p", BTreeSet::from([0, 1]))]);
    assert_eq!(class_path.shadowed().len(), 1);
}

/// The same archive with 64-bit fields, which JDKs write for archives of 65,536 entries or 4 GiB.
#[test]
fn an_archive_with_64_bit_fields_is_read() {
    let disk = Disk::new();
    let content = b"content";
    let crc = {
        let mut crc = flate2::Crc::new();
        crc.update(content);
        crc.sum().to_le_bytes()
    };
    let sizes = [7u64.to_le_bytes(), 7u64.to_le_bytes()].concat();
    // From "version needed" to the sizes. Both sizes are in the extra field, after another one.
    let common = [b"\x2d\0\0\0\0\0\0\0\0\0".as_slice(), &crc, &[0xFF; 8], b"\x07\0"].concat();
    let stranger = b"\x55\x55\x03\0abc";
    let local_extra = [stranger.as_slice(), b"\x01\0\x10\0", &sizes].concat();
    let central_extra = [stranger.as_slice(), b"\x01\0\x18\0", &sizes, &0u64.to_le_bytes()].concat();
    let length = |bytes: &[u8]| (bytes.len() as u16).to_le_bytes();
    let local =
        [b"PK\x03\x04", &common[..], &length(&local_extra), b"A.class", &local_extra, content].concat();
    let central = [
        b"PK\x01\x02\x2d\0",
        &common[..],
        &length(&central_extra),
        &[0; 10],
        &[0xFF; 4],
        b"A.class",
        &central_extra,
    ]
    .concat();
    for (name, prelude) in [("a.jar", b"".as_slice()), ("script.jar", b"#!/bin/sh\n")] {
        let end64_at = (local.len() + central.len()) as u64;
        let end64 = [
            b"PK\x06\x06".as_slice(),
            &44u64.to_le_bytes(),
            &[0; 12],
            &1u64.to_le_bytes(),
            &1u64.to_le_bytes(),
            &(central.len() as u64).to_le_bytes(),
            &(local.len() as u64).to_le_bytes(),
        ]
        .concat();
        let locator = [b"PK\x06\x07".as_slice(), &[0; 4], &end64_at.to_le_bytes(), &[1, 0, 0, 0]].concat();
        let end = [b"PK\x05\x06".as_slice(), &[0; 4], &[0xFF; 12], &[0; 2]].concat();
        disk.write(name, [prelude, &local, &central, &end64, &locator, &end].concat());
        assert_eq!(text(&disk.open(&[name]), "A"), "content", "{name}");
    }
}
