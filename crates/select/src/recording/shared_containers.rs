//! Containers of frameworks that outlive a test class: Spring's contexts, Jupiter's root store.
//!
//! The content of a container was made for the first class that needed it. Later classes get it from the
//! framework's memory, so no code of the project shows where it came from. A test that uses such a container
//! therefore depends on all parts that filled it. Which of several contexts a test got is not known.

use super::JvmRecorder;
use super::probe_table::ResolvedFootprint;
use crate::facts::FactKind;
use tamis_program::bitset::BitSet;
use tamis_program::record::ReferenceKind;
use tamis_program::snapshot::{ClassId, MethodId};
use tamis_wire::ClassLoaded;

/// Represent the content of the containers: compared, never asked as questions.
const CONTEXTS: &str = "* contexts of Spring";
const ROOT_STORE: &str = "* root store of Jupiter";

/// The classes in which spring-test caches contexts: since 4.2, and before.
const CACHE: &str = "org/springframework/test/context/cache/DefaultContextCache";
const OLD_CACHE: &str = "org/springframework/test/context/ContextCache";

/// Runs when a context starts, but not when it is used.
const START: &str = "org/springframework/context/support/PostProcessorRegistrationDelegate";

/// The interface through which an extension accesses state that it shares with other classes.
const EXTENSION_CONTEXT: &str = "org/junit/jupiter/api/extension/ExtensionContext";

impl JvmRecorder<'_> {
    /// Notes the methods of a loaded class of the project that access the root store.
    pub(super) fn note_extension(&mut self, id: ClassId, class: &ClassLoaded) {
        let snapshot = self.world.snapshot();
        let record = snapshot.class(id);
        let is_root = |kind, owner, name, descriptor: &str| {
            kind == ReferenceKind::Virtual
                && owner == EXTENSION_CONTEXT
                // A store with a scope, since 5.13, may be that of the whole run.
                && (name == "getRoot" || (name == "getStore" && descriptor.contains("$StoreScope;")))
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
                self.extensions.insert(self.history.number(method));
            }
        }
    }

    /// Adds the containers that are filled and used here.
    pub(super) fn find_containers(&mut self, came: &mut ResolvedFootprint) {
        let mut others: BitSet<u32> = BitSet::default();
        others.add(&came.used.others);
        let mut uses = |class: &str| {
            let number = self.libraries.number(self.world, &mut self.asked, class);
            number.is_some_and(|number| others.contains(number))
        };
        let (is_old, is_used, is_started) = (uses(OLD_CACHE), uses(CACHE), uses(START));
        if is_old || is_used {
            let contexts = self.ask(FactKind::Property, CONTEXTS);
            came.used.finds.insert(contexts);
            if is_old || is_started {
                came.used.leaves.insert(contexts);
            }
        }
        if came.used.methods.iter().any(|method| self.extensions.contains(method)) {
            let store = self.ask(FactKind::Property, ROOT_STORE);
            came.used.finds.insert(store);
            came.used.leaves.insert(store);
        }
    }
}
