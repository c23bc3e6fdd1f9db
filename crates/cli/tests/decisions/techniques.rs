//! Selection by each technique, for the cases that declare it, and safety of each technique in all cases.
//!
//! A `techniques` block declares the exact tests that run with a technique. In the slow ring each case is recorded with each
//! technique, and the tests that must run must be selected.

use crate::case::{Case, TechniqueSelection, Verdict};
use crate::cases;
use crate::compiled::{Item, compiled};
use crate::judge::covers;
use crate::project::Project;
#[cfg(feature = "slow")]
use std::collections::BTreeSet;
use std::panic::catch_unwind;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use tamis_select::technique::TECHNIQUES;

#[test]
fn each_technique_selects_the_declared_tests() {
    let items = compiled(cases());
    let declared = items.iter().flat_map(|item| {
        item.case.techniques.iter().map(move |line| Trial {
            item,
            technique: &line.technique,
            granularity: &line.granularity,
            exact: Some(line),
        })
    });
    let wrong = tried(declared.collect());
    assert!(wrong.is_empty(), "\n{}\n", wrong.join("\n"));
}

/// The tests that must run are selected with every technique; `TAMIS_TECHNIQUES=block,class` tries some.
#[cfg(feature = "slow")]
#[test]
fn no_technique_misses_a_test_that_must_run() {
    let items = compiled(cases());
    let mut trials = Vec::new();
    let wanted = std::env::var("TAMIS_TECHNIQUES").unwrap_or_default();
    // One JDK is enough: the ring of the default technique has the others.
    let mut seen = BTreeSet::new();
    let items = items.iter().filter(|item| seen.insert(&item.case.path));
    for item in items.filter(|item| item.case.tamis.is_empty() && !item.case.open) {
        // Static techniques do not see what earlier tests leave; their cases declare them.
        let is_wanted = |name: &str| wanted.split(',').any(|part| part.is_empty() || part == name);
        let recorded = TECHNIQUES.iter().skip(1).filter(|technique| technique.reach().is_none());
        for technique in recorded.filter(|technique| is_wanted(technique.name())) {
            trials.push(Trial { item, technique: technique.name(), granularity: "auto", exact: None });
        }
    }
    let wrong = tried(trials);
    assert!(wrong.is_empty(), "\n{}\n", wrong.join("\n"));
}

#[test]
fn every_declared_technique_exists() {
    let known = |name: &str| {
        let name = name.split('+').next().unwrap_or_default();
        TECHNIQUES.iter().any(|technique| technique.name() == name)
    };
    for case in cases() {
        for line in &case.techniques {
            assert!(known(&line.technique), "{}: {}", case.path.display(), line.technique);
        }
    }
}

/// A case with one technique.
struct Trial<'i> {
    item: &'i Item,
    technique: &'i str,
    granularity: &'i str,
    exact: Option<&'i TechniqueSelection>,
}

fn tried(trials: Vec<Trial<'_>>) -> Vec<String> {
    let (next, wrong) = (AtomicUsize::new(0), Mutex::new(Vec::new()));
    std::thread::scope(|scope| {
        for _ in 0..std::thread::available_parallelism().map_or(2, usize::from) {
            scope.spawn(|| {
                while let Some(trial) = trials.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let found = catch_unwind(|| mistakes(trial)).unwrap_or_else(|_| {
                        vec!["it could not be tried; the output above says why".to_owned()]
                    });
                    let name = |case: &Case| case.path.display().to_string();
                    let line = |what: String| {
                        let Trial { item, technique, granularity, .. } = trial;
                        format!(
                            "{}, JDK {}, {technique}/{granularity}: {what}",
                            name(item.case),
                            item.feature
                        )
                    };
                    wrong.lock().unwrap().extend(found.into_iter().map(line));
                }
            });
        }
    });
    let mut wrong = wrong.into_inner().unwrap();
    wrong.sort();
    wrong
}

fn mistakes(trial: &Trial<'_>) -> Vec<String> {
    let item = trial.item;
    let (technique, receivers) = match trial.technique.split_once('+') {
        Some((technique, receivers)) => (technique, receivers),
        None => (trial.technique, "cha"),
    };
    let settings = [
        ("TAMIS_TECHNIQUE", technique),
        ("TAMIS_STATIC", receivers),
        ("TAMIS_GRANULARITY", trial.granularity),
    ];
    let settings = settings.map(|(name, value)| (name.to_owned(), value.to_owned()));
    let project = Project::with_settings(item.case, settings.into());
    project.lay(&item.before);
    project.run(&item.before);
    project.lay(&item.after);
    project.with_stale(&item.before);
    let decided = project.decide(&item.after, item.starts_differ());
    let mut runs = Vec::new();
    let mut skips = Vec::new();
    for entry in decided["tests"].as_array().unwrap() {
        let class = entry["class"].as_str().unwrap();
        let name = entry["method"].as_str().map_or(class.to_owned(), |method| format!("{class}#{method}"));
        if entry["decision"] == "run" { runs.push(name) } else { skips.push(name) }
    }
    let means = |declared: &str, name: &str| covers(declared, name) || covers(name, declared);
    let mut wrong = Vec::new();
    for declared in item.case.declared.iter().filter(|declared| declared.verdict == Verdict::Run) {
        // A test that a changed framework or class no longer has does not run at all.
        if !runs.iter().any(|name| means(&declared.test, name)) {
            wrong.push(format!("MISS: {} must run; skipped {skips:?}", declared.test));
        }
    }
    if let Some(exact) = trial.exact {
        for name in &runs {
            if !exact.runs.iter().any(|declared| covers(declared, name)) {
                wrong.push(format!("needless: {name} would run"));
            }
        }
        for declared in &exact.runs {
            if !runs.iter().any(|name| covers(declared, name)) {
                wrong.push(format!("{declared} is declared to run; skipped {skips:?}"));
            }
        }
    }
    wrong
}
