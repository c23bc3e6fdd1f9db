//! What earlier tests may have left for a later one: in static fields, and in objects that outlive a test.
//!
//! Which value came from where is not known. But it came through code that has a door to such a place: a method that
//! names the field, or a method of the object. What such code called, for whomever, may be what is found there; and if that
//! asked for files, properties or the like, so may be what was answered.

use super::History;
use super::gathered::Gathered;
use crate::marks::Marks;
use crate::snapshot::ClassId;

impl History<'_> {
    /// Adds what a test may have found. `foreign` are classes of whose objects it ran code without having made any.
    pub(super) fn add_left_behind(&self, gathered: &mut Gathered, foreign: &Marks<ClassId>) {
        let own = &gathered.all.methods;
        let mut found: Marks<u32> = Marks::default();
        self.follow(self.doors(own, foreign, &gathered.kept), own, true, &mut found);
        // Methods that name such a place, or call one that does.
        self.follow(self.methods.near(own), own, false, &mut found);
        // What was handed to a library to be called once, and was called for an earlier test.
        let mut lambdas = self.methods.lambdas_of(own).without(own);
        lambdas.keep(&self.ever);
        found.unite(&lambdas);
        self.follow(lambdas, own, false, &mut found);
        self.follow_callbacks(gathered, foreign, &mut found);
        let mut parts = Marks::default();
        found.iter().for_each(|method| _ = parts.unite(self.entered(method)));
        gathered.all.others.unite(&self.parts.together(&parts).others);
        gathered.all.methods.unite(&found);
    }

    /// Adds what a library called once and remembers the answer of: methods of objects that were given to it by initialisers, or
    /// by what is found here (a loader of a cache, the first value of a `ThreadLocal`).
    fn follow_callbacks(&self, gathered: &Gathered, foreign: &Marks<ClassId>, found: &mut Marks<u32>) {
        let own = &gathered.all.methods;
        let mut given = gathered.kept.clone();
        given.unite(foreign);
        loop {
            given.unite(&self.methods.made_by(found));
            let mut called = self.methods.callbacks(&given).without(own).without(found);
            called.keep(&self.ever);
            if !found.unite(&called) {
                return;
            }
            self.follow(called, own, false, found);
        }
    }

    /// Methods whose calls may end up in a place that outlives the test: they name a static field of their own class that
    /// holds a number, an array or a collection, or are methods of an object that others hold too.
    fn doors(&self, own: &Marks<u32>, foreign: &Marks<ClassId>, kept: &Marks<ClassId>) -> Marks<u32> {
        let mut shared = self.methods.keeping(kept);
        shared.unite(foreign);
        let mut doors = self.methods.instance_methods(&shared);
        doors.keep(own);
        doors.unite(&self.methods.filling(own));
        doors
    }

    /// Adds what methods called, for whomever: `deep` through calls that are the test's own, too.
    fn follow(&self, from: Marks<u32>, own: &Marks<u32>, deep: bool, found: &mut Marks<u32>) {
        let (mut seen, mut followed) = (from, Marks::default());
        loop {
            let mut calls = Marks::default();
            self.methods.called_by(&seen, &mut followed, &mut calls);
            calls.keep(&self.ever);
            let others = calls.clone().without(own);
            found.unite(&others);
            if !seen.unite(if deep { &calls } else { &others }) {
                return;
            }
        }
    }
}
