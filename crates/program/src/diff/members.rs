//! Changes to fields and methods of classes that are in both snapshots.

use super::{AtomicChange, ChangeDirection, ChangeKind, ChangedLayer, ChangedMember, ClassMatch};
use crate::record::{ClassRecord, FieldRecord, MethodOrigin, MethodRecord, ReferenceKind};
use crate::snapshot::{BodyLinker, ClassId, MethodId, Snapshot};
use std::collections::BTreeMap;
use tamis_classfile::access;

pub(super) fn changes(old: &Snapshot, new: &Snapshot, matching: &ClassMatch) -> Vec<AtomicChange> {
    let mut changes = Vec::new();
    let relink = links_may_differ(old, new, matching);
    let mut linkers = [BodyLinker::new(old), BodyLinker::new(new)];
    for &(before, after) in &matching.both {
        let (a, b) = (old.class(before), new.class(after));
        if a.is_opaque() || b.is_opaque() {
            continue;
        }
        let same = a.layers.class == b.layers.class && !old.exposes(before) && !new.exposes(after);
        if !same {
            fields(a, b, &mut changes);
        }
        if !same || relink {
            let sides = MemberSides { old, new, before, after, relink };
            sides.methods(&mut linkers, &mut changes);
        }
    }
    changes
}

/// References can resolve elsewhere only if the structure, constants or supertypes of some class changed.
fn links_may_differ(old: &Snapshot, new: &Snapshot, matching: &ClassMatch) -> bool {
    !matching.added.is_empty()
        || !matching.deleted.is_empty()
        || matching.both.iter().any(|(before, after)| {
            let (a, b) = (&old.class(*before).layers, &new.class(*after).layers);
            a.shape != b.shape || a.supers != b.supers
        })
}

fn fields(a: &ClassRecord, b: &ClassRecord, changes: &mut Vec<AtomicChange>) {
    let mut by_name: BTreeMap<&str, [Vec<&FieldRecord>; 2]> = BTreeMap::new();
    for (side, class) in [a, b].into_iter().enumerate() {
        for field in class.fields.iter().filter(|field| field.access & access::SYNTHETIC == 0) {
            if let Some(list) = by_name.entry(class.str(field.name)).or_default().get_mut(side) {
                list.push(field);
            }
        }
    }
    for (name, [olds, news]) in by_name {
        let layers = match (olds.as_slice(), news.as_slice()) {
            ([], _) => vec![ChangedLayer::Added],
            (_, []) => vec![ChangedLayer::Deleted],
            _ => {
                let differ = |of: fn(&FieldRecord) -> Option<crate::digest::Digest>| {
                    !olds.iter().map(|field| of(field)).eq(news.iter().map(|field| of(field)))
                };
                let mut layers = Vec::new();
                layers.extend(differ(|field| Some(field.shape)).then_some(ChangedLayer::Shape));
                layers.extend(differ(|field| field.constant).then_some(ChangedLayer::Constant));
                layers.extend(differ(|field| field.annotations).then_some(ChangedLayer::Annotations));
                layers
            }
        };
        if !layers.is_empty() {
            changes.push(AtomicChange {
                class: b.name().to_owned(),
                kind: ChangeKind::CF,
                member: ChangedMember::Field(name.to_owned()),
                layers,
                receiver: None,
                renamed: None,
                was: None,
            });
        }
    }
}

struct MemberSides<'s> {
    old: &'s Snapshot,
    new: &'s Snapshot,
    before: ClassId,
    after: ClassId,
    relink: bool,
}

pub(super) type MemberKey<'s> = (&'s str, &'s str, bool);

