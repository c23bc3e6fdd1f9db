//! Look-up changes: LC ⟨X, Y.m⟩ for each class X on whose objects a call that ran Y.m now runs another
//! method, or none.

use super::{AtomicChange, ChangeKind, ChangedMember, ClassMatch};
use crate::record::ClassRecord;
use crate::snapshot::{ClassId, FoundMethod, MethodId, Snapshot};
use rustc_hash::{FxHashMap, FxHashSet};
use tamis_classfile::access;

type MethodSignature<'s> = (&'s str, &'s str);

pub(super) fn changes(old: &Snapshot, new: &Snapshot, matching: &ClassMatch) -> Vec<AtomicChange> {
    let touched = TouchedLookups::find(old, new, matching);
    let mut changes = Vec::new();
    for &(before, after) in &matching.both {
        if old.class(before).is_opaque() || new.class(after).is_opaque() {
            continue;
        }
        let (mut supers, _) = old.supertypes(before);
        supers.push(before);
        let (mut new_supers, _) = new.supertypes(after);
        new_supers.push(after);
        let signatures = touched.signatures(old, new, &supers, &new_supers);
        // Of the interfaces, only functional ones: a lambda is an object of a class that has no file.
        let is_receiver =
            |snapshot: &Snapshot, id| !snapshot.class(id).is_interface() || snapshot.is_functional(id);
        if signatures.is_empty() || !is_receiver(old, before) || !is_receiver(new, after) {
            continue;
        }
        let receiver =
            ReceiverClass { old, new, matching, before, after, supers: &supers, new_supers: &new_supers };
        let mut found: Vec<MethodId> = Vec::new();
        for signature in signatures {
            receiver.no_longer_found(signature, &mut found);
        }
        // A bridge is reported through its target if the target is not found any more either.
        let told = found.clone();
        found.retain(|method| !bridge_target(old, *method).is_some_and(|target| told.contains(&target)));
        changes.extend(found.into_iter().map(|method| receiver.change(method)));
    }
    changes
}

/// The method of its own class that a bridge calls; `None` for methods that are not bridges.
fn bridge_target(snapshot: &Snapshot, method: MethodId) -> Option<MethodId> {
    let found = snapshot.method(method);
    let (name, descriptor) =
        super::members::bridge_target(snapshot.class(method.class), method.method as usize)
            .filter(|_| found.is(access::BRIDGE) && found.is(access::SYNTHETIC))
            .map(|(name, descriptor, _)| (name, descriptor))?;
    snapshot.declared(method.class, name, descriptor)
}

/// A class in both snapshots that objects can be instances of.
struct ReceiverClass<'s> {
    old: &'s Snapshot,
    new: &'s Snapshot,
    matching: &'s ClassMatch,
    before: ClassId,
    after: ClassId,
    /// Its supertypes and the class itself.
    supers: &'s [ClassId],
    new_supers: &'s [ClassId],
}

impl ReceiverClass<'_> {
    /// Adds the methods that calls of one signature ran before and no longer run.
    fn no_longer_found(&self, (name, descriptor): MethodSignature<'_>, found: &mut Vec<MethodId>) {
        let (old, new, matching) = (self.old, self.new, self.matching);
        // Each method that a call may name is decided separately: a package-private method of another package
        // is not overridden by a method that looks the same.
        for named in self.supers.iter().filter_map(|class| old.declared(*class, name, descriptor)) {
            if !old.method(named).is_virtual(old.class(named.class)) {
                continue;
            }
            let FoundMethod::One(ran) = old.select(self.before, named).found else { continue };
            if old.method(ran).is(access::ABSTRACT) || found.contains(&ran) {
                continue;
            }
            let still = same_class(old, new, matching, named.class)
                .and_then(|class| new.declared(class, name, descriptor))
                .filter(|method| new.method(*method).is_virtual(new.class(method.class)));
            let runs = match still {
                Some(named) if self.new_supers.contains(&named.class) => new.select(self.after, named).found,
                _ => new.lookup(self.after, name, descriptor).found,
            };
            let same = matches!(runs, FoundMethod::One(runs) if is_same(old, new, matching, ran, runs));
            if !same {
                found.push(ran);
            }
        }
    }

    fn change(&self, ran: MethodId) -> AtomicChange {
        let class = self.old.class(ran.class);
        let method = self.old.method(ran);
        AtomicChange {
            class: class.name().to_owned(),
            kind: ChangeKind::LC,
            member: ChangedMember::Method(
                class.str(method.name).to_owned(),
                class.str(method.descriptor).to_owned(),
            ),
            layers: Vec::new(),
            receiver: Some(self.new.class(self.after).name().to_owned()),
            renamed: None,
            was: None,
        }
    }
}

