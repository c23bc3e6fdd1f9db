//! Traces of another store, copied into this one.
//!
//! Another store is believed no more than its content bears out: each set is taken apart into facts and put together
//! again, and one that does not have the digest it bears is left behind. How tests ended elsewhere is not copied, and
//! traces are not united with ours: each must hold as it was recorded, where it was recorded.

use super::commit::{FactSetRow, Row, TestTraces};
use super::error::{StoreError, StoreFault, StoreProblem};
use super::fact_set::digest_of;
use super::intern::FactInterner;

use super::{StoredRun, StoredTraces, TraceStore, run_number, test_number, to_millis, to_stored};
use std::path::Path;
use tamis_program::digest::DigestEncoder;
use tamis_select::facts::Fact;

impl TraceStore {
    /// Copies the traces of the store in another directory; returns how many this store did not have.
    pub fn import(&mut self, other: &Path) -> Result<usize, StoreError> {
        let missing = || StoreFault(StoreProblem::Failed("there is no store".to_owned())).at(other);
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
                copy.all(&mut interner, &technique)
            })?;
        }
        Ok(copied)
    }

    /// The techniques that there are traces of.
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
    /// The numbers that sets have here, as far as they were copied; `Some(None)` for one that is not what it says.
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

    /// The number of a set here.
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
