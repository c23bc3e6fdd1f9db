//! The facts of a writer, each once and by the writer's own number: tests have thousands of them in common.

use super::TestKey;
use super::fact_set::{fact_digest, set_digest};
use std::borrow::Cow;
use tamis_core::digest::{Digest, Encoder};
use tamis_core::fact::Fact;

/// Facts by number.
#[derive(Default)]
pub struct Told {
    facts: Vec<Option<(Fact, Digest)>>,
    encoder: Encoder,
}

impl Told {
    /// This number is this fact from now on.
    pub fn put(&mut self, number: u32, fact: Fact) {
        let at = number as usize;
        if self.facts.len() <= at {
            self.facts.resize_with(at + 1, || None);
        }
        let digest = fact_digest(&fact, &mut self.encoder);
        if let Some(place) = self.facts.get_mut(at) {
            *place = Some((fact, digest));
        }
    }

    /// This number is no fact any more.
    pub fn forget(&mut self, number: u32) {
        if let Some(place) = self.facts.get_mut(number as usize) {
            *place = None;
        }
    }

    /// The fact of a number.
    pub fn get(&self, number: u32) -> Option<&Fact> {
        self.known(number).map(|(fact, _)| fact)
    }

    pub(super) fn known(&self, number: u32) -> Option<&(Fact, Digest)> {
        self.facts.get(number as usize).and_then(Option::as_ref)
    }
}

impl FromIterator<Fact> for Told {
    /// Numbered from 0.
    fn from_iter<I: IntoIterator<Item = Fact>>(facts: I) -> Told {
        let mut told = Told::default();
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
    pub(super) told: &'f Told,
    pub(super) numbers: Cow<'f, [u32]>,
    pub(super) digest: Digest,
}

impl<'f> NewTrace<'f> {
    /// All that a test relied on, by numbers in any order. Numbers of nothing are left out.
    pub fn new(
        test: TestKey,
        technique: &'f str,
        told: &'f Told,
        numbers: impl Into<Cow<'f, [u32]>>,
        microseconds: u64,
    ) -> NewTrace<'f> {
        let numbers = numbers.into();
        let digests = numbers.iter().filter_map(|number| told.known(*number));
        let digest = set_digest(&mut digests.map(|(_, digest)| *digest).collect());
        NewTrace { test, technique, microseconds, told, numbers, digest }
    }

    /// The same of a test that relied on all facts that there are.
    pub fn of_all(test: TestKey, technique: &'f str, told: &'f Told, microseconds: u64) -> NewTrace<'f> {
        let numbers: Vec<u32> = (0..told.facts.len() as u32).collect();
        NewTrace::new(test, technique, told, numbers, microseconds)
    }

    /// The digest of the set.
    pub fn digest(&self) -> Digest {
        self.digest
    }
}
