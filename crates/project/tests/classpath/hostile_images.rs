//! Generated JDK images: valid ones in either byte order, and damaged ones.

use crate::image_writer::{Resource, write};
use crate::{Disk, names, text};
use tamis_project::classpath::{JdkClasses, RootKind};

const CONTENT: &[u8] = b"content content content";

fn resource<'a>(path: &'a str, compressor: Option<&'a str>) -> Resource<'a> {
    Resource { path, content: CONTENT, compressor }
}

fn sample(big_endian: bool) -> Vec<u8> {
    let resources = [
        resource("/m/p/q/A.class", None),
        resource("/m/p/q/B.class", Some("zip")),
        resource("/m/p/notes.txt", None),
        resource("/m/module-info.class", None),
        resource("/n/r/C$1.class", None),
        resource("/n/module-info.class", None),
    ];
    write(&resources, big_endian)
}

#[test]
fn an_image_of_either_byte_order_is_read() {
    let disk = Disk::new();
    for big_endian in [false, true] {
        disk.write("jdk/lib/modules", sample(big_endian));
        for root in ["jdk", "jdk/lib/modules"] {
            let class_path = disk.open(&[root]);
            assert_eq!(names(&class_path), ["module-info", "p/q/A", "p/q/B", "r/C$1"]);
            assert_eq!(text(&class_path, "p/q/B").as_bytes(), CONTENT);
            assert_eq!(disk.found(&class_path, "r/C$1"), "jdk/lib/modules!/n/r/C$1.class");
            assert_eq!(disk.found(&class_path, "module-info"), "jdk/lib/modules!/m/module-info.class");
            assert_eq!(class_path.shadowed().len(), 1);
            assert_eq!(class_path.roots()[0].kind(), RootKind::Image);
        }
        let jdk = JdkClasses::open(&disk.at("jdk")).unwrap();
        let mut buffer = Vec::new();
        for name in ["p/q/A", "p/q/B", "r/C$1"] {
            assert!(jdk.read(name, &mut buffer).unwrap(), "{name}");
            assert_eq!(buffer, CONTENT);
        }
        for name in ["p/q/C", "p/A", "q/A", "A", "", "/", "module-info", "p/notes.txt"] {
            assert!(!jdk.read(name, &mut buffer).unwrap() && buffer.is_empty(), "{name}");
        }
        let classes = jdk.names().unwrap();
        let expected =
            [("m", "module-info"), ("m", "p/q/A"), ("m", "p/q/B"), ("n", "module-info"), ("n", "r/C$1")];
        assert_eq!(
            classes.iter().map(|(module, name)| (*module, name.as_str())).collect::<Vec<_>>(),
            expected
        );
    }
}

#[test]
fn an_unknown_compressor_or_version_is_named() {
    let disk = Disk::new();
    disk.write("modules", write(&[resource("/m/p/A.class", Some("compact-cp"))], false));
    let refusal = disk.refusal(&disk.open(&["modules"]), "p/A");
    assert!(
        refusal.starts_with("modules!/m/p/A.class: resource compressed with jlink's `compact-cp`"),
        "{refusal}"
    );
    let mut bytes = sample(false);
    bytes[4..8].copy_from_slice(&(2u32 << 16 | 3).to_le_bytes());
    disk.write("modules", bytes);
    let error = disk.shown(disk.try_open_for(None, &["modules"]).unwrap_err());
    assert!(error.starts_with("modules: JDK image of version 2.3, known is 1.0"), "{error}");
}

#[test]
fn a_damaged_image_is_an_error() {
    let disk = Disk::new();
    let whole = sample(false);
    for length in 4..whole.len() {
        survives(&disk, &whole[..length]);
    }
    let mut bytes = whole.clone();
    for at in 4..bytes.len() {
        for bit in 0..8 {
            bytes[at] ^= 1 << bit;
            survives(&disk, &bytes);
            bytes[at] ^= 1 << bit;
        }
    }
    for at in 4..bytes.len() - 4 {
        for value in [0, 0x7F, 0xFF] {
            let mut bytes = whole.clone();
            bytes[at..at + 4].fill(value);
            survives(&disk, &bytes);
        }
    }
}

/// Content has no checksum, so it may differ. Otherwise every call must return a value or an error.
fn survives(disk: &Disk, bytes: &[u8]) {
    disk.write("jdk/lib/modules", bytes);
    let mut buffer = Vec::new();
    if let Ok(class_path) = disk.try_open_for(None, &["jdk"]) {
        for entry in class_path.classes() {
            if let Err(error) = class_path.read(entry, &mut buffer) {
                assert!(disk.shown(error).starts_with("jdk/lib/modules!/"));
            }
        }
    }
    if let Ok(jdk) = JdkClasses::open(&disk.at("jdk")) {
        let _ = jdk.names();
        for name in ["p/q/A", "p/q/B", "r/C$1", "p/q/None"] {
            if let Err(error) = jdk.read(name, &mut buffer) {
                assert!(disk.shown(error).starts_with("jdk/lib/modules!/"));
            }
        }
    }
}
