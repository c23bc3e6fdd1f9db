//! Copies traces of another store into this one.
//!
//! The other store is not trusted. Each set is read as facts and written again, and a set that does not match
//! its digest is left out. Outcomes are not copied. Traces are not united with ours: each must hold exactly
//! as it was recorded.

use super::commit::{FactSetRow, Row, TestTraces};
use super::error::{StoreError, StoreFault, StoreProblem};
use super::fact_set::digest_of;
use super::intern::FactInterner;
use super::learn::add_left;

use super::{StoredRun, StoredTraces, TraceStore, run_number, test_number, to_millis, to_stored};
use std::path::Path;
use tamis_program::digest::DigestEncoder;
use tamis_select::facts::Fact;

impl TraceStore {
    /// Copies the traces of the store in another directory. Returns the number of traces that this store did
    /// not have.
    pub fn import(&mut self, other: &Path) -> Result<usize, StoreError> {
        let missing = || StoreFault(StoreProblem::Failed("there is no store in it".to_owned())).at(other);
        let other = TraceStore::read_only(other)?.ok_or_else(missing)?;
        let mut copied = 0;
        for technique in other.techniques()? {
            let stored = other.load(&technique)?;
            copied += self.write(|transaction, facts| {
                let mut interner = FactInterner::new(transaction, facts)?;
                let mut copy = ImportCopy {
                    writer: TestTraces { transaction },
                    stored: &stored,
                    sets: vec![None; stored.set_count()],
                };
                add_left(transaction, &stored.left_fields)?;
                copy.all(&mut interner, &technique)
            })?;
        }
        Ok(copied)
    }

    /// The techniques with traces.
    pub fn techniques(&self) -> Result<Vec<String>, StoreError> {
        let read = || {
            let mut query =
                self.connection.prepare_cached("SELECT DISTINCT technique FROM trace ORDER BY technique")?;
            query.query_map([], |row| row.get(0))?.collect::<Result<Vec<String>, _>>()
        };
        read().map_err(|error| StoreFault::from(error).at(&self.path))
    }
}

struct ImportCopy<'t> {
    writer: TestTraces<'t>,
    stored: &'t StoredTraces,
    /// By set of the other store, its number here once it is copied; `Some(None)` if it does not match its
    /// digest.
    sets: Vec<Option<Option<FactSetRow>>>,
}

impl ImportCopy<'_> {
    fn all(&mut self, interner: &mut FactInterner<'_>, technique: &str) -> Result<usize, StoreFault> {
        let transaction = self.writer.transaction;
        let unknown =
            StoredRun { id: "unknown".to_owned(), began: std::time::UNIX_EPOCH, place: String::new() };
        let mut there = transaction
            .prepare_cached("SELECT 1 FROM trace WHERE test = ?1 AND technique = ?2 AND fact_set = ?3")?;
        let mut copied = 0;
        for test in self.stored.tests.iter().filter(|test| !test.traces.is_empty()) {
            let number = test_number(transaction, &test.key)?;
            for trace in &test.traces {
                let Some(set) = self.set(interner, trace)? else { continue };
                if there.exists((number, technique, set.number))? {
                    continue;
                }
                let run = trace.run.and_then(|run| self.stored.runs.get(run)).unwrap_or(&unknown);
                let row = Row {
                    key: &test.key,
                    test: number,
                    technique,
                    run: run_number(transaction, run)?,
                    recorded: to_millis(trace.recorded),
                    matched: to_millis(trace.matched),
                    microseconds: to_stored(trace.microseconds),
                };
                self.writer.put(&row, &set)?;
                self.writer.evict(&row)?;
                copied += 1;
            }
        }
        Ok(copied)
    }

    /// The number of a set in this store.
    fn set(
        &mut self,
        interner: &mut FactInterner<'_>,
        trace: &super::StoredTrace,
    ) -> Result<Option<FactSetRow>, StoreFault> {
        if let Some(Some(known)) = self.sets.get(trace.set) {
            return Ok(*known);
        }
        let facts = self.stored.facts_of(trace.set).unwrap_or_default();
        let facts: Vec<Fact> = facts.into_iter().cloned().collect();
        let mut encoder = DigestEncoder::default();
        let number = if digest_of(&facts) == trace.digest {
            let mut numbers = facts
                .iter()
                .map(|fact| interner.number(fact, fact.digest(&mut encoder)).map(|(number, _)| number))
                .collect::<Result<Vec<_>, _>>()?;
            numbers.sort_unstable();
            numbers.dedup();
            Some(self.writer.set(interner, &numbers)?)
        } else {
            None
        };
        if let Some(slot) = self.sets.get_mut(trace.set) {
            *slot = Some(number);
        }
        Ok(number)
    }
}
