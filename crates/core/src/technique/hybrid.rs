//! Methods where they are understood, classes elsewhere: ours.
//!
//! The body of every method entered. For every class whose objects the test may have met: which method a call finds
//! (only for methods that were entered: had it found another one, that would have been entered), its supertypes, and what
//! of it external code may call. For every class touched: its static initialiser. For the test class, and for classes
//! whose structure somebody looked at: all that reflection shows.

use super::Seen;
use crate::fact::{About, Code, Question};
use crate::record::{Origin, ReferenceKind};
use crate::snapshot::{ClassId, Found, MethodId, Snapshot};
use crate::used::Used;
use rustc_hash::FxHashSet;
use std::collections::BTreeSet;

pub(super) fn questions(seen: Seen<'_, '_>) -> BTreeSet<Question> {
    let Seen { snapshot, code, history, used, test } = seen;
    let mut asked = BTreeSet::new();
    let mut touched: BTreeSet<ClassId> = BTreeSet::new();
    let mut mentioned: BTreeSet<ClassId> = used.classes.clone();
    for class in &used.classes {
        asked.insert(code.of_class(About::Class, *class));
    }
    for method in &used.methods {
        asked.insert(body(snapshot, code, *method));
        touched.extend(history.touched(*method));
        mentioned.extend(mentions(snapshot, *method));
    }
    for class in &touched {
        asked.insert(code.of_class(About::Init, *class));
    }
    mentioned.extend(&touched);
    for class in mentioned.iter().filter(|class| history.is_reflected(**class)) {
        asked.insert(code.of_class(About::Shape, *class));
    }
    if let Some(test) = test {
        let above = snapshot.supertypes(test).0.into_iter().filter(|class| snapshot.is_project(*class));
        asked.extend(above.chain([test]).map(|class| code.of_class(About::Shape, class)));
        asked.insert(code.of_class(About::Supers, test));
    }
    for receiver in history.built() {
        met(snapshot, code, used, receiver, mentioned.contains(&receiver), &mut asked);
    }
    asked
}

/// The body of a method; of one that the compiler made for others, their class.
fn body(snapshot: &Snapshot, code: &Code<'_>, method: MethodId) -> Question {
    if snapshot.is_own_method(method) && snapshot.is_own_class(method.class) {
        return code.of_method(About::Body, method.class, method);
    }
    match users(snapshot, method).as_slice() {
        [only] => code.of_method(About::Body, only.class, *only),
        _ => code.of_class(About::Class, method.class),
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
    snapshot: &Snapshot,
    code: &Code<'_>,
    used: &Used,
    receiver: ClassId,
    mentioned: bool,
    asked: &mut BTreeSet<Question>,
) {
    let mut may_meet = mentioned;
    let above: FxHashSet<ClassId> = snapshot.supertypes(receiver).0.into_iter().collect();
    for method in &used.methods {
        if method.class == receiver {
            may_meet = true;
        } else if above.contains(&method.class)
            && snapshot.method(*method).is_virtual(snapshot.class(method.class))
        {
            let record = snapshot.class(method.class);
            let entered = snapshot.method(*method);
            let lookup = snapshot.lookup(receiver, record.str(entered.name), record.str(entered.descriptor));
            if lookup.found == Found::One(*method) {
                may_meet = true;
                asked.insert(code.of_method(About::Inherits, receiver, *method));
            }
        }
    }
    if may_meet {
        asked.insert(code.of_class(About::Supers, receiver));
        asked.insert(code.of_class(About::External, receiver));
    }
}
