//! Finds the earlier parts that wrote state which a later part reads: static fields, and the caller's
//! leftovers by number.
//!
//! The origin of a written value is not known, so everything that the writing part used counts. A part that
//! enters the writing method itself, or all methods that call it, is assumed to have written the value it
//! reads; `leftover_state` follows the methods that the writer calls.

use super::restored_fields::RestoredFields;
use super::{Closure, Footprint, History};
use rustc_hash::FxHashMap;
use tamis_program::bitset::BitSet;
use tamis_program::record::TextSpan;
use tamis_program::snapshot::ClassId;

/// A static field: where it is declared, and its name there.
pub(super) type FieldId = (ClassId, TextSpan);

/// The static fields that a method's code names and in which a test may leave something, by number.
#[derive(Clone, Default)]
pub(super) struct NamedFields {
    pub(super) read: Box<[u32]>,
    pub(super) written: Box<[u32]>,
    /// The written fields of which also the object is modified.
    pub(super) altered: Box<[u32]>,
}

/// The writers of fields so far.
#[derive(Default)]
pub(super) struct FieldWriters {
    /// By field, the entered methods that write it.
    fields: FxHashMap<u32, Vec<u32>>,
    /// By method, the entered methods that may call it.
    pub(super) callers: FxHashMap<u32, Vec<u32>>,
    /// By field, the parts that set it in a way that code does not show.
    reflected: FxHashMap<u32, BitSet>,
    /// Fields that the JVM reported, and whether their values are compared when a part begins and ends.
    pub(super) compared: FxHashMap<u32, bool>,
    /// By field, the parts that set it and restored it.
    pub(super) restored: FxHashMap<u32, RestoredFields>,
    /// By the caller's number, the parts that left something.
    others: FxHashMap<u32, BitSet>,
    /// For each part, the fixture part around it, which made the objects and the set-up that the test uses.
    pub(super) around: Vec<Option<usize>>,
    /// For each part, where it read from.
    sources: Vec<ReadSources>,
}

/// Parts and fields from which something was read.
#[derive(Clone, Default)]
pub(super) struct ReadSources {
    /// The parts that wrote it, the parts that wrote what these read, and so on.
    parts: BitSet,
    /// Fields that other parts set and restored.
    restored: BitSet<u32>,
}

impl ReadSources {
    pub(super) fn unite(&mut self, other: &ReadSources) {
        self.parts.unite(&other.parts);
        self.restored.unite(&other.restored);
    }
}

impl History<'_> {
    /// Notes a method that is entered for the first time.
    pub(super) fn note_writer(&mut self, method: u32) {
        let known = self.methods.of(method);
        for field in &known.named.written {
            self.written.fields.entry(*field).or_default().push(method);
        }
        for called in &known.calls {
            self.written.callers.entry(*called).or_default().push(method);
        }
    }

    /// Notes whether a static field is compared. A class of the same name from another loader may have a
    /// field that is not.
    pub(super) fn note_compared(&mut self, field: u32, is_compared: bool) {
        *self.written.compared.entry(field).or_insert(true) &= is_compared;
    }

    /// Notes from which parts the next part reads, and what it leaves besides static fields.
    pub(super) fn note_part(&mut self, used: &Footprint) {
        let part = self.parts.len();
        let mut all = Closure::default();
        all.add(used);
        let sources = self.sources(&all, &all.methods);
        self.written.sources.push(sources);
        for number in used.leaves.iter() {
            self.written.others.entry(number).or_default().insert(part);
        }
    }

    /// Notes what the next part leaves in static fields. The writers of fields must be known.
    pub(super) fn note_left(&mut self, used: &Footprint) {
        let part = self.parts.len();
        let mut methods: BitSet<u32> = BitSet::default();
        methods.add(&used.methods);
        let is_shown = |field: u32| {
            let writers = self.written.fields.get(&field).into_iter().flatten();
            writers.copied().any(|writer| methods.contains(writer))
        };
        let unseen: Vec<u32> = used.left.iter().filter(|field| !is_shown(*field)).collect();
        for field in used.sets.iter().chain(unseen) {
            self.written.reflected.entry(field).or_default().insert(part);
        }
        self.note_restored(used, &methods, part);
    }

    /// The parts that wrote what these methods read (through a method that is not in `own`), the parts that
    /// left what the closure asks for, and the parts that wrote what all these parts read.
    pub(super) fn sources(&self, all: &Closure, own: &BitSet<u32>) -> ReadSources {
        let mut direct = ReadSources::default();
        // Code that reads a field on the test's behalf may have run while the field was set.
        let mut by_others = self.methods.read_by(&all.methods.clone().without(own));
        for (_, read) in self.init_reads.iter().filter(|(class, _)| all.touched.contains(*class)) {
            by_others.unite(read);
        }
        for field in self.methods.read_by(&all.methods).iter() {
            let writers = self.written.fields.get(&field).into_iter().flatten().copied();
            // Which method modified the object is a guess. Code that can reach the object is already
            // followed, so the callers of such code count as the test's own.
            let callers = if self.methods.is_final(field) { &all.methods } else { own };
            let is_own = |writer| own.contains(writer) || self.is_followed(writer, all, callers);
            let restored = self.written.restored.get(&field).filter(|_| !by_others.contains(field));
            for writer in writers.filter(|writer| !is_own(*writer)) {
                let parts = self.entered(writer);
                let Some(restored) = restored else {
                    direct.parts.unite(parts);
                    continue;
                };
                direct.parts.unite(&parts.clone().without(&restored.parts));
                direct.parts.unite(&restored.sources.parts);
                direct.restored.insert(field);
                direct.restored.unite(&restored.sources.restored);
            }
            if let Some(parts) = self.written.reflected.get(&field) {
                direct.parts.unite(parts);
            }
        }
        let is_asked = |number| all.others.contains(number) || all.finds.contains(number);
        for (_, parts) in self.written.others.iter().filter(|(number, _)| is_asked(**number)) {
            direct.parts.unite(parts);
        }
        let around: Vec<usize> =
            direct.parts.iter().filter_map(|part| self.written.around.get(part).copied().flatten()).collect();
        direct.parts.extend(around);
        // From the last part back: a part reads from everything that its sources read from.
        let mut further = ReadSources::default();
        for part in direct.parts.iter().rev() {
            if !further.parts.contains(part)
                && let Some(sources) = self.written.sources.get(part)
            {
                further.unite(sources);
            }
        }
        direct.unite(&further);
        direct
    }

    /// Whether a writer that the test did not enter would have written the same for the test: it was reached
    /// from what the test entered, and its arguments come only from methods in `theirs` and from
    /// initialisers, or it has none.
    fn is_followed(&self, writer: u32, all: &Closure, theirs: &BitSet<u32>) -> bool {
        let is_theirs = |caller: &u32| {
            theirs.contains(*caller)
                || (all.methods.contains(*caller) && self.methods.traits(*caller).is_initialiser())
        };
        all.methods.contains(writer)
            && (self.methods.traits(writer).is_given_nothing()
                || self.written.callers.get(&writer).is_some_and(|callers| callers.iter().all(is_theirs)))
    }

    /// Adds everything used by the parts that wrote what `all` reads, and by the parts that wrote what these
    /// read.
    pub(super) fn add_written(&self, all: &mut Closure, own: &BitSet<u32>) {
        let sources = self.sources(all, own);
        if !sources.parts.is_empty() {
            all.unite(&self.parts.together(&sources.parts));
        }
        for field in sources.restored.iter() {
            if let Some(restored) = self.written.restored.get(&field) {
                all.unite(&restored.fixtures);
            }
        }
    }
}
