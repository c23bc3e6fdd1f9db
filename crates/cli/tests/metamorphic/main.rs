//! Edits made by rule, at every place where they fit, in programs that use all of Java.
//!
//! | edit | must change |
//! |---|---|
//! | noise: comments, debug tables, other orders, unrelated members | nothing else |
//! | mutant: one literal or operator | exactly the member that contains it |
//!
//! A mutant with other bytes for which `tamis diff` reports nothing would be a missed regression.
#![allow(clippy::unwrap_used)] // Tests and their helpers may panic.

mod check;
mod mutants;
mod noise;
mod programs;

use check::Classes;
use programs::Program;
use std::fmt::Write;
use std::path::PathBuf;
use tamis_test_support::javac::{self, Job};
use tamis_test_support::jdk::{self, Jdk};

/// A program before and after an edit.
struct Trial<'p, E> {
    program: &'p Program,
    before: Job,
    after: Job,
    /// The expected changes.
    expect: E,
}

#[test]
fn comments_and_blank_lines_change_nothing() {
    nothing_changes(|program| vec![(program.job(), program.with(noise::commented(&program.text)))]);
}

#[test]
fn debug_tables_change_nothing() {
    nothing_changes(|program| {
        let with = |flag: &str| program.job_with(&program.text, &[flag]);
        vec![(with("-g"), with("-g:none")), (with("-g:lines"), with("-g"))]
    });
}

#[test]
fn the_order_of_methods_and_of_nested_classes_changes_nothing() {
    nothing_changes(|program| {
        let orders = noise::reordered(program);
        assert!(!orders.is_empty(), "{} has nothing to reorder", program.name);
        orders.into_iter().map(|text| (program.job(), program.with(text))).collect()
    });
}

fn nothing_changes(edits: impl Fn(&Program) -> Vec<(Job, Job)>) {
    let trials = |jdk: &Jdk| {
        let on = programs::on(jdk);
        let each = on.flat_map(|program| edits(program).into_iter().map(move |edit| (program, edit)));
        each.map(|(program, (before, after))| Trial { program, before, after, expect: () }).collect()
    };
    run(trials, |classes, jdk, ()| {
        let lines = check::lines(classes, jdk);
        if lines.is_empty() { Ok(()) } else { Err(lines.join("\n")) }
    });
}

#[test]
fn an_unrelated_member_changes_nothing_else() {
    let trials = |jdk: &Jdk| {
        let mut trials = Vec::new();
        for (number, program) in programs::on(jdk).enumerate() {
            for (turn, place) in program.places.iter().enumerate() {
                for group in noise::members(jdk, place, turn + number) {
                    let after = program.with(group.inserted(&program.text, place.offset));
                    trials.push(Trial { program, before: program.job(), after, expect: (place, group) });
                }
            }
        }
        trials
    };
    run(trials, |classes, jdk, (place, group)| {
        check::only_added(&check::lines(classes, jdk), &place.class, group)?;
        check::digests_but_of(classes, jdk, &place.class)
    });
}

#[test]
fn every_mutant_changes_its_member_and_nothing_else() {
    let trials = |jdk: &Jdk| {
        let mut trials = Vec::new();
        for program in programs::on(jdk) {
            for mutant in mutants::of(program) {
                let job = |text: &str| program.job_with(text, &["-g:none"]);
                let (before, after) = (job(&program.text), job(&mutant.text));
                trials.push(Trial { program, before, after, expect: mutant });
            }
        }
        trials
    };
    let tried = std::cell::Cell::new([0; 3]);
    let count = |at: usize| {
        let mut counts = tried.get();
        counts[at] += 1;
        tried.set(counts);
    };
    run_some(
        trials,
        |classes, jdk, mutant| {
            let lines = check::lines(classes, jdk);
            if check::bytes_are_equal(classes) {
                count(0);
                return if lines.is_empty() { Ok(()) } else { Err(lines.join("\n")) };
            }
            count(1);
            mutant.check(&lines).map_err(|what| format!("{}\n{what}", mutant.edit))
        },
        |_| count(2),
    );
    let [equal, different, refused] = tried.get();
    println!("{different} mutants differ, {equal} are compiled to the same bytes, {refused} are no Java");
    assert!(different > 2 * (equal + refused), "most mutants must be programs that differ");
}

/// Compiles all trials and checks each.
fn run<'p, E: 'p>(
    trials: impl Fn(&Jdk) -> Vec<Trial<'p, E>>,
    check: impl Fn(&Classes, &Jdk, &E) -> Result<(), String>,
) {
    let refuse = |log: &str| panic!("an edit that should fit does not compile\n{log}");
    run_some(trials, check, refuse);
}

/// Compiles all trials, and checks those whose edit compiles. Programs before the edit must compile.
fn run_some<'p, E: 'p>(
    trials: impl Fn(&Jdk) -> Vec<Trial<'p, E>>,
    check: impl Fn(&Classes, &Jdk, &E) -> Result<(), String>,
    refused: impl Fn(&str),
) {
    let mut wrong = String::new();
    let mut count = 0;
    for jdk in jdk::spread() {
        let trials = trials(&jdk);
        let jobs = trials.iter().flat_map(|trial| [trial.before.clone(), trial.after.clone()]).collect();
        let mut outputs = javac::compile_many(&jdk, jobs).into_iter();
        for trial in &trials {
            let mut next = || outputs.next().expect("a result for every job").map(|classes| classes.path);
            let before: PathBuf = next().unwrap_or_else(|log| panic!("{}: {log}", trial.program.name));
            let after: PathBuf = match next() {
                Ok(after) => after,
                Err(log) => {
                    refused(&format!("{}, JDK {}: {log}", trial.program.name, jdk.feature));
                    continue;
                }
            };
            count += 1;
            let classes = Classes { before, after };
            if let Err(what) = check(&classes, &jdk, &trial.expect) {
                let _ =
                    writeln!(wrong, "{}, JDK {}: {what}\n  {}\n", trial.program.name, jdk.feature, classes);
            }
        }
    }
    assert!(wrong.is_empty(), "\n{wrong}");
    assert!(count > 0, "nothing was tried");
}
