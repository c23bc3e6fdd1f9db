//! The only writer of the store during a run.
//!
//! A failing store costs the recording, never the run. The first failure is kept for the report, and nothing
//! is written after it.

use crate::sync::lock;
use std::path::Path;
use std::sync::Mutex;
use std::time::SystemTime;
use tamis_program::digest::Digest;
use tamis_report::words;
use tamis_select::facts::FactTable;
use tamis_select::recording::{ClassResult, ResultSink, TestResult};
use tamis_store::traces::{FinishedTest, NewTrace, StoredRun, TestKey, TraceBatch, TraceStore};
use tamis_wire::{Outcome, TestId};

/// Writes results to the store.
pub(crate) struct TraceWriter {
    traces: Mutex<Option<TraceStore>>,
    run: StoredRun,
    technique: &'static str,
    /// Whether only failures are written: what tests use was not observed.
    only_failures: bool,
    problem: Mutex<Option<String>>,
}

impl TraceWriter {
    /// Opens the store. The error says in one line why nothing will be recorded.
    pub(crate) fn open(directory: &Path, technique: &'static str) -> Result<TraceWriter, String> {
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
            only_failures: false,
            problem: Mutex::default(),
        })
    }

    /// Opens the store for a run without observation. Without a store nothing is skipped, and no failure can be forgotten.
    pub(crate) fn of_failures(directory: &Path, technique: &'static str) -> Option<TraceWriter> {
        TraceStore::read_only(directory).ok()??;
        let writer = TraceWriter::open(directory, technique).ok()?;
        Some(TraceWriter { only_failures: true, ..writer })
    }

    /// The first failure.
    pub(crate) fn problem(&self) -> Option<String> {
        lock(&self.problem).clone()
    }

    /// Notes that these traces held.
    pub(crate) fn matched(&self, digests: &[Digest]) {
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

impl ResultSink for TraceWriter {
    /// Notes that a test with traces has begun. Its traces are not used until it ends.
    fn started(&self, module: &str, test: &TestId) {
        if self.only_failures {
            return; // Its end would not be written if it passes.
        }
        let started = vec![key(module, test)];
        self.write(&TraceBatch { started, ..TraceBatch::default() });
    }

    /// Writes the results of a class. `told` has the facts that they name by number.
    fn add_class(&self, mut lesson: ClassResult, told: &FactTable) {
        if self.only_failures {
            let has_failed = |ended: &TestResult| matches!(ended.outcome, Outcome::Failed | Outcome::Unknown);
            lesson = ClassResult {
                ended: lesson.ended.into_iter().filter(has_failed).collect(),
                whole: None,
                was_whole: false,
                left: Vec::new(),
                ..lesson
            };
            for ended in &mut lesson.ended {
                ended.always.clear();
            }
        }
        let mut learned = TraceBatch::default();
        for ended in &lesson.ended {
            let outcome = ended.outcome.into();
            let mut facts = ended.held;
            if !ended.facts.is_empty() {
                let (key, microseconds) = (ended.key.clone(), ended.microseconds);
                let trace = NewTrace::new(key, self.technique, told, &ended.facts, microseconds);
                facts = Some(trace.digest());
                if ended.always.is_empty() {
                    learned.traces.push(trace);
                }
            }
            learned.finished.push(FinishedTest {
                test: ended.key.clone(),
                outcome,
                microseconds: ended.microseconds,
                facts,
                always: words::always_reasons(&ended.always),
            });
        }
        let module = &lesson.class.module;
        learned.left = lesson.left.into_iter().map(|field| (module.clone(), field)).collect();
        if lesson.whole.is_some() || lesson.was_whole {
            let whole = lesson.whole.as_ref().map(words::whole_reason);
            learned.whole.push((lesson.class, whole));
        }
        self.write(&learned);
    }
}

/// The key of a test of a module.
pub(crate) fn key(module: &str, test: &TestId) -> TestKey {
    TestKey { module: module.to_owned(), class: test.class.clone(), method: test.method.clone() }
}
