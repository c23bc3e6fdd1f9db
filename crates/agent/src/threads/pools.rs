//! Tasks that wait in the queue of a pool: the test that submitted one may have ended when it runs.
//!
//! Fields of the JDK's classes lead from a thread to its pool and from the pool to its queue; reading them runs no code. If a
//! JDK has other names for them, if a factory wraps the tasks of its threads, or if the type of the queue is unknown, no task is
//! assumed to be waiting.

use crate::vm::{JavaObject, JniEnv, JvmField, JvmtiEnv};
use std::sync::OnceLock;
use tamis_catalog::jdk::threads::{self as jdk, LengthField};
use tamis_catalog::{is_runner, is_signature_of};

/// The pools that have threads. Numbers of pools that are gone are used again.
#[derive(Default)]
pub(crate) struct PoolTable(Vec<Option<ThreadPool>>);

struct ThreadPool {
    /// A weak global reference to the queue, or to the fork-join pool.
    queue: JavaObject,
    length: QueueLength,
    is_waiting: bool,
}

// SAFETY: a JNI weak global reference may be used from any thread.
unsafe impl Send for ThreadPool {}

/// The field that holds the length of a queue. Field ids are kept as numbers.
enum QueueLength {
    /// In an `int`.
    Number(usize),
    /// In an `AtomicInteger`.
    Counter(usize, usize),
    /// An array of queues, each with a base and a top.
    Queues(usize),
}

impl PoolTable {
    /// The number of a thread's pool.
    pub(crate) fn meet(&mut self, jvmti: JvmtiEnv, jni: JniEnv, thread: JavaObject) -> Option<usize> {
        let (queue, length) = pool(jvmti, jni, thread)?;
        let is_it =
            |pool: &Option<ThreadPool>| pool.as_ref().is_some_and(|pool| jni.is_same(pool.queue, queue));
        if let Some(at) = self.0.iter().position(is_it) {
            return Some(at);
        }
        let at = self.0.iter().position(Option::is_none).unwrap_or(self.0.len());
        let pool = ThreadPool { queue: jni.weak(queue)?, length, is_waiting: false };
        match self.0.get_mut(at) {
            Some(place) => *place = Some(pool),
            None => self.0.push(Some(pool)),
        }
        Some(at)
    }

    /// Reads which pools have waiting tasks, and forgets pools without threads.
    pub(crate) fn look(&mut self, jni: JniEnv, has_threads: impl Fn(usize) -> bool) {
        for (at, place) in self.0.iter_mut().enumerate() {
            if let Some(pool) = place.take_if(|_| !has_threads(at)) {
                jni.forget_weak(pool.queue);
            }
            let Some(pool) = place else { continue };
            let queue = jni.local(pool.queue);
            pool.is_waiting = queue.is_some_and(|queue| pool.length.is_some(jni, queue));
            jni.forget(queue.unwrap_or(std::ptr::null_mut()));
        }
    }

    /// Whether a pool had waiting tasks at the last look.
    pub(crate) fn is_waiting(&self, pool: Option<usize>) -> bool {
        pool.and_then(|pool| self.0.get(pool)?.as_ref()).is_some_and(|pool| pool.is_waiting)
    }
}

impl QueueLength {
    fn is_some(&self, jni: JniEnv, queue: JavaObject) -> bool {
        match *self {
            QueueLength::Number(field) => jni.int_in(queue, field as JvmField) > 0,
            QueueLength::Counter(counter, value) => {
                let counter = jni.object_in(queue, counter as JvmField);
                let is_some = counter.is_some_and(|counter| jni.int_in(counter, value as JvmField) > 0);
                jni.forget(counter.unwrap_or(std::ptr::null_mut()));
                is_some
            }
            QueueLength::Queues(queues) => {
                let Some(queues) = jni.object_in(queue, queues as JvmField) else { return false };
                let is_some = jni.each_element(queues, |queue| {
                    let int = |name| Some(jni.int_in(queue, jni.field(jni.class_of(queue)?, name, "I")?));
                    (int("top")?.wrapping_sub(int("base")?) > 0).then_some(())
                });
                jni.forget(queues);
                is_some.is_some()
            }
        }
    }
}

/// The worker of an executor's thread: it counts its tasks and is locked while it runs one.
pub(crate) struct PoolWorker {
    /// A weak global reference.
    worker: JavaObject,
    tasks: JvmField,
    locked: JvmField,
}

// SAFETY: a JNI weak global reference may be used from any thread.
unsafe impl Send for PoolWorker {}

impl PoolWorker {
    /// The worker of a thread whose class, executor and queue are the JDK's: between tasks it runs only code of the JDK.
    pub(crate) fn of(jvmti: JvmtiEnv, jni: JniEnv, thread: JavaObject) -> Option<PoolWorker> {
        let (runs, executor, queue) = executor(jvmti, jni, thread)?;
        let class = jni.class_of(runs)?;
        let signature = |object| jvmti.class_signature(jni.class_of(object)?);
        if !jdk::PLAIN_THREADS.has_type(signature(thread)?)
            || !jdk::EXECUTORS.has_type(signature(executor)?)
            || !jdk::queue(&signature(queue)?).is_some_and(|queue| queue.is_plain)
        {
            return None;
        }
        let (tasks, locked) = (jni.field(class, "completedTasks", "J")?, jni.field(class, "state", "I")?);
        Some(PoolWorker { worker: jni.weak(runs)?, tasks, locked })
    }

    /// The number of tasks it has done; `None` while it runs one.
    pub(crate) fn tasks(&self, jni: JniEnv) -> Option<u64> {
        let worker = jni.local(self.worker)?;
        // In this order: a task that has begun by now shows as a lock or in the count, which grows before the unlock.
        let is_locked = jni.int_in(worker, self.locked) != 0;
        let tasks = jni.value_in(worker, self.tasks, b'J').ok();
        jni.forget(worker);
        tasks.filter(|_| !is_locked)
    }

