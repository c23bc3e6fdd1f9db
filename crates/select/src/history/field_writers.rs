//! Finds the earlier parts that wrote state which a later part reads: static fields, and the caller's
//! leftovers by number.
//!
//! The origin of a written value is not known, so everything that the writing part used counts. A part that
//! enters the writing method itself, or all methods that call it, is assumed to have written the value it
//! reads; `leftover_state` follows the methods that the writer calls.

use super::part_unions::{PartUnion, PartUnions};
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
    /// Unions of the parts through which a later part may have got a value.
    unions: PartUnions<WriteKey>,
    /// Fields that the JVM reported, and whether their values are compared when a part begins and ends.
    pub(super) compared: FxHashMap<u32, bool>,
    /// By field, the parts that set it and restored it.
    pub(super) restored: FxHashMap<u32, RestoredFields>,
    /// The numbers of the caller under which parts left something.
    leaves: BitSet<u32>,
    /// The unions with parts of the class that is open.
    pub(super) open: BitSet<u32>,
}

/// The ways from a part to a later one.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum WriteKey {
    /// The part entered this method, which writes a field.
    Writer(u32),
    /// The part entered `writer`, which writes `field`, and did not restore the field.
    Unrestored { field: u32, writer: u32 },
    /// The part entered `writer`, which writes `field`, and the JVM saw that the field changed.
    Changed { field: u32, writer: u32 },
    /// The part set this field in a way that code does not show.
    Reflected(u32),
    /// The part left something under this number of the caller.
    Leaves(u32),
}

/// Parts from which something was read.
#[derive(Clone, Default)]
pub(super) struct ReadSources {
    /// Everything that they used, with the parts from which they read.
    pub(super) union: PartUnion,
    /// Whether a part of the class that is open is among them.
    pub(super) is_open: bool,
}

impl ReadSources {
    pub(super) fn unite(&mut self, other: &ReadSources) {
        self.union.unite(&other.union);
        self.is_open |= other.is_open;
    }
}

/// A part that has ended and is not yet in the unions.
pub(super) struct EndedPart<'p> {
    used: &'p Footprint,
    /// The methods that it entered, with those in static initialisers.
    entered: &'p BitSet<u32>,
    /// The fields that it set in a way that code does not show.
    reflected: BitSet<u32>,
    union: &'p PartUnion,
}

