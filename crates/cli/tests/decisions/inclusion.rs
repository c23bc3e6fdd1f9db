//! A finer technique selects no test that a coarser one leaves out, for any edit; and each selects the tests that must run.
//!
//! The facts of the coarser technique follow from those of the finer one, so a violation is a bug of one of the two.

use crate::compiled::built;
use crate::families::{EDITS, Edit, Files, Names, TESTS, case, edited, must_run, selected};
use crate::project::{Built, Project};
use tamis_test_support::jdk::jdk;

/// From the finest to the coarsest.
const CHAIN: [&str; 5] = ["block", "hybrid", "method", "method-f", "class"];

#[test]
fn finer_techniques_select_no_more_than_coarser_ones() {
    let mut programs: Vec<(String, Files)> = vec![(String::new(), edited(&[]).unwrap())];
    let pairs =
        EDITS.iter().enumerate().flat_map(|(at, one)| EDITS.iter().skip(at + 1).map(move |two| [one, two]));
    let singles = EDITS.iter().map(|edit| vec![edit]);
    // Pairs take minutes.
    let pairs = pairs.filter(|_| cfg!(feature = "slow")).map(|pair| pair.to_vec());
    for edits in singles.chain(pairs) {
        let name = edits.iter().map(|edit: &&Edit| edit.name).collect::<Vec<_>>().join(" and ");
        programs.extend(edited(&edits).map(|files| (name, files)));
    }
    let (names, files): (Vec<String>, Vec<Files>) = programs.into_iter().unzip();
    let versions: Vec<Built> = built(&jdk(17), files);
    let (base, edits) = versions.split_first().unwrap();
    let case = case();
    let plain = Project::new(&case);
    plain.lay(base);
    let (does, log) = plain.run_plainly(base);
    assert_eq!(does.len(), TESTS.len(), "{log}");
    let recorded: Vec<Project<'_>> = CHAIN
        .iter()
        .map(|technique| {
            let settings = vec![("TAMIS_TECHNIQUE".to_owned(), (*technique).to_owned())];
            let project = Project::with_settings(&case, settings);
            project.lay(base);
            project.run(base);
            project
        })
        .collect();
    let mut wrong = Vec::new();
    for (name, version) in names.iter().skip(1).zip(edits) {
        plain.lay(version);
        let must = must_run(&does, &plain.run_plainly(version).0);
        let chosen: Vec<Names> = recorded.iter().map(|project| selected(project, version)).collect();
        for (technique, chosen) in CHAIN.iter().zip(&chosen) {
            if !must.is_subset(chosen) {
                wrong.push(format!("{name}, {technique}: MISS: {:?}", must.difference(chosen)));
            }
        }
        for (names, pair) in CHAIN.windows(2).zip(chosen.windows(2)) {
            if let ([fine, coarse], [few, many]) = (names, pair)
                && !few.is_subset(many)
            {
                wrong.push(format!("{name}: {fine} and not {coarse}: {:?}", few.difference(many)));
            }
        }
    }
    assert!(wrong.is_empty(), "\n{}\n", wrong.join("\n"));
}
