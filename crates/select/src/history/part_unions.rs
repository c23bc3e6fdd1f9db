//! Unions of what earlier parts used, by the key through which a later part depends on them.
//!
//! A part is added to the unions of its keys when it ends, and then forgotten. So neither the work per test nor
//! the memory of the history grows with the number of earlier tests, only with the program.
//! `docs/design/house.md` says why.

use super::{Closure, Footprint};
use rustc_hash::FxHashMap;
use std::cell::RefCell;
use std::hash::Hash;
use std::rc::Rc;
use tamis_program::bitset::BitSet;

/// The use of several parts, with the parts from which these read.
#[derive(Clone, Debug, Default)]
pub(super) struct PartUnion {
    pub(super) all: Closure,
    /// Static fields that other parts set and restored, and from which these parts read.
    pub(super) restored: BitSet<u32>,
}

impl PartUnion {
    /// A part on its own.
    pub(super) fn of(used: &Footprint) -> PartUnion {
        let mut union = PartUnion::default();
        union.all.add(used);
        union
    }

    /// Adds another union. Returns whether this one grew.
    pub(super) fn unite(&mut self, other: &PartUnion) -> bool {
        let grew = self.all.unite(&other.all);
        self.restored.unite(&other.restored) | grew
    }
}

/// Unions by key.
pub(super) struct PartUnions<K> {
    numbers: FxHashMap<K, u32>,
    unions: Vec<PartUnion>,
    /// For each union, when it grew last.
    grown: Vec<u64>,
    now: u64,
    recent: RefCell<Vec<RecentUnion>>,
}

/// Unions that were requested together. The next test requests the same ones, or a few more.
struct RecentUnion {
    keys: BitSet<u32>,
    /// When it was put together.
    at: u64,
    all: Rc<PartUnion>,
}

/// The number of recent requests that are kept.
const MOST: usize = 12;

impl<K> Default for PartUnions<K> {
    fn default() -> PartUnions<K> {
        PartUnions {
            numbers: FxHashMap::default(),
            unions: Vec::new(),
            grown: Vec::new(),
            now: 0,
            recent: RefCell::default(),
        }
    }
}

impl<K: Eq + Hash + Clone> PartUnions<K> {
    /// The number of a key's union, if a part was added to it.
    pub(super) fn number(&self, key: &K) -> Option<u32> {
        self.numbers.get(key).copied()
    }

    /// Adds what a part used. Returns the number of the key's union.
    pub(super) fn add(&mut self, key: K, used: &PartUnion) -> u32 {
        let next = self.unions.len() as u32;
        let number = *self.numbers.entry(key).or_insert(next);
        if number == next {
            self.unions.push(PartUnion::default());
            self.grown.push(0);
        }
        self.extend(number, used);
        number
    }

    /// Adds to the union of this number.
    pub(super) fn extend(&mut self, number: u32, used: &PartUnion) {
        if let (Some(union), Some(grown)) =
            (self.unions.get_mut(number as usize), self.grown.get_mut(number as usize))
            && union.unite(used)
        {
            self.now += 1;
            *grown = self.now;
        }
    }

    /// The union of a key, if a part was added to it.
    pub(super) fn get(&self, key: &K) -> Option<&PartUnion> {
        self.unions.get(self.number(key)? as usize)
    }

    /// All unions of these numbers together.
    pub(super) fn together(&self, keys: &BitSet<u32>) -> Rc<PartUnion> {
        let mut recent = self.recent.borrow_mut();
        let within = recent.iter().enumerate().filter(|(_, known)| known.keys.is_within(keys));
        let best = within.map(|(at, known)| (known.keys.len(), at)).max();
        let mut found = match best.map(|(_, at)| recent.remove(at)) {
            // Extended in place if it is the same request, else beside it.
            Some(known) if known.keys.len() == keys.len() => known,
            Some(known) => {
                let larger =
                    RecentUnion { keys: known.keys.clone(), at: known.at, all: Rc::clone(&known.all) };
                recent.insert(0, known);
                larger
            }
            None => RecentUnion { keys: BitSet::default(), at: 0, all: Rc::default() },
        };
        let has_grown = |key: &u32| self.grown.get(*key as usize).is_some_and(|grown| *grown > found.at);
        let missing: Vec<u32> =
            keys.iter().filter(|key| !found.keys.contains(*key) || has_grown(key)).collect();
        if !missing.is_empty() {
            let all = Rc::make_mut(&mut found.all);
            for union in missing.into_iter().filter_map(|key| self.unions.get(key as usize)) {
                all.unite(union);
            }
        }
        found.keys = keys.clone();
        found.at = self.now;
        let all = Rc::clone(&found.all);
        recent.insert(0, found);
        recent.truncate(MOST);
        all
    }
}

#[cfg(test)]
mod tests {
    use super::{PartUnion, PartUnions};
    use crate::history::Footprint;
    use std::collections::{BTreeMap, BTreeSet};
    use tamis_program::bitset::BitSet;

    fn part(others: &[u32]) -> PartUnion {
        PartUnion::of(&Footprint { others: others.iter().copied().collect(), ..Footprint::default() })
    }

    #[test]
    fn a_request_has_what_all_parts_of_its_keys_used() {
        let mut unions: PartUnions<u32> = PartUnions::default();
        let mut expected: BTreeMap<u32, BTreeSet<u32>> = BTreeMap::new();
        let mut numbers = BTreeMap::new();
        for number in 0..40u32 {
            // Keys grow between requests, in every order.
            for key in [number % 5, number % 7 + 10] {
                numbers.insert(key, unions.add(key, &part(&[number, 100])));
                expected.entry(key).or_default().extend([number, 100]);
            }
            for keys in [vec![0, 1], vec![0, 1, 10], vec![10], vec![3, 12, 16], vec![0, 1], vec![]] {
                let wanted: BTreeSet<u32> =
                    keys.iter().filter_map(|key| expected.get(key)).flatten().copied().collect();
                let keys: BitSet<u32> = keys.iter().filter_map(|key| numbers.get(key)).copied().collect();
                let all = unions.together(&keys);
                assert_eq!(all.all.others.iter().collect::<BTreeSet<_>>(), wanted);
            }
        }
    }
}
