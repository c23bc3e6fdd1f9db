//! Bad input to commands gives one line with the cause and advice, the right exit code, and never an
//! incomplete answer.

#![allow(clippy::unwrap_used)] // Tests may panic.

use std::fs;
use std::path::Path;
use std::process::{Command, Output};
use tamis_test_support::jdk::required;
use tamis_test_support::{jar, javac};

fn tamis(args: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_tamis"));
    command.args(args).env_remove("JAVA_HOME").env("NO_COLOR", "1").output().unwrap()
}

/// Runs `tamis diff` and checks that it fails with this code and one line that contains each of these words.
#[track_caller]
fn refuses(old: &Path, new: &Path, code: i32, words: &[&str]) {
    let output = tamis(&["diff", old.to_str().unwrap(), new.to_str().unwrap(), "--jdk", "none"]);
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(code), "{stderr}");
    assert_eq!(stderr.lines().count(), 1, "one line: {stderr}");
    assert_eq!(output.stdout, b"", "nothing is reported");
    for word in words {
        assert!(stderr.contains(word), "{word:?} in: {stderr}");
    }
}

/// A folder with two compiled classes.
fn classes(folder: &Path) -> javac::ClassDir {
    let jdk = required().into_iter().next().unwrap();
    let source = "package p; class A { int f() { return 1; } } class B { }";
    javac::compile(&jdk, &[("p/A.java", source)], &[]).unwrap().copy_to(folder).unwrap()
}

#[test]
fn a_path_that_does_not_exist_is_bad_usage() {
    let folder = tempfile::tempdir().unwrap();
    classes(folder.path());
    refuses(folder.path(), &folder.path().join("nowhere"), 2, &["nowhere", "no such file", "build"]);
}

#[test]
fn a_file_that_is_neither_directory_nor_jar_is_bad_usage() {
    let folder = tempfile::tempdir().unwrap();
    classes(folder.path());
    let text = folder.path().join("notes.txt");
    fs::write(&text, "hello").unwrap();
    refuses(&text, folder.path(), 2, &["notes.txt"]);
}

#[test]
fn a_truncated_class_is_named_with_the_byte() {
    let (old, new) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    classes(old.path());
    classes(new.path());
    let class = new.path().join("p/A.class");
    let bytes = fs::read(&class).unwrap();
    for length in 0..bytes.len() {
        fs::write(&class, &bytes[..length]).unwrap();
        refuses(old.path(), new.path(), 3, &["p/A.class", "at byte 0x", "rebuild"]);
    }
}

#[test]
fn a_truncated_class_can_be_compared_by_its_bytes_when_asked() {
    let (old, new) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    classes(old.path());
    classes(new.path());
    let class = new.path().join("p/A.class");
    let bytes = fs::read(&class).unwrap();
    fs::write(&class, &bytes[..bytes.len() / 2]).unwrap();
    let args = [
        "diff",
        old.path().to_str().unwrap(),
        new.path().to_str().unwrap(),
        "--lenient",
        "--format",
        "names",
    ];
    let output = tamis(&args);
    assert_eq!(output.status.code(), Some(0));
    assert_eq!(String::from_utf8_lossy(&output.stdout), "p.A\n");
    assert!(String::from_utf8_lossy(&output.stderr).contains("compared by its bytes"));
}

#[test]
fn a_class_newer_than_we_know_is_compared_with_a_note() {
    let (old, new) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    classes(old.path());
    classes(new.path());
    for folder in [old.path(), new.path()] {
        let class = folder.join("p/A.class");
        let mut bytes = fs::read(&class).unwrap();
        bytes[7] = 200; // major version
        bytes[10] = 99; // a constant of a kind that does not exist yet
        fs::write(&class, bytes).unwrap();
    }
    let output = tamis(&["diff", old.path().to_str().unwrap(), new.path().to_str().unwrap(), "--exit-code"]);
    assert_eq!(output.status.code(), Some(0), "the same bytes are no change");
    assert!(String::from_utf8_lossy(&output.stderr).contains("tag is not defined"));
}

#[test]
fn a_newer_version_with_known_contents_is_read_like_any_other() {
    let (old, new) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    classes(old.path());
    classes(new.path());
    let class = new.path().join("p/B.class");
    let mut bytes = fs::read(&class).unwrap();
    bytes[7] = 200;
    fs::write(&class, bytes).unwrap();
    let args = [
        "diff",
        old.path().to_str().unwrap(),
        new.path().to_str().unwrap(),
        "--format",
        "json",
        "--exit-code",
    ];
    let output = tamis(&args);
    assert_eq!(output.status.code(), Some(1));
    let json: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    let change = &json["changes"][0];
    assert_eq!((change["kind"].as_str(), change["detail"].as_str()), (Some("CH"), Some("version")));
}

