//! All possible edits, and sequences of them that a seed determines.
//!
//! Operators take turns, so that rare edits are tried as often as frequent ones. The first N edits of a
//! sequence do not depend on N.

use super::class_lookup::ProgramClasses;
use super::mutant::{Mutant, MutantTarget, library_sites, resources};
use rustc_hash::FxHashSet;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use tamis_mutate::{EditableClass, OPERATORS, RandomDraw};
use tamis_program::names::dotted;
use tamis_project::launch::Launch;
use tamis_session::FrameworkArchives;

/// Edits of files and libraries, beside those of [`OPERATORS`].
const OTHERS: [&str; 3] = [LIBRARY, RESOURCE_DELETED, RESOURCE_EDITED];

/// A class of a library is edited, in a copy of its archive.
const LIBRARY: &str = "library-changed";

/// A file on the class path is deleted.
const RESOURCE_DELETED: &str = "resource-deleted";

/// One character of a resource is changed.
const RESOURCE_EDITED: &str = "resource-edited";

/// An operator that asks how many tests depend on the code under test; code of tests is left out.
const THROWS: &str = "throws";

/// Number of possible edits of one resource.
const LETTERS: usize = 3;

/// Number of edits out of five that are in production code, if tests are in other directories.
const OF_MAIN: usize = 4;

/// The names of all operators.
pub fn operator_names() -> impl Iterator<Item = &'static str> {
    OPERATORS.iter().map(|operator| operator.name).chain(OTHERS)
}

/// All possible edits.
#[derive(Default)]
pub(super) struct MutantPool {
    kinds: BTreeMap<&'static str, OperatorSites>,
}

/// The edits of one operator.
#[derive(Default)]
struct OperatorSites {
    /// In production code, and in tests.
    halves: [PoolHalf; 2],
}

#[derive(Default)]
struct PoolHalf {
    /// Files, with the number of places in the files before.
    files: Vec<(usize, SiteRef)>,
    places: usize,
    drawn: FxHashSet<usize>,
}

struct SiteRef {
    launch: usize,
    entry: PathBuf,
    name: String,
}

impl PoolHalf {
    fn add(&mut self, places: usize, launch: usize, entry: &Path, name: &str) {
        if places > 0 {
            self.files
                .push((self.places, SiteRef { launch, entry: entry.to_owned(), name: name.to_owned() }));
            self.places += places;
        }
    }
}

impl MutantPool {
    /// Adds the classes and resources of a directory of the project that is an entry of a launch's class
    /// path.
    pub(super) fn add_directory(
        &mut self,
        launch: usize,
        entry: &Path,
        program: &ProgramClasses,
        tests: &BTreeSet<String>,
    ) -> bool {
        let Some(at) = program.class_path.roots().iter().position(|root| root.path == entry) else {
            return false;
        };
        let mut bytes = Vec::new();
        let classes: Vec<_> =
            program.class_path.classes().iter().filter(|class| class.root() == at).collect();
        let is_tests = classes.iter().any(|class| tests.contains(&dotted(&class.name)));
        let holders: BTreeSet<&str> = tests.iter().map(|test| outermost(test)).collect();
        for found in classes {
            if program.class_path.read(found, &mut bytes).is_err() {
                continue;
            }
            let Some(class) = EditableClass::read(&bytes).filter(|class| *class.name == *found.name) else {
                continue;
            };
            let holds_tests = holders.contains(outermost(&dotted(&found.name)));
            for operator in OPERATORS.iter().filter(|operator| !(holds_tests && operator.name == THROWS)) {
                let places = operator.sites(&class, program).len();
                self.half(operator.name, is_tests).add(places, launch, entry, &found.name);
            }
        }
        for name in resources(entry) {
            self.half(RESOURCE_DELETED, is_tests).add(1, launch, entry, &name);
            self.half(RESOURCE_EDITED, is_tests).add(LETTERS, launch, entry, &name);
        }
        is_tests
    }

