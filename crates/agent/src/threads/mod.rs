//! Threads that live longer than the test that started them.
//!
//! Probes belong to the JVM, not to a thread. So hits are also charged to ended tests that still have a thread at work. All
//! threads are read at each boundary: the JVM lists a thread before `Thread.start` returns, so that none is missed, and a thread
//! costs nothing between boundaries.

pub(crate) mod ids;
pub(crate) mod pools;
pub(crate) mod stacks;
pub(crate) mod test_threads;

use crate::probes::map::KnownClasses;
use crate::probes::recent::{ProbeSet, RecentHits};
use crate::vm::{JavaObject, JniEnv, JvmMethod, JvmtiEnv};
use ids::LiveThreads;
use pools::{PoolTable, PoolWorker};
use stacks::{StackPosition, ThreadWork};
use std::collections::HashMap;
use std::ptr;
use std::sync::atomic::{AtomicU64, Ordering};
use tamis_catalog::jdk::threads::{self as jdk, FrameRole};

/// The number of threads that work for no span.
const NOBODY: usize = 1;

/// A thread that waits for work has fewer frames on its stack.
const SHALLOW: usize = 32;

static VIRTUAL_STARTED: AtomicU64 = AtomicU64::new(0);
static VIRTUAL_ENDED: AtomicU64 = AtomicU64::new(0);

/// A virtual thread begins to run.
pub(crate) fn virtual_started() {
    VIRTUAL_STARTED.fetch_add(1, Ordering::Relaxed);
}

/// A virtual thread has ended.
pub(crate) fn virtual_ended() {
    VIRTUAL_ENDED.fetch_add(1, Ordering::Relaxed);
}

/// Whether any virtual thread has begun and not ended.
fn is_any_virtual() -> bool {
    VIRTUAL_STARTED.load(Ordering::Relaxed) != VIRTUAL_ENDED.load(Ordering::Relaxed)
}

/// The threads of this JVM that may work for a test.
///
/// | thread | works for |
/// |---|---|
/// | started while spans were open | these spans |
/// | runs tests; belongs to the JDK or to the build's runner | no span |
/// | of a pool, waits for work | no span, then the spans that are open when it works again |
pub(crate) struct ThreadTable {
    jvmti: JvmtiEnv,
    met: LiveThreads,
    tracked: Vec<TrackedThread>,
    next: usize,
    roles: HashMap<usize, FrameRole>,
    pools: PoolTable,
    /// The span that ended at the last boundary. A thread of a pool that had not begun its task then works for it.
    just_ended: Option<u32>,
    /// Weak references to threads that were started for contexts, until they are met.
    of_contexts: Vec<usize>,
    /// The spans that may have virtual threads.
    virtual_owners: Vec<u32>,
    virtual_started: u64,
    /// Probes that virtual threads may run without a hit: all that were hit while any such thread lived.
    virtual_hit: ProbeSet,
}

struct TrackedThread {
    number: usize,
    /// The spans it works for; none while it waits for work.
    owners: Vec<u32>,
    /// At the last look.
    work: ThreadWork,
    kind: ThreadKind,
    pool: Option<usize>,
    worker: Option<PoolWorker>,
    place: StackPosition,
    /// A local reference, null unless the current look has found it.
    handle: JavaObject,
    state: ThreadState,
}

// SAFETY: the handle is used only during the boundary that found it, on the thread of that boundary.
unsafe impl Send for TrackedThread {}

