//! The JDK's threads, pools and queues: which threads are its own, and which wait for work.

use crate::name::{NameSet, class_of};

/// Groups of its own threads.
pub const SERVICE_GROUPS: NameSet = NameSet {
    name: "groups of the JDK's threads",
    exact: &["system", "InnocuousThreadGroup"],
    why: "They are nobody's, even if a test made the JDK start them.",
    cases: &["common_pool.md", "threads.rs"],
    ..NameSet::EMPTY
};

/// The group of the threads that virtual threads run on.
pub const CARRIERS: &str = "CarrierThreads";

/// How the name of a thread of their pool ends that runs none, but wakes sleepers: from JDK 25 on.
pub const DELAYER: &str = "-delayScheduler";

/// Threads of which nothing is overridden.
pub const PLAIN_THREADS: NameSet = NameSet {
    name: "plain threads",
    exact: &["java/lang/Thread"],
    why: "Nothing of it is overridden, so that outside of its tasks it runs no code but the JDK's.",
    cases: &["executor.md", "shared_pool.md"],
    ..NameSet::EMPTY
};

/// Executors of which nothing is overridden.
pub const EXECUTORS: NameSet = NameSet {
    name: "plain executors",
    exact: &["java/util/concurrent/ThreadPoolExecutor", "java/util/concurrent/ScheduledThreadPoolExecutor"],
    why: "Nothing of them is overridden, so that between tasks they run no code but the JDK's.",
    cases: &["executor.md", "shared_pool.md"],
    ..NameSet::EMPTY
};

/// The object that a thread of an executor runs.
pub const WORKER: &str = "java/util/concurrent/ThreadPoolExecutor$Worker";

/// The thread of a `Timer`.
pub const TIMER: &str = "java/util/TimerThread";

/// The threads of fork-join pools; frameworks derive their own from it.
pub const FORK_WORKER: &str = "java/util/concurrent/ForkJoinWorkerThread";

/// A queue of tasks.
#[derive(Clone, Copy, Debug)]
pub struct TaskQueue {
    /// The class.
    pub class: &'static str,
    /// The field with its length, if one has it.
    pub length: Option<LengthField>,
    /// Whether it calls no comparator, nor anything else of a program.
    pub is_plain: bool,
}

/// Where a queue keeps its length.
#[derive(Clone, Copy, Debug)]
pub enum LengthField {
    /// In an `int` of this name.
    Number(&'static str),
    /// In an `AtomicInteger` of this name.
    Counter(&'static str),
}

/// The queues that are known. Nothing is taken to wait in others.
pub const QUEUES: &[TaskQueue] = &[
    TaskQueue {
        class: "java/util/concurrent/ArrayBlockingQueue",
        length: Some(LengthField::Number("count")),
        is_plain: true,
    },
    TaskQueue {
        class: "java/util/concurrent/LinkedBlockingQueue",
        length: Some(LengthField::Counter("count")),
        is_plain: true,
    },
    TaskQueue {
        class: "java/util/concurrent/PriorityBlockingQueue",
        length: Some(LengthField::Number("size")),
        is_plain: false,
    },
    TaskQueue {
        class: "java/util/concurrent/ScheduledThreadPoolExecutor$DelayedWorkQueue",
        length: Some(LengthField::Number("size")),
        is_plain: true,
    },
    TaskQueue { class: "java/util/TaskQueue", length: Some(LengthField::Number("size")), is_plain: false },
    TaskQueue { class: "java/util/concurrent/LinkedTransferQueue", length: None, is_plain: true },
    TaskQueue { class: "java/util/concurrent/SynchronousQueue", length: None, is_plain: true },
];

/// The classes of [`QUEUES`].
pub(crate) const QUEUES_NAMES: NameSet = NameSet {
    name: "queues of tasks",
    why: "A task that waits in one may be of a test that is over. The thread that waits at a plain one is at nobody's service.",
    cases: &["executor.md", "shared_pool.md", "threads.rs"],
    ..NameSet::EMPTY
};

/// The queue of this class, by its signature.
pub fn queue(signature: &str) -> Option<&'static TaskQueue> {
    let class = class_of(signature.as_bytes())?;
    QUEUES.iter().find(|queue| queue.class.as_bytes() == class)
}

/// The meaning of a method on a stack for its thread.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FrameRole {
    /// The loop of a thread pool's thread.
    Worker,
    /// The method in which such a thread waits.
    Wait,
    /// The loop of a fork-join pool's thread.
    ForkWorker,
    /// A task that such a thread runs.
    ForkTask,
    /// The loop of a `Timer`.
    Timer,
    /// The queue of a scheduled pool.
    DelayQueue,
    /// Waiting for as long as it takes, and not for a time.
    Untimed,
    /// Nothing.
    Other,
}

/// The meaning of a method for its thread; its class by signature.
pub fn frame(signature: &str, method: &str, descriptor: &str) -> FrameRole {
    let class = signature.strip_prefix('L').and_then(|class| class.strip_suffix(';')).unwrap_or_default();
    match (class, method) {
        ("java/util/concurrent/ThreadPoolExecutor", "runWorker") => FrameRole::Worker,
        ("java/util/concurrent/ThreadPoolExecutor", "getTask" | "processWorkerExit") => FrameRole::Wait,
        ("java/util/concurrent/ForkJoinPool", "runWorker") => FrameRole::ForkWorker,
        ("java/util/concurrent/ForkJoinTask", _) => FrameRole::ForkTask,
        (TIMER, "mainLoop") => FrameRole::Timer,
        ("java/util/concurrent/ScheduledThreadPoolExecutor$DelayedWorkQueue", _) => FrameRole::DelayQueue,
        ("java/util/concurrent/locks/AbstractQueuedSynchronizer$ConditionObject", "await")
        | ("java/lang/Object", "wait")
            if descriptor == "()V" =>
        {
            FrameRole::Untimed
        }
        _ => FrameRole::Other,
    }
}
