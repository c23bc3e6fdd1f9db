//! Methods where they are understood, classes elsewhere: ours.
//!
//! The body of every method entered. For every class whose objects the test may have met: which method a call finds
//! (only for methods that were entered: had it found another one, that would have been entered), its supertypes, and what
//! of it external code may call. For every class touched: its static initialiser. For the test class, and for classes
//! whose structure somebody looked at: all that reflection shows.

use super::Seen;
use crate::fact::About;
use crate::marks::{Grown, Marks};
use crate::record::{Origin, ReferenceKind};
use crate::snapshot::{ClassId, MethodId, Snapshot};
use rustc_hash::FxHashSet;
use std::collections::BTreeSet;

pub(super) fn questions(mut seen: Seen<'_, '_>) -> Vec<u32> {
    let (snapshot, history, used) = (seen.snapshot, seen.history, seen.used);
    let mut found: Vec<u32> = Vec::new();
    let (mut touched, mut mentioned) = (Grown::default(), Grown::default());
    let (mut entered, mut ran) = (Marks::default(), Marks::default());
    touched.extend(&used.touched);
    mentioned.extend(&used.classes);
    for class in &used.classes {
        found.push(seen.class(About::Class, class));
    }
    for method in &used.methods {
        let number = history.number(method);
        found.push(seen.body(number, method));
        entered.insert(number as usize);
        ran.insert(method.class.index());
        touched.extend(history.touched(method).iter().copied());
        mentioned.extend(history.method(method).mentions.iter().copied());
    }
    mentioned.extend(touched.list().iter().copied());
    for class in touched.list() {
        found.push(seen.class(About::Init, *class));
    }
    for class in mentioned.list() {
        found.push(seen.class(About::Supers, *class));
    }
    for class in reflected(&seen, mentioned.list()) {
        found.push(seen.class(About::Shape, class));
    }
    if let Some(test) = seen.test {
        let above = snapshot.above(test).iter().copied().filter(|class| snapshot.is_project(*class));
        for class in above.chain([test]) {
            found.push(seen.class(About::Shape, class));
        }
        found.push(seen.class(About::Supers, test));
    }
    for receiver in history.built(used) {
        let mut is_met = mentioned.has(receiver) || ran.contains(receiver.index());
        for method in history.inherited(receiver) {
            if entered.contains(history.number(*method) as usize) {
                found.push(seen.method(About::Inherits, receiver, *method));
                is_met = true;
            }
        }
        if is_met {
            found.push(seen.class(About::Supers, receiver));
            found.push(seen.class(About::External, receiver));
        }
    }
    found
}

/// Classes whose structure somebody has looked at, and which can be come to from these by looking: by supertypes, and by the
/// types of members. What was looked at once is remembered, and not seen the second time.
fn reflected(seen: &Seen<'_, '_>, from: &[ClassId]) -> Vec<ClassId> {
    let mut found: Grown<ClassId> = Grown::default();
    let is_reflected = |class: &ClassId| seen.history.is_reflected(*class);
    found.extend(from.iter().copied().filter(is_reflected));
    let mut next = 0;
    while let Some(class) = found.list().get(next).copied() {
        next += 1;
        found.extend(seen.history.shown(class).iter().copied().filter(is_reflected));
    }
    found.list().to_vec()
}

impl Seen<'_, '_> {
    /// The body of a method; of one that the compiler made for others, their class.
    fn body(&mut self, number: u32, method: MethodId) -> u32 {
        let (snapshot, code) = (self.snapshot, self.code);
        self.asked.body(number, |asked| {
            if snapshot.is_own_method(method) && snapshot.is_own_class(method.class) {
                return asked.method(code, About::Body, method.class, method);
            }
            match users(snapshot, method).as_slice() {
                [only] => asked.method(code, About::Body, only.class, *only),
                _ => asked.class(code, About::Class, method.class),
            }
        })
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
