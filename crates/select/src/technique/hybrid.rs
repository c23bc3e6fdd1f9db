//! Methods where they are understood, classes elsewhere: ours.
//!
//! The body of every method entered. For every class whose objects the test may have met: which method a call finds
//! (only for methods that were entered: had it found another one, that would have been entered), its supertypes, and what
//! of it external code may call. For every class touched: its static initialiser. For the test class, and for classes
//! whose structure somebody looked at: all that reflection shows.

use super::{FactExtractor, Technique, TestRun};
use crate::facts::{CodeFacts, FactKind, QuestionTable};
use crate::history::{ClosureKind, History};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeSet;
use tamis_program::bitset::{BitSet, ClosureCache};
use tamis_program::record::{MethodOrigin, ReferenceKind};
use tamis_program::snapshot::{ClassId, MethodId, Snapshot};

/// The technique.
#[derive(Debug)]
pub(super) struct Hybrid;

impl Technique for Hybrid {
    fn name(&self) -> &'static str {
        "hybrid"
    }

    fn closure(&self) -> ClosureKind {
        ClosureKind::LeftoverState
    }

    fn extractor(&self) -> Box<dyn FactExtractor> {
        Box::new(HybridCache::default())
    }
}

/// The questions that follow from sets of methods and classes, remembered from one test of a JVM to the next.
#[derive(Default)]
struct HybridCache {
    bodies: ClosureCache<u32, u32>,
    /// The questions about methods that the compiler made: who uses those takes long to find.
    made: FxHashMap<MethodId, Vec<u32>>,
    mentioned: ClosureCache<u32, ClassId>,
    whole: ClosureCache<ClassId, u32>,
    inits: ClosureCache<ClassId, u32>,
    supers: ClosureCache<ClassId, u32>,
    shapes: ClosureCache<ClassId, u32>,
    external: ClosureCache<ClassId, u32>,
    shown: ClosureCache<ClassId, ClassId>,
    /// Of all classes of which objects were made: which inherit a method, and the questions about that. And how many they
    /// were.
    heirs: ClosureCache<u32, ClassId>,
    inherits: ClosureCache<u32, u32>,
    built: usize,
}

impl FactExtractor for HybridCache {
    fn questions(&mut self, run: TestRun<'_, '_>) -> BitSet<u32> {
        questions(self, run)
    }
}

fn questions(memory: &mut HybridCache, run: TestRun<'_, '_>) -> BitSet<u32> {
    let TestRun { snapshot, code, history, questions: asked, used, test } = run;
    let mut touched = history.touched_by(&used.methods);
    touched.unite(&used.touched);
    let mut mentioned = memory
        .mentioned
        .all(&used.methods, |method, into| into.extend(history.mentions(method).iter().copied()));
    mentioned.unite(&used.classes);
    mentioned.unite(&touched);
    let made = &mut memory.made;
    let mut found = memory.bodies.all(&used.methods, |method, into| {
        let id = history.id(method);
        if snapshot.is_own_method(id) && snapshot.is_own_class(id.class) {
            into.insert(asked.method(code, FactKind::Body, id.class, id));
        } else {
            into.extend(
                made.entry(id).or_insert_with(|| body_of_made(snapshot, code, asked, id)).iter().copied(),
            );
        }
    });
    let mut ask = |known: &ClosureCache<ClassId, u32>, about: FactKind, classes: &BitSet<ClassId>| {
        let one = |class, into: &mut BitSet<u32>| _ = into.insert(asked.class(code, about, class));
        known.follow(classes, &mut BitSet::default(), &mut found, one);
    };
    ask(&memory.whole, FactKind::Class, &used.classes);
    ask(&memory.inits, FactKind::Init, &touched);
    ask(&memory.supers, FactKind::Supers, &mentioned);
    ask(&memory.shapes, FactKind::Shape, &reflected(history, &memory.shown, &mentioned));
    if let Some(test) = test {
        let above = snapshot.above(test).iter().copied().filter(|class| snapshot.is_project(*class));
        ask(&memory.shapes, FactKind::Shape, &above.chain([test]).collect());
        ask(&memory.supers, FactKind::Supers, &[test].into_iter().collect());
    }
    let built = history.built(used);
    let mut met = mentioned;
    met.unite(&history.classes_of(&used.methods));
    met.keep(&built);
    if used.meets_others {
        let size = built.len();
        if memory.built != size {
            memory.built = size;
            memory.heirs.forget();
            memory.inherits.forget();
        }
        met.unite(
            &memory
                .heirs
                .all(&used.methods, |method, into| into.extend(history.heirs(method).iter().copied())),
        );
        let inherits = memory.inherits.all(&used.methods, |method, into| {
            let id = history.id(method);
            let heirs = history.heirs(method).iter();
            into.extend(heirs.map(|heir| asked.method(code, FactKind::Inherits, *heir, id)));
        });
        found.unite(&inherits);
    } else {
        for receiver in built.iter() {
            let inherited = history.inherited(receiver).iter();
            for method in inherited.filter(|method| used.methods.contains(history.number(**method))) {
                found.insert(asked.method(code, FactKind::Inherits, receiver, *method));
                met.insert(receiver);
            }
        }
    }
    let mut ask = |known: &ClosureCache<ClassId, u32>, about: FactKind| {
        let one = |class, into: &mut BitSet<u32>| _ = into.insert(asked.class(code, about, class));
        known.follow(&met, &mut BitSet::default(), &mut found, one);
    };
    ask(&memory.supers, FactKind::Supers);
    ask(&memory.external, FactKind::External);
    found
}

/// Classes whose structure somebody has looked at, and which can be come to from these by looking ([`History::shown`]). What
/// was looked at once is remembered, and not seen the second time.
fn reflected(
    history: &History<'_>,
    known: &ClosureCache<ClassId, ClassId>,
    from: &BitSet<ClassId>,
) -> BitSet<ClassId> {
    let (mut found, mut followed) = (from.clone(), BitSet::default());
    found.keep(history.all_reflected());
    loop {
        let mut shown = BitSet::default();
        let show = |class, into: &mut BitSet<ClassId>| into.extend(history.shown(class).iter().copied());
        known.follow(&found, &mut followed, &mut shown, show);
        shown.keep(history.all_reflected());
        if !found.unite(&shown) {
            return found;
        }
    }
}

/// The questions about the body of a method that the compiler made: about the method that it is part of, or about their
/// class. The body of a lambda has a question of its own. The method around it counts too: it decides which lambda its caller
/// gets, and may have run for an earlier test.
fn body_of_made(
    snapshot: &Snapshot,
    code: &CodeFacts<'_>,
    asked: &mut QuestionTable,
    method: MethodId,
) -> Vec<u32> {
    match users(snapshot, method).as_slice() {
        [only] => {
            let around = asked.method(code, FactKind::Body, only.class, *only);
            let is_placed = snapshot.method(method).place.is_some();
            let own = is_placed.then(|| asked.method(code, FactKind::Body, method.class, method));
            own.into_iter().chain([around]).collect()
        }
        _ => vec![asked.class(code, FactKind::Class, method.class)],
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
                    MethodOrigin::Written if uses => drop(found.insert(id)),
                    MethodOrigin::Made if uses => todo.push(id),
                    _ => {}
                }
            }
        }
    }
    found.into_iter().collect()
}
