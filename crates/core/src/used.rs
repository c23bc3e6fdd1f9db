//! What ran, in terms of a snapshot: of one test, and of a whole JVM so far.
//!
//! A test relies on more than it ran itself: on static initialisers that ran for an earlier test, and on objects that an
//! earlier one built. A [`History`] knows what the JVM has done, and [`History::all_of`] adds what a test owes to it.

use crate::record::{Origin, ReferenceKind};
use crate::snapshot::{ClassId, MethodId, Snapshot};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeSet;
use tamis_classfile::access;

/// What was used.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Used {
    /// Methods entered.
    pub methods: BTreeSet<MethodId>,
    /// Classes of which something was used that is not known more exactly.
    pub classes: BTreeSet<ClassId>,
    /// Other things, by the caller's numbers: library classes, files, properties.
    pub others: BTreeSet<u32>,
}

impl Used {
    /// Adds what another one used.
    pub fn add(&mut self, other: &Used) {
        self.methods.extend(&other.methods);
        self.classes.extend(&other.classes);
        self.others.extend(&other.others);
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
    parts: Vec<Used>,
    touches: FxHashMap<MethodId, Box<[ClassId]>>,
}

impl<'s> History<'s> {
    /// Of a JVM that has done nothing.
    pub fn new(snapshot: &'s Snapshot) -> History<'s> {
        History {
            snapshot,
            inits: FxHashMap::default(),
            built: FxHashMap::default(),
            reflected: FxHashSet::default(),
            parts: Vec::new(),
            touches: FxHashMap::default(),
        }
    }

    /// The static initialiser of `class` ran.
    pub fn initialised(&mut self, class: ClassId, used: &Used) {
        self.note_built(used);
        self.inits.entry(class).or_default().add(used);
    }

    /// The structure of `class` was looked at. Caches answer the next time, so it counts for all that come.
    pub fn reflected(&mut self, class: ClassId) {
        self.reflected.insert(class);
    }

    /// A test, or what ran between tests, has ended.
    pub fn ran(&mut self, used: Used) {
        self.note_built(&used);
        self.parts.push(used);
    }

    fn note_built(&mut self, used: &Used) {
        let part = self.parts.len();
        for method in &used.methods {
            if self.is_constructor(*method) {
                self.built.entry(method.class).or_default().insert(part);
            }
        }
    }

    fn is_constructor(&self, method: MethodId) -> bool {
        let record = self.snapshot.class(method.class);
        record.str(self.snapshot.method(method).name) == "<init>"
    }

    /// Whether objects of a class have been made.
    pub fn is_built(&self, class: ClassId) -> bool {
        self.built.contains_key(&class)
    }

    /// Classes of which objects have been made, sorted.
    pub fn built(&self) -> Vec<ClassId> {
        let mut built: Vec<ClassId> = self.built.keys().copied().collect();
        built.sort_unstable();
        built
    }

    /// Whether somebody has looked at the structure of a class.
    pub fn is_reflected(&self, class: ClassId) -> bool {
        self.reflected.contains(&class)
    }

    /// What a test used, with the initialisers of all classes it touched and the making of objects it did not make.
    pub fn all_of(&mut self, used: &Used) -> Used {
        let mut all = Used::default();
        let mut seen: FxHashSet<ClassId> = FxHashSet::default();
        let mut todo = vec![used.clone()];
        loop {
            while let Some(next) = todo.pop() {
                let new: Vec<MethodId> = next.methods.difference(&all.methods).copied().collect();
                let mut touched: Vec<ClassId> = next.classes.iter().copied().collect();
                for method in new {
                    touched.extend(self.touched(method).iter().copied());
                }
                all.add(&next);
                for class in touched {
                    if seen.insert(class) {
                        todo.extend(self.inits.get(&class).cloned());
                    }
                }
            }
            todo.extend(self.makers(&all));
            if todo.is_empty() {
                return all;
            }
        }
    }

    /// The parts that made objects which `used` ran code of without having made any.
    fn makers(&self, used: &Used) -> Vec<Used> {
        let mut made: FxHashSet<ClassId> = FxHashSet::default();
        for method in used.methods.iter().filter(|method| self.is_constructor(**method)) {
            made.insert(method.class);
            made.extend(self.snapshot.supertypes(method.class).0);
        }
        let mut parts: BTreeSet<usize> = BTreeSet::new();
        let mut asked: FxHashSet<ClassId> = FxHashSet::default();
        for method in &used.methods {
            let is_static = self.snapshot.method(*method).is(access::STATIC);
            let made_by_compiler = self.snapshot.method(*method).origin != Origin::Written;
            if is_static || made_by_compiler || made.contains(&method.class) || !asked.insert(method.class) {
                continue;
            }
            for (class, builders) in &self.built {
                if *class == method.class || self.snapshot.supertypes(*class).0.contains(&method.class) {
                    parts.extend(builders);
                }
            }
        }
        let parts = parts.into_iter().filter_map(|part| self.parts.get(part));
        parts.filter(|part| !part.methods.is_subset(&used.methods)).cloned().collect()
    }

    /// The classes that running a method initialises or finds initialised: its own, those whose static members and
    /// constructors it names, and their superclasses.
    pub fn touched(&mut self, method: MethodId) -> &[ClassId] {
        let snapshot = self.snapshot;
        self.touches.entry(method).or_insert_with(|| {
            let record = snapshot.class(method.class);
            let mut touched: BTreeSet<ClassId> = BTreeSet::new();
            let mut touch = |class: ClassId| {
                if touched.insert(class) {
                    touched.extend(
                        snapshot.supertypes(class).0.into_iter().filter(|above| snapshot.is_project(*above)),
                    );
                }
            };
            touch(method.class);
            for reference in record.references_of(method.method as usize) {
                let named =
                    snapshot.find(record.str(reference.owner)).filter(|class| snapshot.is_project(*class));
                let (name, descriptor) = (record.str(reference.name), record.str(reference.descriptor));
                match (reference.kind, named) {
                    (ReferenceKind::Field, Some(class)) => {
                        touch(class);
                        if let crate::snapshot::Found::One(field) =
                            snapshot.resolve_field(class, name, descriptor).found
                        {
                            touch(field.class);
                        }
                    }
                    (ReferenceKind::New | ReferenceKind::Static | ReferenceKind::Special, Some(class)) => {
                        touch(class)
                    }
                    _ => {}
                }
            }
            touched.retain(|class| snapshot.is_project(*class));
            touched.into_iter().collect()
        })
    }
}
