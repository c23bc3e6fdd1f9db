//! Numbers facts and tests, each stored once.
//!
//! A test shares most facts with the test before, so numbers are cached between transactions. Only writes of
//! other processes can change them; then the cache is cleared.

use super::error::StoreFault;
use super::fact_set::{fact_checksum, question_digest, to_answer};
use super::{TestKey, test_number};
use crate::format::LARGEST;
use rusqlite::{CachedStatement, OptionalExtension, Row, Transaction};
use rustc_hash::FxHashMap;
use std::sync::atomic::{AtomicU64, Ordering};
use tamis_program::digest::{Digest, DigestEncoder};
use tamis_select::facts::{Fact, FactKind, Question};

/// A fact with a number.
#[derive(Clone, Copy)]
pub(super) struct InternedFact {
    pub(super) fact: Digest,
    /// Its question, by a number that is valid only in this cache.
    pub(super) question: u32,
}

/// Cached numbers.
#[derive(Default)]
pub(super) struct InternCache {
    numbers: FxHashMap<Digest, (u32, InternedFact)>,
    known: FxHashMap<u32, InternedFact>,
    tests: FxHashMap<TestKey, i64>,
    questions: FxHashMap<Digest, u32>,
    /// By number of a fact, its question plus one.
    question_of: Vec<u32>,
    /// SQLite's counter of other connections' writes.
    seen: i64,
    /// Changes whenever numbers may have changed their meaning, and is unique in this process.
    generation: u64,
}

/// The last generation; 0 is never one.
static GENERATIONS: AtomicU64 = AtomicU64::new(0);

impl InternCache {
    /// Must be called first in each transaction.
    pub(super) fn refresh(&mut self, transaction: &Transaction<'_>) -> Result<(), StoreFault> {
        if self.seen == 0 {
            // A process that writes once will write again, and looks facts up all over the file.
            transaction.pragma_update(None, "cache_size", -16_384)?;
        }
        let now = transaction.pragma_query_value(None, "data_version", |row| row.get(0))?;
        if self.seen != now {
            self.forget();
            self.seen = now;
        }
        Ok(())
    }

    /// Must be called when a transaction failed or deleted facts.
    pub(super) fn forget(&mut self) {
        self.numbers.clear();
        self.known.clear();
        self.tests.clear();
        self.questions.clear();
        self.question_of.clear();
        self.generation = GENERATIONS.fetch_add(1, Ordering::Relaxed) + 1;
    }

    /// The number of a test; a new test is inserted.
    pub(super) fn test(&mut self, transaction: &Transaction<'_>, test: &TestKey) -> Result<i64, StoreFault> {
        if let Some(number) = self.tests.get(test) {
            return Ok(*number);
        }
        let number = test_number(transaction, test)?;
        self.tests.insert(test.clone(), number);
        Ok(number)
    }

    fn question(&mut self, digest: Digest) -> u32 {
        let next = self.questions.len() as u32;
        *self.questions.entry(digest).or_insert(next)
    }
}

/// Facts and their numbers within one transaction.
pub(super) struct FactInterner<'t> {
    transaction: &'t Transaction<'t>,
    interned: &'t mut InternCache,
    by_checksum: CachedStatement<'t>,
    by_number: CachedStatement<'t>,
    insert: CachedStatement<'t>,
    encoder: DigestEncoder,
    buffer: Vec<u8>,
}

