//! Finds the methods that may have put something into open static fields: those of the parts that were seen to change them.

use super::{Footprint, History};
use tamis_program::bitset::BitSet;
use tamis_program::snapshot::ClassId;

/// The methods that may have filled some fields.
#[derive(Default)]
pub(super) struct FieldFillers {
    fields: BitSet<u32>,
    methods: BitSet<u32>,
    /// One of the fields is not compared: any part may have filled it.
    is_any: bool,
}

impl FieldFillers {
    /// Whether any part may have filled one of the fields.
    pub(super) fn is_any(&self) -> bool {
        self.is_any
    }

    /// These methods, among all that were `ever` entered.
    pub(super) fn methods<'m>(&'m self, ever: &'m BitSet<u32>) -> &'m BitSet<u32> {
        if self.is_any { ever } else { &self.methods }
    }
}

impl History<'_> {
    /// Notes the methods of a part that changed fields.
    pub(super) fn note_fillers(&mut self, used: &Footprint, entered: &BitSet<u32>) {
        for field in used.changed.iter().chain(used.left.iter()).chain(used.sets.iter()) {
            self.quiet.fillers.entry(field).or_default().unite(entered);
        }
    }

    /// Adds the fillers of the open fields that methods name, or methods that these call. Returns whether there were fields
    /// to add.
    pub(super) fn add_fillers(&self, fillers: &mut FieldFillers, near: &BitSet<u32>) -> bool {
        let mut has_grown = false;
        let mut add = |method: u32| {
            let named = &self.methods.of(method).named;
            for field in named.read.iter().chain(&named.written).copied() {
                if !self.quiet.has(field) {
                    has_grown |= self.add_fillers_of(fillers, field);
                }
            }
        };
        for method in near.iter() {
            add(method);
            self.methods.of(method).calls.iter().copied().for_each(&mut add);
        }
        has_grown
    }

    /// Adds the fillers of the open fields that reach objects of these classes.
    pub(super) fn add_fillers_of_objects(&self, fillers: &mut FieldFillers, classes: &BitSet<ClassId>) {
        for (field, reached) in self.quiet.reached() {
            if !self.quiet.has(field) && !reached.is_disjoint(classes) {
                self.add_fillers_of(fillers, field);
            }
        }
        fillers.is_any |= !self.unreached(classes).is_empty();
    }

    /// The classes among these of which no object was seen in a compared field.
    pub(super) fn unreached(&self, classes: &BitSet<ClassId>) -> BitSet<ClassId> {
        classes.clone().without(&self.held())
    }

    /// The classes of the objects that compared fields reach.
    pub(super) fn held(&self) -> BitSet<ClassId> {
        self.quiet.all_reached()
    }

    fn add_fillers_of(&self, fillers: &mut FieldFillers, field: u32) -> bool {
        if !fillers.fields.insert(field) {
            return false;
        }
        fillers.is_any |= !self.quiet.is_compared(field);
        if let Some(methods) = self.quiet.fillers.get(&field) {
            fillers.methods.unite(methods);
        }
        true
    }
}
