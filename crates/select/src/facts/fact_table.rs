//! The facts of a trace writer, by its own numbers.
//!
//! Tests have thousands of facts in common, so each fact is kept once, with its number in the store.

use super::Fact;
use std::cell::RefCell;
use tamis_program::bitset::BitSet;
use tamis_program::digest::{Digest, DigestEncoder};

/// Numbers of facts and of their questions in the store, as far as they are known.
#[derive(Default)]
struct InStore {
    /// The generation of these numbers: a store that rolled back a transaction begins a new one.
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
    /// Assigns a fact to a number. A fact must not have two numbers.
    pub fn put(&mut self, number: u32, fact: Fact) {
        let at = number as usize;
        if self.facts.len() <= at {
            self.facts.resize_with(at + 1, || None);
        }
        let digest = fact.digest(&mut self.encoder);
        if let Some(place) = self.facts.get_mut(at) {
            *place = Some((fact, digest));
            self.numbers.insert(number);
        }
        if let Some(stored) = self.stored.get_mut().numbers.get_mut(at) {
            *stored = None;
        }
    }

    /// Removes the fact of a number.
    pub fn forget(&mut self, number: u32) {
        if let Some(place) = self.facts.get_mut(number as usize) {
            *place = None;
            self.numbers.remove(number);
        }
    }

    /// The numbers that have facts.
    pub fn numbers(&self) -> &BitSet<u32> {
        &self.numbers
    }

    /// The fact of a number.
    pub fn get(&self, number: u32) -> Option<&Fact> {
        self.known(number).map(|(fact, _)| fact)
    }

    /// The numbers of a fact and of its question in the store. `find` finds them the first time.
    pub fn stored<E>(
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

    /// The fact of a number and its digest.
    pub fn known(&self, number: u32) -> Option<&(Fact, Digest)> {
        self.facts.get(number as usize).and_then(Option::as_ref)
    }
}

impl FromIterator<Fact> for FactTable {
    /// Numbers the facts from 0.
    fn from_iter<I: IntoIterator<Item = Fact>>(facts: I) -> FactTable {
        let mut told = FactTable::default();
        facts.into_iter().zip(0..).for_each(|(fact, number)| told.put(number, fact));
        told
    }
}
