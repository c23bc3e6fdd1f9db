//! Questions that techniques about members share, remembered from one test of a JVM to the next.
//!
//! Each function answers one part: bodies, initialisers and supertypes, the receivers of calls. A technique says which
//! parts it takes.

use super::TestRun;
use crate::facts::{CodeFacts, FactKind, QuestionTable};
use crate::history::History;
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeSet;
use tamis_program::bitset::{BitSet, ClosureCache};
use tamis_program::record::{MethodOrigin, ReferenceKind};
use tamis_program::snapshot::{ClassId, MethodId, Snapshot};

/// The questions that follow from sets of methods and classes.
#[derive(Default)]
pub(super) struct MemberQuestions {
    bodies: ClosureCache<u32, u32>,
    /// The questions about methods that the compiler made: who uses those takes long to find.
    made: FxHashMap<MethodId, Vec<u32>>,
    mentioned: ClosureCache<u32, ClassId>,
    by_kind: FxHashMap<FactKind, ClosureCache<ClassId, u32>>,
    shown: ClosureCache<ClassId, ClassId>,
    /// Of all classes of which objects were made: which inherit a method, and the questions about that. And how many they
    /// were.
    heirs: ClosureCache<u32, ClassId>,
    inherits: ClosureCache<u32, u32>,
    built: usize,
}

/// The classes of which a test may have met objects, and the questions about methods that calls on them found.
pub(super) struct Receivers {
    pub(super) met: BitSet<ClassId>,
    pub(super) inherits: BitSet<u32>,
}

impl MemberQuestions {
    /// The bodies of these methods.
    pub(super) fn bodies(&mut self, run: &mut TestRun<'_, '_>, methods: &BitSet<u32>) -> BitSet<u32> {
        let TestRun { snapshot, code, history, questions: asked, .. } = run;
        let made = &mut self.made;
        self.bodies.all(methods, |method, into| {
            let id = history.id(method);
            if snapshot.is_own_method(id) && snapshot.is_own_class(id.class) {
                into.insert(asked.method(code, FactKind::Body, id.class, id));
            } else {
                into.extend(
                    made.entry(id).or_insert_with(|| body_of_made(snapshot, code, asked, id)).iter().copied(),
                );
            }
        })
    }

    /// The question of one kind about each of these classes.
    pub(super) fn classes(
        &mut self,
        run: &mut TestRun<'_, '_>,
        kind: FactKind,
        classes: &BitSet<ClassId>,
        found: &mut BitSet<u32>,
    ) {
        let TestRun { code, questions: asked, .. } = run;
        let one = |class, into: &mut BitSet<u32>| _ = into.insert(asked.class(code, kind, class));
        self.by_kind.entry(kind).or_default().follow(classes, &mut BitSet::default(), found, one);
    }

    /// The classes whose static initialisers a test depends on.
    pub(super) fn touched(&self, run: &TestRun<'_, '_>) -> BitSet<ClassId> {
        let mut touched = run.history.touched_by(&run.used.methods);
        touched.unite(&run.used.touched);
        touched
    }

    /// The classes that the code of a test names or uses.
    pub(super) fn mentioned(&self, run: &TestRun<'_, '_>, touched: &BitSet<ClassId>) -> BitSet<ClassId> {
        let history = run.history;
        let mut mentioned = self
            .mentioned
            .all(&run.used.methods, |method, into| into.extend(history.mentions(method).iter().copied()));
        mentioned.unite(&run.used.classes);
        mentioned.unite(touched);
        mentioned
    }

    /// The questions about used classes that do not depend on their methods: classes as wholes, initialisers, supertypes,
    /// classes that reflection showed, and the test class.
    pub(super) fn about_classes(
        &mut self,
        run: &mut TestRun<'_, '_>,
        touched: &BitSet<ClassId>,
        mentioned: &BitSet<ClassId>,
        found: &mut BitSet<u32>,
    ) {
        let used = run.used;
        self.classes(run, FactKind::Class, &used.classes, found);
        self.classes(run, FactKind::Init, touched, found);
        self.classes(run, FactKind::Supers, mentioned, found);
        let reflected = reflected(run.history, &self.shown, mentioned);
        self.classes(run, FactKind::Shape, &reflected, found);
        if let Some(test) = run.test {
            self.classes(run, FactKind::Shape, &family_above(run.snapshot, test), found);
            self.classes(run, FactKind::Supers, &[test].into_iter().collect(), found);
        }
    }

    /// The classes of which a test may have met objects: those that its code names, and heirs of the methods that it entered.
    pub(super) fn receivers(&mut self, run: &mut TestRun<'_, '_>, mentioned: BitSet<ClassId>) -> Receivers {
        let TestRun { code, history, questions: asked, used, .. } = run;
        let built = history.built(used);
        let mut met = mentioned;
        met.unite(&history.classes_of(&used.methods));
        met.keep(&built);
        let mut inherits = BitSet::default();
        if used.meets_others {
            let size = built.len();
            if self.built != size {
                self.built = size;
                self.heirs.forget();
                self.inherits.forget();
            }
            met.unite(
                &self
                    .heirs
                    .all(&used.methods, |method, into| into.extend(history.heirs(method).iter().copied())),
            );
            inherits = self.inherits.all(&used.methods, |method, into| {
                let id = history.id(method);
                let heirs = history.heirs(method).iter();
                into.extend(heirs.map(|heir| asked.method(code, FactKind::Inherits, *heir, id)));
            });
        } else {
            for receiver in built.iter() {
                let inherited = history.inherited(receiver).iter();
                for method in inherited.filter(|method| used.methods.contains(history.number(**method))) {
                    inherits.insert(asked.method(code, FactKind::Inherits, receiver, *method));
                    met.insert(receiver);
                }
            }
        }
        Receivers { met, inherits }
    }
}

/// A class and the project's classes above it.
pub(super) fn family_above(snapshot: &Snapshot, class: ClassId) -> BitSet<ClassId> {
    let above = snapshot.above(class).iter().copied().filter(|class| snapshot.is_project(*class));
    above.chain([class]).collect()
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
