//! The methods that virtual calls may find, by signature.

use super::method_edges::CallSignature;
use super::{MethodNumbers, parallel};
use rustc_hash::FxHashSet;
use tamis_program::snapshot::{ClassId, FoundMethod, Snapshot};

/// For each signature of a virtual call: the classes of possible receivers, with the methods that the call finds there.
pub(super) struct VirtualTargets {
    receivers: Vec<Box<[(ClassId, u32)]>>,
    all: Vec<Box<[u32]>>,
}

impl VirtualTargets {
    pub(super) fn of(
        snapshot: &Snapshot,
        numbers: &MethodNumbers<'_>,
        signatures: &[CallSignature<'_>],
        threads: usize,
    ) -> VirtualTargets {
        let receivers = parallel::map(threads, signatures, |(owner, name, descriptor)| {
            let mut found = Vec::new();
            for receiver in with_subclasses(snapshot, *owner) {
                let lookup = snapshot.lookup(receiver, name, descriptor).found;
                let methods = match lookup {
                    FoundMethod::One(method) => vec![method],
                    FoundMethod::Conflict(methods) => methods,
                    FoundMethod::Nothing => Vec::new(),
                };
                let own = methods.into_iter().filter(|method| snapshot.is_project(method.class));
                found.extend(own.map(|method| (receiver, numbers.of(method))));
            }
            found.sort_unstable();
            found.into_boxed_slice()
        });
        let targets = |receivers: &[(ClassId, u32)]| {
            let mut all: Vec<u32> = receivers.iter().map(|(_, method)| *method).collect();
            all.sort_unstable();
            all.dedup();
            all.into_boxed_slice()
        };
        let all = receivers.iter().map(|receivers| targets(receivers)).collect();
        VirtualTargets { receivers, all }
    }

    /// All methods that a call may find.
    pub(super) fn all(&self, signature: u32) -> &[u32] {
        self.all.get(signature as usize).map_or(&[], |all| all)
    }

    /// The classes of receivers, ascending, each with a method that the call finds on its objects.
    pub(super) fn receivers(&self, signature: u32) -> &[(ClassId, u32)] {
        self.receivers.get(signature as usize).map_or(&[], |receivers| receivers)
    }
}

/// A class and everything below it in the project.
fn with_subclasses(snapshot: &Snapshot, class: ClassId) -> Vec<ClassId> {
    let mut seen = FxHashSet::from_iter([class]);
    let mut found = vec![class];
    let mut next = 0;
    while let Some(at) = found.get(next).copied() {
        next += 1;
        found.extend(snapshot.subclasses(at).iter().filter(|below| seen.insert(**below)));
    }
    found
}
