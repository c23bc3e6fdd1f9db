//! The answers that need no program.

use super::files::exists;
use super::jvm::flag_files;
use super::machine::machine;
use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};

#[test]
fn a_name_stands_for_the_same_until_it_does_not() {
    assert_eq!(machine("name localhost"), machine("name localhost"));
    assert_ne!(machine("name localhost"), machine("name nobody.invalid"));
}

#[test]
fn what_can_be_executed_and_where_a_link_leads_is_seen() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    ["a", "b"].iter().for_each(|name| fs::write(at(name), "same").unwrap());
    assert_eq!(exists(&at("a")), exists(&at("b")));
    fs::set_permissions(at("b"), fs::Permissions::from_mode(0o755)).unwrap();
    assert_ne!(exists(&at("a")), exists(&at("b")));
    symlink("a", at("one")).unwrap();
    symlink("./a", at("other")).unwrap();
    assert_ne!(exists(&at("one")), exists(&at("other")));
}

#[test]
fn options_name_the_files_that_they_bring() {
    let of = |flag: &'static str| flag_files(flag).collect::<Vec<_>>();
    assert_eq!(of("-Xbootclasspath/a:x.jar:y.jar"), ["x.jar", "y.jar"]);
    assert_eq!(of("-javaagent:x.jar=port=1"), ["x.jar"]);
    assert_eq!(of("-XX:VMOptionsFile=more"), ["more"]);
    assert!(of("-Xmx1g").is_empty());
}
