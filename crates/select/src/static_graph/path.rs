//! A way from a test to something that it may reach, for explanations.

use super::{StaticGraph, TestRoots};
use rustc_hash::FxHashMap;
use std::collections::VecDeque;
use std::collections::hash_map::Entry;
use tamis_program::snapshot::MethodId;

impl StaticGraph<'_> {
    /// A shortest path of methods from the roots of a test to a method with this property.
    pub fn path(&self, roots: &TestRoots, is_target: impl Fn(MethodId) -> bool) -> Option<Vec<MethodId>> {
        let mut from: FxHashMap<u32, Option<u32>> = FxHashMap::default();
        let mut open: VecDeque<u32> = VecDeque::new();
        for method in roots.methods.iter().chain(&self.services) {
            let number = self.number(*method);
            if from.insert(number, None).is_none() {
                open.push_back(number);
            }
        }
        let first = roots.made.iter().flat_map(|class| self.on_making(class.index()));
        for number in first.collect::<Vec<_>>() {
            if let Entry::Vacant(place) = from.entry(number) {
                place.insert(None);
                open.push_back(number);
            }
        }
        while let Some(method) = open.pop_front() {
            if is_target(self.id(method)) {
                let mut path = vec![self.id(method)];
                let mut at = method;
                while let Some(Some(before)) = from.get(&at) {
                    path.push(self.id(*before));
                    at = *before;
                }
                path.reverse();
                return Some(path);
            }
            for next in self.successors(method) {
                if let Entry::Vacant(place) = from.entry(next) {
                    place.insert(Some(method));
                    open.push_back(next);
                }
            }
        }
        None
    }

    /// The methods that one may lead to.
    fn successors(&self, method: u32) -> Vec<u32> {
        let Some(edges) = self.methods.get(method as usize) else { return Vec::new() };
        let mut next: Vec<u32> = edges.calls.to_vec();
        for signature in &edges.virtuals {
            next.extend(self.virtuals.all(*signature));
        }
        for class in &edges.makes {
            next.extend(self.on_making(class.index()));
        }
        next.extend(
            edges.touches.iter().filter_map(|class| self.initialisers.get(class.index()).copied().flatten()),
        );
        for field in &edges.reads {
            next.extend(self.writers.get(field).into_iter().flatten());
        }
        next
    }

    /// The methods that making an object of a class may lead to.
    fn on_making(&self, class: usize) -> impl Iterator<Item = u32> + '_ {
        let initialiser = self.initialisers.get(class).copied().flatten();
        self.callbacks.get(class).into_iter().flat_map(|callbacks| callbacks.iter()).chain(initialiser)
    }
}
