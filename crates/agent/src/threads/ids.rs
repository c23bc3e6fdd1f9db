//! Numbers for threads.
//!
//! JVMTI would keep a number beside a thread for us, but to ask for that of a thread that is about to end can take the JVM
//! down: it frees what it keeps while we read it (JDK 17, `GetThreadLocalStorage`). So threads are known by weak references
//! here, and found by their identity's hash code.

use crate::vm::{JavaObject, JniEnv, JvmtiEnv};
use std::collections::HashMap;

/// The threads that were met, and still live.
#[derive(Default)]
pub(crate) struct LiveThreads {
    by_hash: HashMap<i32, Vec<MetThread>>,
    looks: u64,
}

struct MetThread {
    /// A weak global reference.
    thread: JavaObject,
    number: usize,
    /// The last look that found it.
    look: u64,
}

// SAFETY: a JNI weak global reference may be used from any thread.
unsafe impl Send for MetThread {}

impl LiveThreads {
    /// Begins a look at all threads.
    pub(crate) fn begin(&mut self) {
        self.looks += 1;
    }

    /// The number of a thread, if it was met before.
    pub(crate) fn number(&mut self, jvmti: JvmtiEnv, jni: JniEnv, thread: JavaObject) -> Option<usize> {
        let all = self.by_hash.get_mut(&jvmti.identity(thread)?)?;
        let met = all.iter_mut().find(|met| jni.is_same(met.thread, thread))?;
        met.look = self.looks;
        Some(met.number)
    }

    /// Gives a thread a number, instead of the one that it had; whether it has it now.
    pub(crate) fn put(&mut self, jvmti: JvmtiEnv, jni: JniEnv, thread: JavaObject, number: usize) -> bool {
        let Some(hash) = jvmti.identity(thread) else { return false };
        let all = self.by_hash.entry(hash).or_default();
        if let Some(met) = all.iter_mut().find(|met| jni.is_same(met.thread, thread)) {
            (met.number, met.look) = (number, self.looks);
            return true;
        }
        let Some(weak) = jni.weak(thread) else { return false };
        all.push(MetThread { thread: weak, number, look: self.looks });
        true
    }

    /// Ends a look: whoever was not found has ended.
    pub(crate) fn end(&mut self, jni: JniEnv) {
        let now = self.looks;
        self.by_hash.retain(|_, all| {
            all.retain(|met| {
                if met.look != now {
                    jni.forget_weak(met.thread);
                }
                met.look == now
            });
            !all.is_empty()
        });
    }
}
