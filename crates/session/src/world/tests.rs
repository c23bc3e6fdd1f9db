//! Answers that do not depend on a program.

use super::files::exists;
use super::jvm::flag_files;
use super::machine::machine;
use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};

#[test]
fn a_host_name_resolves_to_the_same_answer_each_time() {
    assert_eq!(machine("name localhost"), machine("name localhost"));
    assert_ne!(machine("name localhost"), machine("name nobody.invalid"));
}

#[test]
fn execute_permission_and_link_target_are_part_of_the_answer() {
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
fn files_named_by_jvm_options_are_found() {
    let of = |flag: &'static str| flag_files(flag).collect::<Vec<_>>();
    assert_eq!(of("-Xbootclasspath/a:x.jar:y.jar"), ["x.jar", "y.jar"]);
    assert_eq!(of("-javaagent:x.jar=port=1"), ["x.jar"]);
    assert_eq!(of("-XX:VMOptionsFile=more"), ["more"]);
    assert!(of("-Xmx1g").is_empty());
}
