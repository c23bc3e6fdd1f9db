//! Threads that tests started, and threads that those started in turn.
//!
//! A framework that runs on one of them is part of the test.

use crate::sync::lock;
use crate::vm::{JVMTI, JavaObject, JniEnv};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};

/// With fewer threads than this, ended ones stay in the list.
const FEW: usize = 64;

struct TestThreads(Vec<TestThread>);

/// A weak global reference.
struct TestThread(JavaObject);

// SAFETY: a JNI weak global reference may be used from any thread.
unsafe impl Send for TestThread {}

static STARTED: Mutex<TestThreads> = Mutex::new(TestThreads(Vec::new()));
static IS_ANY: AtomicBool = AtomicBool::new(false);

/// Whether this thread was started by a test, or by a thread that was.
pub(crate) fn is_this(jni: JniEnv) -> bool {
    if !IS_ANY.load(Ordering::Acquire) {
        return false;
    }
    let Some(current) = JVMTI.get().and_then(|jvmti| jvmti.current_thread()) else { return false };
    let started = lock(&STARTED);
    let found = started.0.iter().any(|thread| jni.is_same(thread.0, current));
    drop(started);
    jni.forget(current);
    found
}

/// A test is about to start this thread.
pub(crate) fn add(jni: JniEnv, thread: JavaObject) {
    let Some(weak) = jni.weak(thread) else { return };
    let mut started = lock(&STARTED);
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
    started.0.push(TestThread(weak));
    IS_ANY.store(true, Ordering::Release);
}
