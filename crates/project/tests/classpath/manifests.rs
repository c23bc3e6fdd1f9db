//! `Class-Path` in manifests.

use crate::{Disk, text};
use tamis_project::classpath::{ClassPath, ClassPathOptions};
use tamis_test_support::jar;

/// Writes a jar with this `Class-Path`. The content of its class `A` is the jar's name.
fn write(disk: &Disk, name: &str, class_path: &str) {
    let manifest = format!("Manifest-Version: 1.0\r\nClass-Path: {class_path}\r\n");
    disk.write(name, jar::deflated(&[("META-INF/MANIFEST.MF", manifest.as_str()), ("A.class", name)]));
}

fn roots(disk: &Disk, class_path: &ClassPath) -> Vec<String> {
    class_path.roots().iter().map(|root| disk.shown(root.path.display())).collect()
}

#[test]
fn a_jars_own_class_path_follows_it_immediately() {
    let disk = Disk::new();
    write(&disk, "a.jar", "lib/b.jar c.jar");
    write(&disk, "lib/b.jar", "../d.jar");
    write(&disk, "c.jar", "");
    write(&disk, "d.jar", "");
    write(&disk, "e.jar", "");
    let class_path = disk.open(&["a.jar", "e.jar", "c.jar"]);
    assert_eq!(roots(&disk, &class_path), ["a.jar", "lib/b.jar", "d.jar", "c.jar", "e.jar"]);
    let named_by: Vec<_> = class_path.roots().iter().map(|root| root.named_by).collect();
    assert_eq!(named_by, [None, Some(0), Some(1), Some(0), None]);
    assert_eq!(text(&class_path, "A"), "a.jar");
}

#[test]
fn manifests_are_followed_only_on_request() {
    let disk = Disk::new();
    write(&disk, "a.jar", "b.jar missing.jar");
    let options = ClassPathOptions { follow_manifests: false, ..ClassPathOptions::default() };
    let class_path = ClassPath::open(&[disk.at("a.jar")], &options).unwrap();
    assert_eq!(roots(&disk, &class_path), ["a.jar"]);
    assert!(class_path.problems().is_empty());
}

#[test]
fn a_cycle_of_manifests_ends() {
    let disk = Disk::new();
    write(&disk, "a.jar", "b.jar a.jar");
    write(&disk, "b.jar", "./a.jar c/../b.jar b.jar");
    assert_eq!(roots(&disk, &disk.open(&["b.jar", "a.jar"])), ["b.jar", "a.jar"]);
}

#[test]
fn an_unusable_element_of_a_manifest_is_a_problem() {
    let disk = Disk::new();
    write(&disk, "a.jar", "gone.jar https://x.example/b.jar classes classes/ b.jar/ bad.jar D.class bad%zz");
    write(&disk, "b.jar", "");
    disk.write("bad.jar", "PK\x03\x04 and no more");
    disk.write("D.class", "");
    disk.write("classes/B.class", "");
    let class_path = disk.open(&["a.jar"]);
    assert_eq!(roots(&disk, &class_path), ["a.jar", "classes"]);
    assert_eq!(
        disk.problems(&class_path),
        [
            "a.jar: Class-Path names D.class, which the JVM ignores: it is neither a directory nor a jar; fix the manifest",
            "a.jar: Class-Path names b.jar/, which the JVM ignores: it ends in `/` and is not a directory; fix the manifest",
            "a.jar: Class-Path names bad%zz, which the JVM ignores: it is not a well-formed URL; fix the manifest",
            "a.jar: Class-Path names bad.jar, which cannot be used: bad.jar: malformed at byte 0x10: the archive ends \
             before its central directory; build it again, or fetch it again",
            "a.jar: Class-Path names classes, which the JVM ignores: a directory must end in `/`; fix the manifest",
            "a.jar: Class-Path names gone.jar, which does not exist; add it, or fix the manifest",
            "a.jar: Class-Path names https://x.example/b.jar, which the JVM ignores: it is not a file; fix the manifest",
        ]
    );
}

#[test]
fn a_long_class_path_of_absolute_urls_is_followed_in_order() {
    let disk = Disk::new();
    let mut manifest = "Manifest-Version: 1.0\r\nClass-Path: ".to_owned();
    let mut expected = vec!["booter.jar".to_owned()];
    for n in 0..200 {
        let name = format!("lib {}/{n}.jar", n % 3);
        write(&disk, &name, "");
        let url = format!("file:{}", disk.at(&name).display()).replace(' ', "%20");
        // A line may be cut anywhere.
        manifest += &format!("{}\r\n {} ", &url[..9], &url[9..]);
        expected.push(name);
    }
    manifest += "\r\n";
    disk.write("booter.jar", jar::deflated(&[("META-INF/MANIFEST.MF", manifest)]));
    assert_eq!(roots(&disk, &disk.open(&["booter.jar"])), expected);
}

#[test]
fn a_manifest_that_cannot_be_read_is_a_problem() {
    let disk = Disk::new();
    let mut bytes = jar::stored(&[("META-INF/MANIFEST.MF", "Class-Path: b.jar\r\n"), ("A.class", "x")]);
    let at = bytes.windows(5).position(|w| w == b"b.jar").unwrap();
    bytes[at] ^= 1;
    disk.write("a.jar", bytes);
    let class_path = disk.open(&["a.jar"]);
    assert_eq!(text(&class_path, "A"), "x");
    assert_eq!(
        disk.problems(&class_path),
        [
            "a.jar!/META-INF/MANIFEST.MF: malformed at byte 0x0: the entry's check sum does not match its content; \
          build it again, or fetch it again"
        ]
    );
}
