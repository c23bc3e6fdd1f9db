//! Follows state that earlier tests may have left in static fields and in objects that outlive a test.
//!
//! The origin of a value is not known, but it came through a state accessor: a method that names the field,
//! or a method of the object. Three things may therefore have produced it: the methods that accessors called
//! in any earlier test, the files and properties that these methods asked for, and the inputs that a library
//! asked for and kept while an accessor ran.

use super::closure::ClosureBuilder;
use super::{History, LibraryGraph};
use tamis_program::bitset::BitSet;
use tamis_program::snapshot::ClassId;

impl History<'_> {
    /// Adds what a test may have found. `entered` are the methods that it entered itself, `foreign` the classes whose
    /// methods ran on objects that it did not make.
    pub(super) fn follow_leftover_state(
        &self,
        gathered: &mut ClosureBuilder,
        entered: &BitSet<u32>,
        foreign: &BitSet<ClassId>,
        outside: &mut dyn LibraryGraph,
    ) {
        let own = &gathered.all.methods;
        let mut found: BitSet<u32> = BitSet::default();
        let (doors, near) = (self.state_accessors(own, foreign, &gathered.kept), self.near_open(own));
        let mut asked: BitSet<u32> = BitSet::default();
        for door in doors.iter().chain(near.iter()) {
            self.asked_under.get(&door).into_iter().for_each(|others| _ = asked.unite(others));
        }
        // An object of a quiet field may be what fills an open one.
        let is_any_open = !doors.is_empty() || !near.is_empty();
        let handing = self.handing(own, entered, doors.clone(), &near, outside);
        self.follow(doors, own, true, &mut found);
        // Methods that name such a field, or call a method that does.
        self.follow(near, own, false, &mut found);
        // Lambdas that were called once, for an earlier test.
        let mut lambdas = self.methods.lambdas_of(&handing).without(own);
        lambdas.keep(&self.ever);
        found.unite(&lambdas);
        self.follow(lambdas, own, false, &mut found);
        let mut given = if is_any_open { gathered.kept.clone() } else { self.without_quiet(&gathered.kept) };
        given.unite(foreign);
        self.follow_callbacks(gathered, given, &mut found, outside);
        for others in found.iter().filter_map(|method| self.others.get(method as usize)) {
            gathered.all.others.unite(others);
        }
        gathered.all.others.unite(&asked);
        gathered.all.methods.unite(&found);
    }

    /// The methods that may hand a lambda to code which calls it once and keeps the result: to a library, whose own state is
    /// not compared, or to an object that an open field may hold. Such an object was made by code that the test did not
    /// enter, or is reached from a state accessor.
    fn handing(
        &self,
        own: &BitSet<u32>,
        entered: &BitSet<u32>,
        doors: BitSet<u32>,
        near: &BitSet<u32>,
        outside: &mut dyn LibraryGraph,
    ) -> BitSet<u32> {
        let all = self.methods.handing(own);
        let mut found: BitSet<u32> =
            all.iter().filter(|method| !outside.named_by(self.methods.id(*method)).is_empty()).collect();
        let mut open = doors;
        open.unite(near);
        if !open.is_empty() {
            let mut reached = self.follow(open, own, true, &mut BitSet::default());
            reached.unite(&all.clone().without(entered));
            reached.keep(&all);
            found.unite(&reached);
        }
        found
    }

    /// Adds callbacks whose results a library remembers after calling them once. They belong to objects that
    /// initialisers gave to the library (the first value of a `ThreadLocal`), that code found here made (the
    /// loader of a cache, sorted elements), or that the library made itself because an annotation names their
    /// class.
    fn follow_callbacks(
        &self,
        gathered: &ClosureBuilder,
        mut given: BitSet<ClassId>,
        found: &mut BitSet<u32>,
        outside: &mut dyn LibraryGraph,
    ) {
        let own = &gathered.all.methods;
        let mut annotating = BitSet::default();
        // A library can return remembered results only to code that uses something of it.
        let is_told = |class: &ClassId| outside.is_made_for(*class, &gathered.all.others);
        annotating.extend(self.annotating(gathered).iter().filter(is_told));
        let mut made: BitSet<u32> =
            annotating.iter().flat_map(|class| self.methods.constructors(class)).collect();
        made.keep(&self.ever);
        let made = made.without(own);
        found.unite(&made);
        self.follow(made, own, false, found);
        given.unite(&annotating);
        loop {
            let mut called = self.methods.callbacks(&given);
            // Only the code that made these objects has seen them, so everything that was called on them
            // counts.
            called.unite(&self.methods.all_callbacks(&self.methods.made_by(found)));
            let mut called = called.without(own).without(found);
            called.keep(&self.ever);
            if !found.unite(&called) {
                return;
            }
            self.follow(called, own, false, found);
        }
    }

    /// The classes named by annotations of the used classes, and of classes that reflection reaches from
    /// these, as far as a test has looked at them.
    fn annotating(&self, gathered: &ClosureBuilder) -> BitSet<ClassId> {
        let own = &gathered.all.methods;
        let mut from = self.methods.classes_of(own);
        from.unite(&self.methods.named_by(own));
        from.unite(&gathered.all.classes);
        from.unite(&gathered.all.touched);
        from.keep(&self.reflected);
        let mut seen = from.clone();
        loop {
            let mut shown: BitSet<ClassId> = BitSet::default();
            from.iter().for_each(|class| shown.extend(self.shown(class).iter().copied()));
            shown.keep(&self.reflected);
            from = shown.without(&seen);
            if !seen.unite(&from) {
                break;
            }
        }
        self.methods.annotating(&seen)
    }

    /// Methods whose calls may end in state that outlives the test: they name a static field of their own
    /// class that holds a number, an array or a collection; they assign a static field; or they are methods
    /// of an object that others hold too.
    fn state_accessors(
        &self,
        own: &BitSet<u32>,
        foreign: &BitSet<ClassId>,
        kept: &BitSet<ClassId>,
    ) -> BitSet<u32> {
        let mut shared = self.without_quiet(&self.methods.keeping(kept));
        shared.unite(foreign);
        let mut doors = self.methods.instance_methods(&shared);
        doors.keep(own);
        doors.extend(self.methods.filling(own).iter().filter(|method| self.names_open(*method)));
        doors
    }

    /// Adds the methods that `from` called in any test; `deep` follows the test's own calls, too. Returns all methods whose
    /// calls were followed.
    fn follow(
        &self,
        from: BitSet<u32>,
        own: &BitSet<u32>,
        deep: bool,
        found: &mut BitSet<u32>,
    ) -> BitSet<u32> {
        let (mut seen, mut followed) = (from, BitSet::default());
        loop {
            let mut calls = BitSet::default();
            self.methods.called_by(&seen, &mut followed, &mut calls);
            calls.keep(&self.ever);
            let others = calls.clone().without(own);
            found.unite(&others);
            if !seen.unite(if deep { &calls } else { &others }) {
                return seen;
            }
        }
    }
}
