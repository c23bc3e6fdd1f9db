//! The one writer of the store during a run.
//!
//! A store that fails costs the recording, never the run: the first failure is kept to be shown, and nothing is written
//! after it.

use std::path::Path;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::SystemTime;
use tamis_program::bitset::BitSet;
use tamis_program::digest::Digest;
use tamis_store::traces::{
    FactTable, FinishedTest, NewTrace, StoredOutcome, StoredRun, TestKey, TraceBatch, TraceStore,
};
use tamis_wire::TestId;

/// Writes what is learned.
pub(super) struct TraceWriter {
    traces: Mutex<Option<TraceStore>>,
    run: StoredRun,
    technique: &'static str,
    problem: Mutex<Option<String>>,
}

/// What was learned of a class of tests.
pub(super) struct ClassResult {
    /// The class.
    pub class: TestKey,
    /// Why its tests are decided about together, and whether they were.
    pub whole: Option<String>,
    /// Whether they were before.
    pub was_whole: bool,
    /// Its tests, and itself if it is decided about as a whole.
    pub ended: Vec<TestResult>,
}

/// A test that has ended.
pub(super) struct TestResult {
    /// Which.
    pub key: TestKey,
    /// How.
    pub outcome: tamis_wire::Outcome,
    /// After how long.
    pub microseconds: u64,
    /// The facts of a passing trace, by number; none if there is nothing to keep.
    pub facts: BitSet<u32>,
    /// Why it always runs.
    pub always: Option<String>,
    /// The trace that held before it ran.
    pub held: Option<Digest>,
}

impl TraceWriter {
    /// Opens the store; `Err` says in one line why nothing will be kept.
    pub(super) fn open(directory: &Path, technique: &'static str) -> Result<TraceWriter, String> {
        let traces = TraceStore::open(directory).map_err(|error| error.to_string())?;
        let began = SystemTime::now();
        let nanos = began.duration_since(SystemTime::UNIX_EPOCH).map_or(0, |time| time.as_nanos());
        let host = std::fs::read_to_string("/proc/sys/kernel/hostname").unwrap_or_default();
        let place = host.trim().to_owned();
        let id = format!("{nanos:x}-{}-{place}", std::process::id());
        Ok(TraceWriter {
            traces: Mutex::new(Some(traces)),
            run: StoredRun { id, began, place },
            technique,
            problem: Mutex::default(),
        })
    }

    /// What went wrong first.
    pub(super) fn problem(&self) -> Option<String> {
        lock(&self.problem).clone()
    }

    /// A test with traces has begun: until it ends, they are not believed.
    pub(super) fn started(&self, module: &str, test: &TestId) {
        let started = vec![key(module, test)];
        self.write(&TraceBatch { started, ..TraceBatch::default() });
    }

    /// Tests have ended; `told` has the facts that they relied on.
    pub(super) fn add_class(&self, lesson: ClassResult, told: &FactTable) {
        let mut learned = TraceBatch::default();
        for ended in &lesson.ended {
            let outcome = outcome(ended.outcome);
            let mut facts = ended.held;
            if !ended.facts.is_empty() {
                let (key, microseconds) = (ended.key.clone(), ended.microseconds);
                let trace = NewTrace::new(key, self.technique, told, &ended.facts, microseconds);
                facts = Some(trace.digest());
                if ended.always.is_none() {
                    learned.traces.push(trace);
                }
            }
            learned.finished.push(FinishedTest {
                test: ended.key.clone(),
                outcome,
                microseconds: ended.microseconds,
                facts,
                always: ended.always.clone(),
            });
        }
        if lesson.whole.is_some() || lesson.was_whole {
            learned.whole.push((lesson.class, lesson.whole));
        }
        self.write(&learned);
    }

    /// These traces held.
    pub(super) fn matched(&self, digests: &[Digest]) {
        self.with(|traces| traces.matched(digests).map(|_| ()));
    }

    fn write(&self, learned: &TraceBatch<'_>) {
        self.with(|traces| traces.learn(&self.run, learned).map(|_| ()));
    }

    fn with(&self, work: impl FnOnce(&mut TraceStore) -> Result<(), tamis_store::traces::StoreError>) {
        let mut traces = lock(&self.traces);
        let Some(open) = traces.as_mut() else { return };
        if let Err(error) = work(open) {
            *traces = None;
            lock(&self.problem).get_or_insert(error.to_string());
        }
    }
}

/// The key of a test of a module.
pub(super) fn key(module: &str, test: &TestId) -> TestKey {
    TestKey { module: module.to_owned(), class: test.class.clone(), method: test.method.clone() }
}

fn outcome(outcome: tamis_wire::Outcome) -> StoredOutcome {
    match outcome {
        tamis_wire::Outcome::Passed => StoredOutcome::Passed,
        tamis_wire::Outcome::Failed => StoredOutcome::Failed,
        tamis_wire::Outcome::Aborted => StoredOutcome::Aborted,
        tamis_wire::Outcome::Ignored => StoredOutcome::Ignored,
        tamis_wire::Outcome::Unknown => StoredOutcome::Unknown,
    }
}

/// What a thread that panicked has left is as good as any other: nothing is done by halves under these.
pub(crate) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
