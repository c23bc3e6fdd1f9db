//! Marks the threads that run the agent's own code.

use std::cell::Cell;

thread_local! {
    static DEPTH: Cell<u32> = const { Cell::new(0) };
}

/// While it lives, this thread runs our own code: the recorder may be locked, and files that the JVM opens for us are not
/// inputs of a test.
pub(crate) struct OwnCode(());

impl OwnCode {
    /// Whether this thread runs our own code.
    pub(crate) fn is_running() -> bool {
        DEPTH.get() > 0
    }

    pub(crate) fn enter() -> OwnCode {
        DEPTH.set(DEPTH.get() + 1);
        OwnCode(())
    }
}

impl Drop for OwnCode {
    fn drop(&mut self) {
        DEPTH.set(DEPTH.get() - 1);
    }
}
