//! Reads everything that decisions need.
//!
//! Data that was changed since it was written is left out, with everything that depends on it: a fact with
//! its sets, a set with its traces. Missing data makes tests run.

use super::error::{StoreError, StoreFault};
use super::fact_set::{set_checksum, trace_checksum};
use super::intern::read_fact;
use super::{
    StoredOutcome, StoredRun, StoredTest, StoredTrace, StoredTraces, TestKey, TraceStore, from_millis,
    from_stored,
};
use crate::format::{LARGEST, decode_numbers};
use rusqlite::Connection;
use std::cmp::Reverse;
use std::collections::BTreeSet;
use std::ops::Range;
use tamis_program::digest::{Digest, VERSION};
use tamis_select::facts::Fact;
use tamis_select::stored::FactSets;

impl TraceStore {
    /// Reads the traces of a technique.
    pub fn load(&self, technique: &str) -> Result<StoredTraces, StoreError> {
        self.read_all(technique).map_err(|fault| fault.at(&self.path))
    }

    /// Whether there is a trace of a technique.
    pub fn has_traces(&self, technique: &str) -> Result<bool, StoreError> {
        let find = || {
            let mut query =
                self.connection.prepare_cached("SELECT 1 FROM trace WHERE technique = ?1 LIMIT 1")?;
            query.exists([technique])
        };
        find().map_err(|error| StoreFault::from(error).at(&self.path))
    }

    fn read_all(&self, technique: &str) -> Result<StoredTraces, StoreFault> {
        // One transaction, so that all tables are from the same moment.
        let transaction = self.connection.unchecked_transaction()?;
        let last = last_fact(&transaction)?;
        // Reading facts is most of the work. A second thread reads the larger part while this one reads
        // everything else. Facts never change their numbers, so it does no harm if the other thread sees a
        // slightly later state.
        let end = last.saturating_add(1);
        let split = if last < WORTH_A_THREAD { 0 } else { last / 16 * 11 };
        let (path, access) = (&self.path, self.access);
        std::thread::scope(|scope| {
            let elsewhere =
                (split > 0).then(|| scope.spawn(move || FactRows::read(&access.again(path)?, 0..split, end)));
            let mut loader = TraceLoader::default();
            loader.rest(&transaction, technique)?;
            let here = FactRows::read(&transaction, split..end, end - split)?;
            let first = elsewhere
                .map(|thread| thread.join().unwrap_or_else(|_| Err(StoreFault::damaged("a thread failed"))));
            first.transpose()?.into_iter().chain([here]).for_each(|part| loader.add(part));
            let mut stored = loader.finish();
            stored.left_fields = left_fields(&transaction)?;
            Ok(stored)
        })
    }
}

/// Maximum number of facts to allocate space for in advance.
const MANY: usize = 1 << 18;

/// Minimum number of facts for which a second thread pays off.
const WORTH_A_THREAD: u32 = 20_000;

/// A row of the trace table.
struct Row {
    test: i64,
    set: i64,
    run: i64,
    recorded: i64,
    matched: i64,
    microseconds: i64,
    checksum: i64,
}

fn left_fields(transaction: &Connection) -> Result<BTreeSet<(String, String)>, StoreFault> {
    let mut query = transaction.prepare_cached("SELECT module, field FROM left_field")?;
    let rows = query.query_map([], |row| Ok((row.get(0)?, row.get(1)?)))?;
    Ok(rows.collect::<Result<_, _>>()?)
}

fn traces(transaction: &Connection, technique: &str) -> Result<Vec<Row>, StoreFault> {
    let mut query = transaction.prepare_cached(
        "SELECT test, fact_set, run, recorded, matched, microseconds, checksum FROM trace WHERE technique = ?1",
    )?;
    let rows = query.query_map([technique], |row| {
        Ok(Row {
            test: row.get(0)?,
            set: row.get(1)?,
            run: row.get(2)?,
            recorded: row.get(3)?,
            matched: row.get(4)?,
            microseconds: row.get(5)?,
            checksum: row.get(6)?,
        })
    })?;
    Ok(rows.collect::<Result<_, _>>()?)
}

