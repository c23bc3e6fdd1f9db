//! Locks of the agent.

use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

/// Locks a mutex, even if a thread panicked while it held it: a panic of ours ends the recording anyway.
pub(crate) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Waits until `condition` is false, as [`lock`] locks.
pub(crate) fn wait_while<'a, T>(
    condvar: &Condvar,
    guard: MutexGuard<'a, T>,
    condition: impl FnMut(&mut T) -> bool,
) -> MutexGuard<'a, T> {
    condvar.wait_while(guard, condition).unwrap_or_else(PoisonError::into_inner)
}
