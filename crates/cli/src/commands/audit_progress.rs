//! How far an audit is: one live line on a terminal, a line now and then elsewhere, each mutant with `-v`.

use super::say;
use crate::args::GlobalArgs;
use std::io::{IsTerminal, Write};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};
use tamis_audit::ProgressListener;
use tamis_report::audit::mutants::MutantResult;

/// How often something is said where nobody watches.
const NOW_AND_THEN: Duration = Duration::from_secs(30);

/// Says it.
pub(super) struct AuditProgress {
    verbose: bool,
    quiet: bool,
    live: bool,
    state: Mutex<ProgressState>,
}

struct ProgressState {
    /// When the first mutant was begun, and how many had been tried by then.
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

    /// Takes the line away.
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
        let left = each * of.saturating_sub(done) as f64;
        let left = if left >= 90.0 { format!("{:.0} min", left / 60.0) } else { format!("{left:.0} s") };
        let line = format!(
            "  audit  {done} of {of} mutants, {:.0} a minute, about {left} left, {} missed  {}",
            60.0 / each.max(0.001),
            state.misses,
            tried.entity
        );
        if self.live {
            self.draw(&line);
        } else if self.verbose {
            say(&format!(
                "  {done}/{of}  {}: {} {}  run {} of {} (class {}), {} failed{}",
                tried.operator,
                tried.entity,
                tried.what,
                tried.run,
                tried.tests,
                tried.run_class,
                tried.killed,
                if tried.misses.is_empty() { "" } else { "  MISS" }
            ));
        } else if !self.quiet && state.said.elapsed() > NOW_AND_THEN {
            state.said = Instant::now();
            say(&line);
        }
    }
}
