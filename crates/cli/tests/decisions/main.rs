//! The specification of selection by example: every case of `tests/decisions`, with real JVMs.
//!
//! Each case's program is compiled before and after an edit. `tamis run` records all tests before the edit.
//! After it, exactly the declared tests must run, as the listeners of the test framework report. Declarations
//! are checked without tamis: a test that must run behaves differently after the edit, a test that may be
//! skipped does not. A further run must run nothing, and so must going back. `TAMIS_CASE=dispatch/` runs the
//! cases with that in their path.
#![allow(clippy::unwrap_used)] // Tests and their helpers may panic.

mod case;
mod compiled;
mod families;
mod inclusion;
mod judge;
mod needed;
mod project;
mod ran;
mod techniques;

use case::Case;
use compiled::{Item, compiled};
use judge::Seen;
use project::Project;
use std::collections::BTreeSet;
use std::panic::catch_unwind;
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, OnceLock};
use tamis_select::facts::FactKind;
use tamis_test_support::markdown;

/// The result of a case on one JDK.
struct Found {
    case: &'static Case,
    feature: u32,
    /// Declarations that are not true.
    untrue: Vec<String>,
    /// Differences between tamis and the declarations.
    mistaken: Vec<String>,
    /// Tests that tamis would run again.
    again: Vec<String>,
    /// Kinds of facts without which a test that must run would be skipped.
    needed: Vec<FactKind>,
}

#[test]
fn every_case_runs_and_skips_what_it_declares() {
    let mut open: BTreeSet<&Path> = cases().iter().filter(|case| case.open).map(|case| &*case.path).collect();
    let mut wrong = Vec::new();
    for found in found() {
        wrong.extend(found.untrue.iter().map(|what| found.line(what)));
        if !found.mistaken.is_empty() && found.case.open {
            open.remove(&*found.case.path);
        } else {
            wrong.extend(found.mistaken.iter().map(|what| found.line(what)));
        }
    }
    for path in open {
        wrong.push(format!("{}: is as it should be now; remove its `open` block", path.display()));
    }
    assert!(wrong.is_empty(), "\n{}\n", wrong.join("\n"));
}

#[test]
fn every_hazard_has_its_cases() {
    let page = std::fs::read_to_string("../../docs/safety.md").unwrap();
    let table = page.split("## ").find(|part| part.starts_with("Hazard by hazard")).unwrap();
    let known: BTreeSet<String> =
        cases().iter().map(|case| case.path.with_extension("").display().to_string()).collect();
    for hazard in 1..=34 {
        let row = table.lines().find(|line| line.starts_with(&format!("| {hazard} |"))).unwrap();
        let named: Vec<&str> = row.split('|').nth(5).unwrap().split('`').skip(1).step_by(2).collect();
        let shown = named.iter().filter(|name| known.contains(**name)).count();
        assert!(shown >= 2, "hazard {hazard} has fewer than two cases");
        for other in named.iter().filter(|name| !known.contains(**name)) {
            assert!(Path::new("../..").join(other).exists(), "hazard {hazard}: there is no {other}");
        }
    }
}

#[test]
fn nothing_runs_again_and_nothing_after_going_back() {
    let wrong: Vec<String> =
        found().iter().flat_map(|found| found.again.iter().map(|what| found.line(what))).collect();
    assert!(wrong.is_empty(), "\n{}\n", wrong.join("\n"));
}

/// Without one kind of facts, some test that must run would be skipped.
#[test]
fn every_kind_of_fact_is_needed() {
    if std::env::var("TAMIS_CASE").is_ok_and(|wanted| !wanted.is_empty()) {
        return; // Needs all cases.
    }
    let needed: BTreeSet<FactKind> = found().iter().flat_map(|found| found.needed.iter().copied()).collect();
    // The default technique does not ask these.
    let others = [FactKind::Head, FactKind::Methods, FactKind::Walk];
    let idle: Vec<&str> = FactKind::ALL
        .iter()
        .filter(|about| !needed.contains(about) && !others.contains(about))
        .map(|about| about.word())
        .collect();
    assert!(idle.is_empty(), "no case fails without these facts: {}", idle.join(", "));
}

