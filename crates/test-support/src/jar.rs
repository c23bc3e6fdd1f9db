//! Builds jars from names and bytes; reads nothing.
//!
//! It is written independently of any library, so that tests of the jar reader do not depend on the library
//! behind that reader. It also accepts entries that careful writers refuse: one name twice, names that leave
//! the jar's directory.

use std::io::Write;

use flate2::write::DeflateEncoder;
use flate2::{Compression, Crc};

/// A jar with deflated entries in the given order. A name that ends in `/` is a folder.
pub fn deflated<N: AsRef<str>, B: AsRef<[u8]>>(entries: &[(N, B)]) -> Vec<u8> {
    write(entries, Method::Deflated)
}

/// A jar with stored entries in the given order. A name that ends in `/` is a folder.
pub fn stored<N: AsRef<str>, B: AsRef<[u8]>>(entries: &[(N, B)]) -> Vec<u8> {
    write(entries, Method::Stored)
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Method {
    Stored = 0,
    Deflated = 8,
}

/// Implements `APPNOTE.TXT` of PKWARE, sections 4.3.7 (local header), 4.3.12 (directory) and 4.3.16 (end).
fn write<N: AsRef<str>, B: AsRef<[u8]>>(entries: &[(N, B)], method: Method) -> Vec<u8> {
    let mut jar = Vec::new();
    let mut directory = Vec::new();
    for (name, bytes) in entries {
        let (name, bytes) = (name.as_ref().as_bytes(), bytes.as_ref());
        let method = if name.ends_with(b"/") { Method::Stored } else { method };
        let offset = field32(jar.len());
        let data = match method {
            Method::Stored => bytes.to_vec(),
            Method::Deflated => deflate(bytes),
        };
        let mut checksum = Crc::new();
        checksum.update(bytes);

        // The common part of both headers, from "version needed" to "extra field length".
        let mut common = Vec::new();
        common.extend(20u16.to_le_bytes()); // version needed: 2.0, for deflate and folders
        common.extend((1u16 << 11).to_le_bytes()); // flags: the name is UTF-8
        common.extend((method as u16).to_le_bytes());
        common.extend(0u16.to_le_bytes()); // time and date are fixed: equal entries, equal jars
        common.extend(((1u16 << 5) | 1).to_le_bytes()); // 1 January 1980, the earliest possible date
        common.extend(checksum.sum().to_le_bytes());
        common.extend(field32(data.len()));
        common.extend(field32(bytes.len()));
        common.extend(field16(name.len()));
        common.extend(0u16.to_le_bytes()); // no extra field

        jar.extend(b"PK\x03\x04");
        jar.extend(&common);
        jar.extend(name);
        jar.extend(&data);

        directory.extend(b"PK\x01\x02");
        directory.extend(20u16.to_le_bytes()); // made by: version 2.0, on DOS, hence no permissions
        directory.extend(&common);
        directory.extend([0; 10]); // no comment, first disk, no attributes
        directory.extend(offset);
        directory.extend(name);
    }
    let start = field32(jar.len());
    jar.extend(&directory);
    jar.extend(b"PK\x05\x06");
    jar.extend([0; 4]); // one disk
    jar.extend(field16(entries.len()));
    jar.extend(field16(entries.len()));
    jar.extend(field32(directory.len()));
    jar.extend(start);
    jar.extend([0; 2]); // no comment
    jar
}

fn deflate(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = DeflateEncoder::new(Vec::new(), Compression::default());
    encoder.write_all(bytes).and_then(|()| encoder.finish()).expect("writing to memory does not fail")
}

fn field16(n: usize) -> [u8; 2] {
    u16::try_from(n).expect("this jar would need ZIP64").to_le_bytes()
}

fn field32(n: usize) -> [u8; 4] {
    u32::try_from(n).expect("this jar would need ZIP64").to_le_bytes()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{javac, jdk, run};
    use std::fs;
    use tempfile::TempDir;

    #[test]
    fn a_jvm_runs_classes_from_our_jars() {
        let source =
            "class Hi { public static void main(String[] a) { System.out.println(\"from the jar\"); } }";
        let jdk = jdk::jdk(17);
        let classes = javac::compile(&jdk, &[("Hi.java", source)], &[]).unwrap();
        let entries = [
            ("META-INF/", Vec::new()),
            ("META-INF/MANIFEST.MF", b"Manifest-Version: 1.0\nMain-Class: Hi\n".to_vec()),
            ("Hi.class", classes.class_bytes("Hi")),
        ];
        let dir = TempDir::new().unwrap();
        for (name, bytes) in [("deflated", deflated(&entries)), ("stored", stored(&entries))] {
            let jar = dir.path().join(name);
            fs::write(&jar, bytes).unwrap();
            let out = run::java(&jdk, &["-jar", jar.to_str().unwrap()], run::SHORT).unwrap();
            assert_eq!(
                (out.stdout.as_str(), out.code),
                ("from the jar\n", Some(0)),
                "{name}: {}",
                out.stderr
            );
        }
    }

    #[test]
    fn the_jdks_own_tool_lists_our_entries_in_our_order() {
        let dir = TempDir::new().unwrap();
        let file = dir.path().join("x.jar");
        fs::write(&file, deflated(&[("b/", "".as_bytes()), ("b/ü.txt", b"x"), ("a.txt", b"")])).unwrap();
        let out = run::run(jdk::jdk(17).tool("jar").arg("tf").arg(&file), run::SHORT).unwrap();
        assert_eq!(out.stdout, "b/\nb/ü.txt\na.txt\n", "{}", out.stderr);
    }

    #[test]
    fn equal_entries_make_equal_jars_and_deflating_shrinks_them() {
        let entries = [("a", vec![7; 10_000])];
        assert_eq!(deflated(&entries), deflated(&entries));
        assert!(deflated(&entries).len() < 300 && stored(&entries).len() > 10_000);
    }
}
