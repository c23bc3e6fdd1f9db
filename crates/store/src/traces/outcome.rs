//! Stores the outcomes of tests, and which tests have not ended.
//!
//! A test is marked when it starts and unmarked when it ends. A remaining mark means that the test is running
//! in another process, or that its JVM or Tamis crashed with it. In neither case has it passed.

use super::error::{StoreError, StoreFault};
use super::intern::InternCache;
use super::{
    StoredRun, TestKey, TraceStore, execute, from_millis, from_stored, run_number, to_millis, to_stored,
};
use rusqlite::Transaction;
use std::time::SystemTime;
use tamis_program::digest::Digest;
use tamis_select::stored::StoredOutcome;

/// Maximum number of stored outcomes of a test.
const MOST: usize = 20;

/// A test that has ended.
#[derive(Clone, Debug)]
pub struct FinishedTest {
    /// The test.
    pub test: TestKey,
    /// Its outcome.
    pub outcome: StoredOutcome,
    /// Its duration.
    pub microseconds: u64,
    /// The digest of its facts, if known: two runs with the same digest should have the same outcome.
    pub facts: Option<Digest>,
    /// Why it always runs, if it does.
    pub always: Option<String>,
}

/// An earlier outcome of a test.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PastOutcome {
    /// The outcome.
    pub outcome: StoredOutcome,
    /// The time of its end.
    pub ended: SystemTime,
    /// Its duration.
    pub microseconds: u64,
    /// The digest of its facts, if known.
    pub facts: Option<Digest>,
}

/// Whether tests with the same facts had different outcomes. A disabled test does not count.
pub fn is_flaky(verdicts: &[(StoredOutcome, Option<Digest>)]) -> bool {
    let known = |(outcome, facts): &(StoredOutcome, Option<Digest>)| match outcome {
        StoredOutcome::Ignored | StoredOutcome::Unknown => None,
        StoredOutcome::Passed | StoredOutcome::Failed | StoredOutcome::Aborted | StoredOutcome::Crashed => {
            facts.map(|facts| (facts, *outcome == StoredOutcome::Passed))
        }
    };
    let mut verdicts: Vec<(Digest, bool)> = verdicts.iter().filter_map(known).collect();
    verdicts.sort_unstable();
    verdicts.windows(2).any(|pair| matches!(pair, [(a, false), (b, true)] if a == b))
}

impl TraceStore {
    /// Marks tests as running.
    pub fn started(&mut self, run: &StoredRun, tests: &[TestKey]) -> Result<(), StoreError> {
        let now = to_millis(SystemTime::now());
        self.write(|transaction, numbers| {
            let run = run_number(transaction, run)?;
            tests.iter().try_for_each(|test| start(transaction, numbers, run, now, test))
        })
    }

    /// Stores the outcomes of tests, and unmarks them.
    pub fn finished(&mut self, run: &StoredRun, tests: &[FinishedTest]) -> Result<(), StoreError> {
        let now = to_millis(SystemTime::now());
        self.write(|transaction, numbers| {
            let run = run_number(transaction, run)?;
            finish(transaction, numbers, run, now, tests)
        })
    }

    /// All stored outcomes by test, the oldest first.
    pub fn verdicts(&self) -> Result<Vec<(TestKey, Vec<PastOutcome>)>, StoreError> {
        self.read_verdicts().map_err(|fault| fault.at(&self.path))
    }

    fn read_verdicts(&self) -> Result<Vec<(TestKey, Vec<PastOutcome>)>, StoreFault> {
        let mut query = self.connection.prepare_cached(
            "SELECT test.number, module, class, method, outcome, ended, microseconds, facts \
             FROM verdict JOIN test ON test.number = test ORDER BY module, class, method, verdict.number",
        )?;
        let mut rows = query.query([])?;
        let mut last = None;
        let mut all: Vec<(TestKey, Vec<PastOutcome>)> = Vec::new();
        while let Some(row) = rows.next()? {
            let test: i64 = row.get(0)?;
            if last.replace(test) != Some(test) {
                let method: String = row.get(3)?;
                let method = Some(method).filter(|method| !method.is_empty());
                all.push((TestKey { module: row.get(1)?, class: row.get(2)?, method }, Vec::new()));
            }
            let verdict = PastOutcome {
                outcome: StoredOutcome::from_word(row.get_ref(4)?.as_str().unwrap_or_default()),
                ended: from_millis(row.get(5)?),
                microseconds: from_stored(row.get(6)?),
                facts: row.get::<_, Option<[u8; 16]>>(7)?.map(Digest::from_bytes),
            };
            if let Some((_, verdicts)) = all.last_mut() {
                verdicts.push(verdict);
            }
        }
        Ok(all)
    }
}

