//! Numbers for threads.
//!
//! JVMTI could store a number with each thread, but reading that of a thread that is about to end may crash the JVM, which frees
//! it at the same time (JDK 17, `GetThreadLocalStorage`). So this table keeps weak references to threads, by identity hash code.

use crate::vm::{JavaObject, JniEnv, JvmtiEnv};
use std::collections::HashMap;

/// Live threads that were found, with their numbers.
#[derive(Default)]
pub(crate) struct LiveThreads {
    by_hash: HashMap<i32, Vec<KnownThread>>,
    looks: u64,
}

struct KnownThread {
    /// A weak global reference.
    thread: JavaObject,
    number: usize,
    /// The last look at all threads that found it.
    look: u64,
}

// SAFETY: a JNI weak global reference may be used from any thread.
unsafe impl Send for KnownThread {}

impl LiveThreads {
    /// Begins a look at all threads.
    pub(crate) fn begin(&mut self) {
        self.looks += 1;
    }

    /// The number of a thread, if it was found before.
    pub(crate) fn number(&mut self, jvmti: JvmtiEnv, jni: JniEnv, thread: JavaObject) -> Option<usize> {
        let all = self.by_hash.get_mut(&jvmti.identity(thread)?)?;
        let met = all.iter_mut().find(|met| jni.is_same(met.thread, thread))?;
        met.look = self.looks;
        Some(met.number)
    }

    /// Sets or replaces the number of a thread; false if that fails.
    pub(crate) fn put(&mut self, jvmti: JvmtiEnv, jni: JniEnv, thread: JavaObject, number: usize) -> bool {
        let Some(hash) = jvmti.identity(thread) else { return false };
        let all = self.by_hash.entry(hash).or_default();
        if let Some(met) = all.iter_mut().find(|met| jni.is_same(met.thread, thread)) {
            (met.number, met.look) = (number, self.looks);
            return true;
        }
        let Some(weak) = jni.weak(thread) else { return false };
        all.push(KnownThread { thread: weak, number, look: self.looks });
        true
    }

    /// Ends a look at all threads: those that were not found have ended.
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
