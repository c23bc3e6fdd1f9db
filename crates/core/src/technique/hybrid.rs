//! Methods where they are understood, classes elsewhere: ours.
//!
//! The body of every method entered. For every class whose objects the test may have met: which method a call finds
//! (only for methods that were entered: had it found another one, that would have been entered), its supertypes, and what
//! of it external code may call. For every class touched: its static initialiser. For the test class, and for classes
//! whose structure somebody looked at: all that reflection shows.

use super::Seen;
use crate::fact::About;
use crate::record::{Origin, ReferenceKind};
use crate::snapshot::{ClassId, MethodId, Snapshot};
use rustc_hash::FxHashSet;
use std::collections::BTreeSet;

pub(super) fn questions(mut seen: Seen<'_, '_>) -> Vec<u32> {
    let (snapshot, used) = (seen.snapshot, seen.used);
    let mut found: Vec<u32> = Vec::new();
    let mut touched: FxHashSet<ClassId> = used.touched.iter().collect();
    let mut mentioned: FxHashSet<ClassId> = used.classes.iter().collect();
    for class in &used.classes {
        found.push(seen.class(About::Class, class));
    }
    for method in &used.methods {
        found.push(body(&mut seen, method));
        touched.extend(seen.history.touched(method));
        mentioned.extend(mentions(snapshot, method));
    }
    mentioned.extend(&touched);
    for class in touched {
        found.push(seen.class(About::Init, class));
    }
    for class in &mentioned {
        found.push(seen.class(About::Supers, *class));
    }
    for class in reflected(&seen, &mentioned) {
        found.push(seen.class(About::Shape, class));
    }
    if let Some(test) = seen.test {
        let above = snapshot.supertypes(test).0.into_iter().filter(|class| snapshot.is_project(*class));
        for class in above.chain([test]) {
            found.push(seen.class(About::Shape, class));
        }
        found.push(seen.class(About::Supers, test));
    }
    let entered: FxHashSet<MethodId> = used.methods.iter().collect();
    let ran: FxHashSet<ClassId> = used.methods.iter().map(|method| method.class).collect();
    for receiver in seen.history.built(used) {
        met(
            &mut seen,
            &entered,
            receiver,
            mentioned.contains(&receiver) || ran.contains(&receiver),
            &mut found,
        );
    }
    found
}

/// Classes whose structure somebody has looked at, and which can be come to from these by looking: by supertypes, and by the
/// types of members. What was looked at once is remembered, and not seen the second time.
fn reflected(seen: &Seen<'_, '_>, from: &FxHashSet<ClassId>) -> FxHashSet<ClassId> {
    let snapshot = seen.snapshot;
    let mut found: FxHashSet<ClassId> =
        from.iter().copied().filter(|class| seen.history.is_reflected(*class)).collect();
    let mut todo: Vec<ClassId> = found.iter().copied().collect();
    while let Some(class) = todo.pop() {
        let record = snapshot.class(class);
        let fields = record.fields.iter().map(|field| record.str(field.descriptor));
        let methods = record.methods.iter().map(|method| record.str(method.descriptor));
        let types = fields.chain(methods).flat_map(|text| text.split(['(', ')', ';', '[']));
        let named = types.filter_map(|part| part.find('L').and_then(|at| part.get(at + 1..)));
        let reached: Vec<ClassId> =
            named.filter_map(|name| snapshot.find(name)).chain(snapshot.supertypes(class).0).collect();
        for next in reached {
            if seen.history.is_reflected(next) && found.insert(next) {
                todo.push(next);
            }
        }
    }
    found
}

/// The body of a method; of one that the compiler made for others, their class.
fn body(seen: &mut Seen<'_, '_>, method: MethodId) -> u32 {
    let snapshot = seen.snapshot;
    if snapshot.is_own_method(method) && snapshot.is_own_class(method.class) {
        return seen.method(About::Body, method.class, method);
    }
    match users(snapshot, method).as_slice() {
        [only] => seen.method(About::Body, only.class, *only),
        _ => seen.class(About::Class, method.class),
    }
}

/// The methods that somebody wrote and that a compiler-made method is part of.
fn users(snapshot: &Snapshot, method: MethodId) -> Vec<MethodId> {
    let mut found = BTreeSet::new();
    let mut seen = FxHashSet::default();
    let mut todo = vec![method];
    while let Some(made) = todo.pop() {
        if !seen.insert(made) {
            continue;
        }
        let record = snapshot.class(made.class);
        let key = (
            record.name(),
            record.str(snapshot.method(made).name),
            record.str(snapshot.method(made).descriptor),
        );
        for user in snapshot.family_of(made.class) {
            let using = snapshot.class(user);
            for (index, candidate) in using.methods.iter().enumerate() {
                let uses = using.references_of(index).any(|reference| {
                    reference.kind == ReferenceKind::Made
                        && (
                            using.str(reference.owner),
                            using.str(reference.name),
                            using.str(reference.descriptor),
                        ) == key
                });
                let id = MethodId { class: user, method: index as u32 };
                match candidate.origin {
                    Origin::Written if uses => drop(found.insert(id)),
                    Origin::Made if uses => todo.push(id),
                    _ => {}
                }
            }
        }
    }
    found.into_iter().collect()
}

/// The project's classes that a method's code names.
fn mentions(snapshot: &Snapshot, method: MethodId) -> impl Iterator<Item = ClassId> {
    let record = snapshot.class(method.class);
    let names = record.references_of(method.method as usize).map(|reference| record.str(reference.owner));
    names.filter_map(|name| snapshot.find(name)).filter(|class| snapshot.is_project(*class))
}

/// What relies on objects of `receiver`, of which the JVM has made some.
fn met(
    seen: &mut Seen<'_, '_>,
    entered: &FxHashSet<MethodId>,
    receiver: ClassId,
    mentioned: bool,
    found: &mut Vec<u32>,
) {
    let inherited: Vec<MethodId> =
        seen.history.inherited(receiver).iter().copied().filter(|method| entered.contains(method)).collect();
    if mentioned || !inherited.is_empty() {
        found.push(seen.class(About::Supers, receiver));
        found.push(seen.class(About::External, receiver));
    }
    for method in inherited {
        found.push(seen.method(About::Inherits, receiver, method));
    }
}
