//! A passing trace on its way into the store.

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
        NewTrace::new(test, technique, told, told.numbers(), microseconds)
    }

    /// The digest of the set.
    pub fn digest(&self) -> Digest {
        self.digest
    }
}