impl EndedPart<'_> {
    /// Whether a later part may depend on it in this way. Of a field that it restored, that is decided later.
    fn has(&self, key: &WriteKey) -> bool {
        match key {
            WriteKey::Writer(writer)
            | WriteKey::Unrestored { field: _, writer }
            | WriteKey::Changed { field: _, writer } => self.entered.contains(*writer),
            WriteKey::Reflected(field) => self.reflected.contains(*field),
            WriteKey::Leaves(number) => self.used.leaves.iter().any(|left| left == *number),
        }
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

    /// The parts from which the next part reads.
    pub(super) fn sources_of(&self, used: &Footprint) -> PartUnion {
        let mut all = Closure::default();
        all.add(used);
        self.sources(&all, &all.methods, None).union
    }

    /// Adds a part to the unions of what it leaves: in static fields, and under the caller's numbers.
    pub(super) fn note_written(&mut self, used: &Footprint, entered: &BitSet<u32>, union: &PartUnion) {
        let mut methods: BitSet<u32> = BitSet::default();
        methods.add(&used.methods);
        let changed: BitSet<u32> = used.left.iter().chain(used.changed.iter()).collect();
        let is_shown = |field: &u32| self.is_written_by(*field, &methods);
        // Of a change that was seen when a class ended, only the whole class says whether its code shows it.
        let unseen = used.left.iter().filter(|field| !is_shown(field));
        let reflected: BitSet<u32> = used.sets.iter().chain(unseen).collect();
        let part = EndedPart { used, entered, reflected, union };
        let restored = self.note_restored(used, &methods, &part);
        let mut keys: Vec<WriteKey> = Vec::new();
        for writer in entered.iter() {
            let written = &self.methods.of(writer).named.written;
            if written.is_empty() {
                continue;
            }
            keys.push(WriteKey::Writer(writer));
            let seen = written.iter().copied().filter(|field| changed.contains(*field));
            keys.extend(seen.map(|field| WriteKey::Changed { field, writer }));
            for field in written.iter().filter(|field| self.written.restored.contains_key(field)) {
                if !restored.contains(field) {
                    keys.push(WriteKey::Unrestored { field: *field, writer });
                }
            }
        }
        keys.extend(part.reflected.iter().map(WriteKey::Reflected));
        keys.extend(used.leaves.iter().map(WriteKey::Leaves));
        self.written.leaves.extend(used.leaves.iter());
        for key in keys {
            let number = self.written.unions.add(key, union);
            self.written.open.insert(number);
        }
    }

    /// Whether one of these methods writes a field.
    pub(super) fn is_written_by(&self, field: u32, methods: &BitSet<u32>) -> bool {
        let writers = self.written.fields.get(&field).into_iter().flatten();
        writers.copied().any(|writer| methods.contains(writer))
    }

    /// A part has restored a field for the first time: the parts before it did not.
    pub(super) fn split_writers(&mut self, field: u32) {
        for writer in self.written.fields.get(&field).cloned().unwrap_or_default() {
            if let Some(union) = self.written.unions.get(&WriteKey::Writer(writer)).cloned() {
                self.written.unions.add(WriteKey::Unrestored { field, writer }, &union);
            }
        }
    }

    /// The work around the parts of a class has ended: it is a part of each of them.
    pub(super) fn close_class(&mut self, keys: &BitSet<u32>, fixture: &PartUnion) {
        for key in keys.iter() {
            self.written.unions.extend(key, fixture);
        }
        for restored in self.written.restored.values_mut().filter(|restored| restored.sources.is_open) {
            restored.sources.union.unite(fixture);
            restored.sources.is_open = false;
        }
    }

    /// The parts that wrote what these methods read (through a method that is not in `own`), the parts that
    /// left what the closure asks for, and the parts that wrote what all these parts read. `ended` is a part
    /// that counts already and is not yet in the unions.
    pub(super) fn sources(
        &self,
        all: &Closure,
        own: &BitSet<u32>,
        ended: Option<&EndedPart<'_>>,
    ) -> ReadSources {
        let mut found = ReadSources::default();
        let mut keys: BitSet<u32> = BitSet::default();
        let mut has_ended = false;
        let mut want = |key: WriteKey| {
            has_ended |= ended.is_some_and(|part| part.has(&key));
            keys.extend(self.written.unions.number(&key));
        };
        // Code that reads a field on the test's behalf may have run while the field was set.
        let mut by_others = self.methods.read_by(&all.methods.clone().without(own));
        for read in all.touched.iter().filter_map(|class| self.init_reads.get(&class)) {
            by_others.unite(read);
        }
        for field in self.methods.read_by(&all.methods).iter() {
            // A field that is never assigned again shows at a boundary whatever a test left in it, unless other
            // code read it before.
            let is_seen = self.methods.is_final(field) && !by_others.contains(field);
            if is_seen && self.quiet.has(field) {
                continue;
            }
            let writers = self.written.fields.get(&field).into_iter().flatten().copied();
            // Which method modified the object is a guess. Code that can reach the object is already
            // followed, so the callers of such code count as the test's own.
            let callers = if self.methods.is_final(field) { &all.methods } else { own };
            let is_own = |writer| own.contains(writer) || self.is_followed(writer, all, callers);
            let restored = self.written.restored.get(&field).filter(|_| !by_others.contains(field));
            for writer in writers.filter(|writer| !is_own(*writer)) {
                if is_seen && self.quiet.is_compared(field) {
                    want(WriteKey::Changed { field, writer });
                    continue;
                }
                let Some(restored) = restored else {
                    want(WriteKey::Writer(writer));
                    continue;
                };
                want(WriteKey::Unrestored { field, writer });
                found.unite(&restored.sources);
                found.union.restored.insert(field);
            }
            want(WriteKey::Reflected(field));
        }
        let mut leaves = self.written.leaves.clone();
        leaves.extend(ended.iter().flat_map(|part| part.used.leaves.iter()));
        let mut asked = all.others.clone();
        asked.unite(&all.finds);
        leaves.keep(&asked);
        leaves.iter().for_each(|number| want(WriteKey::Leaves(number)));
        if !keys.is_empty() {
            found.is_open |= keys.iter().any(|key| self.written.open.contains(key));
            found.union.unite(&self.written.unions.together(&keys));
        }
        if let Some(part) = ended.filter(|_| has_ended) {
            found.union.unite(part.union);
            found.is_open = true;
        }
        found
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

    /// Adds what the parts used that wrote what the closure reads, and the parts that wrote what these read.
    pub(super) fn add_written(&self, all: &mut Closure, own: &BitSet<u32>) {
        let sources = self.sources(all, own, None).union;
        all.unite(&sources.all);
        for field in sources.restored.iter() {
            if let Some(restored) = self.written.restored.get(&field) {
                all.unite(&restored.fixtures);
            }
        }
    }
}
