//! What earlier tests may have left for a later one: in static fields, and in objects that outlive a test.
//!
//! Which value came from where is not known. But it came through code that has a door to such a place: a method that
//! names the field, or a method of the object. What such code called, for whomever, may be what is found there; and if that
//! asked for files, properties or the like, so may be what was answered.

use super::History;
use super::gathered::Gathered;
use crate::marks::{Grown, Marks};
use crate::snapshot::ClassId;
use rustc_hash::FxHashSet;

impl History<'_> {
    /// Adds what `all` may have found. `foreign` are classes of whose objects it ran code without having made any.
    pub(super) fn add_left_behind(&self, all: &mut Gathered, foreign: &FxHashSet<ClassId>) {
        let entered = &all.methods;
        let own = || entered.list().iter().copied();
        let mut found: Grown<u32> = Grown::default();
        let doors = own().filter(|method| self.is_door(*method, foreign, &all.kept));
        self.follow(doors.collect(), entered, true, &mut found);
        // Methods that name such a place, or call one that does.
        let near = own().filter(|method| self.methods.traits(*method).is_near());
        self.follow(near.collect(), entered, false, &mut found);
        // What was handed to a library to be called once, and was called for an earlier test.
        let lambdas = own().flat_map(|method| self.methods.of(method).lambda_calls.iter().copied());
        let lambdas: Vec<u32> =
            lambdas.filter(|call| !entered.has(*call) && !self.entered(*call).is_empty()).collect();
        found.extend(lambdas.iter().copied());
        self.follow(lambdas, entered, false, &mut found);
        let mut parts = Marks::default();
        found.list().iter().for_each(|method| parts.unite(self.entered(*method)));
        let mut firsts = Marks::default();
        for first in parts.iter().filter_map(|part| self.same_others.get(part)) {
            if firsts.insert(*first)
                && let Some(part) = self.parts.get(*first)
            {
                all.others.extend(&part.others);
            }
        }
        all.methods.extend(found.list().iter().copied());
    }

    /// Whether what a method calls may end up in a place that outlives the test: it names a static field of its own class
    /// that holds a number, an array or a collection, or it is a method of an object that others hold too.
    fn is_door(&self, method: u32, foreign: &FxHashSet<ClassId>, kept: &Grown<ClassId>) -> bool {
        let traits = self.methods.traits(method);
        let is_shared = || {
            let class = self.methods.id(method).class;
            foreign.contains(&class) || (kept.has(class) && self.methods.can_keep(class))
        };
        traits.fills_own() || (!traits.is_static() && !traits.is_constructor() && is_shared())
    }

    /// Adds what methods called, for whomever: `deep` through calls that `entered` has itself, too.
    fn follow(&self, mut todo: Vec<u32>, entered: &Grown<u32>, deep: bool, found: &mut Grown<u32>) {
        let mut seen: Grown<u32> = Grown::default();
        seen.extend(todo.iter().copied());
        while let Some(method) = todo.pop() {
            for call in self.methods.of(method).calls.iter().copied() {
                if self.entered(call).is_empty() {
                    continue;
                }
                let own = entered.has(call);
                if !own {
                    found.insert(call);
                }
                if (deep || !own) && seen.insert(call) {
                    todo.push(call);
                }
            }
        }
    }
}
