//! Writes passing traces, and unites them with earlier ones.

use super::error::{StoreError, StoreFault};
use super::fact_set::{set_checksum, set_digest, trace_checksum};
use super::intern::FactInterner;
use super::{NewTrace, StoredRun, TestKey, TraceStore, execute, run_number, to_millis, to_stored};
use crate::format::{decode_numbers, encode_numbers};
use rusqlite::{OptionalExtension, Transaction};
use std::collections::BTreeSet;
use std::time::SystemTime;
use tamis_program::bitset::BitSet;
use tamis_program::digest::{Digest, VERSION};
use tamis_select::facts::Fact;

/// Maximum number of traces of a test for each technique.
const MOST: usize = 10;

/// The result of committing a trace.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CommitOutcome {
    /// It is another trace of the test.
    New,
    /// The test already had an equal trace, or one with more facts.
    Again,
    /// It was united with earlier traces that differ by chance.
    United,
    /// Not committed: it has no facts, so recording failed.
    Empty,
    /// Not committed: a question has two answers, because something changed while the test ran.
    Contradiction,
}

impl TraceStore {
    /// Writes the traces of tests that have passed, all or none. Returns the result for each.
    pub fn commit(
        &mut self,
        run: &StoredRun,
        traces: &[NewTrace<'_>],
    ) -> Result<Vec<CommitOutcome>, StoreError> {
        let now = to_millis(SystemTime::now());
        self.write(|transaction, facts| {
            let run = run_number(transaction, run)?;
            let mut interner = FactInterner::new(transaction, facts)?;
            let writer = TestTraces { transaction };
            traces.iter().map(|trace| writer.trace(&mut interner, run, now, trace)).collect()
        })
    }
}

/// A new row of the trace table.
pub(super) struct Row<'t> {
    pub(super) key: &'t TestKey,
    pub(super) test: i64,
    pub(super) technique: &'t str,
    pub(super) run: i64,
    pub(super) recorded: i64,
    pub(super) matched: i64,
    pub(super) microseconds: i64,
}

/// A set of facts in the store.
#[derive(Clone, Copy)]
pub(super) struct FactSetRow {
    pub(super) number: i64,
    pub(super) digest: Digest,
}

/// Sets of earlier traces, with the stored numbers of their facts.
type EarlierSets = [(FactSetRow, Vec<u8>)];

/// The traces of a test, within one transaction.
pub(super) struct TestTraces<'t> {
    pub(super) transaction: &'t Transaction<'t>,
}

