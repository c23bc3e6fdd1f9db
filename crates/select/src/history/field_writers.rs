//! Which earlier parts wrote what a later one reads: static fields, and what the caller says is left behind.
//!
//! Where the value that was written came from is not known, so all that the writer's part used counts. A part that enters
//! the writing method itself, or all that call it, is taken to have written what it reads; what that method calls is followed
//! elsewhere.

use super::restored_fields::RestoredFields;
use super::{Closure, Footprint, History};
use rustc_hash::FxHashMap;
use tamis_program::bitset::BitSet;
use tamis_program::record::TextSpan;
use tamis_program::snapshot::ClassId;

/// A static field: where it is declared, and its name there.
pub(super) type FieldId = (ClassId, TextSpan);

/// The static fields that a method's code names, of those that tests may leave something in, by number.
#[derive(Clone, Default)]
pub(super) struct NamedFields {
    pub(super) read: Box<[u32]>,
    pub(super) written: Box<[u32]>,
    /// Those of the written whose objects are changed, not only what the field holds.
    pub(super) altered: Box<[u32]>,
}

/// Who wrote what, so far.
#[derive(Default)]
pub(super) struct FieldWriters {
    /// The methods that were entered and write a field.
    fields: FxHashMap<u32, Vec<u32>>,
    /// The methods that were entered and may call a method.
    pub(super) callers: FxHashMap<u32, Vec<u32>>,
    /// The parts that set a field in a way that code does not show.
    reflected: FxHashMap<u32, BitSet>,
    /// Fields of which the JVM has told: whether they are compared when a part begins and ends.
    pub(super) compared: FxHashMap<u32, bool>,
    /// Who set such a field and left it as it was.
    pub(super) restored: FxHashMap<u32, RestoredFields>,
    /// The parts that left something, by the caller's number.
    others: FxHashMap<u32, BitSet>,
    /// Per part, the one that ran around it: it made the objects that a test works on, and what it finds set up.
    pub(super) around: Vec<Option<usize>>,
    /// Per part, where it read from.
    sources: Vec<ReadSources>,
}

/// Where something was read from.
#[derive(Clone, Default)]
pub(super) struct ReadSources {
    /// The parts that wrote it, those that wrote what these read, and so on.
    parts: BitSet,
    /// The fields that others had set, and left as they were.
    restored: BitSet<u32>,
}

impl ReadSources {
    pub(super) fn unite(&mut self, other: &ReadSources) {
        self.parts.unite(&other.parts);
        self.restored.unite(&other.restored);
    }
}

impl History<'_> {
    /// A method was entered for the first time.
    pub(super) fn note_writer(&mut self, method: u32) {
        let known = self.methods.of(method);
        for field in &known.named.written {
            self.written.fields.entry(*field).or_default().push(method);
        }
        for called in &known.calls {
            self.written.callers.entry(*called).or_default().push(method);
        }
    }

    /// Whether a static field is compared; another loader's class of the same name may have one that is not.
    pub(super) fn note_compared(&mut self, field: u32, is_compared: bool) {
        *self.written.compared.entry(field).or_insert(true) &= is_compared;
    }

    /// The next part is this: notes from which it read, and what it leaves besides static fields.
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

    /// What the next part leaves in static fields, once it is known who writes those.
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

    /// The parts that wrote what these methods read, by a method that is not among its `own`, those that left what these
    /// others ask for, and those that wrote what these parts read.
    pub(super) fn sources(&self, all: &Closure, own: &BitSet<u32>) -> ReadSources {
        let mut direct = ReadSources::default();
        // Who reads a field for the test may have done so when it was set.
        let mut by_others = self.methods.read_by(&all.methods.clone().without(own));
        for (_, read) in self.init_reads.iter().filter(|(class, _)| all.touched.contains(*class)) {
            by_others.unite(read);
        }
        for field in self.methods.read_by(&all.methods).iter() {
            let writers = self.written.fields.get(&field).into_iter().flatten().copied();
            // Who changes an object is a guess, and code that has a door to it is followed: who calls such code counts as own.
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
        // From the last one: who reads from it reads from all that it reads from.
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

    /// Whether what a method wrote that these did not enter is taken for what they would have written: it was followed from
    /// what they entered, and was given nothing, or only by methods that are `theirs` and by initialisers.
    fn is_followed(&self, writer: u32, all: &Closure, theirs: &BitSet<u32>) -> bool {
        let is_theirs = |caller: &u32| {
            theirs.contains(*caller)
                || (all.methods.contains(*caller) && self.methods.traits(*caller).is_initialiser())
        };
        all.methods.contains(writer)
            && (self.methods.traits(writer).is_given_nothing()
                || self.written.callers.get(&writer).is_some_and(|callers| callers.iter().all(is_theirs)))
    }

    /// Adds all that the parts used which wrote what `all` reads, and those that wrote what these read.
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
