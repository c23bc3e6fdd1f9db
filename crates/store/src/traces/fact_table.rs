//! The facts of a writer, each once and by the writer's own number: tests have thousands of them in common.

use super::TestKey;
use super::fact_set::{fact_digest, set_digest};
use std::cell::RefCell;
use tamis_program::bitset::BitSet;
use tamis_program::digest::{Digest, DigestEncoder};
use tamis_select::facts::Fact;

/// Numbers in the store, of facts and of their questions, as far as they are known.
#[derive(Default)]
struct InStore {
    /// Of which generation of numbers; see [`Interner::generation`](super::intern::Interner::generation).
    generation: u64,
    numbers: Vec<Option<(u32, u32)>>,
}

/// Facts by number.
#[derive(Default)]
pub struct FactTable {
    facts: Vec<Option<(Fact, Digest)>>,
    numbers: BitSet<u32>,
    stored: RefCell<InStore>,
    encoder: DigestEncoder,
}

impl FactTable {
    /// This number is this fact from now on; no other number may be.
    pub fn put(&mut self, number: u32, fact: Fact) {
        let at = number as usize;
        if self.facts.len() <= at {
            self.facts.resize_with(at + 1, || None);
        }
        let digest = fact_digest(&fact, &mut self.encoder);
        if let Some(place) = self.facts.get_mut(at) {
            *place = Some((fact, digest));
            self.numbers.insert(number);
        }
        if let Some(stored) = self.stored.get_mut().numbers.get_mut(at) {
            *stored = None;
        }
    }

    /// This number is no fact any more.
    pub fn forget(&mut self, number: u32) {
        if let Some(place) = self.facts.get_mut(number as usize) {
            *place = None;
            self.numbers.remove(number);
        }
    }

    /// The numbers of facts.
    pub fn numbers(&self) -> &BitSet<u32> {
        &self.numbers
    }

    /// The fact of a number.
    pub fn get(&self, number: u32) -> Option<&Fact> {
        self.known(number).map(|(fact, _)| fact)
    }

    /// The number of a fact in the store and that of its question there, which `find` finds the first time.
    pub(super) fn stored<E>(
        &self,
        generation: u64,
        number: u32,
        find: impl FnOnce(&Fact, Digest) -> Result<(u32, u32), E>,
    ) -> Result<Option<(u32, u32)>, E> {
        let Some((fact, digest)) = self.known(number) else { return Ok(None) };
        let mut stored = self.stored.borrow_mut();
        if stored.generation != generation {
            *stored = InStore { generation, numbers: Vec::new() };
        }
        if stored.numbers.len() < self.facts.len() {
            stored.numbers.resize(self.facts.len(), None);
        }
        match stored.numbers.get_mut(number as usize) {
            Some(Some(known)) => Ok(Some(*known)),
            Some(place) => Ok(Some(*place.insert(find(fact, *digest)?))),
            None => Ok(None),
        }
    }

    pub(super) fn known(&self, number: u32) -> Option<&(Fact, Digest)> {
        self.facts.get(number as usize).and_then(Option::as_ref)
    }
}

impl FromIterator<Fact> for FactTable {
    /// Numbered from 0.
    fn from_iter<I: IntoIterator<Item = Fact>>(facts: I) -> FactTable {
        let mut told = FactTable::default();
        facts.into_iter().zip(0..).for_each(|(fact, number)| told.put(number, fact));
        told
    }
}

/// The facts of a test that has passed.
#[derive(Clone)]
pub struct NewTrace<'f> {
    /// The test.
    pub test: TestKey,
    /// Which technique has found the facts, as people write it.
    pub technique: &'f str,
    /// How long the test took.
    pub microseconds: u64,
    pub(super) told: &'f FactTable,
    pub(super) numbers: &'f BitSet<u32>,
    pub(super) digest: Digest,
}

impl<'f> NewTrace<'f> {
    /// All that a test relied on, by numbers. Numbers of nothing are left out.
    pub fn new(
        test: TestKey,
        technique: &'f str,
        told: &'f FactTable,
        numbers: &'f BitSet<u32>,
        microseconds: u64,
    ) -> NewTrace<'f> {
        let digests = numbers.iter().filter_map(|number| told.known(number));
        let digest = set_digest(digests.map(|(_, digest)| digest));
        NewTrace { test, technique, microseconds, told, numbers, digest }
    }

    /// The same of a test that relied on all facts that there are.
    pub fn of_all(test: TestKey, technique: &'f str, told: &'f FactTable, microseconds: u64) -> NewTrace<'f> {
        NewTrace::new(test, technique, told, &told.numbers, microseconds)
    }

    /// The digest of the set.
    pub fn digest(&self) -> Digest {
        self.digest
    }
}
