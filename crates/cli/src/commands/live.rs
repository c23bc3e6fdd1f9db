//! One live line while a build runs (step, progress, time left), and failures as they happen.

use super::log_tail::LogTail;
use crate::terminal;
use std::collections::{BTreeMap, BTreeSet};
use std::io::Write;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};
use tamis_report::failure::FailureEntry;
use tamis_report::words::{self, BuildProgress};
use tamis_select::decide::ModuleDecision;
use tamis_select::events::{RunEvent, RunListener};
use tamis_session::{failure_entry, lock};
use tamis_wire::{Outcome, TestId};

/// The interval between two drawings.
const TICK: Duration = Duration::from_millis(100);

/// The number of failures that are shown while the build runs. At the end all are named.
const FAILURES: usize = 50;

/// The columns of a terminal whose width is not known.
const COLUMNS: usize = 80;

/// A line on the terminal.
pub(super) struct LiveLine {
    state: Arc<Mutex<LiveState>>,
    stopped: Arc<AtomicBool>,
    thread: Mutex<Option<JoinHandle<()>>>,
}

/// A module and a test.
type TestKey = (String, TestId);

struct LiveState {
    began: Instant,
    /// Whether tests run that could be skipped.
    all: bool,
    /// Tests that have not run yet, with their recorded durations.
    left: BTreeMap<TestKey, u64>,
    known: usize,
    done: BTreeSet<TestKey>,
    /// The tests that run now.
    running: Vec<TestKey>,
    /// The last start or end of a test.
    since: Instant,
    errors: BTreeMap<TestKey, FailureEntry>,
    failed: BTreeSet<TestKey>,
    /// Failures that are not shown yet.
    news: Vec<(String, Option<FailureEntry>)>,
}

impl RunListener for LiveLine {
    fn event(&self, event: &RunEvent) {
        let mut state = lock(&self.state);
        match event {
            RunEvent::Chosen(choice) => state.chosen(choice),
            RunEvent::Started { module, test } => {
                state.running.push((module.clone(), test.clone()));
                state.since = Instant::now();
            }
            RunEvent::Failed { module, test, failure, own_frame } => {
                let key = (module.clone(), test.clone());
                state.errors.entry(key).or_insert_with(|| failure_entry(failure, *own_frame));
            }
            RunEvent::Finished { module, test, outcome, microseconds } => {
                state.finished((module.clone(), test.clone()), *outcome, *microseconds);
            }
            RunEvent::JvmEnded { .. }
            | RunEvent::Skipped { .. }
            | RunEvent::Changed { .. }
            | RunEvent::Left { .. }
            | RunEvent::Gap { .. }
            | RunEvent::Unseen { .. } => {}
        }
    }
}

impl LiveState {
    fn chosen(&mut self, choice: &ModuleDecision) {
        for test in choice.tests.iter().filter(|test| self.all || !test.is_skip()) {
            let key = (choice.module.clone(), test.id());
            if self.left.insert(key, test.microseconds).is_none() {
                self.known += test.tests;
            }
        }
    }

    fn finished(&mut self, key: TestKey, outcome: Outcome, microseconds: u64) {
        self.since = Instant::now();
        self.running.retain(|running| *running != key);
        if self.left.remove(&key).is_none() {
            // Its class runs as one unit.
            let class = TestId { class: key.1.class.clone(), method: None };
            if let Some(left) = self.left.get_mut(&(key.0.clone(), class)) {
                *left = left.saturating_sub(microseconds);
            }
        }
        if outcome == Outcome::Failed && self.failed.insert(key.clone()) {
            let error = self.errors.remove(&key);
            self.news.push((key.1.to_string(), error));
        }
        self.done.insert(key);
    }

    fn progress(&self, phase: String) -> BuildProgress {
        // Tests that run at the same time share the time that is left. It moves while a test runs, too.
        let together = self.running.len().max(1) as u64;
        let left = Duration::from_micros(self.left.values().sum::<u64>() / together);
        let left = left.saturating_sub(self.since.elapsed());
        BuildProgress {
            seconds: self.began.elapsed().as_secs(),
            phase,
            done: self.done.len(),
            known: self.known,
            failed: self.failed.len(),
            left_seconds: (self.known > 0).then_some(left.as_secs()),
            now: self.running.last().map(|(_, test)| (test.class.clone(), test.method.clone())),
        }
    }
}

