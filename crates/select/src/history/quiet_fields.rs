//! Static fields of which the JVM has seen that no test left anything in them.
//!
//! The JVM compares everything that a static field reaches. A field that is compared and has not changed is *quiet*: it
//! still holds the work of its class's initialiser, and no test can find the work of another one through it. A field that
//! has changed, or that could not be compared, is *open*, and counts for what code may have left in it.

use super::{Footprint, History};
use rustc_hash::FxHashMap;
use std::cell::RefCell;
use std::collections::BTreeSet;
use tamis_program::bitset::BitSet;
use tamis_program::snapshot::ClassId;

/// What a report says of a field.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FieldState {
    /// It is compared, and is as its class's initialiser left it.
    Quiet,
    /// It is compared, and has changed.
    Changed,
    /// It is not compared.
    Unknown,
}

/// What the JVM reported about static fields.
#[derive(Default)]
pub(super) struct QuietFields {
    /// By field: the classes of the objects that it reaches.
    reached: FxHashMap<u32, BitSet<ClassId>>,
    /// Fields that are open, although they were compared once.
    open: BitSet<u32>,
    quiet: BitSet<u32>,
    /// Fields that are not compared any more.
    unknown: BitSet<u32>,
    /// The classes that quiet fields reach and open ones do not; found again after a report.
    only_quiet: RefCell<Option<BitSet<ClassId>>>,
    /// By field, the methods entered in the parts that changed what it reaches.
    pub(super) fillers: FxHashMap<u32, BitSet<u32>>,
    /// The classes that compared fields reach; found again after a report.
    all_reached: RefCell<Option<BitSet<ClassId>>>,
    /// Methods that are known to name an open field or to call one that does, and those known not to.
    near: RefCell<(BitSet<u32>, BitSet<u32>)>,
}

impl QuietFields {
    /// Whether no test left anything in a field.
    pub(super) fn has(&self, field: u32) -> bool {
        self.quiet.contains(field)
    }

    /// Whether the JVM compares what a field reaches, so that the parts that changed it are known.
    pub(super) fn is_compared(&self, field: u32) -> bool {
        self.reached.contains_key(&field) && !self.unknown.contains(field)
    }

    /// Adds a report.
    pub(super) fn add(&mut self, field: u32, state: FieldState, reaches: &BitSet<ClassId>) {
        let is_quiet = state == FieldState::Quiet;
        if state == FieldState::Unknown {
            self.unknown.insert(field);
        }
        self.reached.entry(field).or_default().unite(reaches);
        if is_quiet && !self.open.contains(field) {
            self.quiet.insert(field);
        } else {
            self.open.insert(field);
            self.quiet = std::mem::take(&mut self.quiet).without(&self.open);
        }
        *self.only_quiet.borrow_mut() = None;
        *self.all_reached.borrow_mut() = None;
        *self.near.borrow_mut() = Default::default();
    }

    /// The compared fields, with the classes of the objects that each reaches.
    pub(super) fn reached(&self) -> impl Iterator<Item = (u32, &BitSet<ClassId>)> {
        self.reached.iter().map(|(field, classes)| (*field, classes))
    }

    /// The classes of the objects that compared fields reach.
    pub(super) fn all_reached(&self) -> BitSet<ClassId> {
        let mut known = self.all_reached.borrow_mut();
        let unite = || {
            let mut all: BitSet<ClassId> = BitSet::default();
            let compared = self.reached.iter().filter(|(field, _)| self.is_compared(**field));
            compared.for_each(|(_, classes)| _ = all.unite(classes));
            all
        };
        known.get_or_insert_with(unite).clone()
    }

    /// A test left another value in a field than it found.
    fn left(&mut self, field: u32) {
        if self.reached.contains_key(&field) {
            self.add(field, FieldState::Changed, &BitSet::default());
        }
    }

    fn without_only_quiet(&self, classes: &BitSet<ClassId>) -> BitSet<ClassId> {
        let mut known = self.only_quiet.borrow_mut();
        let only_quiet = known.get_or_insert_with(|| {
            let (mut seen, mut elsewhere): (BitSet<ClassId>, BitSet<ClassId>) = Default::default();
            for (field, classes) in &self.reached {
                if self.quiet.contains(*field) {
                    seen.unite(classes)
                } else {
                    elsewhere.unite(classes)
                };
            }
            seen.without(&elsewhere)
        });
        classes.clone().without(only_quiet)
    }
}

impl History<'_> {
    /// Adds a report of the JVM about everything that a static field reaches.
    pub fn graph_seen(&mut self, class: ClassId, name: &str, state: FieldState, reaches: &BitSet<ClassId>) {
        if let Some(field) = self.field(class, name) {
            self.quiet.add(field, state, reaches);
        }
    }

    /// A test left another value in a static field than it found.
    pub fn field_left(&mut self, field: u32) {
        self.quiet.left(field);
    }

    /// Notes that these parts together changed these fields. Parts whose code does not show it count as a whole if no
    /// part's code does.
    pub fn note_changed(&self, fields: &BTreeSet<u32>, parts: &mut [&mut Footprint]) {
        if fields.is_empty() {
            return;
        }
        let mut methods: BitSet<u32> = BitSet::default();
        parts.iter().for_each(|part| methods.add(&part.methods));
        // What a library changes in its own objects is not code of the project, and is not charged here.
        let is_unseen = |field: &u32| !self.methods.is_final(*field) && !self.may_write(&methods, *field);
        let unseen: Vec<u32> = fields.iter().copied().filter(is_unseen).collect();
        for part in parts {
            part.changed.extend(fields.iter().copied());
            part.left.extend(unseen.iter().copied());
        }
    }

    fn may_write(&self, methods: &BitSet<u32>, field: u32) -> bool {
        methods.iter().any(|method| self.methods.of(method).named.written.contains(&field))
    }

    /// Whether a method names a static field in which a test may have left something.
    pub(super) fn names_open(&self, method: u32) -> bool {
        let named = &self.methods.of(method).named;
        named.read.iter().chain(&named.written).any(|field| !self.quiet.has(*field))
    }

    /// Whether a method of the set names such a field.
    pub(super) fn is_any_open(&self, methods: &BitSet<u32>) -> bool {
        !self.near_open(methods).is_empty()
    }

    /// The methods among these that name such a field, or call a method that does.
    pub(super) fn near_open(&self, methods: &BitSet<u32>) -> BitSet<u32> {
        let near = self.methods.near(methods);
        let mut known = self.quiet.near.borrow_mut();
        let (yes, no) = &mut *known;
        let new = near.clone().without(yes).without(no);
        for method in new.iter() {
            let calls = &self.methods.of(method).calls;
            let is_near = self.names_open(method) || calls.iter().any(|called| self.names_open(*called));
            if is_near {
                yes.insert(method)
            } else {
                no.insert(method)
            };
        }
        let mut near = near;
        near.keep(yes);
        near
    }

    /// The classes among these, with the classes above them, of which a test may have met an object that another test
    /// changed: all but those of which objects were seen in quiet fields and nowhere else.
    pub(super) fn without_quiet(&self, classes: &BitSet<ClassId>) -> BitSet<ClassId> {
        let rest = self.quiet.without_only_quiet(classes);
        let mut all = rest.clone();
        for class in rest.iter() {
            all.extend(self.snapshot.above(class).iter().copied());
        }
        all.keep(classes);
        all
    }
}
