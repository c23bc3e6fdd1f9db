//! Matches the classes of two snapshots and finds those added, deleted, or changed as a whole.

use super::{AtomicChange, ChangeKind, ChangedLayer, ChangedMember};
use crate::digest::Digest;
use crate::record::{ClassRecord, MethodRecord};
use crate::snapshot::{ClassId, Snapshot};
use rustc_hash::FxHashMap;
use std::cell::OnceCell;
use std::collections::BTreeMap;

/// The classes of two snapshots, matched.
pub struct ClassMatch {
    /// Classes in both snapshots, sorted by their new names.
    pub both: Vec<(ClassId, ClassId)>,
    /// Only in the old one.
    pub deleted: Vec<ClassId>,
    /// Only in the new one.
    pub added: Vec<ClassId>,
    new_of_old: FxHashMap<ClassId, ClassId>,
}

impl ClassMatch {
    /// The same class in the new snapshot.
    pub fn new_of(&self, old: ClassId) -> Option<ClassId> {
        self.new_of_old.get(&old).copied()
    }

    /// Adds the earlier name to the changes of a class that had another name before.
    pub(super) fn mark_renumbered(&self, old: &Snapshot, new: &Snapshot, changes: &mut [AtomicChange]) {
        let renumbered: FxHashMap<&str, &str> = self
            .both
            .iter()
            .map(|(before, after)| (new.class(*after).name(), old.class(*before).name()))
            .filter(|(after, before)| after != before)
            .collect();
        for change in changes.iter_mut().filter(|change| change.kind.sign() == '~') {
            change.was = renumbered.get(change.class.as_str()).map(|name| (*name).to_owned());
        }
    }
}

/// Matches project classes by name. Local and anonymous classes have no stable name. Within one member, they
/// are matched in the order of the code; if the code has changed, classes of equal content are matched first.
pub fn match_classes(old: &Snapshot, new: &Snapshot) -> ClassMatch {
    let mut groups: BTreeMap<&str, [Vec<ClassId>; 2]> = BTreeMap::new();
    for (side, snapshot) in [old, new].into_iter().enumerate() {
        for id in snapshot.project() {
            let class = snapshot.class(id);
            if snapshot.is_own_class(id)
                && let Some(group) =
                    groups.entry(without_twin(class.canonical_name())).or_default().get_mut(side)
            {
                group.push(id);
            }
        }
    }
    let mut matching = ClassMatch {
        both: Vec::new(),
        deleted: Vec::new(),
        added: Vec::new(),
        new_of_old: FxHashMap::default(),
    };
    let members = [EnclosingMembers::new(old), EnclosingMembers::new(new)];
    for [mut olds, mut news] in groups.into_values() {
        olds.sort_by_key(|id| twin(old.class(*id).canonical_name()));
        news.sort_by_key(|id| twin(new.class(*id).canonical_name()));
        // In unchanged code, each name still means the class at the same position. Matching by content would
        // hide that two classes changed places.
        if olds.len() + news.len() > 2 && members_differ(&members, &olds, &news) {
            olds.retain(|id| {
                let content = old.class(*id).layers.class;
                match news.iter().position(|other| new.class(*other).layers.class == content) {
                    Some(at) => {
                        matching.both.push((*id, news.remove(at)));
                        false
                    }
                    None => true,
                }
            });
        }
        let pairs = olds.len().min(news.len());
        matching.both.extend(olds.drain(..pairs).zip(news.drain(..pairs)));
        matching.deleted.extend(olds);
        matching.added.extend(news);
    }
    matching.both.sort_by(|a, b| new.class(a.1).name().cmp(new.class(b.1).name()));
    matching.new_of_old = matching.both.iter().copied().collect();
    matching
}

/// AF, DF, CH, and CF of unreadable classes.
pub(super) fn changes(old: &Snapshot, new: &Snapshot, matching: &ClassMatch) -> Vec<AtomicChange> {
    let mut changes = Vec::new();
    let renamed = renames(old, new, matching);
    for id in &matching.deleted {
        let to = renamed.iter().find(|(from, _)| from == id).map(|(_, to)| new.class(*to).name().to_owned());
        changes.push(whole(old, *id, ChangeKind::DF, Vec::new(), to));
    }
    for id in &matching.added {
        let from =
            renamed.iter().find(|(_, to)| to == id).map(|(from, _)| old.class(*from).name().to_owned());
        changes.push(whole(new, *id, ChangeKind::AF, Vec::new(), from));
    }
    for (before, after) in &matching.both {
        let (a, b) = (old.class(*before), new.class(*after));
        if a.layers.class == b.layers.class {
            continue;
        }
        if a.is_opaque() || b.is_opaque() {
            changes.push(whole(new, *after, ChangeKind::CF, vec![ChangedLayer::Bytes], None));
            continue;
        }
        let layers: Vec<ChangedLayer> = [
            (ChangedLayer::Shape, a.layers.head != b.layers.head),
            (ChangedLayer::Supers, a.layers.supers != b.layers.supers),
            (ChangedLayer::Annotations, a.layers.annotations != b.layers.annotations),
            (ChangedLayer::Metadata, a.layers.metadata != b.layers.metadata),
            (ChangedLayer::Version, a.version != b.version),
        ]
        .into_iter()
        .filter_map(|(layer, differs)| differs.then_some(layer))
        .collect();
        if !layers.is_empty() {
            changes.push(whole(new, *after, ChangeKind::CH, layers, None));
        }
    }
    changes
}

