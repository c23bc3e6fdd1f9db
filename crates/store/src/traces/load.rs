//! All that is needed to decide, read at once.
//!
//! Whatever was not written as it stands is left out with all that rests on it: a fact with its sets, a set with its
//! traces. What is left out makes tests run.

use super::error::{StoreError, StoreFault};
use super::fact_set::{set_checksum, trace_checksum};
use super::intern::read_fact;
use super::{StoredOutcome, StoredRun, TestKey, TraceStore, from_millis, from_stored};
use crate::format::{LARGEST, decode_numbers};
use rusqlite::Connection;
use std::cmp::Reverse;
use std::ops::Range;
use std::time::SystemTime;
use tamis_program::digest::{Digest, VERSION};
use tamis_select::facts::Fact;

/// What is recorded for one technique.
#[derive(Debug, Default)]
pub struct StoredTraces {
    /// The facts that traces rest on, each once; and some that no trace of the technique rests on any more.
    pub facts: Vec<Fact>,
    /// The tests that are known, in the order of their names, those without a trace too.
    pub tests: Vec<StoredTest>,
    /// The runs in which traces were recorded.
    pub runs: Vec<StoredRun>,
    /// How many traces could not be read. Their tests run, if they have no other.
    pub unreadable: usize,
    /// Sets of facts as they lie on disk: ten million numbers, of which deciding looks at a fifth.
    sets: Vec<Range<usize>>,
    bytes: Vec<u8>,
    /// Where in `facts` the fact of a number is, plus one; zero if it is not.
    indices: Vec<u32>,
}

impl StoredTraces {
    /// How many different sets of facts there are.
    pub fn sets(&self) -> usize {
        self.sets.len()
    }

    /// Whether something is true of all facts of a set, given as indices into [`Stored::facts`], ascending. Looks no
    /// further than the first of which it is not. Of a set that cannot be read nothing is true.
    #[inline]
    pub fn all(&self, set: usize, mut is_true: impl FnMut(usize) -> bool) -> bool {
        let Some(bytes) = self.sets.get(set).and_then(|range| self.bytes.get(range.clone())) else {
            return false;
        };
        let index = |number: u32| self.indices.get(number as usize)?.checked_sub(1);
        !bytes.is_empty()
            && decode_numbers(bytes, |number| index(number).is_some_and(|index| is_true(index as usize)))
    }

    /// The facts of a set; `None` if it cannot be read.
    pub fn facts_of(&self, set: usize) -> Option<Vec<&Fact>> {
        let mut facts = Vec::new();
        self.all(set, |index| {
            self.facts.get(index).is_some_and(|fact| {
                facts.push(fact);
                true
            })
        })
        .then_some(facts)
    }
}

/// What is known of a test.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoredTest {
    /// Which one.
    pub key: TestKey,
    /// Its passing traces, the one that held last first.
    pub traces: Vec<StoredTrace>,
    /// How it ended last.
    pub last: Option<StoredOutcome>,
    /// Same facts, different verdicts.
    pub flaky: bool,
    /// It was started and has not ended: another process runs it now, or it crashed.
    pub running: bool,
    /// Why it always runs.
    pub always: Option<String>,
    /// Of a class: why its tests are decided about together.
    pub whole: Option<String>,
}

/// The facts of one passing run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoredTrace {
    /// The digest of the set.
    pub digest: Digest,
    /// Which set, for [`Stored::all`]: tests that rely on the same have the same number.
    pub set: usize,
    /// When it was recorded.
    pub recorded: SystemTime,
    /// When it was last seen to hold, to the hour.
    pub matched: SystemTime,
    /// How long the test took.
    pub microseconds: u64,
    /// In which run, as an index into [`Stored::runs`].
    pub run: Option<usize>,
}

impl TraceStore {
    /// Reads what is recorded for a technique.
    pub fn load(&self, technique: &str) -> Result<StoredTraces, StoreError> {
        self.read_all(technique).map_err(|fault| fault.at(&self.path))
    }

