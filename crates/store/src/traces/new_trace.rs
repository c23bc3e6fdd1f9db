//! A passing trace before it is stored.

use super::TestKey;
use super::fact_set::set_digest;
use tamis_program::bitset::BitSet;
use tamis_program::digest::Digest;
use tamis_select::facts::FactTable;

/// The facts of a test that has passed.
#[derive(Clone)]
pub struct NewTrace<'f> {
    /// The test.
    pub test: TestKey,
    /// The technique that found the facts, by its name.
    pub technique: &'f str,
    /// The duration of the test.
    pub microseconds: u64,
    pub(super) told: &'f FactTable,
    pub(super) numbers: &'f BitSet<u32>,
    pub(super) digest: Digest,
}

impl<'f> NewTrace<'f> {
    /// A trace of the facts with these numbers. Numbers without a fact are ignored.
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

    /// A trace of all facts of the table.
    pub fn of_all(test: TestKey, technique: &'f str, told: &'f FactTable, microseconds: u64) -> NewTrace<'f> {
        NewTrace::new(test, technique, told, told.numbers(), microseconds)
    }

    /// The digest of the set of facts.
    pub fn digest(&self) -> Digest {
        self.digest
    }
}
