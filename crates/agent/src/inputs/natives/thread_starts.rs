//! Threads that tests start: a framework that runs on one of them is part of the test.
//!
//! `Thread.start0` runs on the thread that starts, so a test's threads, and theirs in turn, are known before they run.
//! A pool of a framework may grow while one of its threads runs a test and waits; the new thread is the pool's.

use super::natives;
use crate::boundary::spans;
use crate::vm::{JVMTI, JavaObject, JniEnv};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};

/// Not searched for those that ended while there are fewer.
const FEW: usize = 64;

struct StartedThreads(Vec<StartedThread>);

/// A weak global reference.
struct StartedThread(JavaObject);

// SAFETY: a JNI weak global reference may be used from any thread.
unsafe impl Send for StartedThread {}

static STARTED: Mutex<StartedThreads> = Mutex::new(StartedThreads(Vec::new()));
static IS_ANY: AtomicBool = AtomicBool::new(false);

natives! { TABLE:
    [("java/lang/Thread", "start0", "()V")],
    fn(thread) -> (), |jni| starts(jni, thread), |_, (), ()| {};
}

/// Whether this thread was started by a test, or by a thread that was.
pub(crate) fn is_this(jni: JniEnv) -> bool {
    if !IS_ANY.load(Ordering::Acquire) {
        return false;
    }
    let Some(current) = JVMTI.get().and_then(|jvmti| jvmti.current_thread()) else { return false };
    let started = STARTED.lock().unwrap_or_else(PoisonError::into_inner);
    let found = started.0.iter().any(|thread| jni.is_same(thread.0, current));
    drop(started);
    jni.forget(current);
    found
}

fn starts(jni: JniEnv, thread: JavaObject) -> Option<()> {
    let is_ours = is_this(jni) || (spans::is_in_test() && !is_of_one_pool(jni, thread));
    if let Some(weak) = is_ours.then(|| jni.weak(thread)).flatten() {
        let mut started = STARTED.lock().unwrap_or_else(PoisonError::into_inner);
        if started.0.len() >= FEW && started.0.len().is_power_of_two() {
            started.0.retain(|thread| {
                let over = jni.is_same(thread.0, std::ptr::null_mut())
                    || JVMTI.get().is_some_and(|jvmti| jvmti.has_ended(thread.0));
                if over {
                    jni.forget_weak(thread.0);
                }
                !over
            });
        }
        started.0.push(StartedThread(weak));
        IS_ANY.store(true, Ordering::Release);
    }
    None
}

/// Whether this thread and one that it starts are of one fork-join pool.
fn is_of_one_pool(jni: JniEnv, thread: JavaObject) -> bool {
    let Some(current) = JVMTI.get().and_then(|jvmti| jvmti.current_thread()) else { return false };
    jni.with_locals(|| {
        let class = jni.find_class("java/util/concurrent/ForkJoinWorkerThread")?;
        if !jni.is_instance(thread, class) || !jni.is_instance(current, class) {
            return Some(false);
        }
        let pool = jni.field(class, "pool", "Ljava/util/concurrent/ForkJoinPool;")?;
        Some(jni.is_same(jni.object_in(thread, pool)?, jni.object_in(current, pool)?))
    })
    .flatten()
    .unwrap_or(false)
}
