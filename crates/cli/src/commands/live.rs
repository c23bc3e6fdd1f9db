//! One live line while a build runs (phase, progress, time left), and failures as they happen.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};
use tamis_catalog::builds::maven;
use tamis_report::words::BuildProgress;
use tamis_select::decide::ModuleDecision;
use tamis_select::events::{RunEvent, RunListener};
use tamis_session::lock;
use tamis_wire::{Outcome, TestId};

/// The interval between two drawings.
const TICK: Duration = Duration::from_millis(100);

/// A line on the terminal.
pub(super) struct LiveLine {
    state: Arc<Mutex<LiveState>>,
    stopped: Arc<AtomicBool>,
    thread: Mutex<Option<JoinHandle<()>>>,
}

struct LiveState {
    began: Instant,
    /// Tests that have not run yet, with their recorded durations.
    left: BTreeMap<(String, TestId), u64>,
    known: usize,
    done: usize,
    skipped: usize,
    now: Option<TestId>,
    failures: Vec<String>,
}

impl RunListener for LiveLine {
    fn event(&self, event: &RunEvent) {
        let mut state = lock(&self.state);
        match event {
            RunEvent::Chosen(choice) => state.chosen(choice),
            RunEvent::Started { test, .. } => state.now = Some(test.clone()),
            RunEvent::Finished { module, test, outcome, .. } => {
                state.done += 1;
                state.left.remove(&(module.clone(), test.clone()));
                if *outcome == Outcome::Failed {
                    state.failures.push(test.to_string());
                }
            }
            RunEvent::Skipped { .. } => state.skipped += 1,
            RunEvent::Changed { .. }
            | RunEvent::Left { .. }
            | RunEvent::Gap { .. }
            | RunEvent::Unseen { .. } => {}
        }
    }
}

impl LiveState {
    fn chosen(&mut self, choice: &ModuleDecision) {
        for test in choice.tests.iter().filter(|test| !test.is_skip()) {
            let key = (choice.module.clone(), test.id());
            if self.left.insert(key, test.microseconds).is_none() {
                self.known += test.tests;
            }
        }
    }

    fn line(&self, phase: &str) -> String {
        let progress = BuildProgress {
            seconds: self.began.elapsed().as_secs(),
            phase,
            done: self.done,
            known: self.known,
            left_seconds: self.left.values().sum::<u64>() / 1_000_000,
            now: self.now.as_ref().map(TestId::to_string),
        };
        progress.line()
    }
}

impl LiveLine {
    /// Starts drawing; `log` receives the build's output.
    pub(super) fn start(log: &Path) -> LiveLine {
        let state = Arc::new(Mutex::new(LiveState {
            began: Instant::now(),
            left: BTreeMap::new(),
            known: 0,
            done: 0,
            skipped: 0,
            now: None,
            failures: Vec::new(),
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
            drop(thread.join());
        }
    }
}

fn draw(state: &Mutex<LiveState>, stopped: &AtomicBool, log: &Path) {
    let mut tail = LogTail::new(log);
    let mut shown = 0;
    loop {
        let over = stopped.load(Ordering::SeqCst);
        let errors = tail.errors();
        let mut text = String::from("\r\x1b[K");
        {
            let state = lock(state);
            for failure in state.failures.iter().skip(shown) {
                text.push_str(&format!("\x1b[31m   FAIL\x1b[0m  {failure}\n"));
            }
            shown = state.failures.len();
            for error in errors {
                text.push_str(&error);
                text.push('\n');
            }
            if !over {
                let width = width();
                text.extend(state.line(&tail.phase).chars().take(width.saturating_sub(1)));
            }
        }
        let mut out = std::io::stderr().lock();
        let _ = out.write_all(text.as_bytes()).and_then(|()| out.flush());
        if over {
            return;
        }
        thread::sleep(TICK);
    }
}

fn width() -> usize {
    std::env::var("COLUMNS").ok().and_then(|columns| columns.parse().ok()).unwrap_or(100)
}

/// Phases and errors in the build's log, read while it grows.
struct LogTail {
    path: PathBuf,
    file: Option<File>,
    rest: Vec<u8>,
    phase: String,
}

impl LogTail {
    fn new(path: &Path) -> LogTail {
        LogTail { path: path.to_owned(), file: None, rest: Vec::new(), phase: "starting".to_owned() }
    }

    /// The new lines with errors.
    fn errors(&mut self) -> Vec<String> {
        if self.file.is_none() {
            self.file = File::open(&self.path).ok();
        }
        let Some(file) = &mut self.file else { return Vec::new() };
        // If the log cannot be read, no error is shown; the build goes on.
        let _ = file.take(1 << 20).read_to_end(&mut self.rest);
        let mut errors = Vec::new();
        while let Some(end) = self.rest.iter().position(|byte| *byte == b'\n') {
            let line: Vec<u8> = self.rest.drain(..=end).collect();
            let line = String::from_utf8_lossy(&line).trim_end().to_owned();
            let plain = maven::without_colours(&line);
            if let Some(goal) = maven::announced_goal(&plain) {
                self.phase = goal.to_owned();
            } else if maven::is_error(&plain) {
                errors.push(line);
            }
        }
        errors
    }
}
