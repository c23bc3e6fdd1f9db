//! What ran, in terms of a snapshot: of one test, and of a whole JVM so far.
//!
//! A test relies on more than it ran itself: on static initialisers that ran for an earlier test, on objects that an
//! earlier one built, on values that an earlier one computed and left in a static field. A [`History`] knows what the JVM
//! has done, and [`History::all_of`] adds what a test owes to it.

mod calls;
mod left_behind;
mod touched;
mod written;

use crate::record::Origin;
use crate::snapshot::{ClassId, Found, MethodId, Snapshot};
use crate::sorted::Sorted;
use calls::Calls;
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeSet;
use tamis_classfile::access;
use touched::Touches;
use written::Written;

/// What was used.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Used {
    /// Methods entered.
    pub methods: Sorted<MethodId>,
    /// Classes of which something was used that is not known more exactly.
    pub classes: Sorted<ClassId>,
    /// Classes whose static initialisers count, besides those that the methods touch.
    pub touched: Sorted<ClassId>,
    /// Other things, by the caller's numbers: library classes, files, properties.
    pub others: Sorted<u32>,
    /// What it leaves for others who ask for it, by the caller's numbers.
    pub leaves: Sorted<u32>,
    /// Whether it may have met objects that it did not make: through static fields, or as is seen from what it ran.
    pub meets_others: bool,
}

impl Used {
    /// Adds what another one used; whether any of it was new.
    pub fn add(&mut self, other: &Used) -> bool {
        self.meets_others |= other.meets_others;
        self.leaves.unite(&other.leaves);
        let methods = self.methods.unite(&other.methods);
        let classes = self.classes.unite(&other.classes);
        let touched = self.touched.unite(&other.touched);
        self.others.unite(&other.others) || touched || classes || methods
    }
}

/// What a JVM has done so far.
pub struct History<'s> {
    snapshot: &'s Snapshot,
    /// What ran inside static initialisers, those of other classes left out.
    inits: FxHashMap<ClassId, Used>,
    /// Classes whose constructors were entered, and the numbers of the parts in which they were.
    built: FxHashMap<ClassId, BTreeSet<usize>>,
    /// Classes whose structure was looked at.
    reflected: FxHashSet<ClassId>,
    /// All methods entered, and the numbers of the parts in which they were, ascending.
    entered: FxHashMap<MethodId, Vec<u32>>,
    parts: Vec<Used>,
    written: Written,
    touches: Touches,
    calls: Calls<'s>,
    inherited: FxHashMap<ClassId, Box<[MethodId]>>,
}

