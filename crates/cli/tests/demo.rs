//! The demo's project built by Maven: after each edit exactly the tests run that the edit names.

#![allow(clippy::unwrap_used, clippy::indexing_slicing)] // Tests may panic.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().unwrap()
}

fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap() {
        let path = entry.unwrap().path();
        let target = to.join(path.file_name().unwrap());
        if path.is_dir() {
            copy(&path, &target);
        } else {
            fs::copy(&path, &target).unwrap();
        }
    }
}

fn tamis(project: &Path, arguments: &[&str]) -> Output {
    let mut tamis = Command::new(env!("CARGO_BIN_EXE_tamis"));
    tamis.args(arguments).current_dir(project).env("NO_COLOR", "1").output().unwrap()
}

/// Runs the tests. Returns the tests that ran, which tamis and Surefire must report equally.
fn ran(project: &Path) -> BTreeSet<String> {
    for module in ["pricing", "orders"] {
        let _ = fs::remove_dir_all(project.join(module).join("target/surefire-reports"));
    }
    let output = tamis(project, &["test", "--", "-B", "-q"]);
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{text}{}", String::from_utf8_lossy(&output.stderr));
    let document = fs::read_to_string(project.join(".tamis/last/run.json")).unwrap();
    let document: serde_json::Value = serde_json::from_str(&document).unwrap();
    let mut told = BTreeSet::new();
    for test in document["tests"].as_array().unwrap() {
        if test["decision"] == "run" {
            told.insert(format!("{}#{}", test["class"].as_str().unwrap(), test["method"].as_str().unwrap()));
        }
    }
    assert_eq!(told, reported(project));
    told
}

fn reported(project: &Path) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    for module in ["pricing", "orders"] {
        let folder = project.join(module).join("target/surefire-reports");
        for file in fs::read_dir(folder).into_iter().flatten().flatten() {
            if file.path().extension().is_none_or(|ending| ending != "xml") {
                continue;
            }
            let text = fs::read_to_string(file.path()).unwrap();
            for case in text.split("<testcase ").skip(1) {
                let attribute = |name: &str| {
                    let (_, rest) = case.split_once(&format!("{name}=\"")).unwrap();
                    rest.split_once('"').unwrap().0.to_owned()
                };
                let (class, name) = (attribute("classname"), attribute("name"));
                let method = name.split(['[', '(', '{']).next().unwrap().trim().to_owned();
                found.insert(format!("{class}#{method}"));
            }
        }
    }
    found
}

#[test]
fn after_each_edit_exactly_the_named_tests_run() {
    let folder = tempfile::tempdir().unwrap();
    let project = folder.path().join("shop");
    let demo = root().join("crates/cli/demo");
    copy(&demo.join("shop"), &project);
    let all = ran(&project);
    assert!(all.len() > 40, "{all:?}");
    assert_eq!(ran(&project), BTreeSet::new(), "nothing changed");
    let mut edits: Vec<PathBuf> =
        fs::read_dir(demo.join("edits")).unwrap().map(|entry| entry.unwrap().path()).collect();
    edits.sort();
    let mut originals = Vec::new();
    for edit in &edits {
        let text = fs::read_to_string(edit).unwrap();
        let (head, rest) = text.split_once("--- find\n").unwrap();
        let (find, replace) = rest.split_once("--- replace\n").unwrap();
        let file = project.join(head.lines().find_map(|line| line.strip_prefix("file: ")).unwrap());
        let wanted: BTreeSet<String> = head
            .lines()
            .filter_map(|line| line.strip_prefix("runs: "))
            .flat_map(|names| names.split_whitespace().map(str::to_owned))
            .collect();
        let before = fs::read_to_string(&file).unwrap();
        // Maven's compiler compares time stamps.
        std::thread::sleep(std::time::Duration::from_millis(1100));
        fs::write(&file, before.replace(find, replace)).unwrap();
        originals.push((file, before));
        assert_eq!(ran(&project), wanted, "{}", edit.display());
    }
    // Back at the beginning, in a known state, so nothing runs; and the same in another directory.
    std::thread::sleep(std::time::Duration::from_millis(1100));
    for (file, before) in originals.into_iter().rev() {
        fs::write(&file, before).unwrap();
    }
    assert_eq!(ran(&project), BTreeSet::new(), "everything undone");
    let elsewhere = folder.path().join("another place");
    copy(&project, &elsewhere);
    assert_eq!(ran(&elsewhere), BTreeSet::new(), "copied with its store");
    let output = tamis(&project, &["select", "--format", "names"]);
    assert_eq!(String::from_utf8_lossy(&output.stdout), "");
    let output = tamis(&project, &["affected", "Stock#runningOut", "--format", "names"]);
    assert_eq!(String::from_utf8_lossy(&output.stdout), "shop.orders.StockTest#whatRunsOutIsListed\n");
    let output = tamis(&project, &["explain", "StockTest#whatRunsOutIsListed"]);
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(text.contains("can be skipped: all"), "{text}");
}
