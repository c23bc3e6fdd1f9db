//! A thread that sends waiting messages a few milliseconds later, so that short tests share a write.
//!
//! The JVM does not know the thread, and it runs no Java code. It sleeps until a message waits.

use crate::sync::{lock, wait_while};
use std::sync::{Condvar, Mutex, Once};
use std::thread;
use std::time::Duration;

/// How long a message may wait. If the JVM is killed, tests that ended within this time count as still running.
pub(crate) const SOON: Duration = Duration::from_millis(5);

/// Whether a message waits; `None` if the thread could not be started.
static WAITS: Mutex<Option<bool>> = Mutex::new(None);
static WOKEN: Condvar = Condvar::new();
static BEGIN: Once = Once::new();

/// Has the waiting messages sent soon; false if there is no thread to send them.
pub(crate) fn wake() -> bool {
    BEGIN.call_once(|| {
        let begun = thread::Builder::new().name("tamis".to_owned()).stack_size(64 << 10).spawn(run);
        *lock(&WAITS) = begun.is_ok().then_some(false);
    });
    let mut waits = lock(&WAITS);
    let Some(waits) = waits.as_mut() else { return false };
    if !std::mem::replace(waits, true) {
        WOKEN.notify_one();
    }
    true
}

fn run() {
    loop {
        drop(wait_while(&WOKEN, lock(&WAITS), |waits| *waits != Some(true)));
        thread::sleep(SOON);
        // A message queued from here on sets the flag again.
        *lock(&WAITS) = Some(false);
        let sent = super::with(|recorder| recorder.send());
        // The recording has ended, with the JVM or by a panic.
        if sent.is_none() {
            return;
        }
    }
}
