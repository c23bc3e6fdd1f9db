//! Sends what waits, soon: tests that take less than a millisecond need no write each.
//!
//! A thread of our own, which the JVM does not know and which runs no Java code. It sleeps until something is left to it.

use crate::sync::{lock, wait_while};
use std::sync::{Condvar, Mutex, Once};
use std::thread;
use std::time::Duration;

/// How long something may wait. A JVM that is killed loses the tests that ended within it, as if they were still running.
pub(crate) const SOON: Duration = Duration::from_millis(5);

/// Whether something waits; `None` if there is no such thread.
static WAITS: Mutex<Option<bool>> = Mutex::new(None);
static LEFT: Condvar = Condvar::new();
static BEGIN: Once = Once::new();

/// Sees to it that what waits is sent soon; false if that cannot be.
pub(crate) fn leave() -> bool {
    BEGIN.call_once(|| {
        let begun = thread::Builder::new().name("tamis".to_owned()).stack_size(64 << 10).spawn(run);
        *lock(&WAITS) = begun.is_ok().then_some(false);
    });
    let mut waits = lock(&WAITS);
    let Some(waits) = waits.as_mut() else { return false };
    if !std::mem::replace(waits, true) {
        LEFT.notify_one();
    }
    true
}

fn run() {
    loop {
        drop(wait_while(&LEFT, lock(&WAITS), |waits| *waits != Some(true)));
        thread::sleep(SOON);
        // From here on, whatever is left is left anew.
        *lock(&WAITS) = Some(false);
        // Gone with the JVM, or after a panic: then there is nothing to send any more.
        let sent = super::with(|recorder| recorder.send());
        if sent.is_none() {
            return;
        }
    }
}
