//! Typical uses of git: a known state of the working tree runs nothing, however git produced it.

use crate::build::{Build, PATIENCE};
use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::process::Command;
use tamis_test_support::run;

const TEXT: &str = "core/src/main/java/core/Text.java";
const SHOUT: &str = "app/src/main/java/app/Shout.java";

fn git(folder: &Path, arguments: &[&str]) -> String {
    let mut git = Command::new("git");
    git.args(["-c", "user.name=t", "-c", "user.email=t@example.org", "-c", "init.defaultBranch=main"]);
    git.args(["-c", "commit.gpgsign=false"]).args(arguments).current_dir(folder);
    git.env("GIT_CONFIG_GLOBAL", "/dev/null").env("GIT_CONFIG_NOSYSTEM", "1").env("GIT_EDITOR", "true");
    let output = run::run(&mut git, PATIENCE).unwrap();
    assert!(output.success(), "git {arguments:?}: {}{}", output.stdout, output.stderr);
    output.stdout
}

fn replace(folder: &Path, file: &str, find: &str, with: &str) {
    let before = fs::read_to_string(folder.join(file)).unwrap();
    assert!(before.contains(find), "{file}: no {find} in it");
    fs::write(folder.join(file), before.replacen(find, with, 1)).unwrap();
}

#[test]
fn a_known_state_of_the_working_tree_runs_nothing() {
    let build = Build::of("modules", 17);
    let ran = |build: &Build, online: bool| {
        let ran = build.test(if online { &[] } else { &["--offline"] });
        assert_eq!(ran.exit, Some(0), "{}", ran.text);
        assert!(ran.told.keys().eq(&ran.reported), "{:?}\n{}", ran.told, ran.text);
        let names = ran.reported.into_iter().map(|test| test.split_once('#').unwrap().1.to_owned());
        names.collect::<BTreeSet<_>>().into_iter().collect::<Vec<_>>()
    };
    let nothing: [&str; 0] = [];
    let path = build.path.as_path();
    fs::write(path.join(".gitignore"), "target/\n").unwrap();
    let commit = |message: &str| {
        git(path, &["add", "--all"]);
        git(path, &["commit", "--quiet", "--message", message]);
    };
    git(path, &["init", "--quiet"]);
    commit("first");
    assert_eq!(ran(&build, true).len(), 5);
    assert_eq!(git(path, &["status", "--porcelain"]), "", "the store ignores itself");

    git(path, &["switch", "--quiet", "--create", "louder"]);
    replace(path, TEXT, "text.toUpperCase()", "text.toUpperCase(java.util.Locale.ROOT)");
    commit("louder");
    assert_eq!(ran(&build, false), ["shout", "upper"]);
    git(path, &["switch", "--quiet", "main"]);
    assert_eq!(ran(&build, false), nothing, "back on the first branch");
    git(path, &["switch", "--quiet", "louder"]);
    assert_eq!(ran(&build, false), nothing, "and again on the second");

    git(path, &["switch", "--quiet", "main"]);
    replace(path, TEXT, "text.toLowerCase()", "text.toLowerCase(java.util.Locale.ROOT)");
    commit("quieter");
    assert_eq!(ran(&build, false), ["lower", "whisper"]);
    git(path, &["switch", "--quiet", "louder"]);
    git(path, &["rebase", "--quiet", "main"]);
    assert_eq!(fs::read_to_string(path.join(TEXT)).unwrap().matches("Locale.ROOT").count(), 2);
    assert_eq!(ran(&build, false), nothing, "rebased: no test is of both changes");
    git(path, &["revert", "--no-edit", "HEAD"]);
    assert_eq!(ran(&build, false), nothing, "reverted");

    replace(path, SHOUT, "\"!\"", "\"!!\" + \"!\"");
    assert_eq!(ran(&build, false), ["shout"]);
    git(path, &["stash", "--quiet"]);
    assert_eq!(ran(&build, false), nothing, "stashed");
    git(path, &["stash", "pop", "--quiet"]);
    assert_eq!(ran(&build, false), nothing, "and taken out again");

    // First with all build output, then only with the store.
    let copied = build.copied();
    assert_eq!(ran(&copied, false), nothing, "copied");
    for module in ["core", "app"] {
        fs::remove_dir_all(copied.path.join(module).join("target")).unwrap();
    }
    git(&copied.path, &["stash", "--quiet"]);
    assert_eq!(ran(&copied, false), nothing, "built again in another directory");
    git(&copied.path, &["switch", "--quiet", "--detach", "main~1"]);
    assert_eq!(ran(&copied, false), nothing, "the first commit, in another place");
    let touched: BTreeSet<String> = copied.test(&["--offline", "clean", "test"]).reported;
    assert_eq!(touched, BTreeSet::new(), "after clean");
}