    fn read_all(&self, technique: &str) -> Result<StoredTraces, StoreFault> {
        // One transaction, so that all tables are of the same moment.
        let transaction = self.connection.unchecked_transaction()?;
        let last = last_fact(&transaction)?;
        // Reading facts is most of the work. Another thread does the larger part, beside our reading of all else; since
        // facts have one number for ever, it does not matter if it sees them a moment later.
        let end = last.saturating_add(1);
        let split = if last < WORTH_A_THREAD { 0 } else { last / 16 * 11 };
        let (path, access) = (&self.path, self.access);
        std::thread::scope(|scope| {
            let elsewhere =
                (split > 0).then(|| scope.spawn(move || FactRows::read(&access.again(path)?, 0..split, end)));
            let mut stored = StoredTraces::default();
            stored.rest(&transaction, technique)?;
            let here = FactRows::read(&transaction, split..end, end - split)?;
            let first = elsewhere
                .map(|thread| thread.join().unwrap_or_else(|_| Err(StoreFault::damaged("a thread failed"))));
            first.transpose()?.into_iter().chain([here]).for_each(|part| stored.add(part));
            Ok(stored)
        })
    }
}

/// Space is set aside for as many facts, unless their numbers say that there are less.
const MANY: usize = 1 << 18;

/// From how many facts on a second thread pays.
const WORTH_A_THREAD: u32 = 20_000;

/// A trace as it lies in its table.
struct Row {
    test: i64,
    set: i64,
    run: i64,
    recorded: i64,
    matched: i64,
    microseconds: i64,
    checksum: i64,
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

/// Facts of some numbers.
struct FactRows {
    first: u32,
    /// For each number, from the first: which of the facts it is, plus one; or zero.
    indices: Vec<u32>,
    facts: Vec<Fact>,
}

impl FactRows {
    /// Reads them, and sets space aside for so many.
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

impl StoredTraces {
    /// Adds facts whose numbers follow those that are there.
    fn add(&mut self, mut part: FactRows) {
        let before = self.facts.len() as u32;
        if part.first == 0 {
            (self.indices, self.facts) = (part.indices, part.facts);
        } else {
            self.indices.resize(part.first as usize, 0);
            self.indices
                .extend(part.indices.into_iter().map(|index| if index == 0 { 0 } else { index + before }));
            self.facts.append(&mut part.facts);
        }
    }

    /// Reads all but the facts.
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
                self.unreadable += 1;
                continue;
            };
            if trace_checksum(&test.key, technique, &digest, &mut buffer) != row.checksum {
                self.unreadable += 1;
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
        self.tests = tests.into_iter().map(|(_, test)| test).collect();
        self.tests.sort_by(|a, b| a.key.cmp(&b.key));
        Ok(())
    }

    /// Reads the sets of these numbers. Returns for each its index and digest, if it is as it was written.
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
                *found = Some((self.sets.len(), Digest::from_bytes(digest)));
                self.sets.push(self.bytes.len()..self.bytes.len() + facts.len());
                self.bytes.extend_from_slice(facts);
            }
        }
        Ok(found)
    }

    /// Reads the runs; returns their numbers, ascending.
    fn read_runs(&mut self, transaction: &Connection) -> Result<Vec<i64>, StoreFault> {
        let mut query =
            transaction.prepare_cached("SELECT number, id, began, place FROM run ORDER BY number")?;
        let mut rows = query.query([])?;
        let mut numbers = Vec::new();
        while let Some(row) = rows.next()? {
            numbers.push(row.get(0)?);
            self.runs.push(StoredRun {
                id: row.get(1)?,
                began: from_millis(row.get(2)?),
                place: row.get(3)?,
            });
        }
        Ok(numbers)
    }
}

/// Reads the tests by their numbers, ascending.
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
            last: StoredOutcome::from_last(row.get_ref(4)?.as_str_or_null()?),
            flaky: row.get::<_, i64>(5)? != 0,
            always: row.get(6)?,
            running: row.get(7)?,
            whole: row.get(8)?,
        };
        Ok((row.get(0)?, test))
    })?;
    Ok(tests.collect::<Result<_, _>>()?)
}
