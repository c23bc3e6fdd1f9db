//! Ctrl-C and requests to end, while a build runs.
//!
//! A terminal sends Ctrl-C to the build too. We wait for its end, store what has ended, and report. Where only our
//! process was asked to end, we ask the build. The second request ends us at once.

use rustix::process::{Pid, Signal, kill_process};
use signal_hook::consts::{SIGINT, SIGTERM};
use signal_hook::flag;
use std::process::{Child, ExitStatus};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};
use std::thread;
use std::time::{Duration, Instant};

/// How long a build may take to end after Ctrl-C before it is asked.
const PATIENCE: Duration = Duration::from_secs(2);

/// How often requests are looked for.
const TICK: Duration = Duration::from_millis(100);

static REQUESTS: OnceLock<EndRequests> = OnceLock::new();

struct EndRequests {
    by_terminal: Arc<AtomicBool>,
    by_process: Arc<AtomicBool>,
}

/// Begins to look for requests to end; before, they end the process at once. A signal that cannot be handled keeps its usual effect.
pub fn begin() {
    REQUESTS.get_or_init(|| {
        let handle = |signal| {
            let requested = Arc::new(AtomicBool::new(false));
            // In this order: the first signal sets the flag, the second finds it set.
            let _ = flag::register_conditional_default(signal, Arc::clone(&requested));
            let _ = flag::register(signal, Arc::clone(&requested));
            requested
        };
        EndRequests { by_terminal: handle(SIGINT), by_process: handle(SIGTERM) }
    });
}

/// Whether the user asked for the end of the run.
pub fn is_requested() -> bool {
    REQUESTS.get().is_some_and(|requests| requests.is_requested())
}

impl EndRequests {
    fn is_requested(&self) -> bool {
        self.by_terminal.load(Ordering::SeqCst) || self.by_process.load(Ordering::SeqCst)
    }
}

/// Waits for the end of a build, and passes requests to end on to it.
pub(crate) fn wait(child: &mut Child) -> std::io::Result<ExitStatus> {
    let (ended, pid) = (AtomicBool::new(false), i32::try_from(child.id()).ok().and_then(Pid::from_raw));
    thread::scope(|scope| {
        let watch = scope.spawn(|| {
            let mut since: Option<Instant> = None;
            while !ended.load(Ordering::SeqCst) {
                thread::park_timeout(TICK);
                let Some(requests) = REQUESTS.get().filter(|requests| requests.is_requested()) else {
                    continue;
                };
                let is_due = requests.by_process.load(Ordering::SeqCst)
                    || since.get_or_insert_with(Instant::now).elapsed() > PATIENCE;
                if let (true, false, Some(pid)) = (is_due, ended.load(Ordering::SeqCst), pid) {
                    let _ = kill_process(pid, Signal::TERM);
                    return;
                }
            }
        });
        let status = child.wait();
        ended.store(true, Ordering::SeqCst);
        watch.thread().unpark();
        status
    })
}
