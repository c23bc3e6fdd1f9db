//! Footprints of all parts of a JVM's work: tests, and the work between tests.

use super::{Closure, Footprint};
use std::cell::RefCell;
use std::rc::Rc;
use tamis_program::bitset::BitSet;

/// All parts so far.
#[derive(Default)]
pub(super) struct HistoryParts {
    used: Vec<Footprint>,
    /// Unions of parts, most recent first: the next test asks for the same parts, or for a few more.
    recent: RefCell<Vec<(BitSet, Rc<Closure>)>>,
}

/// How many unions are remembered.
const MOST: usize = 12;

impl HistoryParts {
    pub(super) fn push(&mut self, used: Footprint) {
        self.used.push(used);
    }

    pub(super) fn len(&self) -> usize {
        self.used.len()
    }

    /// The union of the footprints of these parts.
    pub(super) fn together(&self, parts: &BitSet) -> Rc<Closure> {
        let mut recent = self.recent.borrow_mut();
        let within = recent.iter().enumerate().filter(|(_, (known, _))| known.is_within(parts));
        let best = within.map(|(at, (known, _))| (known.len(), at)).max();
        let mut entry = best.map(|(_, at)| recent.remove(at)).unwrap_or_default();
        let new = parts.clone().without(&entry.0);
        if !new.is_empty() {
            let mut all = Closure::clone(&entry.1);
            new.iter().filter_map(|part| self.used.get(part)).for_each(|used| all.add(used));
            recent.insert(0, entry);
            entry = (parts.clone(), Rc::new(all));
        }
        let all = Rc::clone(&entry.1);
        recent.insert(0, entry);
        recent.truncate(MOST);
        all
    }
}

#[cfg(test)]
mod tests {
    use super::HistoryParts;
    use crate::history::Footprint;

    #[test]
    fn a_remembered_union_equals_a_computed_one() {
        let mut parts = HistoryParts::default();
        for number in 0..40u32 {
            parts.push(Footprint { others: [number, 100].into_iter().collect(), ..Footprint::default() });
        }
        // More parts, other parts, fewer, the same: in every order.
        for (from, to) in [(0, 3), (0, 9), (2, 5), (0, 9), (30, 40), (0, 40), (0, 1), (2, 5), (5, 5)] {
            let all = parts.together(&(from..to).collect());
            let mut expected: Vec<u32> = (from as u32..to as u32).collect();
            expected.extend((from < to).then_some(100));
            assert_eq!(all.others.iter().collect::<Vec<_>>(), expected);
        }
    }
}