pub(super) fn start(
    transaction: &Transaction<'_>,
    numbers: &mut InternCache,
    run: i64,
    now: i64,
    test: &TestKey,
) -> Result<(), StoreFault> {
    let test = numbers.test(transaction, test)?;
    execute(transaction, "INSERT OR REPLACE INTO running VALUES (?1, ?2, ?3)", (test, run, now)).map(|_| ())
}

/// Stores the outcomes of tests, and unmarks them.
pub(super) fn finish(
    transaction: &Transaction<'_>,
    numbers: &mut InternCache,
    run: i64,
    now: i64,
    tests: &[FinishedTest],
) -> Result<(), StoreFault> {
    let any = transaction.prepare_cached("SELECT 1 FROM running LIMIT 1")?.exists([])?;
    for finished in tests {
        let test = numbers.test(transaction, &finished.test)?;
        if any {
            // Earlier marks belong to runs that never ended, or that began before this one.
            execute(
                transaction,
                "DELETE FROM running WHERE test = ?1 AND since <= \
                 coalesce((SELECT since FROM running WHERE test = ?1 AND run = ?2), (SELECT began FROM run WHERE number = ?2))",
                (test, run),
            )?;
        }
        let flaky = add_verdict(transaction, test, run, now, finished)?;
        let update = "UPDATE test SET last = ?2, flaky = ?3, always = ?4 WHERE number = ?1";
        execute(transaction, update, (test, finished.outcome.word(), flaky, &finished.always))?;
    }
    Ok(())
}

/// Adds an outcome to the last ones of a test. Returns whether they make the test flaky.
fn add_verdict(
    transaction: &Transaction<'_>,
    test: i64,
    run: i64,
    now: i64,
    finished: &FinishedTest,
) -> Result<bool, StoreFault> {
    let mut query = transaction
        .prepare_cached("SELECT outcome, facts, number FROM verdict WHERE test = ?1 ORDER BY number DESC")?;
    let mut rows = query.query([test])?;
    let mut verdicts = vec![(finished.outcome, finished.facts)];
    let (mut last, mut oldest) = (0, None);
    while let Some(row) = rows.next()? {
        let number: i64 = row.get(2)?;
        last = last.max(number);
        if verdicts.len() == MOST {
            oldest = Some(number);
            break;
        }
        let facts: Option<[u8; 16]> = row.get(1)?;
        verdicts.push((
            StoredOutcome::from_word(row.get_ref(0)?.as_str().unwrap_or_default()),
            facts.map(Digest::from_bytes),
        ));
    }
    execute(
        transaction,
        "INSERT INTO verdict VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)",
        (
            test,
            last.saturating_add(1),
            run,
            finished.outcome.word(),
            now,
            to_stored(finished.microseconds),
            finished.facts.as_ref().map(Digest::as_bytes),
        ),
    )?;
    if let Some(oldest) = oldest {
        execute(transaction, "DELETE FROM verdict WHERE test = ?1 AND number <= ?2", (test, oldest))?;
    }
    Ok(is_flaky(&verdicts))
}

#[cfg(test)]
mod tests {
    use super::{StoredOutcome, is_flaky};
    use tamis_program::digest::Digest;

    fn check(verdicts: &str, flaky: bool) {
        let verdicts: Vec<(StoredOutcome, Option<Digest>)> = verdicts
            .split_whitespace()
            .map(|verdict| {
                let (word, facts) = verdict.split_once(':').unwrap();
                let facts = (facts != "?").then(|| Digest::of(facts.as_bytes()));
                (StoredOutcome::from_word(word), facts)
            })
            .collect();
        assert_eq!(is_flaky(&verdicts), flaky, "{verdicts:?}");
    }

    #[test]
    fn a_test_is_flaky_if_the_same_facts_had_different_outcomes() {
        check("passed:1 failed:1", true);
        check("failed:1 passed:2 aborted:2 passed:1", true);
        check("passed:1 failed:2 passed:1", false);
        check("failed:1 aborted:1 crashed:1", false);
        check("passed:? failed:?", false);
        check("passed:1 ignored:1 unknown:1", false);
    }

    #[test]
    fn an_outcome_of_a_later_version_does_not_count_as_passed() {
        for outcome in StoredOutcome::ALL {
            assert_eq!(StoredOutcome::from_word(outcome.word()), *outcome);
        }
        assert_eq!(StoredOutcome::from_word("vindicated"), StoredOutcome::Unknown);
    }
}