#[test]
fn a_broken_entry_of_a_jar_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let dir = classes(&folder.path().join("classes"));
    let entries: Vec<_> =
        dir.classes().into_iter().map(|(name, bytes)| (format!("{name}.class"), bytes)).collect();
    let mut bytes = jar::stored(&entries);
    let jar = folder.path().join("x.jar");
    let at = bytes.windows(4).position(|window| window == [0xca, 0xfe, 0xba, 0xbe]).unwrap();
    bytes[at + 20] ^= 0xff; // Does not match its checksum any more.
    fs::write(&jar, bytes).unwrap();
    refuses(&jar, &dir.path, 3, &["x.jar", ".class"]);
}

#[test]
fn a_file_that_cannot_be_read_is_an_error() {
    let (old, new) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    classes(old.path());
    classes(new.path());
    fs::remove_file(new.path().join("p/A.class")).unwrap();
    std::os::unix::fs::symlink("nowhere", new.path().join("p/A.class")).unwrap();
    refuses(old.path(), new.path(), 3, &["p/A.class"]);
}

#[test]
fn a_folder_without_classes_gives_a_note() {
    let (old, new) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    classes(old.path());
    let output =
        tamis(&["diff", old.path().to_str().unwrap(), new.path().to_str().unwrap(), "--format", "names"]);
    assert_eq!(output.status.code(), Some(0));
    assert_eq!(String::from_utf8_lossy(&output.stdout), "p.A\np.B\n");
    assert!(String::from_utf8_lossy(&output.stderr).contains("no class files"));
}

#[test]
fn bad_usage_exits_with_2_and_help_with_0() {
    assert_eq!(tamis(&["diff"]).status.code(), Some(2));
    assert_eq!(tamis(&["diff", "a", "b", "--format", "xml"]).status.code(), Some(2));
    assert_eq!(tamis(&["nonsense"]).status.code(), Some(2));
    assert_eq!(tamis(&["--help"]).status.code(), Some(0));
    let help = tamis(&["diff", "--help"]);
    assert!(String::from_utf8_lossy(&help.stdout).contains("Examples:"));
    for command in [["completions", "bash"], ["completions", "zsh"], ["man", "--color=never"]] {
        let output = tamis(&command);
        assert_eq!(output.status.code(), Some(0), "{command:?}");
        assert!(output.stdout.len() > 500, "{command:?}");
    }
}

#[test]
fn a_class_in_the_wrong_place_does_not_hide_another() {
    let (old, new) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    classes(old.path());
    classes(new.path());
    // The old class is a leftover in another folder; the one in its proper place is deleted.
    fs::create_dir_all(new.path().join("0/p")).unwrap();
    fs::copy(old.path().join("p/A.class"), new.path().join("0/p/A.class")).unwrap();
    let args = ["diff", old.path().to_str().unwrap(), new.path().to_str().unwrap(), "--format", "names"];
    let output = tamis(&args);
    assert_eq!(
        String::from_utf8_lossy(&output.stdout),
        "0.p.A\n",
        "next to the right one it is known by its location"
    );
    assert!(String::from_utf8_lossy(&output.stderr).contains("java would not find there"));
    fs::create_dir_all(new.path().join("q")).unwrap();
    fs::rename(new.path().join("p/A.class"), new.path().join("q/A.class")).unwrap();
    fs::remove_dir_all(new.path().join("0")).unwrap();
    assert_eq!(
        String::from_utf8_lossy(&tamis(&args).stdout),
        "p.A\nq.A\n",
        "a moved class is a deleted and an added one"
    );
}

#[test]
fn a_parent_directory_is_read_with_a_note() {
    let (old, new) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    classes(old.path());
    classes(&new.path().join("target/classes"));
    let output = tamis(&["diff", old.path().to_str().unwrap(), new.path().to_str().unwrap(), "--exit-code"]);
    assert_eq!(output.status.code(), Some(0), "the same classes");
    assert!(String::from_utf8_lossy(&output.stderr).contains("give the directory above its package"));
}

#[test]
fn skip_needs_a_name_and_reports_tests_that_were_not_skipped() {
    for name in ["", "#one"] {
        let output = tamis(&["run", "--observe", "--skip", name, "--", "true"]);
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{stderr}");
        assert!(stderr.contains("--skip org.x.ParserTest"), "{stderr}");
    }
    // The exit code is still the command's.
    let output = tamis(&["run", "--observe", "--skip", "p.NoTest#one", "--", "true"]);
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(0), "{stderr}");
    assert!(stderr.contains("--skip p.NoTest#one: no such test was skipped"), "{stderr}");
}