fn last_fact(transaction: &Connection) -> Result<u32, StoreFault> {
    let last: Option<i64> = transaction.query_row("SELECT max(number) FROM fact", [], |row| row.get(0))?;
    let last = u32::try_from(last.unwrap_or(0)).ok().filter(|last| *last <= LARGEST);
    last.ok_or_else(|| StoreFault::damaged("its facts have impossible numbers"))
}

/// The facts of a range of numbers.
struct FactRows {
    first: u32,
    /// For each number, from the first: the index of its fact plus one, or zero.
    indices: Vec<u32>,
    facts: Vec<Fact>,
}

impl FactRows {
    /// Reads the facts. `space` is the number of facts to allocate space for.
    fn read(connection: &Connection, numbers: Range<u32>, space: u32) -> Result<FactRows, StoreFault> {
        let mut indices = vec![0; numbers.len()];
        let mut facts = Vec::with_capacity(MANY.min(space as usize));
        let mut query = connection.prepare(
            "SELECT about, answer, entity, checksum, number FROM fact WHERE number >= ?1 AND number < ?2 ORDER BY number",
        )?;
        let mut rows = query.query([numbers.start, numbers.end])?;
        let mut buffer = Vec::new();
        while let Some(row) = rows.next()? {
            let number = row.get_ref(4)?.as_i64().unwrap_or(-1);
            let place = usize::try_from(number - i64::from(numbers.start)).ok();
            let Some(index) = place.and_then(|place| indices.get_mut(place)) else { continue };
            if let Some(fact) = read_fact(row, &mut buffer) {
                facts.push(fact);
                *index = facts.len() as u32;
            }
        }
        Ok(FactRows { first: numbers.start, indices, facts })
    }
}

/// The sets of facts in their stored form: ten million numbers, of which deciding reads a fifth.
#[derive(Debug, Default)]
struct PackedSets {
    sets: Vec<Range<usize>>,
    bytes: Vec<u8>,
    /// For each number the index of its fact, plus one; zero for a number without a fact.
    indices: Vec<u32>,
}

impl FactSets for PackedSets {
    fn len(&self) -> usize {
        self.sets.len()
    }

    fn all(&self, set: usize, is_true: &mut dyn FnMut(usize) -> bool) -> bool {
        let Some(bytes) = self.sets.get(set).and_then(|range| self.bytes.get(range.clone())) else {
            return false;
        };
        let index = |number: u32| self.indices.get(number as usize)?.checked_sub(1);
        !bytes.is_empty()
            && decode_numbers(bytes, |number| index(number).is_some_and(|index| is_true(index as usize)))
    }
}

/// Combines the tables.
#[derive(Default)]
struct TraceLoader {
    stored: StoredTraces,
    packed: PackedSets,
}

impl TraceLoader {
    fn finish(mut self) -> StoredTraces {
        self.stored.sets = Some(Box::new(self.packed));
        self.stored
    }

    /// Adds facts whose numbers follow the present ones.
    fn add(&mut self, mut part: FactRows) {
        let before = self.stored.facts.len() as u32;
        if part.first == 0 {
            (self.packed.indices, self.stored.facts) = (part.indices, part.facts);
        } else {
            self.packed.indices.resize(part.first as usize, 0);
            self.packed
                .indices
                .extend(part.indices.into_iter().map(|index| if index == 0 { 0 } else { index + before }));
            self.stored.facts.append(&mut part.facts);
        }
    }

