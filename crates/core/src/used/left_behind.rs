//! What earlier tests may have left for a later one: in static fields, and in objects that outlive a test.
//!
//! Which value came from where is not known. But it came through code that has a door to such a place: a method that
//! names the field, or a method of the object. What such code called, for whomever, may be what is found there; and if that
//! asked for files, properties or the like, so may be what was answered.

use super::{History, Used};
use crate::record::Origin;
use crate::snapshot::{ClassId, MethodId};
use rustc_hash::FxHashSet;
use tamis_classfile::access;

impl History<'_> {
    /// What `used` may have found. `foreign` are classes of whose objects it ran code without having made any, `kept` those
    /// of whose objects static initialisers made some.
    pub(super) fn left_behind(
        &mut self,
        used: &Used,
        foreign: &FxHashSet<ClassId>,
        kept: &FxHashSet<ClassId>,
    ) -> Used {
        let entered: FxHashSet<MethodId> = used.methods.iter().collect();
        let mut found: FxHashSet<MethodId> = FxHashSet::default();
        let doors: Vec<MethodId> =
            used.methods.iter().filter(|method| self.is_door(*method, foreign, kept)).collect();
        self.follow(doors, &entered, true, &mut found);
        let near: Vec<MethodId> = used.methods.iter().filter(|method| self.is_near(*method)).collect();
        self.follow(near, &entered, false, &mut found);
        // What was handed to a library to be called once, and was called for an earlier test.
        let lambdas: Vec<MethodId> = self.lambdas_of_others(&entered);
        found.extend(&lambdas);
        self.follow(lambdas, &entered, false, &mut found);
        let mut left = Used::default();
        let parts: FxHashSet<u32> =
            found.iter().filter_map(|method| self.entered.get(method)).flatten().copied().collect();
        let others = parts.into_iter().filter_map(|part| self.parts.get(part as usize));
        left.others.extend(others.flat_map(|part| &part.others));
        left.methods = found.into_iter().collect();
        left
    }

    /// Lambdas in the code of these methods that none of them entered, and somebody else did.
    fn lambdas_of_others(&mut self, entered: &FxHashSet<MethodId>) -> Vec<MethodId> {
        let mut found = Vec::new();
        for method in entered {
            for call in self.calls.of(*method).to_vec() {
                if self.snapshot.method(call).origin == Origin::Made
                    && !entered.contains(&call)
                    && self.entered.contains_key(&call)
                {
                    found.push(call);
                }
            }
        }
        found
    }

    /// Whether what a method calls may end up in a place that outlives the test: it names a static field of its own class
    /// that holds a number, an array or a collection, or it is a method of an object that others hold too.
    fn is_door(&mut self, method: MethodId, foreign: &FxHashSet<ClassId>, kept: &FxHashSet<ClassId>) -> bool {
        let is_static = self.snapshot.method(method).is(access::STATIC);
        let is_shared = foreign.contains(&method.class)
            || (kept.contains(&method.class) && self.calls.can_keep(method.class));
        (!is_static && is_shared && !self.is_constructor(method)) || self.calls.fills_own(method)
    }

    /// Whether a method names such a place, or calls one that does.
    fn is_near(&mut self, method: MethodId) -> bool {
        if self.calls.is_stateful(method) {
            return true;
        }
        let calls: Vec<MethodId> = self.calls.of(method).to_vec();
        calls.into_iter().any(|call| self.calls.is_stateful(call))
    }

    /// Adds what methods called, for whomever: `deep` through calls that `entered` has itself, too.
    fn follow(
        &mut self,
        mut todo: Vec<MethodId>,
        entered: &FxHashSet<MethodId>,
        deep: bool,
        found: &mut FxHashSet<MethodId>,
    ) {
        let mut seen: FxHashSet<MethodId> = todo.iter().copied().collect();
        while let Some(method) = todo.pop() {
            let calls: Vec<MethodId> = self.calls.of(method).to_vec();
            for call in calls.into_iter().filter(|call| self.entered.contains_key(call)) {
                let own = entered.contains(&call);
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
