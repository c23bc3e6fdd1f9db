//! Locks of the agent, and the rules for them.
//!
//! | rule | enforced by |
//! |---|---|
//! | While the lock of `boundary::spans` or of `recorder` is held, no Java code runs and no class is loaded: either calls the agent again, on the same thread. | Code under these locks gets a [`JniEnv`](crate::vm::JniEnv), which can do neither; a [`JavaEnv`](crate::vm::JavaEnv) can. |
//! | `recorder` is locked for the length of a closure. | Its lock is private; see [`crate::recorder::with`]. |
//! | `boundary::spans` is locked before `recorder`. | The recorder is a lower layer and cannot name it. |
//! | Any other lock is the last one taken: nothing is locked while it is held. | This table. |

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