impl<'t> FactInterner<'t> {
    pub(super) fn new(
        transaction: &'t Transaction<'t>,
        interned: &'t mut InternCache,
    ) -> Result<FactInterner<'t>, StoreFault> {
        Ok(FactInterner {
            transaction,
            interned,
            by_checksum: transaction.prepare_cached(
                "SELECT number FROM fact WHERE checksum = ?1 AND about = ?2 AND answer IS ?3 AND entity = ?4",
            )?,
            by_number: transaction
                .prepare_cached("SELECT about, answer, entity, checksum FROM fact WHERE number = ?1")?,
            insert: transaction.prepare_cached(
                "INSERT INTO fact (checksum, about, answer, entity) VALUES (?1, ?2, ?3, ?4) RETURNING number",
            )?,
            encoder: DigestEncoder::default(),
            buffer: Vec::new(),
        })
    }

    /// The number of a fact, with its digest and question; a new fact is inserted.
    pub(super) fn number(&mut self, fact: &Fact, digest: Digest) -> Result<(u32, InternedFact), StoreFault> {
        if let Some(number) = self.interned.numbers.get(&digest) {
            return Ok(*number);
        }
        let about = i64::from(fact.question.kind.number());
        let answer = fact.answer.as_ref().map(|answer| answer.as_bytes().as_slice());
        let checksum = fact_checksum(about, &fact.question.subject, answer, &mut self.buffer);
        let row = (checksum, about, answer, &*fact.question.subject);
        let number: i64 = match self.by_checksum.query_row(row, |row| row.get(0)).optional()? {
            Some(number) => number,
            None => self.insert.query_row(row, |row| row.get(0))?,
        };
        let number = u32::try_from(number).ok().filter(|number| *number <= LARGEST);
        let number = number.ok_or_else(|| StoreFault::damaged("its facts have impossible numbers"))?;
        let question = self.interned.question(question_digest(&fact.question, &mut self.encoder));
        let known = InternedFact { fact: digest, question };
        self.interned.numbers.insert(digest, (number, known));
        self.interned.known.insert(number, known);
        Ok((number, known))
    }

    /// The number of a test; a new test is inserted.
    pub(super) fn test(&mut self, test: &TestKey) -> Result<i64, StoreFault> {
        self.interned.test(self.transaction, test)
    }

    /// The present generation of numbers.
    pub(super) fn generation(&self) -> u64 {
        self.interned.generation
    }

    /// The question of a numbered fact; `None` as for [`FactInterner::known`].
    pub(super) fn question_of(&mut self, number: u32) -> Result<Option<u32>, StoreFault> {
        let at = number as usize;
        if let Some(known) = self.interned.question_of.get(at).and_then(|known| known.checked_sub(1)) {
            return Ok(Some(known));
        }
        let Some(known) = self.known(number)? else { return Ok(None) };
        let table = &mut self.interned.question_of;
        if table.len() <= at {
            table.resize(at + 1, 0);
        }
        if let Some(place) = table.get_mut(at) {
            *place = known.question + 1;
        }
        Ok(Some(known.question))
    }

    /// The fact of a number; `None` if there is none that this Tamis understands.
    pub(super) fn known(&mut self, number: u32) -> Result<Option<InternedFact>, StoreFault> {
        if let Some(known) = self.interned.known.get(&number) {
            return Ok(Some(*known));
        }
        let fact =
            self.by_number.query_row([number], |row| Ok(read_fact(row, &mut self.buffer))).optional()?;
        let Some(fact) = fact.flatten() else { return Ok(None) };
        let known = InternedFact {
            fact: fact.digest(&mut self.encoder),
            question: self.interned.question(question_digest(&fact.question, &mut self.encoder)),
        };
        self.interned.known.insert(number, known);
        Ok(Some(known))
    }
}

/// A fact from its columns `about, answer, entity, checksum`; `None` if it was changed since it was written,
/// or if only a later Tamis knows its kind.
pub(super) fn read_fact(row: &Row<'_>, buffer: &mut Vec<u8>) -> Option<Fact> {
    let about = row.get_ref(0).ok()?.as_i64().ok()?;
    let answer = row.get_ref(1).ok()?.as_blob_or_null().ok()?;
    let entity = row.get_ref(2).ok()?.as_str().ok()?;
    let checksum = row.get_ref(3).ok()?.as_i64().ok()?;
    if fact_checksum(about, entity, answer, buffer) != checksum {
        return None;
    }
    let about = FactKind::from_number(u8::try_from(about).ok()?)?;
    Some(Fact { question: Question::new(about, entity), answer: to_answer(answer)? })
}
