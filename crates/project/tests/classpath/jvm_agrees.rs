//! Compares the class that the JVM loads for a name with the class that this crate finds.

use crate::Disk;
use std::fs;
use tamis_project::classpath::{ClassPath, ClassPathOptions};
use tamis_test_support::jdk::{self, Jdk};
use tamis_test_support::{jar, javac, run};

const SOURCE: &str =
    "public class V { public static void main(String[] a) { System.out.print(\"mark-@@\"); } }";
const VERSIONED: &str = "META-INF/versions/";

/// The class `V`, which prints `mark-` and these two characters.
struct Marked(Vec<u8>);

impl Marked {
    fn compile(jdk: &Jdk) -> Marked {
        Marked(javac::compile(jdk, &[("V.java", SOURCE)], &[]).unwrap().class_bytes("V"))
    }

    fn with(&self, mark: &str) -> Vec<u8> {
        let mut bytes = self.0.clone();
        let at = bytes.windows(7).position(|window| window == b"mark-@@").unwrap();
        bytes[at + 5..at + 7].copy_from_slice(mark.as_bytes());
        bytes
    }
}

/// One JDK, and a disk for class paths.
struct Trial {
    jdk: Jdk,
    class: Marked,
    disk: Disk,
}

impl Trial {
    /// Writes a jar with this manifest and the class at these places, marked 01, 02 and so on.
    fn jar(&self, name: &str, manifest: &str, places: &[&str]) {
        self.disk.write(name, self.jar_bytes(("META-INF/MANIFEST.MF", manifest), places));
    }

    fn jar_bytes(&self, manifest: (&str, &str), places: &[&str]) -> Vec<u8> {
        let mut entries = vec![(manifest.0.to_owned(), manifest.1.as_bytes().to_vec())];
        for (place, number) in places.iter().zip(1..) {
            entries.push((format!("{place}V.class"), self.class.with(&format!("{number:02}"))));
        }
        jar::deflated(&entries)
    }

    /// Writes a jar with this `Class-Path`. Its class has this mark; without a mark there is no class.
    fn marked_jar(&self, name: &str, mark: &str, class_path: &str) {
        let manifest = format!("Manifest-Version: 1.0\nClass-Path: {class_path}\n");
        let mut entries = vec![("META-INF/MANIFEST.MF", manifest.into_bytes())];
        if !mark.is_empty() {
            entries.push(("V.class", self.class.with(mark)));
        }
        self.disk.write(name, jar::deflated(&entries));
    }

    /// Compares both results; returns the mark, or an empty string if there is no class.
    fn agree(&self, case: &str, roots: &[&str]) -> String {
        let paths: Vec<_> = roots.iter().map(|root| self.disk.at(root)).collect();
        let joined = std::env::join_paths(&paths).unwrap();
        // A valid output is a mark or an error about the class. A JVM killed on a busy machine prints
        // neither.
        let ask = || run::java(&self.jdk, &["-cp", joined.to_str().unwrap(), "V"], run::SHORT).unwrap();
        let is_answer = |output: &run::Output| !output.stdout.is_empty() || output.stderr.contains("V");
        let output = (0..3).map(|_| ask()).find(is_answer).expect("the JVM answers");
        let theirs = output.stdout.strip_prefix("mark-").unwrap_or("").to_owned();
        let options = ClassPathOptions { release: Some(self.jdk.feature), ..ClassPathOptions::default() };
        let class_path = ClassPath::open(&paths, &options).unwrap();
        let mut bytes = Vec::new();
        let ours = class_path.find("V").map_or("", |entry| {
            class_path.read(entry, &mut bytes).unwrap();
            let at = bytes.windows(5).position(|window| window == b"mark-").unwrap();
            str::from_utf8(&bytes[at + 5..at + 7]).unwrap()
        });
        assert_eq!(ours, theirs, "JDK {}: {case}: {}", self.jdk.feature, output.stderr);
        theirs
    }
}

fn trials() -> Vec<Trial> {
    jdk::required()
        .into_iter()
        .map(|jdk| Trial { class: Marked::compile(&jdk), jdk, disk: Disk::new() })
        .collect()
}

