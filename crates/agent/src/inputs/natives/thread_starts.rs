//! `Thread.start0`: threads that tests start.
//!
//! It runs on the starting thread, so the threads of a test, and those that they start, are known before they run. A pool of a
//! framework may grow while one of its threads runs a test and waits; the new thread belongs to the pool.

use super::natives;
use crate::boundary::spans;
use crate::recorder;
use crate::threads::test_threads;
use crate::vm::{JVMTI, JavaEnv, JavaObject};

natives! { TABLE:
    [("java/lang/Thread", "start0", "()V")],
    fn(thread) -> (), |jni| starts(jni, thread), |_, (), ()| {};
}

fn starts(jni: JavaEnv, thread: JavaObject) -> Option<()> {
    recorder::with(|recorder| recorder.thread_starts(jni.quiet(), thread));
    if test_threads::is_this(jni.quiet()) || (spans::is_in_test() && !is_of_one_pool(jni, thread)) {
        test_threads::add(jni.quiet(), thread);
    }
    None
}

/// Whether this thread and one that it starts belong to the same fork-join pool.
fn is_of_one_pool(jni: JavaEnv, thread: JavaObject) -> bool {
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
