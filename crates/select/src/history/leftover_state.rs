//! Follows state that earlier tests may have left in static fields and in objects that outlive a test.
//!
//! The origin of a value is not known, but it came through a state accessor: a method that names the field,
//! or a method of the object. Three things may therefore have produced it: the methods that accessors called
//! in the earlier tests that changed the field, the files and properties that these methods asked for, and the inputs that
//! a library asked for and kept while an accessor ran.

use super::closure::ClosureBuilder;
use super::field_fillers::FieldFillers;
use super::{Closure, History, LibraryGraph};
use tamis_program::bitset::BitSet;
use tamis_program::snapshot::ClassId;

impl History<'_> {
    /// Adds what a test may have found. `foreign` are classes whose methods ran on objects that the test did not make.
    pub(super) fn follow_leftover_state(
        &self,
        gathered: &mut ClosureBuilder,
        foreign: &BitSet<ClassId>,
        outside: &mut dyn LibraryGraph,
    ) {
        let own = &gathered.all.methods;
        let near = self.near_open(own);
        let mut fillers = FieldFillers::default();
        self.add_fillers(&mut fillers, &near);
        let kept = self.kept(gathered, &fillers);
        let mut shared = self.without_quiet(&self.methods.keeping(&kept));
        shared.unite(foreign);
        let doors = self.state_accessors(own, &shared);
        let mut asked: BitSet<u32> = BitSet::default();
        for door in doors.iter().chain(near.iter()) {
            self.asked_under.get(&door).into_iter().for_each(|others| _ = asked.unite(others));
        }
        // An object of a quiet field may be what fills an open one.
        let is_any_open = !doors.is_empty() || !near.is_empty();
        let mut given = if is_any_open { kept } else { self.without_quiet(&kept) };
        given.unite(foreign);
        self.add_fillers_of_objects(&mut fillers, &shared);
        // Code that filled one field may have found what it put there in another one.
        let found = loop {
            let mut found: BitSet<u32> = BitSet::default();
            let within = fillers.methods(&self.ever);
            self.follow(doors.clone(), own, true, within, &mut found);
            // Methods that name such a field, or call a method that does.
            self.follow(near.clone(), own, false, within, &mut found);
            let (by_library, by_fillers) = self.called_once(own, within, outside);
            found.unite(&by_library);
            found.unite(&by_fillers);
            self.follow(by_library, own, false, &self.ever, &mut found);
            self.follow(by_fillers, own, false, within, &mut found);
            self.follow_callbacks(gathered, given.clone(), within, &mut found, outside);
            if !self.add_fillers(&mut fillers, &self.near_open(&found)) {
                break found;
            }
        };
        for others in found.iter().filter_map(|method| self.others.get(method as usize)) {
            gathered.all.others.unite(others);
        }
        gathered.all.others.unite(&asked);
        gathered.all.methods.unite(&found);
        gathered.all.whole.unite(&found);
    }

    /// Whether a method that a test entered may have left something for it when an earlier test ran it: perhaps by a part of
    /// the method that this test did not enter.
    pub(crate) fn may_have_left(&self, method: u32, used: &Closure) -> bool {
        self.methods.may_leave(method, used.meets_others)
    }

    /// The classes of objects that initialisers made and that something still holds: a static field, or a library. If a
    /// field is not compared, it may hold any.
    fn kept(&self, gathered: &ClosureBuilder, fillers: &FieldFillers) -> BitSet<ClassId> {
        if fillers.is_any() {
            return gathered.kept.clone();
        }
        let mut held = self.held();
        held.unite(&gathered.kept_by_libraries);
        held.keep(&gathered.kept);
        held
    }

    /// Lambdas that were called once, for an earlier test: by a library, whose own state is not compared, or by a test that
    /// changed an open field, which may hold the result.
    fn called_once(
        &self,
        own: &BitSet<u32>,
        within: &BitSet<u32>,
        outside: &mut dyn LibraryGraph,
    ) -> (BitSet<u32>, BitSet<u32>) {
        let handing = self.methods.handing(own);
        let is_librarys = |method: &u32| !outside.named_by(self.methods.id(*method)).is_empty();
        let by_library: BitSet<u32> = handing.iter().filter(is_librarys).collect();
        let mut by_library = self.methods.lambdas_of(&by_library).without(own);
        by_library.keep(&self.ever);
        let mut by_fillers = self.methods.lambdas_of(&handing).without(own);
        by_fillers.keep(within);
        (by_library, by_fillers)
    }

    /// Adds callbacks whose results a library remembers after calling them once. They belong to objects that
    /// initialisers gave to the library (the first value of a `ThreadLocal`), that code found here made (the
    /// loader of a cache, sorted elements), or that the library made itself because an annotation names their
    /// class.
    fn follow_callbacks(
        &self,
        gathered: &ClosureBuilder,
        mut given: BitSet<ClassId>,
        within: &BitSet<u32>,
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
        self.follow(made, own, false, &self.ever, found);
        // An object that is in no compared field may be in one of a library.
        let mut elsewhere = self.unreached(&given);
        elsewhere.unite(&annotating);
        given = given.without(&elsewhere);
        loop {
            let mut remembered = self.methods.callbacks(&elsewhere);
            remembered.keep(&self.ever);
            let mut called = self.methods.callbacks(&given);
            called.keep(within);
            called.unite(&remembered);
            // Only the code that made these objects has seen them, so everything that was called on them
            // counts.
            called.unite(&self.methods.all_callbacks(&self.methods.made_by(found)));
            let mut called = called.without(own).without(found);
            called.keep(&self.ever);
            if !found.unite(&called) {
                return;
            }
            remembered.keep(&called);
            self.follow(remembered, own, false, &self.ever, found);
            self.follow(called, own, false, within, found);
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
    fn state_accessors(&self, own: &BitSet<u32>, shared: &BitSet<ClassId>) -> BitSet<u32> {
        let mut doors = self.methods.instance_methods(shared);
        doors.keep(own);
        doors.extend(self.methods.filling(own).iter().filter(|method| self.names_open(*method)));
        doors
    }

    /// Adds the methods of `within` that `from` may have called; `deep` follows the test's own calls, too.
    fn follow(
        &self,
        from: BitSet<u32>,
        own: &BitSet<u32>,
        deep: bool,
        within: &BitSet<u32>,
        found: &mut BitSet<u32>,
    ) {
        let (mut seen, mut followed) = (from, BitSet::default());
        loop {
            let mut calls = BitSet::default();
            self.methods.called_by(&seen, &mut followed, &mut calls);
            if deep {
                // The test's own calls lead to others.
                let mut mine = calls.clone();
                mine.keep(own);
                calls.keep(within);
                calls.unite(&mine);
            } else {
                calls.keep(within);
            }
            let others = calls.clone().without(own);
            found.unite(&others);
            if !seen.unite(if deep { &calls } else { &others }) {
                return;
            }
        }
    }
}