impl<'s> MemberSides<'s> {
    fn methods(&self, linkers: &mut [BodyLinker<'_>; 2], changes: &mut Vec<AtomicChange>) {
        let (a, b) = (self.old.class(self.before), self.new.class(self.after));
        let olds = written(self.old, self.before, false);
        let news = written(self.new, self.after, false);
        for (key, index) in &olds {
            match news.get(key) {
                Some(other) => {
                    let layers = self.layers(linkers, *index, *other);
                    if !layers.is_empty() {
                        changes.push(change(b, *other, ChangeDirection::Changed, layers));
                    }
                }
                None => changes.push(change(a, *index, ChangeDirection::Deleted, Vec::new())),
            }
        }
        for (_, index) in news.iter().filter(|(key, _)| !olds.contains_key(*key)) {
            changes.push(change(b, *index, ChangeDirection::Added, Vec::new()));
        }
        self.bridges(linkers, &olds, &news, changes);
        self.deserializer(changes);
    }

    /// Reports a bridge through its target if the target is in both snapshots. If it is in only one, its own
    /// entry already covers the bridge.
    fn bridges(
        &self,
        linkers: &mut [BodyLinker<'_>; 2],
        olds: &MethodMap<'_>,
        news: &MethodMap<'_>,
        changes: &mut Vec<AtomicChange>,
    ) {
        let (a, b) = (self.old.class(self.before), self.new.class(self.after));
        let (old_bridges, new_bridges) =
            (written(self.old, self.before, true), written(self.new, self.after, true));
        let mut bridged = Vec::new();
        let mut lead_to =
            |class: &ClassRecord, bridge: usize, how: ChangeDirection| match bridge_target(class, bridge) {
                Some(target) => {
                    if let Some(index) = news.get(&target).filter(|_| olds.contains_key(&target)) {
                        bridged.push(change(b, *index, ChangeDirection::Changed, vec![ChangedLayer::Bridge]));
                    }
                }
                None => bridged.push(change(class, bridge, how, Vec::new())),
            };
        for (key, index) in &old_bridges {
            match new_bridges.get(key) {
                Some(other) => {
                    let layers = self.layers(linkers, *index, *other);
                    if bridge_target(b, *other).is_none() && !layers.is_empty() {
                        changes.push(change(b, *other, ChangeDirection::Changed, layers));
                    } else if layers
                        .iter()
                        .any(|layer| matches!(layer, ChangedLayer::Code | ChangedLayer::Linked))
                    {
                        // Flags and annotations are those of the method it leads to.
                        lead_to(a, *index, ChangeDirection::Changed);
                        lead_to(b, *other, ChangeDirection::Changed);
                    }
                }
                None => lead_to(a, *index, ChangeDirection::Deleted),
            }
        }
        for (_, index) in new_bridges.iter().filter(|(key, _)| !old_bridges.contains_key(*key)) {
            lead_to(b, *index, ChangeDirection::Added);
        }
        for target in bridged {
            // If the source member changed in other ways too, its entry stands for both.
            if let Some(found) = changes.iter_mut().find(|change| same_entity(change, &target)) {
                if found.layers.first().is_some_and(|layer| !matches!(layer, ChangedLayer::Bridge))
                    && !found.layers.contains(&ChangedLayer::Bridge)
                {
                    found.layers.push(ChangedLayer::Bridge);
                }
            } else {
                changes.push(target);
            }
        }
    }

    /// The method that rebuilds serialised lambdas changes together with the lambdas. It is reported only if
    /// no other method of the class is.
    fn deserializer(&self, changes: &mut Vec<AtomicChange>) {
        let (a, b) = (self.old.class(self.before), self.new.class(self.after));
        let of =
            |class: &ClassRecord| class.methods.iter().position(|m| m.origin == MethodOrigin::Deserializer);
        let body = |class: &ClassRecord| {
            of(class).and_then(|index| class.methods.get(index)).map(|method| method.body)
        };
        let said = changes
            .iter()
            .any(|change| change.class == b.name() && matches!(change.member, ChangedMember::Method(..)));
        if body(a) != body(b) && !said {
            let (class, index, how) = match (of(a), of(b)) {
                (_, Some(index)) if of(a).is_some() => (b, index, ChangeDirection::Changed),
                (_, Some(index)) => (b, index, ChangeDirection::Added),
                (Some(index), None) => (a, index, ChangeDirection::Deleted),
                (None, None) => return,
            };
            let layers = if how == ChangeDirection::Changed { vec![ChangedLayer::Code] } else { Vec::new() };
            changes.push(change(class, index, how, layers));
        }
    }

    fn layers(&self, linkers: &mut [BodyLinker<'_>; 2], before: usize, after: usize) -> Vec<ChangedLayer> {
        let (a, b) = (self.old.class(self.before), self.new.class(self.after));
        let (Some(old), Some(new)) = (a.methods.get(before), b.methods.get(after)) else { return Vec::new() };
        let mut layers = Vec::new();
        if old.body != new.body {
            layers.push(ChangedLayer::Code);
        } else if self.relink {
            let [old, new] = linkers;
            let linked = old.linked_body(MethodId { class: self.before, method: before as u32 });
            if linked != new.linked_body(MethodId { class: self.after, method: after as u32 }) {
                layers.push(ChangedLayer::Linked);
            }
        }
        layers.extend((old.shape != new.shape).then_some(ChangedLayer::Shape));
        layers.extend((old.annotations != new.annotations).then_some(ChangedLayer::Annotations));
        layers
    }
}

type MethodMap<'s> = BTreeMap<MemberKey<'s>, usize>;

/// The methods that stand for themselves (or the bridges), by name, descriptor and whether they are static.
fn written(snapshot: &Snapshot, id: ClassId, bridges: bool) -> MethodMap<'_> {
    let flags = access::BRIDGE | access::SYNTHETIC;
    let class = snapshot.class(id);
    class
        .methods
        .iter()
        .enumerate()
        .filter(|(index, _)| snapshot.is_own_method(MethodId { class: id, method: *index as u32 }))
        .filter(|(_, method)| (method.access & flags == flags) == bridges)
        .map(|(index, method)| (key(class, method), index))
        .collect()
}

fn key<'c>(class: &'c ClassRecord, method: &MethodRecord) -> MemberKey<'c> {
    let descriptor = class.str(method.canonical_descriptor.unwrap_or(method.descriptor));
    (class.str(method.name), descriptor, method.is(access::STATIC))
}

/// The method of the same class and name that a bridge calls.
pub(super) fn bridge_target(class: &ClassRecord, bridge: usize) -> Option<MemberKey<'_>> {
    let name = class.str(class.methods.get(bridge)?.name);
    class
        .references_of(bridge)
        .filter(|reference| matches!(reference.kind, ReferenceKind::Virtual | ReferenceKind::Special))
        .filter(|reference| class.str(reference.owner) == class.name() && class.str(reference.name) == name)
        .find_map(|reference| class.method(name, class.str(reference.descriptor)))
        .map(|(_, method)| key(class, method))
}

fn change(
    class: &ClassRecord,
    index: usize,
    how: ChangeDirection,
    layers: Vec<ChangedLayer>,
) -> AtomicChange {
    let (name, descriptor, is_static) = class.methods.get(index).map_or(("", "", false), |method| {
        (class.str(method.name), class.str(method.descriptor), method.is(access::STATIC))
    });
    AtomicChange {
        class: class.name().to_owned(),
        kind: ChangeKind::of_method(name, is_static, how),
        member: ChangedMember::Method(name.to_owned(), descriptor.to_owned()),
        layers,
        receiver: None,
        renamed: None,
        was: None,
    }
}

fn same_entity(a: &AtomicChange, b: &AtomicChange) -> bool {
    a.class == b.class && a.member == b.member
}