impl TrackedThread {
    /// The work it has done. For an executor's thread that waits for work, this needs no system call.
    fn look(&self, jvmti: JvmtiEnv, jni: JniEnv) -> ThreadWork {
        let tasks = self.worker.as_ref().and_then(|worker| worker.tasks(jni));
        let ran = || jvmti.cpu_time(self.handle).ok().filter(|ran| *ran > 0);
        tasks.map(ThreadWork::Did).or_else(|| ran().map(ThreadWork::Ran)).unwrap_or_default()
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum ThreadKind {
    /// Works for spans.
    Works,
    /// Runs virtual threads.
    Carrier,
    /// Started by no test: it works for no span, but a test may rely on its work.
    Outside,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum ThreadState {
    /// At work, or blocked in a task.
    Busy,
    /// Waits for work.
    Idle,
    /// Waits for work while another thread of its pool may wait until a task is due.
    IdleUnlessDelayed,
}

/// The result of a look at all threads.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct ThreadLook {
    /// Ended spans that had a thread at work since the last look.
    pub(crate) working: Vec<u32>,
    /// The names of threads at work that belong to the span that ends.
    pub(crate) outliving: Vec<String>,
    /// The probes that threads may have been running without a hit since the last look.
    pub(crate) ran: Vec<u32>,
}

impl ThreadTable {
    pub(crate) fn new(jvmti: JvmtiEnv) -> ThreadTable {
        ThreadTable {
            jvmti,
            met: LiveThreads::default(),
            tracked: Vec::new(),
            next: NOBODY + 1,
            roles: HashMap::new(),
            pools: PoolTable::default(),
            just_ended: None,
            of_contexts: Vec::new(),
            virtual_owners: Vec::new(),
            virtual_started: 0,
            virtual_hit: ProbeSet::default(),
        }
    }

    /// The ended spans that may have a thread at work.
    pub(crate) fn lingering(&self, open: &[u32]) -> Vec<u32> {
        let mut spans = self.virtual_owners.clone();
        for thread in &self.tracked {
            spans.extend(&thread.owners);
        }
        spans.retain(|span| !open.contains(span));
        spans.sort_unstable();
        spans.dedup();
        spans
    }

    /// Looks at all threads at a boundary. `open` are the open spans, `ending` is the one of them that ends. Needs room for
    /// local references.
    pub(crate) fn look(&mut self, jni: JniEnv, open: &[u32], ending: Option<u32>) -> ThreadLook {
        let mut looked = ThreadLook::default();
        for thread in &mut self.tracked {
            thread.handle = ptr::null_mut();
        }
        self.met.begin();
        // The thread of a boundary runs tests.
        if let Some(current) = self.jvmti.current_thread() {
            self.met.put(self.jvmti, jni, current, NOBODY);
        }
        let Ok(threads) = self.jvmti.all_threads() else { return looked };
        let mut starters = self.lingering(open);
        starters.extend(open);
        for thread in threads {
            match self.met.number(self.jvmti, jni, thread) {
                None => self.meet(jni, thread, &starters),
                Some(NOBODY) => {}
                Some(number) => {
                    if let Some(tracked) = self.tracked.iter_mut().find(|tracked| tracked.number == number) {
                        tracked.handle = thread;
                    }
                }
            }
        }
        self.met.end(jni);
        let tracked = &self.tracked;
        self.pools.look(jni, |pool| tracked.iter().any(|thread| thread.pool == Some(pool)));
        self.weigh(jni, open, ending, &mut looked);
        self.weigh_virtual(jni, open, ending, &mut looked);
        self.just_ended = ending;
        looked.working.retain(|span| !open.contains(span));
        looked.working.sort_unstable();
        looked.working.dedup();
        looked.ran.sort_unstable();
        looked.ran.dedup();
        looked
    }

    /// A thread is about to be started for a context, which tests share.
    pub(crate) fn add_of_context(&mut self, jni: JniEnv, thread: JavaObject) {
        self.of_contexts.extend(jni.weak(thread).map(|weak| weak as usize));
    }

    /// Whether a thread that is met was started for a context.
    fn is_of_context(&mut self, jni: JniEnv, thread: JavaObject) -> bool {
        let is_it = |weak: &usize| jni.is_same(*weak as JavaObject, thread);
        let Some(at) = self.of_contexts.iter().position(is_it) else { return false };
        jni.forget_weak(self.of_contexts.swap_remove(at) as JavaObject);
        true
    }

    /// Adds a thread that was not found before.
    fn meet(&mut self, jni: JniEnv, thread: JavaObject, starters: &[u32]) {
        let starters = if self.is_of_context(jni, thread) { &[] } else { starters };
        let (name, group) = self.jvmti.thread_names(thread).unwrap_or_default();
        // From JDK 25 on the carriers' pool has a thread that wakes sleepers; those are counted as virtual threads.
        let is_carrier = group == jdk::CARRIERS && !name.ends_with(jdk::DELAYER);
        let is_service = !is_carrier && (group == jdk::CARRIERS || jdk::SERVICE_GROUPS.has(&group));
        if is_service || pools::is_runners(self.jvmti, jni, thread) {
            self.met.put(self.jvmti, jni, thread, NOBODY);
            return;
        }
        // A thread that no test started works for no span; one of a pool may do so later.
        let kind = if is_carrier {
            ThreadKind::Carrier
        } else if !starters.is_empty() || self.state(thread) == ThreadState::Idle {
            ThreadKind::Works
        } else {
            ThreadKind::Outside
        };
        let number = self.next;
        let pool = if kind == ThreadKind::Works { self.pools.meet(self.jvmti, jni, thread) } else { None };
        if self.met.put(self.jvmti, jni, thread, number) {
            self.next += 1;
            self.tracked.push(TrackedThread {
                number,
                owners: if kind == ThreadKind::Works { starters.to_vec() } else { Vec::new() },
                work: ThreadWork::Unknown,
                kind,
                pool,
                worker: if kind == ThreadKind::Works {
                    PoolWorker::of(self.jvmti, jni, thread)
                } else {
                    None
                },
                place: StackPosition::default(),
                handle: thread,
                state: ThreadState::Busy,
            });
        }
    }

    /// Finds out which threads worked since the last boundary, for which spans, and which of them wait for work.
    fn weigh(&mut self, jni: JniEnv, open: &[u32], ending: Option<u32>, looked: &mut ThreadLook) {
        let mut all = std::mem::take(&mut self.tracked);
        all.retain_mut(|thread| {
            if thread.handle.is_null() {
                // It has ended, or runs tests now. Its work before that is unknown.
                looked.working.extend(&thread.owners);
                thread.place.end(&mut looked.ran);
                thread.worker.take().into_iter().for_each(|worker| worker.forget(jni));
            }
            !thread.handle.is_null()
        });
        for thread in all.iter_mut().filter(|thread| thread.kind != ThreadKind::Carrier) {
            let work = thread.look(self.jvmti, jni);
            thread.place.weigh(work, &mut looked.ran);
        }
        for thread in all.iter_mut().filter(|thread| thread.kind == ThreadKind::Works) {
            // A task that waits may have been submitted by the span that ends.
            if let Some(ending) = ending
                && self.pools.is_waiting(thread.pool)
                && !thread.owners.contains(&ending)
            {
                thread.owners.push(ending);
            }
            let waits = thread.owners.is_empty();
            let ends = |owners: &[u32]| ending.is_some_and(|ending| owners.contains(&ending));
            if !waits && !ends(&thread.owners) && thread.owners.iter().all(|owner| open.contains(owner)) {
                continue;
            }
            let now = thread.look(self.jvmti, jni);
            let worked = thread.work.goes_on(now);
            if worked && waits {
                thread.owners = open.iter().copied().chain(self.just_ended).collect();
            }
            if worked {
                looked.working.extend(&thread.owners);
            }
            // A thread that waited until a task was due, or was about to wait, may be idle without having done a task.
            let may_be_idle = thread.state == ThreadState::Busy && matches!(now, ThreadWork::Did(_));
            if worked || may_be_idle || ends(&thread.owners) {
                thread.state = self.state(thread.handle);
            }
        }
        for thread in all.iter_mut().filter(|thread| self.pools.is_waiting(thread.pool)) {
            thread.state = ThreadState::Busy;
        }
        let at_work: Vec<u32> = all
            .iter()
            .filter(|thread| thread.state == ThreadState::Busy)
            .flat_map(|thread| thread.owners.iter().copied())
            .filter(|owner| !open.contains(owner) || Some(*owner) == ending)
            .collect();
        for thread in all.iter_mut().filter(|thread| thread.kind == ThreadKind::Works) {
            let idle = match thread.state {
                ThreadState::Busy => false,
                ThreadState::Idle => true,
                ThreadState::IdleUnlessDelayed => !thread.owners.iter().any(|owner| at_work.contains(owner)),
            };
            if idle {
                thread.owners.clear();
            } else if thread.state == ThreadState::Busy
                && ending.is_some_and(|ending| thread.owners.contains(&ending))
            {
                looked.outliving.push(self.jvmti.thread_names(thread.handle).unwrap_or_default().0);
            }
            if thread.state == ThreadState::Busy && thread.owners.is_empty() {
                // Woken without a task: it is read again when it has worked.
                thread.state = ThreadState::Idle;
            }
        }
        self.tracked = all;
    }

    /// The JVM does not list virtual threads. Those that began and did not end are counted; those that have not begun keep
    /// their carrier threads busy.
    fn weigh_virtual(&mut self, jni: JniEnv, open: &[u32], ending: Option<u32>, looked: &mut ThreadLook) {
        let started = VIRTUAL_STARTED.load(Ordering::Relaxed);
        let mut carried = false;
        let mut busy = false;
        let mut carriers: Vec<(usize, JavaObject)> = Vec::new();
        for (at, thread) in self.tracked.iter_mut().enumerate() {
            if thread.kind == ThreadKind::Carrier {
                let now = thread.look(self.jvmti, jni);
                carried |= thread.work.goes_on(now);
                carriers.push((at, thread.handle));
            }
        }
        if std::mem::replace(&mut self.virtual_started, started) != started || carried {
            self.virtual_owners.extend(open);
            self.virtual_owners.sort_unstable();
            self.virtual_owners.dedup();
        }
        if !self.virtual_owners.is_empty() {
            if carried {
                looked.working.extend(&self.virtual_owners);
            }
            busy = is_any_virtual()
                || carriers.iter().any(|(_, carrier)| self.state(*carrier) == ThreadState::Busy);
        }
        if !busy {
            self.virtual_owners.clear();
        } else if ending.is_some_and(|ending| self.virtual_owners.contains(&ending)) {
            looked.outliving.push("a virtual thread".to_owned());
        }
    }

    /// Reads the stacks of the threads that [`Self::look`] has found to have run, after the probes were cleared.
    pub(crate) fn read_stacks(&mut self, classes: &mut KnownClasses, recent: &RecentHits) {
        for thread in self.tracked.iter_mut().filter(|thread| !thread.handle.is_null()) {
            thread.place.look(self.jvmti, thread.handle, classes, recent);
        }
        if is_any_virtual() {
            recent.fill(&mut self.virtual_hit);
        } else {
            self.virtual_hit.clear();
        }
    }

    /// Appends the probes that virtual threads may be running.
    pub(crate) fn running_virtual(&self, running: &mut Vec<u32>) {
        self.virtual_hit.list(running);
    }

    fn state(&mut self, thread: JavaObject) -> ThreadState {
        let Ok(frames) = self.jvmti.stack_of(thread, SHALLOW) else { return ThreadState::Busy };
        if frames.len() >= SHALLOW {
            return ThreadState::Busy;
        }
        let roles: Vec<FrameRole> = frames.into_iter().map(|frame| self.role(frame)).collect();
        state_of(&roles)
    }

    fn role(&mut self, method: JvmMethod) -> FrameRole {
        let jvmti = self.jvmti;
        *self.roles.entry(method as usize).or_insert_with(|| {
            let class = jvmti.declaring_class(method).ok().and_then(|class| jvmti.class_signature(class));
            match (class, jvmti.method_name(method)) {
                (Some(class), Ok((name, descriptor))) => jdk::frame(&class, &name, &descriptor),
                _ => FrameRole::Other,
            }
        })
    }
}

/// The state of a thread with this stack, newest method first.
fn state_of(newest_first: &[FrameRole]) -> ThreadState {
    let is = |role: FrameRole| newest_first.contains(&role);
    let after = |loop_of: FrameRole| {
        let at = newest_first.iter().rposition(|role| *role == loop_of)?;
        at.checked_sub(1).and_then(|newer| newest_first.get(newer)).copied()
    };
    if is(FrameRole::Worker) {
        match after(FrameRole::Worker) {
            Some(FrameRole::Wait) if !is(FrameRole::DelayQueue) => ThreadState::Idle,
            Some(FrameRole::Wait) if is(FrameRole::Untimed) => ThreadState::IdleUnlessDelayed,
            _ => ThreadState::Busy,
        }
    } else if (is(FrameRole::ForkWorker) && !is(FrameRole::ForkTask))
        || (is(FrameRole::Timer) && after(FrameRole::Timer) == Some(FrameRole::Untimed))
    {
        ThreadState::Idle
    } else {
        ThreadState::Busy
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_thread_of_a_pool_is_idle_only_while_it_waits_for_work() {
        use FrameRole::*;
        let cases: [(&[FrameRole], ThreadState); 10] = [
            (&[Other, Other, Wait, Worker, Other], ThreadState::Idle),
            (&[Other, Worker, Other], ThreadState::Busy),
            (&[Wait, Worker, Other, Worker, Other], ThreadState::Busy),
            (&[Other, Untimed, DelayQueue, Wait, Worker], ThreadState::IdleUnlessDelayed),
            (&[Other, Other, DelayQueue, Wait, Worker], ThreadState::Busy),
            (&[Other, Other, ForkWorker, Other], ThreadState::Idle),
            (&[Other, ForkTask, Other, ForkWorker, Other], ThreadState::Busy),
            (&[Other, Untimed, Timer, Other], ThreadState::Idle),
            (&[Other, Timer, Other], ThreadState::Busy),
            (&[Other, Untimed, Other], ThreadState::Busy),
        ];
        for (stack, expected) in cases {
            assert_eq!(state_of(stack), expected, "{stack:?}");
        }
    }
}
