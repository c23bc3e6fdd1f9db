//! Whether tests may still be skipped in this JVM.

use std::sync::atomic::{AtomicBool, Ordering};

/// Set when a framework lacks a method that needs a hook, or when a test left something that no recorded run has shown.
static IS_OFF: AtomicBool = AtomicBool::new(false);

/// From now on no test is skipped.
pub(crate) fn turn_off() {
    IS_OFF.store(true, Ordering::SeqCst);
}

/// Whether no test is skipped any more.
pub(crate) fn is_off() -> bool {
    IS_OFF.load(Ordering::SeqCst)
}