impl LiveLine {
    /// Starts drawing; `log` receives the build's output. With `all` every test runs.
    pub(super) fn start(log: &Path, all: bool) -> LiveLine {
        let state = Arc::new(Mutex::new(LiveState {
            began: Instant::now(),
            all,
            left: BTreeMap::new(),
            known: 0,
            done: BTreeSet::new(),
            running: Vec::new(),
            since: Instant::now(),
            errors: BTreeMap::new(),
            failed: BTreeSet::new(),
            news: Vec::new(),
        }));
        let stopped = Arc::new(AtomicBool::new(false));
        let thread = {
            let (state, stopped, log) = (Arc::clone(&state), Arc::clone(&stopped), log.to_owned());
            thread::spawn(move || draw(&state, &stopped, &log))
        };
        LiveLine { state, stopped, thread: Mutex::new(Some(thread)) }
    }

    /// Removes the line.
    pub(super) fn stop(&self) {
        self.stopped.store(true, Ordering::SeqCst);
        if let Some(thread) = lock(&self.thread).take() {
            thread.thread().unpark();
            drop(thread.join());
        }
    }
}

fn draw(state: &Mutex<LiveState>, stopped: &AtomicBool, log: &Path) {
    let mut tail = LogTail::new(log);
    let mut area = LiveArea::default();
    let mut failures = 0;
    loop {
        let over = stopped.load(Ordering::SeqCst);
        let errors = tail.errors();
        let phase = match tamis_session::interrupt::is_requested() {
            true => words::STOPPING.to_owned(),
            false => tail.phase(),
        };
        let (news, progress) = {
            let mut state = lock(state);
            (std::mem::take(&mut state.news), state.progress(phase))
        };
        let mut above = Vec::new();
        for (test, error) in news {
            failures += 1;
            if failures <= FAILURES {
                // Writing into memory cannot fail.
                let _ = tamis_report::print_failure(&mut above, &test, error.as_ref());
            }
        }
        for error in errors {
            let _ = writeln!(above, "{error}");
        }
        let columns = terminal::columns(std::io::stderr()).unwrap_or(COLUMNS);
        let line = if over { String::new() } else { progress.line(columns.saturating_sub(1)) };
        area.show(&above, line, columns);
        if over {
            return;
        }
        thread::park_timeout(TICK);
    }
}

/// The line that is shown, and the width of the terminal at that time.
#[derive(Default)]
struct LiveArea {
    line: String,
    columns: usize,
}

impl LiveArea {
    /// Prints `above` for good, and shows another line below it.
    fn show(&mut self, above: &[u8], line: String, columns: usize) {
        if above.is_empty() && line == self.line && columns == self.columns {
            return;
        }
        let mut out = std::io::stderr().lock();
        let _ = out.write_all(self.removal(columns).as_bytes());
        if !above.is_empty() {
            let _ = out.flush();
            // Without colours where the user wants none.
            let _ = anstream::AutoStream::auto(&mut out).write_all(above);
        }
        let _ = out.write_all(line.as_bytes()).and_then(|()| out.flush());
        (self.line, self.columns) = (line, columns);
    }

    /// Clears the line. In a terminal that has become narrower it fills several rows.
    fn removal(&self, columns: usize) -> String {
        let rows = self.line.chars().count().saturating_sub(1) / columns.max(1);
        let up = if columns < self.columns && rows > 0 { format!("\x1b[{rows}A") } else { String::new() };
        format!("\r{up}\x1b[J")
    }
}

#[cfg(test)]
mod tests {
    use super::LiveArea;

    #[test]
    fn a_line_that_a_narrower_terminal_wraps_is_removed_from_all_its_rows() {
        let area = LiveArea { line: "x".repeat(90), columns: 100 };
        assert_eq!(area.removal(100), "\r\x1b[J");
        assert_eq!(area.removal(40), "\r\x1b[2A\x1b[J");
    }
}