impl TestTraces<'_> {
    pub(super) fn trace(
        &self,
        interner: &mut FactInterner<'_>,
        run: i64,
        now: i64,
        trace: &NewTrace<'_>,
    ) -> Result<CommitOutcome, StoreFault> {
        let mut numbers: BitSet<u32> = BitSet::default();
        let mut questions: BitSet<u32> = BitSet::default();
        let generation = interner.generation();
        for told in trace.numbers.iter() {
            let find = |fact: &Fact, digest| {
                interner.number(fact, digest).map(|(number, known)| (number, known.question))
            };
            if let Some((number, question)) = trace.told.stored(generation, told, find)? {
                numbers.insert(number);
                questions.insert(question);
            }
        }
        if numbers.is_empty() {
            return Ok(CommitOutcome::Empty);
        }
        let numbers: Vec<u32> = numbers.iter().collect();
        if questions.len() < numbers.len() {
            return Ok(CommitOutcome::Contradiction);
        }
        let test = interner.test(&trace.test)?;
        let (recorded, microseconds) = (now, to_stored(trace.microseconds));
        let row = Row {
            key: &trace.test,
            test,
            technique: trace.technique,
            run,
            recorded,
            matched: now,
            microseconds,
        };
        let (earlier, count) = self.earlier(&row)?;
        let kept = self.place(interner, &row, &numbers, trace.digest, &earlier)?;
        if kept != CommitOutcome::Again && count >= MOST {
            self.evict(&row)?;
        }
        Ok(kept)
    }

    /// Adds a trace to the earlier ones of its test, or unites it with some of them.
    fn place(
        &self,
        interner: &mut FactInterner<'_>,
        row: &Row<'_>,
        numbers: &[u32],
        digest: Digest,
        earlier: &EarlierSets,
    ) -> Result<CommitOutcome, StoreFault> {
        let blob = encode_numbers(numbers);
        if let Some((set, _)) = earlier.iter().find(|(_, facts)| *facts == blob) {
            self.put(row, set)?;
            return Ok(CommitOutcome::Again);
        }
        let mut kept = None;
        let mut new: Option<ByQuestion> = None;
        for (set, facts) in earlier {
            if new.is_none() {
                new = Some(ByQuestion::new(numbers, interner)?);
            }
            let Some(before) = new.as_ref().map(|new| new.without_contradiction(facts, interner)) else {
                continue;
            };
            let Some(before) = before? else { continue };
            let union: BitSet<u32> = before.iter().chain(numbers).copied().collect();
            let union: Vec<u32> = union.iter().collect();
            if union.len() == before.len() {
                self.put(row, set)?;
                kept = kept.or(Some(CommitOutcome::Again));
            } else {
                let united = self.set(interner, &union)?;
                self.drop(row, set.number)?;
                self.put(row, &united)?;
                kept = Some(CommitOutcome::United);
            }
        }
        if let Some(kept) = kept {
            return Ok(kept);
        }
        let set = self.set_of(digest, numbers)?;
        self.put(row, &set)?;
        Ok(CommitOutcome::New)
    }

    /// The earlier traces of a test that can be compared (their sets, and the stored numbers), and the number
    /// of all.
    fn earlier(&self, row: &Row<'_>) -> Result<(Box<EarlierSets>, usize), StoreFault> {
        let mut query = self.transaction.prepare_cached(
            "SELECT fact_set.number, digest, facts, fact_set.checksum, trace.checksum, canonical \
             FROM trace LEFT JOIN fact_set ON fact_set.number = fact_set \
             WHERE test = ?1 AND technique = ?2 ORDER BY matched DESC, fact_set.number DESC",
        )?;
        let mut rows = query.query((row.test, row.technique))?;
        let (mut earlier, mut buffer, mut count) = (Vec::new(), Vec::new(), 0);
        while let Some(found) = rows.next()? {
            count += 1;
            if found.get::<_, Option<i64>>(5)? != Some(i64::from(VERSION)) {
                continue;
            }
            let (digest, facts): ([u8; 16], Vec<u8>) = (found.get(1)?, found.get(2)?);
            let set = FactSetRow { number: found.get(0)?, digest: Digest::from_bytes(digest) };
            let whole = set_checksum(&digest, &facts) == found.get::<_, i64>(3)?
                && trace_checksum(row.key, row.technique, &set.digest, &mut buffer)
                    == found.get::<_, i64>(4)?;
            if whole {
                earlier.push((set, facts));
            }
        }
        Ok((earlier.into(), count))
    }

    /// The number of a set of facts; a new set is inserted.
    pub(super) fn set(
        &self,
        interner: &mut FactInterner<'_>,
        numbers: &[u32],
    ) -> Result<FactSetRow, StoreFault> {
        let mut facts = BTreeSet::new();
        for number in numbers {
            facts.insert(
                interner.known(*number)?.ok_or_else(|| StoreFault::damaged("a fact is missing"))?.fact,
            );
        }
        self.set_of(set_digest(facts.iter()), numbers)
    }

    /// The number of a set whose digest is known.
    fn set_of(&self, digest: Digest, numbers: &[u32]) -> Result<FactSetRow, StoreFault> {
        let mut find = self
            .transaction
            .prepare_cached("SELECT number, facts, checksum FROM fact_set WHERE digest = ?1")?;
        let blob = encode_numbers(numbers);
        let checksum = set_checksum(digest.as_bytes(), &blob);
        let there = find.query_row([digest.as_bytes()], |row| {
            Ok((row.get(0)?, row.get_ref(1)?.as_blob()? == blob && row.get::<_, i64>(2)? == checksum))
        });
        match there.optional()? {
            Some((number, true)) => return Ok(FactSetRow { number, digest }),
            Some((number, false)) => {
                // The stored set has this digest but another content: it is damaged. The new content is
                // right.
                let update =
                    "UPDATE fact_set SET facts = ?2, checksum = ?3, canonical = ?4 WHERE number = ?1";
                execute(self.transaction, update, (number, &blob, checksum, VERSION))?;
                return Ok(FactSetRow { number, digest });
            }
            None => {}
        }
        execute(
            self.transaction,
            "INSERT INTO fact_set (digest, canonical, checksum, facts) VALUES (?1, ?2, ?3, ?4)",
            (digest.as_bytes(), VERSION, checksum, &blob),
        )?;
        Ok(FactSetRow { number: self.transaction.last_insert_rowid(), digest })
    }

    /// Records that a test passed with a set of facts.
    pub(super) fn put(&self, row: &Row<'_>, set: &FactSetRow) -> Result<(), StoreFault> {
        let sql = "INSERT OR REPLACE INTO trace VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)";
        let checksum = trace_checksum(row.key, row.technique, &set.digest, &mut Vec::new());
        let values = (
            row.test,
            row.technique,
            set.number,
            row.run,
            row.recorded,
            row.matched,
            row.microseconds,
            checksum,
        );
        execute(self.transaction, sql, values)?;
        Ok(())
    }

    /// Deletes a trace, and its set if no other test uses it.
    fn drop(&self, row: &Row<'_>, set: i64) -> Result<(), StoreFault> {
        let sql = "DELETE FROM trace WHERE test = ?1 AND technique = ?2 AND fact_set = ?3";
        execute(self.transaction, sql, (row.test, row.technique, set))?;
        let unused =
            "DELETE FROM fact_set WHERE number = ?1 AND NOT EXISTS (SELECT 1 FROM trace WHERE fact_set = ?1)";
        execute(self.transaction, unused, [set])?;
        Ok(())
    }

    /// Deletes the surplus traces of a test, those first that have not held for longest.
    pub(super) fn evict(&self, row: &Row<'_>) -> Result<(), StoreFault> {
        let mut query = self.transaction.prepare_cached(
            "SELECT fact_set FROM trace WHERE test = ?1 AND technique = ?2 \
             ORDER BY matched DESC, recorded DESC, fact_set DESC LIMIT -1 OFFSET ?3",
        )?;
        let sets = query
            .query_map((row.test, row.technique, MOST as i64), |row| row.get(0))?
            .collect::<Result<Vec<i64>, _>>()?;
        sets.into_iter().try_for_each(|set| self.drop(row, set))
    }
}

