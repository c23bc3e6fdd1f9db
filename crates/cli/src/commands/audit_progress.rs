//! The progress of an audit: one live line on a terminal, a line every 30 seconds elsewhere, each mutant with `-v`.

use super::say;
use crate::args::GlobalArgs;
use std::io::{IsTerminal, Write};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};
use tamis_audit::ProgressListener;
use tamis_report::audit::mutants::MutantResult;
use tamis_report::words;

/// The interval between lines where there is no terminal.
const INTERVAL: Duration = Duration::from_secs(30);

/// The listener of an audit.
pub(super) struct AuditProgress {
    verbose: bool,
    quiet: bool,
    live: bool,
    state: Mutex<ProgressState>,
}

/// The state that the next line depends on.
struct ProgressState {
    /// When the first mutant was begun, and the number of those tried before.
    began: Instant,
    before: Option<usize>,
    misses: usize,
    said: Instant,
}

impl AuditProgress {
    pub(super) fn new(global: &GlobalArgs) -> AuditProgress {
        let now = Instant::now();
        AuditProgress {
            verbose: global.verbose,
            quiet: global.quiet,
            live: !global.quiet && !global.verbose && std::io::stderr().is_terminal(),
            state: Mutex::new(ProgressState { began: now, before: None, misses: 0, said: now }),
        }
    }

    /// Removes the line.
    pub(super) fn stop(&self) {
        if self.live {
            self.draw("");
        }
    }

    fn draw(&self, line: &str) {
        let width = std::env::var("COLUMNS").ok().and_then(|columns| columns.parse().ok()).unwrap_or(100);
        let line: String = line.chars().take(width).collect();
        let mut out = std::io::stderr().lock();
        let _ = write!(out, "\r\x1b[K{line}").and_then(|()| out.flush());
    }
}

impl ProgressListener for AuditProgress {
    fn stage(&self, what: &str) {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        state.began = Instant::now();
        if self.live {
            self.draw(&format!("  audit  {what}"));
        } else if !self.quiet {
            say(&format!("  audit  {what}"));
        }
    }

    fn tried(&self, done: usize, of: usize, tried: &MutantResult) {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        let before = *state.before.get_or_insert(done.saturating_sub(1));
        state.misses += tried.misses.len();
        let each = state.began.elapsed().as_secs_f64() / done.saturating_sub(before).max(1) as f64;
        let line = words::audit_progress(done, of, each, state.misses, &tried.entity);
        if self.live {
            self.draw(&line);
        } else if self.verbose {
            say(&words::mutant_tried(done, of, tried));
        } else if !self.quiet && state.said.elapsed() > INTERVAL {
            state.said = Instant::now();
            say(&line);
        }
    }
}
