//! Containers of frameworks that outlive a test class: Spring's contexts, Jupiter's root store.
//!
//! The content of one was made for the class that came first, and the next ones get it: by code of a framework, from memory
//! of its own, in which nothing of the project is seen. So whoever uses such a container relies on all parts that filled it. Which
//! of several contexts it was given is not known.

use super::JvmRecorder;
use super::probe_table::ResolvedFootprint;
use crate::facts::Marker;
use tamis_catalog::frameworks::is_root_store;
use tamis_catalog::libraries::spring;
use tamis_program::bitset::BitSet;
use tamis_program::record::ReferenceKind;
use tamis_program::snapshot::{ClassId, MethodId};
use tamis_wire::ClassLoaded;

impl JvmRecorder<'_> {
    /// A class of the project was loaded; those of its methods are noted that come to the root store.
    pub(super) fn note_extension(&mut self, id: ClassId, class: &ClassLoaded) {
        let snapshot = self.world.snapshot();
        let record = snapshot.class(id);
        let is_root = |kind, owner, name, descriptor: &str| {
            kind == ReferenceKind::Virtual && is_root_store(owner, name, descriptor)
        };
        let text = |piece| record.str(piece);
        if !record
            .references
            .iter()
            .any(|it| is_root(it.kind, text(it.owner), text(it.name), text(it.descriptor)))
        {
            return;
        }
        for (name, descriptor) in &class.methods {
            let Some(method) = snapshot.declared(id, name, descriptor) else { continue };
            let MethodId { method: index, .. } = method;
            let mut references = record.references_of(index as usize);
            if references.any(|it| is_root(it.kind, text(it.owner), text(it.name), text(it.descriptor))) {
                self.libraries.extensions.insert(self.history.number(method));
            }
        }
    }

    /// Adds the containers that are filled and used here.
    pub(super) fn find_containers(&mut self, came: &mut ResolvedFootprint) {
        let mut others: BitSet<u32> = BitSet::default();
        others.add(&came.used.others);
        let mut uses = |class: &str| {
            let number = self.libraries.classes.number(self.world, &mut self.facts.questions, class);
            number.is_some_and(|number| others.contains(number))
        };
        let used = spring::CONTEXTS.map(|known| (known, uses(known.class)));
        if used.iter().any(|(known, is_used)| *is_used && known.is_given) {
            let contexts = self.facts.questions.marker(Marker::SpringContexts);
            came.used.finds.insert(contexts);
            if used.iter().any(|(known, is_used)| *is_used && known.is_filled) {
                came.used.leaves.insert(contexts);
            }
        }
        if came.used.methods.iter().any(|method| self.libraries.extensions.contains(method)) {
            let store = self.facts.questions.marker(Marker::JupiterRootStore);
            came.used.finds.insert(store);
            came.used.leaves.insert(store);
        }
    }
}
