//! All that was learned at once, in one transaction.

use super::commit::Writer;
use super::error::Error;
use super::intern::Interner;
use super::outcome::{Finished, finish, start};
use super::{Kept, NewTrace, Run, TestKey, Traces, execute, run_number, test_number, to_millis};
use rusqlite::Transaction;
use std::time::SystemTime;

/// What was learned. All of it is kept, or nothing.
#[derive(Default)]
pub struct Learned<'f> {
    /// Tests that have begun.
    pub started: Vec<TestKey>,
    /// Passing traces.
    pub traces: Vec<NewTrace<'f>>,
    /// Tests that have ended.
    pub finished: Vec<Finished>,
    /// Why a test always runs; nothing if it need not.
    pub always: Vec<(TestKey, Option<String>)>,
    /// Why the tests of a class are decided about together; nothing if they need not.
    pub whole: Vec<(TestKey, Option<String>)>,
}

impl Traces {
    /// Keeps what was learned; says what became of each trace.
    pub fn learn(&mut self, run: &Run, learned: &Learned<'_>) -> Result<Vec<Kept>, Error> {
        let now = to_millis(SystemTime::now());
        self.write(|transaction, facts| {
            let run = run_number(transaction, run)?;
            learned.started.iter().try_for_each(|test| start(transaction, run, now, test))?;
            let mut interner = Interner::new(transaction, facts)?;
            let writer = Writer { transaction };
            let kept = learned.traces.iter().map(|trace| writer.trace(&mut interner, run, now, trace));
            let kept = kept.collect::<Result<Vec<_>, _>>()?;
            learned.finished.iter().try_for_each(|test| finish(transaction, run, now, test))?;
            for (test, reason) in &learned.always {
                set_always(transaction, test, reason.as_deref())?;
            }
            for (test, reason) in &learned.whole {
                set_whole(transaction, test, reason.as_deref())?;
            }
            Ok(kept)
        })
    }
}

pub(super) fn set_always(
    transaction: &Transaction<'_>,
    test: &TestKey,
    reason: Option<&str>,
) -> Result<(), super::error::Fault> {
    let test = test_number(transaction, test)?;
    execute(transaction, "UPDATE test SET always = ?2 WHERE number = ?1", (test, reason)).map(|_| ())
}

fn set_whole(
    transaction: &Transaction<'_>,
    test: &TestKey,
    reason: Option<&str>,
) -> Result<(), super::error::Fault> {
    let test = test_number(transaction, test)?;
    match reason {
        Some(reason) => execute(transaction, "INSERT OR REPLACE INTO whole VALUES (?1, ?2)", (test, reason)),
        None => execute(transaction, "DELETE FROM whole WHERE test = ?1", [test]),
    }
    .map(|_| ())
}