    /// Reads everything except the facts.
    fn rest(&mut self, transaction: &Connection, technique: &str) -> Result<(), StoreFault> {
        let rows = traces(transaction, technique)?;
        let mut wanted: Vec<i64> = rows.iter().map(|row| row.set).collect();
        wanted.sort_unstable();
        wanted.dedup();
        let sets = self.read_sets(transaction, &wanted)?;
        let runs = self.read_runs(transaction)?;
        let mut tests = read_tests(transaction)?;
        let mut buffer = Vec::new();
        for row in &rows {
            let set = wanted.binary_search(&row.set).ok().and_then(|at| sets.get(at).copied().flatten());
            let test = tests.binary_search_by_key(&row.test, |(number, _)| *number).ok();
            let test = test.and_then(|at| tests.get_mut(at)).map(|(_, test)| test);
            let (Some((set, digest)), Some(test)) = (set, test) else {
                self.stored.unreadable += 1;
                continue;
            };
            if trace_checksum(&test.key, technique, &digest, &mut buffer) != row.checksum {
                self.stored.unreadable += 1;
                continue;
            }
            test.traces.push(StoredTrace {
                digest,
                set,
                recorded: from_millis(row.recorded),
                matched: from_millis(row.matched),
                microseconds: from_stored(row.microseconds),
                run: runs.binary_search(&row.run).ok(),
            });
        }
        for (_, test) in &mut tests {
            test.traces.sort_by_key(|trace| Reverse((trace.matched, trace.recorded, trace.digest)));
        }
        self.stored.tests = tests.into_iter().map(|(_, test)| test).collect();
        self.stored.tests.sort_by(|a, b| a.key.cmp(&b.key));
        Ok(())
    }

    /// Reads the sets with these numbers. Returns the index and digest of each that matches its checksum.
    fn read_sets(
        &mut self,
        transaction: &Connection,
        wanted: &[i64],
    ) -> Result<Vec<Option<(usize, Digest)>>, StoreFault> {
        let mut found = vec![None; wanted.len()];
        let mut query = transaction.prepare_cached(
            "SELECT number, checksum, digest, facts FROM fact_set WHERE canonical = ?1 ORDER BY number",
        )?;
        let mut rows = query.query([VERSION])?;
        while let Some(row) = rows.next()? {
            let at = wanted.binary_search(&row.get(0)?).ok();
            let Some(found) = at.and_then(|at| found.get_mut(at)) else { continue };
            let (checksum, digest): (i64, [u8; 16]) = (row.get(1)?, row.get(2)?);
            let facts = row.get_ref(3)?.as_blob().unwrap_or_default();
            if !facts.is_empty() && set_checksum(&digest, facts) == checksum {
                *found = Some((self.packed.sets.len(), Digest::from_bytes(digest)));
                self.packed.sets.push(self.packed.bytes.len()..self.packed.bytes.len() + facts.len());
                self.packed.bytes.extend_from_slice(facts);
            }
        }
        Ok(found)
    }

    /// Reads the runs. Returns their numbers, ascending.
    fn read_runs(&mut self, transaction: &Connection) -> Result<Vec<i64>, StoreFault> {
        let mut query =
            transaction.prepare_cached("SELECT number, id, began, place FROM run ORDER BY number")?;
        let mut rows = query.query([])?;
        let mut numbers = Vec::new();
        while let Some(row) = rows.next()? {
            numbers.push(row.get(0)?);
            self.stored.runs.push(StoredRun {
                id: row.get(1)?,
                began: from_millis(row.get(2)?),
                place: row.get(3)?,
            });
        }
        Ok(numbers)
    }
}

/// Reads the tests, ordered by number.
fn read_tests(transaction: &Connection) -> Result<Vec<(i64, StoredTest)>, StoreFault> {
    let mut query = transaction.prepare_cached(
        "SELECT number, module, class, method, last, flaky, always, \
         EXISTS (SELECT 1 FROM running WHERE running.test = test.number), reason \
         FROM test LEFT JOIN whole ON whole.test = test.number ORDER BY number",
    )?;
    let tests = query.query_map([], |row| {
        let method: String = row.get(3)?;
        let method = Some(method).filter(|method| !method.is_empty());
        let test = StoredTest {
            key: TestKey { module: row.get(1)?, class: row.get(2)?, method },
            traces: Vec::new(),
            last: row.get_ref(4)?.as_str_or_null()?.map(StoredOutcome::from_word),
            flaky: row.get::<_, i64>(5)? != 0,
            always: row.get(6)?,
            running: row.get(7)?,
            whole: row.get(8)?,
        };
        Ok((row.get(0)?, test))
    })?;
    Ok(tests.collect::<Result<_, _>>()?)
}