impl Found {
    fn line(&self, what: &str) -> String {
        format!("{}, JDK {}: {}\n    {what}", self.case.path.display(), self.feature, self.case.title)
    }
}

/// The results of all cases, tried once for all tests of this ring.
fn found() -> &'static [Found] {
    static FOUND: OnceLock<Vec<Found>> = OnceLock::new();
    FOUND.get_or_init(|| {
        let items = compiled(cases());
        let next = AtomicUsize::new(0);
        let found = Mutex::new(Vec::new());
        std::thread::scope(|scope| {
            for _ in 0..std::thread::available_parallelism().map_or(2, usize::from) {
                scope.spawn(|| {
                    while let Some(item) = items.get(next.fetch_add(1, Ordering::Relaxed)) {
                        // A case that panics fails; the others still count.
                        let one = catch_unwind(|| attempt(item)).unwrap_or_else(|_| Found {
                            case: item.case,
                            feature: item.feature,
                            untrue: vec!["it could not be tried; the output above says why".to_owned()],
                            mistaken: Vec::new(),
                            again: Vec::new(),
                            needed: Vec::new(),
                        });
                        found.lock().unwrap().push(one);
                    }
                });
            }
        });
        let mut found = found.into_inner().unwrap();
        found.sort_by_key(|found| (&found.case.path, found.feature));
        found
    })
}

fn attempt(item: &Item) -> Found {
    let project = Project::new(item.case);
    project.lay(&item.before);
    let (before, log) = project.run(&item.before);
    let show = |tests: &ran::Tests, log: &str| if tests.is_empty() { log.to_owned() } else { String::new() };
    let nothing_ran = show(&before, &log);

    project.lay(&item.after);
    project.with_stale(&item.before);
    let (after, _) = project.run_plainly(&item.after);
    let kept = project.keep_store();
    let selected = (!item.starts_differ()).then(|| project.decide(&item.after, false));
    let (ran, _) = project.run(&item.after);
    let unlisted = selected.map_or(Vec::new(), |selected| judge::unlisted(&selected, &ran));
    let seen = Seen { said: project.last(), before, after, ran };
    let needed = needed::needed(&project, &kept, item, &seen);

    // Everything is written again without a change.
    let failed: BTreeSet<String> =
        seen.after.iter().filter(|(_, ran)| !ran.passed()).map(|(name, _)| name.clone()).collect();
    project.lay(&item.after);
    project.with_stale(&item.before);
    let told = project.decide(&item.after, item.starts_differ());
    let again = judge::run_again(&told, &seen.after, &failed);
    project.lay(&item.before);
    let back: ran::Tests = seen
        .before
        .iter()
        .filter(|(name, ran)| ran.passed() && !failed.contains(*name))
        .map(|(name, ran)| (name.clone(), ran.clone()))
        .collect();
    let told = project.decide(&item.before, item.starts_differ());
    let back = judge::run_again(&told, &back, &failed);
    let again = again
        .into_iter()
        .map(|what| format!("again: {what}"))
        .chain(back.into_iter().map(|what| format!("going back: {what}")))
        .collect();
    let mut untrue = seen.untrue(item.case);
    untrue.extend(Some(nothing_ran).filter(|log| !log.is_empty()));
    let mut mistaken = seen.mistaken(item.case);
    mistaken.extend(unlisted);
    Found { case: item.case, feature: item.feature, untrue, mistaken, again, needed }
}

fn cases() -> &'static [Case] {
    static CASES: OnceLock<Vec<Case>> = OnceLock::new();
    CASES.get_or_init(|| {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/decisions");
        let cases = markdown::read_dir(&folder).unwrap_or_else(|e| panic!("{e}"));
        let wanted = std::env::var("TAMIS_CASE").unwrap_or_default();
        let cases: Vec<Case> = cases
            .into_iter()
            .map(|case| Case::of(case, &folder).unwrap_or_else(|e| panic!("{e}")))
            .filter(|case| wanted.split(',').any(|part| case.path.to_string_lossy().contains(part)))
            .collect();
        assert!(!cases.is_empty(), "TAMIS_CASE={wanted} names no case");
        cases
    })
}