impl<'s> History<'s> {
    /// Of a JVM that has done nothing.
    pub fn new(snapshot: &'s Snapshot) -> History<'s> {
        History {
            snapshot,
            inits: FxHashMap::default(),
            built: FxHashMap::default(),
            reflected: FxHashSet::default(),
            entered: FxHashMap::default(),
            parts: Vec::new(),
            written: Written::default(),
            touches: Touches::default(),
            calls: Calls::new(snapshot),
            inherited: FxHashMap::default(),
        }
    }

    /// The static initialiser of `class` ran.
    pub fn initialised(&mut self, class: ClassId, used: &Used) {
        self.note(used);
        self.inits.entry(class).or_default().add(used);
    }

    /// The structure of `class` was looked at. Caches answer the next time, so it counts for all that come.
    pub fn reflected(&mut self, class: ClassId) {
        self.reflected.insert(class);
    }

    /// A test, or what ran between tests, has ended.
    pub fn ran(&mut self, used: Used) {
        self.note_part(&used);
        self.note(&used);
        self.parts.push(used);
    }

    fn note(&mut self, used: &Used) {
        let part = self.parts.len();
        for method in &used.methods {
            for class in self.calls.lambdas(method) {
                self.built.entry(class).or_default().insert(part);
            }
            if !self.entered.contains_key(&method) {
                self.note_writer(method);
            }
            let parts = self.entered.entry(method).or_default();
            if parts.last() != Some(&(part as u32)) {
                parts.push(part as u32);
            }
            if self.is_constructor(method) {
                self.built.entry(method.class).or_default().insert(part);
            }
        }
    }

    fn is_constructor(&self, method: MethodId) -> bool {
        let record = self.snapshot.class(method.class);
        record.str(self.snapshot.method(method).name) == "<init>"
    }

    /// Classes whose objects may have been met, sorted: those that it made itself, and where it may have met others, all of
    /// which the JVM has made some.
    pub fn built(&self, used: &Used) -> Vec<ClassId> {
        let mut built: Vec<ClassId> = if used.meets_others {
            self.built.keys().copied().collect()
        } else {
            let made = used.methods.iter().filter(|method| self.is_constructor(*method));
            let lambdas = used.methods.iter().flat_map(|method| self.calls.lambdas(method));
            made.map(|method| method.class).chain(lambdas).collect()
        };
        built.sort_unstable();
        built.dedup();
        built
    }

    /// Whether somebody has looked at the structure of a class.
    pub fn is_reflected(&self, class: ClassId) -> bool {
        self.reflected.contains(&class)
    }

    /// The classes that running a method initialises or finds initialised: its own, those whose static members and
    /// constructors it names, and their superclasses.
    pub fn touched(&mut self, method: MethodId) -> &[ClassId] {
        self.touches.of(self.snapshot, method)
    }

    /// The methods of supertypes that a call on an object of this class finds.
    pub fn inherited(&mut self, receiver: ClassId) -> &[MethodId] {
        let snapshot = self.snapshot;
        self.inherited.entry(receiver).or_insert_with(|| {
            let mut found = Vec::new();
            for class in
                snapshot.supertypes(receiver).0.into_iter().filter(|class| snapshot.is_project(*class))
            {
                let record = snapshot.class(class);
                for (index, method) in record.methods.iter().enumerate() {
                    let id = MethodId { class, method: index as u32 };
                    if method.is_virtual(record)
                        && snapshot
                            .lookup(receiver, record.str(method.name), record.str(method.descriptor))
                            .found
                            == Found::One(id)
                    {
                        found.push(id);
                    }
                }
            }
            found.into()
        })
    }

    /// What a test used, with the initialisers of all classes it touched, the making of objects it did not make, and what
    /// the methods that it shares static state through did for earlier ones.
    pub fn all_of(&mut self, used: &Used) -> Used {
        let mut all = Used::default();
        let mut met = Met::default();
        let mut todo = vec![used.clone()];
        let mut foreign: FxHashSet<ClassId> = FxHashSet::default();
        while !todo.is_empty() {
            self.with_initialisers(std::mem::take(&mut todo), &mut all, &mut met);
            let new = self.foreign(&all);
            todo = self.makers(&all, &new);
            foreign.extend(new);
        }
        all.meets_others |=
            !foreign.is_empty() || all.methods.iter().any(|method| self.calls.is_stateful(method));
        // What earlier tests did instead of this one ran on their objects: nobody made those for this one.
        let left_behind = self.left_behind(&all, &foreign, &met.kept);
        let written = self.written_before(&all);
        self.with_initialisers(vec![left_behind, written], &mut all, &mut met);
        all
    }

    /// Adds what was used, and the initialisers of all classes that it touches.
    fn with_initialisers(&mut self, mut todo: Vec<Used>, all: &mut Used, met: &mut Met) {
        while let Some(next) = todo.pop() {
            let mut touched: Vec<ClassId> = next.classes.iter().chain(&next.touched).collect();
            for method in next.methods.iter().filter(|method| met.methods.insert(*method)) {
                touched.extend(self.touches.of(self.snapshot, method));
            }
            all.add(&next);
            for class in touched {
                if met.classes.insert(class)
                    && let Some(init) = self.inits.get(&class)
                {
                    let made = init.methods.iter().filter(|method| self.is_constructor(*method));
                    met.kept.extend(made.map(|method| method.class));
                    todo.push(init.clone());
                }
            }
        }
    }

    /// Classes of whose objects `used` ran code without having made any.
    fn foreign(&self, used: &Used) -> FxHashSet<ClassId> {
        let mut made: FxHashSet<ClassId> = FxHashSet::default();
        let lambdas = used.methods.iter().flat_map(|method| self.calls.lambdas(method));
        let built = used.methods.iter().filter(|method| self.is_constructor(*method));
        for class in built.map(|method| method.class).chain(lambdas) {
            if made.insert(class) {
                made.extend(self.snapshot.supertypes(class).0);
            }
        }
        let is_foreign = |method: &MethodId| {
            let record = self.snapshot.method(*method);
            !made.contains(&method.class) && !record.is(access::STATIC) && record.origin == Origin::Written
        };
        used.methods.iter().filter(is_foreign).map(|method| method.class).collect()
    }

    /// The parts that made objects which `used` ran code of without having made any.
    fn makers(&self, used: &Used, foreign: &FxHashSet<ClassId>) -> Vec<Used> {
        if foreign.is_empty() {
            return Vec::new();
        }
        let mut parts: BTreeSet<usize> = BTreeSet::new();
        for (class, builders) in &self.built {
            if foreign.contains(class)
                || self.snapshot.supertypes(*class).0.iter().any(|above| foreign.contains(above))
            {
                parts.extend(builders);
            }
        }
        let parts = parts.into_iter().filter_map(|part| self.parts.get(part));
        parts.filter(|part| !part.methods.is_subset(&used.methods)).cloned().collect()
    }
}

/// What was seen to already.
#[derive(Default)]
struct Met {
    methods: FxHashSet<MethodId>,
    classes: FxHashSet<ClassId>,
    /// Classes of whose objects static initialisers made some.
    kept: FxHashSet<ClassId>,
}
