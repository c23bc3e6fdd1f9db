//! Probes that were hit recently, by any thread.

/// With more hits than this, lists are merged into a set.
const MOST: usize = 1 << 16;

/// The probes that were hit recently, by any thread.
#[derive(Default)]
pub(crate) struct RecentHits {
    lists: Vec<Vec<u32>>,
    folded: ProbeSet,
    /// Empty lists, kept for their memory.
    spare: Vec<Vec<u32>>,
}

impl RecentHits {
    /// Adds the hits of a boundary.
    pub(crate) fn add(&mut self, probes: Vec<u32>) {
        if probes.is_empty() {
            return self.spare.push(probes);
        }
        let count: usize = self.lists.iter().map(Vec::len).sum();
        if count + probes.len() > MOST {
            for mut list in self.lists.drain(..) {
                self.folded.add(&list);
                list.clear();
                self.spare.push(list);
            }
        }
        self.lists.push(probes);
    }

    /// Forgets all hits but the last ones: the stack of a thread that had just started was not read yet.
    pub(crate) fn forget(&mut self) {
        self.folded.clear();
        let last = self.lists.pop();
        for mut list in std::mem::take(&mut self.lists) {
            list.clear();
            self.spare.push(list);
        }
        self.lists.extend(last);
        self.spare.truncate(2);
    }

    /// An empty list, with memory if there is a spare one.
    pub(crate) fn spare(&mut self) -> Vec<u32> {
        self.spare.pop().unwrap_or_default()
    }

    /// Adds all hits to a set.
    pub(crate) fn fill(&self, bits: &mut ProbeSet) {
        bits.join(&self.folded);
        for list in &self.lists {
            bits.add(list);
        }
    }
}

/// A set of probes.
#[derive(Default)]
pub(crate) struct ProbeSet(Vec<u64>);

impl ProbeSet {
    fn add(&mut self, probes: &[u32]) {
        for probe in probes {
            let word = *probe as usize / 64;
            if word >= self.0.len() {
                self.0.resize(word + 1, 0);
            }
            if let Some(word) = self.0.get_mut(word) {
                *word |= 1 << (probe % 64);
            }
        }
    }

    fn join(&mut self, other: &ProbeSet) {
        if other.0.len() > self.0.len() {
            self.0.resize(other.0.len(), 0);
        }
        for (word, more) in self.0.iter_mut().zip(&other.0) {
            *word |= more;
        }
    }

    pub(crate) fn clear(&mut self) {
        self.0.clear();
    }

    pub(crate) fn list(&self, probes: &mut Vec<u32>) {
        for (at, word) in self.0.iter().enumerate() {
            let mut word = *word;
            while word != 0 {
                probes.push(at as u32 * 64 + word.trailing_zeros());
                word &= word - 1;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_hits_are_kept_and_merging_loses_none() {
        let all = |recent: &RecentHits| {
            let (mut bits, mut probes) = (ProbeSet::default(), Vec::new());
            recent.fill(&mut bits);
            bits.list(&mut probes);
            probes
        };
        let mut recent = RecentHits::default();
        recent.add(vec![700, 3]);
        recent.add((0..MOST as u32).map(|probe| probe % 2).collect());
        recent.add(vec![64]);
        assert_eq!(all(&recent), [0, 1, 3, 64, 700]);
        recent.forget();
        assert_eq!(all(&recent), [64]);
    }
}
