//! Real builds of Maven and Gradle: every project of `tests/projects`, run with `tamis test` after each of its edits.
//!
//! The tests that ran are read from the reports of the build. They must be exactly the declared
//! ones, and `run.json` must list the same. `git` and `kills` have other subjects.
#![allow(clippy::unwrap_used, clippy::indexing_slicing)] // Tests and their helpers may panic.

mod build;
mod git;
mod kills;
mod options;
mod set_up;
mod steps;

use build::{Build, Ran, files, projects};
use kills::{Victim, kill};
use std::collections::BTreeSet;
use steps::{Step, Steps};

macro_rules! project {
    ($($name:ident),*) => {
        $(#[test] fn $name() { check(stringify!($name)); })*

        #[test]
        fn every_project_is_tried() {
            let here: Vec<String> = files(&projects())
                .iter()
                .filter(|path| path.join("steps.toml").is_file())
                .map(|path| path.file_name().unwrap().to_string_lossy().into_owned())
                .collect();
            let mut tried = vec![$(stringify!($name)),*];
            tried.sort_unstable();
            assert_eq!(tried, here);
        }
    };
}

project!(
    exit,
    failing,
    failsafe,
    forks,
    gradle_modules,
    gradle_single,
    junit6,
    kotlin,
    modular,
    modules,
    opened,
    parallel,
    single,
    testng
);

#[test]
fn tamis_is_killed() {
    kill(Victim::Tamis, 1);
}

#[test]
fn maven_is_killed() {
    kill(Victim::Maven, 1);
}

#[test]
fn the_test_jvm_is_killed() {
    kill(Victim::TestJvm, 1);
}

fn check(name: &str) {
    let steps = Steps::read(&projects().join(name));
    let jdks = if steps.jdks.is_empty() { &[17][..] } else { &steps.jdks };
    for feature in jdks {
        check_on(name, &steps, *feature);
    }
}

/// A first run, which may download; one without a change; the edits; and one with every edit undone.
fn check_on(name: &str, steps: &Steps, feature: u32) {
    let mut build = Build::of(name, feature);
    let state = |what: &str, runs: &BTreeSet<String>| Step {
        what: what.to_owned(),
        runs: runs.clone(),
        fails: steps.fails.intersection(runs).cloned().collect(),
        unreported: steps.unreported.clone(),
        exit: steps.exit,
        ..Step::default()
    };
    let mut wrong = Vec::new();
    let mut run = |build: &Build, step: &Step, online: bool| {
        let mut arguments: Vec<&str> = if online { vec![] } else { vec!["--offline"] };
        let given = if step.args.is_empty() { &steps.args } else { &step.args };
        arguments.extend(given.iter().map(String::as_str));
        let found = differences(steps, step, &build.test(&arguments));
        wrong.extend(found.into_iter().map(|found| format!("{name}, JDK {feature}: {}: {found}", step.what)));
    };
    run(&build, &state("the first time", &steps.tests), true);
    run(&build, &state("nothing changed", &steps.again), false);
    for step in &steps.steps {
        step.edits.iter().for_each(|edit| build.edit(edit));
        run(&build, step, false);
    }
    build.undo();
    run(&build, &state("every edit undone", steps.undone.as_ref().unwrap_or(&steps.again)), false);
    assert!(wrong.is_empty(), "\n{}\n", wrong.join("\n"));
}

/// Differences from the declarations.
fn differences(steps: &Steps, step: &Step, ran: &Ran) -> Vec<String> {
    let mut wrong = Vec::new();
    let must: BTreeSet<String> = step.runs.union(&steps.always).cloned().collect();
    let may: BTreeSet<String> = must.union(&step.may).cloned().collect();
    for test in must.difference(&ran.reported) {
        wrong.push(format!("{test} did not run"));
    }
    for test in ran.reported.difference(&may) {
        wrong.push(format!("{test} ran: {}", ran.told.get(test).map_or("not told", |why| why.as_str())));
    }
    if ran.failed != step.fails {
        wrong.push(format!("{:?} failed, not {:?}", ran.failed, step.fails));
    }
    let told: BTreeSet<String> = ran.told.keys().chain(&steps.untold).cloned().collect();
    let really: BTreeSet<String> = ran.reported.union(&step.unreported).cloned().collect();
    let really: BTreeSet<String> = really.union(&steps.untold).cloned().collect();
    if told != really {
        wrong.push(format!("run.json tells of {told:?}, and it was {really:?}"));
    }
    if ran.exit != Some(step.exit) {
        wrong.push(format!("exit code {:?}, not {}", ran.exit, step.exit));
    }
    for said in [&steps.says, &step.says].into_iter().flatten() {
        if !ran.text.contains(said.as_str()) {
            wrong.push(format!("does not say {said:?}"));
        }
    }
    if !wrong.is_empty() {
        wrong.push(format!("it printed\n{}", ran.text));
    }
    wrong
}