    /// Adds classes of libraries that tests use.
    pub(super) fn add_libraries(&mut self, launch: usize, program: &ProgramClasses, used: &BTreeSet<String>) {
        let frameworks = FrameworkArchives::find(&program.class_path);
        for name in used {
            let Some(found) = program.class_path.find(name) else { continue };
            let Some(root) = program.class_path.roots().get(found.root()) else { continue };
            if !root.path.is_file() || frameworks.hold(&program.class_path, name) {
                continue;
            }
            let mut bytes = Vec::new();
            if program.class_path.read(found, &mut bytes).is_ok()
                && let Some(class) = EditableClass::read(&bytes)
            {
                let places = library_sites(&class, program).len();
                self.half(LIBRARY, false).add(places, launch, &root.path, name);
            }
        }
    }

    fn half(&mut self, kind: &'static str, tests: bool) -> &mut PoolHalf {
        let [main, test] = &mut self.kinds.entry(kind).or_default().halves;
        if tests { test } else { main }
    }

    /// Number of possible edits.
    pub(super) fn places(&self) -> usize {
        self.kinds.values().flat_map(|kind| &kind.halves).map(|half| half.places).sum()
    }

    /// The first `count` edits in the sequence of a seed, by these operators or by all.
    pub(super) fn draw(&mut self, seed: u64, kinds: &[String], count: usize) -> Vec<Mutant> {
        let mut draw = RandomDraw::new(seed);
        let wanted = |name: &str| kinds.is_empty() || kinds.iter().any(|kind| kind == name);
        let mut turns: Vec<&'static str> = self.kinds.keys().copied().filter(|name| wanted(name)).collect();
        let mut order = Vec::new();
        while !turns.is_empty() {
            order.push(turns.swap_remove(draw.below(turns.len())));
        }
        let mut drawn = Vec::new();
        while drawn.len() < count && !order.is_empty() {
            order.retain(|name| {
                let Some(kind) = self.kinds.get_mut(name) else { return false };
                let next = kind.next(&mut draw, *name == THROWS);
                drawn.extend(next.map(|(at, place)| at.mutant(name, place)).filter(|_| drawn.len() < count));
                next.is_some()
            });
        }
        drawn
    }
}

impl OperatorSites {
    /// The next place that was not drawn before; `only_main` leaves out directories with tests, if there are
    /// others.
    fn next(&mut self, draw: &mut RandomDraw, only_main: bool) -> Option<(&SiteRef, usize)> {
        let [main, tests] = &mut self.halves;
        let only_main = only_main && main.places > 0;
        let first = usize::from(!only_main && draw.below(5) >= OF_MAIN);
        let left = |half: &PoolHalf| half.drawn.len() < half.places;
        if only_main && !left(main) {
            return None;
        }
        let half = match (first, left(main), left(tests)) {
            (0, true, _) | (1, true, false) => main,
            (_, _, true) => tests,
            _ => return None,
        };
        let mut place = draw.below(half.places);
        while !half.drawn.insert(place) {
            place = (place + 1) % half.places;
        }
        let file = half.files.partition_point(|(before, _)| *before <= place).checked_sub(1)?;
        half.files.get(file).map(|(before, at)| (at, place - before))
    }
}

impl SiteRef {
    fn mutant(&self, operator: &'static str, place: usize) -> Mutant {
        let name = self.name.clone();
        let target = match operator {
            LIBRARY => MutantTarget::Library { name, site: place },
            RESOURCE_DELETED => MutantTarget::Deleted { path: name },
            RESOURCE_EDITED => MutantTarget::Edited { path: name, letter: place },
            _ => MutantTarget::Class { name, site: place },
        };
        Mutant { operator, entry: self.entry.clone(), launch: self.launch, target }
    }
}

/// `a.B` for `a.B$C`.
fn outermost(class: &str) -> &str {
    class.split('$').next().unwrap_or(class)
}

/// The launches to audit: the last of each module.
pub(super) fn one_a_module(launches: &[Launch]) -> Vec<Launch> {
    let mut kept: BTreeMap<&str, &Launch> = BTreeMap::new();
    for launch in launches {
        kept.insert(&launch.module, launch);
    }
    kept.into_values().cloned().collect()
}