    /// Deletes the reference when the thread is gone.
    pub(crate) fn forget(self, jni: JniEnv) {
        jni.forget_weak(self.worker);
    }
}

/// The queue of a thread's pool, and the field with its length.
fn pool(jvmti: JvmtiEnv, jni: JniEnv, thread: JavaObject) -> Option<(JavaObject, QueueLength)> {
    let class_of = |object: JavaObject| jvmti.class_signature(jni.class_of(object)?);
    let get = |object: JavaObject, name: &str, descriptor: &str| jni.field_of(object, name, descriptor);
    if is_signature_of(jdk::TIMER, &class_of(thread)?) {
        return queue(jvmti, jni, get(thread, "queue", "Ljava/util/TaskQueue;")?);
    }
    if is_fork_worker(jvmti, jni, thread) {
        let pool = get(thread, "pool", "Ljava/util/concurrent/ForkJoinPool;")?;
        // Renamed in JDK 17. A look-up of a missing field costs an exception, so it is done once.
        static QUEUES: OnceLock<usize> = OnceLock::new();
        let queues = *QUEUES.get_or_init(|| {
            let named =
                |name| jni.field(jni.class_of(pool)?, name, "[Ljava/util/concurrent/ForkJoinPool$WorkQueue;");
            named("queues").or_else(|| named("workQueues")).map_or(0, |field| field as usize)
        });
        return (queues != 0).then_some((pool, QueueLength::Queues(queues)));
    }
    queue(jvmti, jni, executor(jvmti, jni, thread)?.2)
}

/// The worker of an executor's thread, the executor, and its queue.
fn executor(
    jvmti: JvmtiEnv,
    jni: JniEnv,
    thread: JavaObject,
) -> Option<(JavaObject, JavaObject, JavaObject)> {
    let runs = runs(jvmti, jni, thread)?;
    if !is_signature_of(jdk::WORKER, &jvmti.class_signature(jni.class_of(runs)?)?) {
        return None;
    }
    let executor = jni.field_of(runs, "this$0", "Ljava/util/concurrent/ThreadPoolExecutor;")?;
    let queue = jni.field_of(executor, "workQueue", "Ljava/util/concurrent/BlockingQueue;")?;
    Some((runs, executor, queue))
}

/// Whether a thread is of the part of a build that runs tests, by its task or by the factory of its pool. It carries messages
/// to the build.
pub(crate) fn is_runners(jvmti: JvmtiEnv, jni: JniEnv, thread: JavaObject) -> bool {
    let is_runners = |object: JavaObject| {
        let signature = jni.class_of(object).and_then(|class| jvmti.class_signature(class));
        signature.is_some_and(|signature| is_runner(signature.strip_prefix('L').unwrap_or_default()))
    };
    let factory = || {
        let (_, executor, _) = executor(jvmti, jni, thread)?;
        jni.field_of(executor, "threadFactory", "Ljava/util/concurrent/ThreadFactory;")
    };
    runs(jvmti, jni, thread).is_some_and(is_runners) || factory().is_some_and(is_runners)
}

/// The `Runnable` that a thread was created with.
fn runs(jvmti: JvmtiEnv, jni: JniEnv, thread: JavaObject) -> Option<JavaObject> {
    // Moved in JDK 19.
    static TARGET: OnceLock<usize> = OnceLock::new();
    let target = *TARGET.get_or_init(|| {
        // The thread's own class may have another field of this name.
        let class = class_or_superclass(jvmti, jni, thread, "java/lang/Thread");
        let field = class.and_then(|class| jni.field(class, "target", "Ljava/lang/Runnable;"));
        field.map_or(0, |field| field as usize)
    });
    if target != 0 {
        return jni.object_in(thread, target as JvmField);
    }
    let holder = jni.field_of(thread, "holder", "Ljava/lang/Thread$FieldHolder;")?;
    jni.field_of(holder, "task", "Ljava/lang/Runnable;")
}

/// Whether a thread belongs to a fork-join pool. Frameworks extend the class.
fn is_fork_worker(jvmti: JvmtiEnv, jni: JniEnv, thread: JavaObject) -> bool {
    class_or_superclass(jvmti, jni, thread, jdk::FORK_WORKER).is_some()
}

/// The class of an object, or the one above it, that has this name: a local reference.
fn class_or_superclass(jvmti: JvmtiEnv, jni: JniEnv, object: JavaObject, name: &str) -> Option<JavaObject> {
    let mut class = jni.class_of(object);
    while let Some(this) = class {
        if jvmti.class_signature(this).is_some_and(|signature| is_signature_of(name, &signature)) {
            return class;
        }
        class = jni.superclass(this);
    }
    None
}

fn queue(jvmti: JvmtiEnv, jni: JniEnv, queue: JavaObject) -> Option<(JavaObject, QueueLength)> {
    const COUNTER: &str = "Ljava/util/concurrent/atomic/AtomicInteger;";
    let class = jni.class_of(queue)?;
    let signature = jvmti.class_signature(class)?;
    let name = match jdk::queue(&signature)?.length? {
        LengthField::Number(name) => {
            if let Some(number) = jni.field(class, name, "I") {
                return Some((queue, QueueLength::Number(number as usize)));
            }
            name
        }
        LengthField::Counter(name) => name,
    };
    let counter = jni.field(class, name, COUNTER)?;
    let count = jni.object_in(queue, counter)?;
    let value = jni.field(jni.class_of(count)?, "value", "I")?;
    Some((queue, QueueLength::Counter(counter as usize, value as usize)))
}
