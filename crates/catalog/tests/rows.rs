//! Every row says why it is there, and names cases that exist. Rows without a case are listed here.

#![allow(clippy::unwrap_used)] // A test may stop at the first surprise.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use tamis_catalog::sources;

/// No case proves these yet.
const UNPROVEN: [&str; 17] = [
    "AssertJ",
    "Bazel",
    "Gradle",
    "Groovy",
    "Hamcrest",
    "Kotlin daemon",
    "Mill",
    "Scala",
    "Spek",
    "classes whose objects never change",
    "sbt",
    "specs2",
    "types that can be filled",
    "types that cannot be filled",
    "types that never change",
    "types that say all of their objects",
    "where the JDK reads its limits",
];

#[test]
fn every_row_has_a_reason_and_cases_that_exist() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    // Cases are moved from one folder to another, and so are crates.
    let mut known: BTreeSet<String> = BTreeSet::new();
    for crates in fs::read_dir(root.join("crates")).unwrap() {
        names(&crates.unwrap().path().join("tests"), "rs", &mut known);
    }
    names(&root.join("tests/decisions"), "md", &mut known);
    for project in fs::read_dir(root.join("tests/projects")).unwrap() {
        let name = project.unwrap().file_name();
        known.insert(format!("projects/{}", name.to_str().unwrap()));
    }
    let mut seen: BTreeSet<&str> = BTreeSet::new();
    let mut unproven: Vec<&str> = Vec::new();
    for source in sources() {
        assert!(seen.insert(source.name), "two rows are called {}", source.name);
        assert!(!source.name.is_empty() && source.why.ends_with('.'), "{} says not why", source.name);
        for case in source.cases {
            assert!(known.contains(*case), "{}: there is no case {case}", source.name);
        }
        if source.cases.is_empty() {
            unproven.push(source.name);
        }
    }
    unproven.sort_unstable();
    assert_eq!(unproven, UNPROVEN);
}

fn names(folder: &Path, ending: &str, into: &mut BTreeSet<String>) {
    let entries: Vec<PathBuf> = match fs::read_dir(folder) {
        Ok(entries) => entries.map(|entry| entry.unwrap().path()).collect(),
        Err(_) => return,
    };
    for path in entries {
        if path.is_dir() {
            names(&path, ending, into);
        } else if path.extension().is_some_and(|found| found == ending) {
            into.insert(path.file_name().unwrap().to_str().unwrap().to_owned());
        }
    }
}