fn whole(
    snapshot: &Snapshot,
    id: ClassId,
    kind: ChangeKind,
    layers: Vec<ChangedLayer>,
    renamed: Option<String>,
) -> AtomicChange {
    let class = snapshot.class(id).name().to_owned();
    AtomicChange { class, kind, member: ChangedMember::Class, layers, receiver: None, renamed, was: None }
}

/// Pairs of a deleted and an added class with the same content, where there is exactly one of each.
fn renames(old: &Snapshot, new: &Snapshot, matching: &ClassMatch) -> Vec<(ClassId, ClassId)> {
    let mut by_content: FxHashMap<_, [Vec<ClassId>; 2]> = FxHashMap::default();
    for (side, snapshot, ids) in [(0, old, &matching.deleted), (1, new, &matching.added)] {
        for id in ids {
            let class = snapshot.class(*id);
            // An empty interface equals every other one, so equality means nothing.
            if !class.methods.is_empty()
                && let Some(list) = by_content.entry(class.layers.class).or_default().get_mut(side)
            {
                list.push(*id);
            }
        }
    }
    let mut pairs: Vec<_> = by_content
        .into_values()
        .filter_map(|sides| match [sides[0].as_slice(), sides[1].as_slice()] {
            [[from], [to]] => Some((*from, *to)),
            _ => None,
        })
        .collect();
    pairs.sort_unstable();
    pairs
}

/// Whether the code of the member around these local classes has changed. Classes in field initialisers
/// belong to every constructor.
fn members_differ([old, new]: &[EnclosingMembers<'_>; 2], olds: &[ClassId], news: &[ClassId]) -> bool {
    let (Some(before), Some(after)) = (olds.first(), news.first()) else { return false };
    match (old.around(*before), new.around(*after)) {
        (Some(before), Some(after)) => !before.iter().any(|member| after.contains(member)),
        _ => false,
    }
}

/// Finds the members around local classes.
struct EnclosingMembers<'s> {
    snapshot: &'s Snapshot,
    /// Classes by canonical name, where that differs from the actual name.
    renamed: OnceCell<FxHashMap<&'s str, ClassId>>,
}

impl<'s> EnclosingMembers<'s> {
    fn new(snapshot: &'s Snapshot) -> Self {
        EnclosingMembers { snapshot, renamed: OnceCell::new() }
    }

    /// Descriptor and body of the member around a local class. For a field initialiser, those of every
    /// constructor.
    fn around(&self, local: ClassId) -> Option<Vec<(&str, Digest)>> {
        let local = self.snapshot.class(local);
        let member = local.str(local.enclosing_member?);
        let name = local.canonical_name();
        let outer = self.find(name.get(..name.rfind(&format!("${member}~"))?)?)?;
        let is_member = |method: &&MethodRecord| {
            let name = outer.str(method.name);
            let rest = member.strip_prefix(name).unwrap_or("no");
            rest.is_empty()
                || rest == outer.str(method.descriptor)
                || method.canonical_descriptor.is_some_and(|canonical| rest == outer.str(canonical))
        };
        let members = outer.methods.iter().filter(is_member);
        Some(members.map(|method| (outer.str(method.descriptor), method.body)).collect())
    }

    fn find(&self, name: &str) -> Option<&ClassRecord> {
        let renamed = self.renamed.get_or_init(|| {
            let classes = self.snapshot.project().map(|id| (self.snapshot.class(id).canonical_name(), id));
            classes.filter(|(name, id)| self.snapshot.class(*id).name() != *name).collect()
        });
        let id = renamed.get(name).copied().or_else(|| self.snapshot.find(name))?;
        Some(self.snapshot.class(id))
    }
}

/// `C$f()V~new java/lang/Runnable` for `C$f()V~new java/lang/Runnable#2`.
fn without_twin(canonical: &str) -> &str {
    match canonical.rsplit_once('#') {
        Some((name, number)) if name.contains('~') && number.parse::<u32>().is_ok() => name,
        _ => canonical,
    }
}

fn twin(canonical: &str) -> u32 {
    canonical.rsplit_once('#').and_then(|(_, number)| number.parse().ok()).unwrap_or(0)
}