#[test]
fn on_the_versions_of_a_jar() {
    for trial in trials() {
        let on = "Manifest-Version: 1.0\r\nMulti-Release: true\r\n\r\n";
        let versions = ["", "META-INF/versions/9/", "META-INF/versions/11/", "META-INF/versions/99/"];
        let cases = [
            ("several", on, versions.as_slice()),
            ("not switched on", "Manifest-Version: 1.0\r\n\r\n", &versions),
            ("version 8", on, &["", "META-INF/versions/8/"]),
            ("version 7", on, &["", "META-INF/versions/7/"]),
            ("leading zero", on, &["", "META-INF/versions/09/"]),
            ("lower case directory", on, &["", "meta-inf/versions/9/"]),
            ("no base", on, &["META-INF/versions/9/"]),
            ("twice", on, &["META-INF/versions/9/", "", "META-INF/versions/9/", ""]),
            ("trailing space", "Manifest-Version: 1.0\nMulti-Release: true \n\n", &versions),
            ("two spaces", "Manifest-Version: 1.0\nMulti-Release:  true\n\n", &versions),
            ("other case", "Manifest-Version: 1.0\nmulti-release: TRUE\n\n", &versions),
            ("carriage returns", "Manifest-Version: 1.0\rMulti-Release: true\r\r", &versions),
            ("in a section", "Manifest-Version: 1.0\n\nName: x\nMulti-Release: true\n\n", &versions),
            ("continued", "Manifest-Version: 1.0\nMulti-Release: tr\n ue\n\n", &versions),
            ("continued with nothing", "Manifest-Version: 1.0\nMulti-Release: true\n \n\n", &versions),
            ("no line break", "Manifest-Version: 1.0\nMulti-Release: true", &versions),
        ];
        for (case, manifest, places) in cases {
            trial.jar("v.jar", manifest, places);
            trial.agree(case, &["v.jar"]);
        }
        trial.disk.write("v.jar", trial.jar_bytes(("meta-inf/manifest.mf", on), &versions));
        trial.agree("lower case manifest", &["v.jar"]);
        trial.disk.write("d/V.class", trial.class.with("dd"));
        trial.disk.write("d/META-INF/MANIFEST.MF", on);
        trial.disk.write(&format!("d/{VERSIONED}9/V.class"), trial.class.with("d9"));
        assert_eq!(trial.agree("a directory", &["d"]), "dd");
    }
}

#[test]
fn on_the_layout_of_a_zip() {
    for trial in trials() {
        let plain = trial.jar_bytes(("META-INF/MANIFEST.MF", "Manifest-Version: 1.0\n"), &["", "", ""]);
        let script = b"#!/bin/sh\nexec java -jar $0\n".as_slice();
        let cases = [
            ("duplicates", plain.clone(), "03"),
            ("prelude", [script, &plain].concat(), "03"),
            ("appended", [&plain, [0; 100].as_slice()].concat(), "03"),
            ("prelude and appended", [script, &plain, b"PK\x05\x06"].concat(), "03"),
        ];
        for (case, bytes, expected) in cases {
            trial.disk.write("z.jar", bytes);
            assert_eq!(trial.agree(case, &["z.jar"]), expected);
        }
    }
}

#[test]
fn on_the_order_of_roots() {
    for trial in trials() {
        let disk = &trial.disk;
        for name in ["b", "c", "d", "e"] {
            trial.marked_jar(&format!("{name}.jar"), &name.repeat(2), "");
        }
        trial.marked_jar("sub dir/f.jar", "ff", "");
        disk.write("classes/V.class", trial.class.with("kk"));
        let behind = [
            ("b.jar", "bb"),
            ("missing.jar c.jar", "cc"),
            ("classes d.jar", "dd"),
            ("classes/ d.jar", "kk"),
            ("./classes/../c.jar", "cc"),
            ("sub%20dir/f.jar b.jar", "ff"),
            ("file:b.jar", "bb"),
            ("b.jar/ c.jar", "cc"),
            ("*", "ee"),
        ];
        for (class_path, expected) in behind {
            trial.marked_jar("a.jar", "", class_path);
            assert_eq!(trial.agree(class_path, &["a.jar", "e.jar"]), expected, "{class_path}");
        }
        disk.write("here/V.class", trial.class.with("hh"));
        for (class_path, expected) in
            [(".", "hh"), ("./", "hh"), ("..", "ee"), ("../here/x/..", "hh"), ("", "ee")]
        {
            trial.marked_jar("here/a.jar", "", class_path);
            assert_eq!(trial.agree(class_path, &["here/a.jar", "e.jar"]), expected, "{class_path}");
        }
        if trial.jdk.feature >= 17 {
            trial.marked_jar("a.jar", "", "b.jar#part");
            assert_eq!(trial.agree("fragment", &["a.jar", "e.jar"]), "bb");
        }
        let absolute = format!("file:{}", disk.at("c.jar").display());
        trial.marked_jar("a.jar", "", &absolute);
        assert_eq!(trial.agree("absolute URL", &["a.jar", "e.jar"]), "cc");
        trial.marked_jar("a.jar", "", "g.jar c.jar");
        trial.marked_jar("g.jar", "", "a.jar d.jar");
        assert_eq!(trial.agree("depth first, with a cycle", &["a.jar", "e.jar"]), "dd");
        assert_eq!(trial.agree("directory first", &["classes", "e.jar"]), "kk");
        assert_eq!(trial.agree("jar first", &["e.jar", "classes"]), "ee");
        fs::create_dir_all(disk.at("one")).unwrap();
        fs::copy(disk.at("c.jar"), disk.at("one/x.jar")).unwrap();
        assert_eq!(trial.agree("wildcard", &["one/*", "e.jar"]), "cc");
        // Relative to the canonical place of the jar, not to that of the link.
        trial.marked_jar("real/a.jar", "", "near.jar");
        trial.marked_jar("real/near.jar", "rr", "");
        trial.marked_jar("links/near.jar", "ll", "");
        disk.link("links/a.jar", "../real/a.jar");
        assert_eq!(trial.agree("a link to a jar", &["links/a.jar"]), "rr");
        disk.link("linked", "real");
        assert_eq!(trial.agree("a link to a directory", &["linked/a.jar"]), "rr");
    }
}