/// Whether a method found before is the method found now.
fn is_same(old: &Snapshot, new: &Snapshot, matching: &ClassMatch, before: MethodId, after: MethodId) -> bool {
    same_class(old, new, matching, before.class) == Some(after.class)
}

fn same_class(old: &Snapshot, new: &Snapshot, matching: &ClassMatch, class: ClassId) -> Option<ClassId> {
    if old.is_project(class) { matching.new_of(class) } else { new.find(old.class(class).name()) }
}

/// The classes where look-ups may have changed.
struct TouchedLookups<'s> {
    /// Signatures of virtual methods that were added, deleted, or changed in visibility, by declaring class.
    old: FxHashMap<ClassId, Vec<MethodSignature<'s>>>,
    new: FxHashMap<ClassId, Vec<MethodSignature<'s>>>,
    /// Classes whose supertypes changed: any inherited method may now be found elsewhere.
    supers: FxHashSet<ClassId>,
    new_supers: FxHashSet<ClassId>,
}

impl<'s> TouchedLookups<'s> {
    fn find(old: &'s Snapshot, new: &'s Snapshot, matching: &ClassMatch) -> TouchedLookups<'s> {
        let mut touched = TouchedLookups {
            old: FxHashMap::default(),
            new: FxHashMap::default(),
            supers: FxHashSet::default(),
            new_supers: FxHashSet::default(),
        };
        for &(before, after) in &matching.both {
            let (a, b) = (old.class(before), new.class(after));
            if a.layers.supers != b.layers.supers || a.is_interface() != b.is_interface() {
                touched.supers.insert(before);
                touched.new_supers.insert(after);
            }
            if a.layers.shape == b.layers.shape {
                continue;
            }
            let (olds, news) = (virtuals(a), virtuals(b));
            let one_sided = |from: &[VirtualMethod<'s>],
                             to: &[VirtualMethod<'s>]|
             -> Vec<MethodSignature<'s>> {
                let key = |method: &VirtualMethod<'s>| (method.signature.0, method.canonical, method.flags);
                let known: FxHashSet<_> = to.iter().map(key).collect();
                from.iter()
                    .filter(|method| !known.contains(&key(method)))
                    .map(|method| method.signature)
                    .collect()
            };
            touched.old.insert(before, one_sided(&olds, &news));
            touched.new.insert(after, one_sided(&news, &olds));
        }
        // All methods of an added or deleted class are affected.
        let all = |snapshot: &'s Snapshot, id: ClassId| {
            virtuals(snapshot.class(id)).into_iter().map(|method| method.signature).collect()
        };
        touched.old.extend(matching.deleted.iter().map(|id| (*id, all(old, *id))));
        touched.new.extend(matching.added.iter().map(|id| (*id, all(new, *id))));
        // Remaining classes that name a deleted class as a supertype inherit nothing through it any more; the
        // same holds for an added class before the change.
        touched.supers.extend(&matching.deleted);
        touched.new_supers.extend(&matching.added);
        touched
    }

    /// The signatures to look up again on a class with these supertypes (including itself).
    fn signatures(
        &self,
        old: &'s Snapshot,
        new: &'s Snapshot,
        supers: &[ClassId],
        new_supers: &[ClassId],
    ) -> Vec<MethodSignature<'s>> {
        let moved = supers.iter().any(|class| self.supers.contains(class))
            || new_supers.iter().any(|class| self.new_supers.contains(class));
        let mut found: Vec<MethodSignature<'s>> = Vec::new();
        if moved {
            for (snapshot, classes) in [(old, supers), (new, new_supers)] {
                for class in classes {
                    found.extend(virtuals(snapshot.class(*class)).into_iter().map(|method| method.signature));
                }
            }
        } else {
            found.extend(supers.iter().filter_map(|class| self.old.get(class)).flatten());
            found.extend(new_supers.iter().filter_map(|class| self.new.get(class)).flatten());
        }
        found.sort_unstable();
        found.dedup();
        found
    }
}

/// A virtual method, with the properties that decide look-ups.
struct VirtualMethod<'s> {
    signature: MethodSignature<'s>,
    /// The descriptor without the compiler's numbers.
    canonical: &'s str,
    flags: u16,
}

fn virtuals(class: &ClassRecord) -> Vec<VirtualMethod<'_>> {
    let deciding = access::PUBLIC | access::PROTECTED | access::ABSTRACT;
    class
        .methods
        .iter()
        .filter(|method| method.is_virtual(class))
        .map(|method| VirtualMethod {
            signature: (class.str(method.name), class.str(method.descriptor)),
            canonical: class.str(method.canonical_descriptor.unwrap_or(method.descriptor)),
            flags: method.access & deciding,
        })
        .collect()
}
