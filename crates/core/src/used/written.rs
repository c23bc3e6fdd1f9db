//! Which earlier parts wrote what a later one reads: static fields, and what the caller says is left behind.
//!
//! Where the value that was written came from is not known, so all that the writer's part used counts. A part that enters
//! the writing method itself is taken to have written what it reads; what that method calls is followed elsewhere.

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
    /// The parts that left something, by the caller's number.
    others: FxHashMap<u32, Marks>,
    /// Per part, the parts that it read from, those that these read from, and so on.
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
        let mut all = All::default();
        all.add(used);
        let sources = self.sources(&all);
        self.written.sources.push(sources);
        for number in used.leaves.iter() {
            self.written.others.entry(number).or_default().insert(part);
        }
    }

    /// The parts that wrote what these methods read, and none of them writes, those that left what these others ask for,
    /// and those that wrote what these parts read.
    fn sources(&self, all: &All) -> Marks {
        let mut direct = Marks::default();
        for field in self.methods.read_by(&all.methods).iter() {
            let writers = self.written.fields.get(&field).into_iter().flatten().copied();
            for writer in writers.filter(|writer| !all.methods.contains(*writer)) {
                direct.unite(self.entered(writer));
            }
        }
        for (_, parts) in self.written.others.iter().filter(|(number, _)| all.others.contains(**number)) {
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

    /// Adds all that the parts used which wrote what `all` reads, and those that wrote what these read.
    pub(super) fn add_written(&self, all: &mut All) {
        let parts = self.sources(all);
        if !parts.is_empty() {
            all.unite(&self.parts.together(&parts));
        }
    }
}
