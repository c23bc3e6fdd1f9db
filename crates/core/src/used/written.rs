//! Which earlier parts wrote what a later one reads: static fields, and what the caller says is left behind.
//!
//! Where the value that was written came from is not known, so all that the writer's part used counts. A part that enters
//! the writing method itself is taken to have written what it reads; what that method calls is followed elsewhere.

use super::gathered::Gathered;
use super::{History, Used};
use crate::marks::{Grown, Marks};
use crate::record::Text;
use crate::snapshot::ClassId;
use rustc_hash::{FxHashMap, FxHashSet};

/// A static field: where it is declared, and its name there.
pub(super) type FieldId = (ClassId, Text);

/// The static fields that a method's code names, of those that tests may leave something in.
#[derive(Clone, Default)]
pub(super) struct Named {
    pub(super) read: Box<[FieldId]>,
    pub(super) written: Box<[FieldId]>,
}

/// Who wrote what, so far.
#[derive(Default)]
pub(super) struct Written {
    /// The methods that were entered and write a field.
    fields: FxHashMap<FieldId, Vec<u32>>,
    /// The parts that left something, by the caller's number.
    others: FxHashMap<u32, Marks>,
    /// Per part, the parts that it read from.
    sources: Vec<Marks>,
}

impl History<'_> {
    /// A method was entered for the first time.
    pub(super) fn note_writer(&mut self, method: u32) {
        let known = self.methods.of(method);
        if known.is_initialiser {
            return; // Counted with its class.
        }
        for field in &known.named.written {
            self.written.fields.entry(*field).or_default().push(method);
        }
    }

    /// The next part is this: notes from which it read, and what it leaves.
    pub(super) fn note_part(&mut self, used: &Used) {
        let part = self.parts.len();
        let mut methods: Grown<u32> = Grown::default();
        methods.extend(used.methods.iter().map(|method| self.methods.number(method)));
        let sources = self.sources(&methods, used.others.as_slice());
        self.written.sources.push(sources);
        for number in &used.leaves {
            self.written.others.entry(number).or_default().insert(part);
        }
    }

    /// The parts that wrote what these methods read, and none of them writes, and those that left what these others ask for.
    fn sources(&self, methods: &Grown<u32>, others: &[u32]) -> Marks {
        let mut sources = Marks::default();
        let mut seen: FxHashSet<FieldId> = FxHashSet::default();
        let readers = methods.list().iter().filter(|method| self.methods.traits(**method).is_stateful());
        for method in readers {
            for field in &self.methods.of(*method).named.read {
                let writers = seen.insert(*field).then(|| self.written.fields.get(field)).flatten();
                for writer in writers.into_iter().flatten().filter(|writer| !methods.has(**writer)) {
                    sources.unite(self.entered(*writer));
                }
            }
        }
        for parts in others.iter().filter_map(|number| self.written.others.get(number)) {
            sources.unite(parts);
        }
        sources
    }

    /// Adds all that the parts used which wrote what `all` reads, and those that wrote what these read.
    pub(super) fn add_written(&self, all: &mut Gathered) {
        let mut parts = self.sources(&all.methods, all.others.list());
        let mut todo: Vec<usize> = parts.iter().collect();
        while let Some(part) = todo.pop() {
            for source in self.written.sources.get(part).into_iter().flat_map(Marks::iter) {
                if parts.insert(source) {
                    todo.push(source);
                }
            }
        }
        for part in parts.iter().filter_map(|part| self.parts.get(part)) {
            all.add(&self.methods, part);
        }
    }
}
