//! Finds the parts that set a static field and restored it.
//!
//! Such a part counts for a later one only with its set-up and tear-down, if these certainly restore the
//! field whatever the rest of the part does: the JVM compared the field's value, the tear-down sets it, the
//! tear-down depends on nothing that the rest writes, and it cannot cause further calls. Objects in fields
//! are not compared, so a modified object is not restored.

use super::field_writers::{EndedPart, ReadSources};
use super::{Closure, Footprint, History};
use tamis_program::bitset::BitSet;
use tamis_program::snapshot::ClassId;

/// The parts that set and restored a field, and the portion of them that counts.
#[derive(Default)]
pub(super) struct RestoredFields {
    /// Their set-up and tear-down, the methods that these called, and other dependencies that they may have.
    pub(super) fixtures: Closure,
    /// The sources that these read from.
    pub(super) sources: ReadSources,
}

impl History<'_> {
    /// Notes the fields that a part set and restored, and returns them.
    pub(super) fn note_restored(
        &mut self,
        used: &Footprint,
        methods: &BitSet<u32>,
        part: &EndedPart<'_>,
    ) -> Vec<u32> {
        let mut after: BitSet<u32> = BitSet::default();
        let mut fixtures: BitSet<u32> = BitSet::default();
        for method in methods.iter() {
            let traits = self.methods.traits(method);
            if traits.is_fixture() {
                fixtures.insert(method);
            }
            if traits.is_tear_down() {
                after.insert(method);
            }
        }
        let fields = self.restored_by(&after, &fixtures, used, methods);
        if fields.is_empty() {
            return fields;
        }
        let mut fixtures = self.called_within(fixtures, methods);
        fixtures.unite(&self.called_within(self.constructors(&after, methods), &self.ever));
        let mut all = Closure::default();
        all.add(used);
        all.methods = fixtures;
        let sources = self.sources(&all, &all.methods, Some(part));
        for field in fields.iter().copied() {
            if !self.written.restored.contains_key(&field) {
                self.split_writers(field);
            }
            let restored = self.written.restored.entry(field).or_default();
            restored.fixtures.unite(&all);
            restored.sources.unite(&sources);
        }
        fields
    }

    /// Constructors of test classes: the tear-down may restore a value that the test object got when it was
    /// made, perhaps long before.
    fn constructors(&self, after: &BitSet<u32>, methods: &BitSet<u32>) -> BitSet<u32> {
        let owners = self.methods.classes_of(after);
        let classes = self.methods.classes_of(methods);
        let is_its = |class: &ClassId| {
            self.snapshot.above(*class).iter().chain([class]).any(|above| owners.contains(*above))
        };
        let made = classes.iter().filter(is_its).flat_map(|class| self.methods.constructors(class));
        made.filter(|method| self.ever.contains(*method)).collect()
    }

    /// The fields that the tear-downs of a part set, among the fields that have the same value as before.
    fn restored_by(
        &self,
        after: &BitSet<u32>,
        fixtures: &BitSet<u32>,
        used: &Footprint,
        methods: &BitSet<u32>,
    ) -> Vec<u32> {
        let is_framework_called = |method: u32| {
            let callers = self.written.callers.get(&method).into_iter().flatten();
            callers.copied().all(|caller| self.methods.traits(caller).is_tear_down())
        };
        if after.is_empty() || self.written.compared.is_empty() || !after.iter().all(is_framework_called) {
            return Vec::new();
        }
        let after = self.called_within(after.clone(), methods);
        let is_compared = |field: &u32| self.written.compared.get(field) == Some(&true);
        let written = after.iter().flat_map(|method| self.methods.of(method).named.written.iter().copied());
        let written: BitSet<u32> = written.filter(is_compared).collect();
        if written.is_empty() || !after.iter().all(|method| self.methods.traits(method).is_plain()) {
            return Vec::new();
        }
        // Fields that the test itself may have written, by methods that its set-up also calls.
        let around = self.called_within(fixtures.clone(), methods);
        let body = self.called_within(methods.clone().without(&around), methods);
        let body = self.methods.stores(&body);
        if self.methods.loads(&after).iter().any(|field| body.contains(field)) {
            return Vec::new();
        }
        let mut left: BitSet<u32> = BitSet::default();
        left.add(&used.left);
        for method in methods.iter() {
            left.extend(self.methods.of(method).named.altered.iter().copied());
        }
        let altering = self.methods.altering(methods);
        written.without(&left).iter().filter(|field| self.methods.is_kept(*field, &altering)).collect()
    }

    /// These methods, and the methods in `methods` that they may call, directly or not.
    fn called_within(&self, from: BitSet<u32>, methods: &BitSet<u32>) -> BitSet<u32> {
        let mut open: Vec<u32> = from.iter().collect();
        let mut found = from;
        while let Some(method) = open.pop() {
            let calls = self.methods.of(method).calls.iter().copied();
            open.extend(calls.filter(|called| methods.contains(*called) && found.insert(*called)));
        }
        found
    }
}
