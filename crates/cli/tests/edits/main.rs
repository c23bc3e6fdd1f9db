//! The specification of `tamis diff` by example: every case of `tests/edits`, compiled by every required JDK.
//!
//! A case fails with its title, the JDK, and the changes that are missing or surplus. `TAMIS_CASE=lookups/`
//! runs only the cases whose path contains that. `step` knows the format of a case file.
#![allow(clippy::unwrap_used)] // Tests and their helpers may panic.

mod compare;
mod step;

use compare::{Classes, Compared};
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use step::Step;
use tamis_test_support::javac::{self, Job};
use tamis_test_support::jdk::{self, Jdk};
use tamis_test_support::markdown;

#[test]
fn every_edit_gives_exactly_the_changes_of_its_case() {
    let mut open: Vec<&Step> = steps().iter().filter(|step| step.open).collect();
    let mut wrong = String::new();
    for jdk in jdk::required() {
        for (step, classes) in compiled(&jdk) {
            let found = Compared::of(&classes, &jdk, step).lines();
            match step.mismatch(&jdk, &found) {
                Some(_) if step.open => open.retain(|other| other.path != step.path),
                Some(mismatch) => report(&mut wrong, step, &jdk, &mismatch),
                None => {}
            }
        }
    }
    for step in open {
        let _ = writeln!(wrong, "{}: is as it should be now; remove its `open` block", step.path.display());
    }
    assert!(wrong.is_empty(), "\n{wrong}");
}

#[test]
fn the_command_prints_the_changes_of_the_cases() {
    let required = jdk::required();
    let jdk = required.last().expect("at least one JDK is required");
    let mut wrong = String::new();
    for (step, classes) in compiled(jdk) {
        let found = compare::printed(&classes, jdk, step);
        if !step.open
            && let Some(mismatch) = step.mismatch(jdk, &found)
        {
            report(&mut wrong, step, jdk, &mismatch);
        }
    }
    assert!(wrong.is_empty(), "\n{wrong}");
}

/// Going back deletes what the edit added. Look-up changes are left out, because they name the method found
/// before.
#[test]
fn every_edit_undone_is_its_mirror_image() {
    let mut wrong = String::new();
    for jdk in jdk::required() {
        for (step, classes) in compiled(&jdk) {
            let forth = Compared::of(&classes, &jdk, step);
            let back = Compared::of(&classes.swapped(), &jdk, step);
            let mismatch = step::difference(&forth.mirrored(), &back.without_lookups());
            if let Some(mismatch) = mismatch {
                report(&mut wrong, step, &jdk, &mismatch);
            }
        }
    }
    assert!(wrong.is_empty(), "\n{wrong}");
}

/// A class whose digest differs has an entry, so that "no change" is never printed for a changed class.
#[test]
fn no_class_changes_without_an_entry() {
    let mut wrong = String::new();
    for jdk in jdk::required() {
        for (step, classes) in compiled(&jdk) {
            for silent in Compared::of(&classes, &jdk, step).changed_in_silence() {
                report(&mut wrong, step, &jdk, &format!("  {silent} differs and has no entry\n"));
            }
        }
    }
    assert!(wrong.is_empty(), "\n{wrong}");
}

/// Moved lines are not a change, in any program.
#[test]
fn moving_sources_two_lines_down_changes_nothing() {
    let mut wrong = String::new();
    for jdk in jdk::spread() {
        let steps: Vec<&Step> = steps_on(&jdk).filter(|step| step.stale.is_empty()).collect();
        let moved = |step: &&Step| {
            let mut job = step.after.clone();
            for (path, text) in &mut job.sources {
                if path.ends_with(".java") {
                    *text = format!("\n\n{text}");
                }
            }
            job
        };
        let jobs: Vec<Job> =
            steps.iter().map(|step| step.after.clone()).chain(steps.iter().map(moved)).collect();
        let mut outputs = javac::compile_many(&jdk, jobs);
        let moved = outputs.split_off(steps.len());
        for (step, (before, after)) in steps.into_iter().zip(outputs.into_iter().zip(moved)) {
            let classes =
                Classes::new(expect_compiled(step, &jdk, before), expect_compiled(step, &jdk, after));
            if let Some(mismatch) = step::difference(&[], &Compared::of(&classes, &jdk, step).lines()) {
                report(&mut wrong, step, &jdk, &mismatch);
            }
        }
    }
    assert!(wrong.is_empty(), "\n{wrong}");
}

fn report(wrong: &mut String, step: &Step, jdk: &Jdk, mismatch: &str) {
    let _ = writeln!(wrong, "{}, JDK {}: {}\n{mismatch}", step.path.display(), jdk.feature, step.title);
}

fn steps() -> &'static [Step] {
    static STEPS: OnceLock<Vec<Step>> = OnceLock::new();
    STEPS.get_or_init(|| {
        let folder = workspace().join("tests/edits");
        let cases = markdown::read_dir(&folder).unwrap_or_else(|e| panic!("{e}"));
        let wanted = std::env::var("TAMIS_CASE").unwrap_or_default();
        let steps: Vec<Step> = cases
            .into_iter()
            .map(|case| Step::of(case, &folder).unwrap_or_else(|e| panic!("{e}")))
            .filter(|step| step.path.to_string_lossy().contains(&wanted))
            .collect();
        assert!(!steps.is_empty(), "TAMIS_CASE={wanted} names no case");
        steps
    })
}

fn steps_on(jdk: &Jdk) -> impl Iterator<Item = &'static Step> {
    steps().iter().filter(|step| step.jdks.contains(jdk.feature))
}

/// Compiles the cases that this JDK can compile.
fn compiled(jdk: &Jdk) -> Vec<(&'static Step, Classes)> {
    let steps: Vec<&Step> = steps_on(jdk).collect();
    let jobs = steps.iter().flat_map(|step| [step.before.clone(), step.after.clone()]).collect();
    let mut outputs = javac::compile_many(jdk, jobs).into_iter();
    steps
        .into_iter()
        .map(|step| {
            let mut next = || expect_compiled(step, jdk, outputs.next().expect("a result for every job"));
            let (before, after) = (next(), next());
            (step, Classes::new(before, after).with_stale(&step.stale))
        })
        .collect()
}

fn expect_compiled(step: &Step, jdk: &Jdk, output: Result<javac::ClassDir, String>) -> PathBuf {
    match output {
        Ok(classes) => classes.path,
        Err(log) => panic!(
            "{} does not compile with JDK {}; a `jdk` block says which can compile it\n{log}",
            step.path.display(),
            jdk.feature
        ),
    }
}

fn workspace() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(2).expect("the crate lies in the workspace")
}
