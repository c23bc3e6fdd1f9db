//! Earlier runs and the last verdicts of each test, for people.

use super::error::{StoreError, StoreFault};
use super::{TestKey, TraceStore, from_millis, from_stored};
use std::time::SystemTime;

/// What the store knows about earlier runs.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RunHistory {
    /// The latest runs, the last one first.
    pub runs: Vec<PastRunRow>,
    /// By test, its last verdicts, the latest last. Tests that always passed are left out.
    pub verdicts: Vec<(TestKey, Vec<String>)>,
}

/// The verdicts of one run that are still kept.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PastRunRow {
    /// When it began.
    pub began: SystemTime,
    /// The machine on which it ran.
    pub place: String,
    /// Tests that passed.
    pub passed: u64,
    /// Tests that failed.
    pub failed: u64,
    /// Tests with another outcome.
    pub other: u64,
    /// The duration of its tests.
    pub microseconds: u64,
}

const RUNS: &str = "SELECT began, place, sum(outcome = 'passed'), sum(outcome = 'failed'),
  sum(outcome NOT IN ('passed', 'failed')), sum(microseconds)
FROM run JOIN verdict ON verdict.run = run.number GROUP BY run.number ORDER BY began DESC, run.number DESC LIMIT ?1";

const VERDICTS: &str = "SELECT module, class, method, outcome FROM verdict JOIN test ON test.number = verdict.test
WHERE EXISTS (SELECT 1 FROM verdict AS other WHERE other.test = test.number AND other.outcome NOT IN ('passed', 'ignored'))
ORDER BY module, class, method, verdict.number";

impl TraceStore {
    /// The latest runs, and the tests that did not always pass.
    pub fn history(&self, runs: u32) -> Result<RunHistory, StoreError> {
        let read = || {
            let transaction = self.connection.unchecked_transaction()?;
            let mut find = transaction.prepare(RUNS)?;
            let row = |row: &rusqlite::Row<'_>| {
                Ok(PastRunRow {
                    began: from_millis(row.get(0)?),
                    place: row.get(1)?,
                    passed: from_stored(row.get(2)?),
                    failed: from_stored(row.get(3)?),
                    other: from_stored(row.get(4)?),
                    microseconds: from_stored(row.get(5)?),
                })
            };
            let runs = find.query_map([runs], row)?.collect::<Result<Vec<_>, _>>()?;
            let mut find = transaction.prepare(VERDICTS)?;
            let mut verdicts: Vec<(TestKey, Vec<String>)> = Vec::new();
            let mut rows = find.query([])?;
            while let Some(row) = rows.next()? {
                let method: String = row.get(2)?;
                let key = TestKey {
                    module: row.get(0)?,
                    class: row.get(1)?,
                    method: (!method.is_empty()).then_some(method),
                };
                match verdicts.last_mut() {
                    Some((last, outcomes)) if *last == key => outcomes.push(row.get(3)?),
                    _ => verdicts.push((key, vec![row.get(3)?])),
                }
            }
            Ok(RunHistory { runs, verdicts })
        };
        read().map_err(|fault: StoreFault| fault.at(&self.path))
    }
}