/// The facts of a trace by their questions. Each fact has one number, so numbers serve as answers: two traces
/// contradict each other if a question has different numbers.
struct ByQuestion(Vec<u32>);

impl ByQuestion {
    const NONE: u32 = u32::MAX;

    fn new(numbers: &[u32], interner: &mut FactInterner<'_>) -> Result<ByQuestion, StoreFault> {
        let mut answers = Vec::new();
        for number in numbers {
            let question = interner.question_of(*number)?;
            let question =
                question.ok_or_else(|| StoreFault::damaged("a fact is not what was just written"))?;
            if answers.len() <= question as usize {
                answers.resize(question as usize + 1, ByQuestion::NONE);
            }
            if let Some(place) = answers.get_mut(question as usize) {
                *place = *number;
            }
        }
        Ok(ByQuestion(answers))
    }

    /// The numbers of an earlier set, if it can be read and no common question has two answers.
    fn without_contradiction(
        &self,
        facts: &[u8],
        interner: &mut FactInterner<'_>,
    ) -> Result<Option<Vec<u32>>, StoreFault> {
        let mut numbers = Vec::with_capacity(facts.len());
        let mut fault = None;
        let agrees = decode_numbers(facts, |number| match interner.question_of(number) {
            Ok(Some(question)) => {
                numbers.push(number);
                let new = self.0.get(question as usize).copied().unwrap_or(ByQuestion::NONE);
                new == ByQuestion::NONE || new == number
            }
            Ok(None) => false,
            Err(error) => {
                fault = Some(error);
                false
            }
        });
        match fault {
            Some(fault) => Err(fault),
            None => Ok(agrees.then_some(numbers)),
        }
    }
}
