//! Which earlier parts wrote what a later one reads: static fields, and what the caller says is left behind.
//!
//! Where the value that was written came from is not known, so all that the writer's part used counts. A part that enters
//! the writing method itself, or all that call it, is taken to have written what it reads; what that method calls is followed
//! elsewhere.

use super::{All, History, Used};
use crate::marks::Marks;
use crate::record::Text;
use crate::snapshot::ClassId;
use rustc_hash::FxHashMap;

/// A static field: where it is declared, and its name there.
pub(super) type FieldId = (ClassId, Text);

/// The static fields that a method's code names, of those that tests may leave something in, by number.
#[derive(Clone, Default)]
pub(super) struct Named {
    pub(super) read: Box<[u32]>,
    pub(super) written: Box<[u32]>,
}

/// Who wrote what, so far.
#[derive(Default)]
pub(super) struct Written {
    /// The methods that were entered and write a field.
    fields: FxHashMap<u32, Vec<u32>>,
    /// The methods that were entered and may call a method.
    callers: FxHashMap<u32, Vec<u32>>,
    /// The parts that set a field by reflection.
    reflected: FxHashMap<u32, Marks>,
    /// The parts that left something, by the caller's number.
    others: FxHashMap<u32, Marks>,
    /// Per part, the parts that it read from, those that these read from, and so on.
    sources: Vec<Marks>,
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

    /// The next part is this: notes from which it read, and what it leaves.
    pub(super) fn note_part(&mut self, used: &Used) {
        let part = self.parts.len();
        let mut all = All::default();
        all.add(used);
        let sources = self.sources(&all, &all.methods);
        self.written.sources.push(sources);
        for field in used.sets.iter() {
            self.written.reflected.entry(field).or_default().insert(part);
        }
        for number in used.leaves.iter() {
            self.written.others.entry(number).or_default().insert(part);
        }
    }

    /// The parts that wrote what these methods read, by a method that is not among its `own`, those that left what these
    /// others ask for, and those that wrote what these parts read.
    fn sources(&self, all: &All, own: &Marks<u32>) -> Marks {
        let mut direct = Marks::default();
        for field in self.methods.read_by(&all.methods).iter() {
            let writers = self.written.fields.get(&field).into_iter().flatten().copied();
            // Who changes an object is a guess, and code that has a door to it is followed: who calls such code counts as own.
            let callers = if self.methods.is_final(field) { &all.methods } else { own };
            let is_own = |writer| own.contains(writer) || self.is_followed(writer, all, callers);
            for writer in writers.filter(|writer| !is_own(*writer)) {
                direct.unite(self.entered(writer));
            }
            if let Some(parts) = self.written.reflected.get(&field) {
                direct.unite(parts);
            }
        }
        let is_asked = |number| all.others.contains(number) || all.finds.contains(number);
        for (_, parts) in self.written.others.iter().filter(|(number, _)| is_asked(**number)) {
            direct.unite(parts);
        }
        // From the last one: who reads from it reads from all that it reads from.
        let mut further = Marks::default();
        for part in direct.iter().rev() {
            if !further.contains(part)
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
    fn is_followed(&self, writer: u32, all: &All, theirs: &Marks<u32>) -> bool {
        let is_theirs = |caller: &u32| {
            theirs.contains(*caller)
                || (all.methods.contains(*caller) && self.methods.traits(*caller).is_initialiser())
        };
        all.methods.contains(writer)
            && (self.methods.traits(writer).is_given_nothing()
                || self.written.callers.get(&writer).is_some_and(|callers| callers.iter().all(is_theirs)))
    }

    /// Adds all that the parts used which wrote what `all` reads, and those that wrote what these read.
    pub(super) fn add_written(&self, all: &mut All, own: &Marks<u32>) {
        let parts = self.sources(all, own);
        if !parts.is_empty() {
            all.unite(&self.parts.together(&parts));
        }
    }
}
