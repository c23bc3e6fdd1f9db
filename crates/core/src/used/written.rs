//! Which earlier parts wrote what a later one reads: static fields, and what the caller says is left behind.
//!
//! Where the value that was written came from is not known, so all that the writer's part used counts. A part that enters
//! the writing method itself is taken to have written what it reads; what that method calls is followed elsewhere.

use super::{History, Used};
use crate::record::Text;
use crate::snapshot::{ClassId, MethodId, Snapshot};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeSet;

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
    fields: FxHashMap<FieldId, Vec<MethodId>>,
    /// The parts that left something, by the caller's number.
    others: FxHashMap<u32, Vec<u32>>,
    /// Per part, the parts that it read from.
    sources: Vec<BTreeSet<u32>>,
}

impl History<'_> {
    /// A method was entered for the first time.
    pub(super) fn note_writer(&mut self, method: MethodId) {
        if is_initialiser(self.snapshot, method) {
            return; // Counted with its class.
        }
        for field in self.calls.named(method).written {
            self.written.fields.entry(field).or_default().push(method);
        }
    }

    /// The next part is this: notes from which it read, and what it leaves.
    pub(super) fn note_part(&mut self, used: &Used) {
        let part = self.parts.len() as u32;
        let sources = self.sources(used);
        self.written.sources.push(sources);
        for number in &used.leaves {
            self.written.others.entry(number).or_default().push(part);
        }
    }

    /// The parts that wrote what `used` reads.
    fn sources(&mut self, used: &Used) -> BTreeSet<u32> {
        let mut sources = BTreeSet::new();
        let mut seen: FxHashSet<FieldId> = FxHashSet::default();
        for method in &used.methods {
            for field in self.calls.named(method).read {
                let writers = seen.insert(field).then(|| self.written.fields.get(&field)).flatten();
                let others = writers.into_iter().flatten().filter(|writer| !used.methods.contains(writer));
                for writer in others {
                    sources.extend(self.entered.get(writer).into_iter().flatten());
                }
            }
        }
        for number in &used.others {
            sources.extend(self.written.others.get(&number).into_iter().flatten());
        }
        sources
    }

    /// All that the parts used which wrote what `used` reads, and those that wrote what these read.
    pub(super) fn written_before(&mut self, used: &Used) -> Used {
        let mut parts = self.sources(used);
        let mut todo: Vec<u32> = parts.iter().copied().collect();
        while let Some(part) = todo.pop() {
            for source in self.written.sources.get(part as usize).into_iter().flatten() {
                if parts.insert(*source) {
                    todo.push(*source);
                }
            }
        }
        let mut all = Used::default();
        for part in parts.iter().filter_map(|part| self.parts.get(*part as usize)) {
            all.add(part);
        }
        all
    }
}

fn is_initialiser(snapshot: &Snapshot, method: MethodId) -> bool {
    snapshot.class(method.class).str(snapshot.method(method).name) == "<clinit>"
}
