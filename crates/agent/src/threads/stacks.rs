//! Methods that threads are in when a span begins.
//!
//! Such a method was entered before and does not hit its probe again, which was cleared. So the stacks of threads that do not run
//! tests are read then. At the next boundary, the program's methods on them are charged to the spans that are open, if the thread
//! has run in between: a server that waits for a request takes part in no test.
//!
//! The compiler moves a probe out of a loop without calls, so that a method inlined there does not hit its probe again either. A
//! thread whose top frame is not a native method may be in such a loop; it is charged with all hits since it was last found in a
//! native method. A thread that has not run since the last look is still where it was.

use crate::probes::map::{FrameOrigin, KnownClasses};
use crate::probes::recent::{ProbeSet, RecentHits};
use crate::vm::{FrameInfo, JavaObject, JvmtiEnv};
use std::ptr;

/// Most stacks have no more frames than this; longer ones are read again.
const FRAMES: usize = 128;
const ALL_FRAMES: usize = 1 << 16;

/// The position of a thread at the last look.
#[derive(Default)]
pub(crate) struct StackPosition {
    work: ThreadWork,
    /// The probes of the methods on its stack.
    stack: Vec<u32>,
    /// Probes that it may run without a hit.
    hit: ProbeSet,
    /// Whether it has run since.
    has_run: bool,
}

/// The work that a thread had done at a look.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum ThreadWork {
    #[default]
    Unknown,
    /// Its processor time, in nanoseconds.
    Ran(i64),
    /// The number of its tasks; it waits for the next one.
    Did(u64),
}

impl ThreadWork {
    /// Updates the work; whether the thread has run in between.
    pub(crate) fn goes_on(&mut self, now: ThreadWork) -> bool {
        let before = std::mem::replace(self, now);
        now == ThreadWork::Unknown || before != now
    }
}

impl StackPosition {
    /// Notes the work that the thread has done by now. If it has run, appends the probes that it may have been running.
    pub(crate) fn weigh(&mut self, work: ThreadWork, ran: &mut Vec<u32>) {
        if self.work.goes_on(work) {
            self.end(ran);
            self.has_run = true;
        }
    }

    /// The thread has ended, or runs tests now: it may have run. Appends the probes that it may have been running.
    pub(crate) fn end(&self, ran: &mut Vec<u32>) {
        ran.extend(&self.stack);
        self.hit.list(ran);
    }

    /// Reads the position of a thread that has run. If it runs after its work was read, it is read again at the next look.
    pub(crate) fn look(
        &mut self,
        jvmti: JvmtiEnv,
        thread: JavaObject,
        classes: &mut KnownClasses,
        recent: &RecentHits,
    ) {
        if !std::mem::take(&mut self.has_run) {
            return;
        }
        self.stack.clear();
        let in_code = stack(jvmti, thread, classes, &mut self.stack);
        if in_code && !self.stack.is_empty() {
            recent.fill(&mut self.hit);
        } else {
            self.hit.clear();
        }
    }
}

/// Appends the probes of methods on this thread's stack that a framework called, such as the project's own runners. Methods
/// that called the framework belong to the program that starts tests, and to no test.
pub(crate) fn runner(jvmti: JvmtiEnv, classes: &mut KnownClasses, probes: &mut Vec<u32>) {
    let frames = frames(jvmti, ptr::null_mut());
    let mut called = 0;
    for frame in &frames {
        let method = classes.on_stack(jvmti, frame.method);
        probes.extend(&method.probes);
        // The first method with probes is the one with the hook.
        if method.is_framework || (called == 0 && !method.probes.is_empty()) {
            called = probes.len();
        }
    }
    probes.truncate(called);
}

/// Whether this thread is in a method.
pub(crate) fn is_in(jvmti: JvmtiEnv, class: &str, method: &str) -> bool {
    frames(jvmti, ptr::null_mut()).iter().any(|frame| {
        let is_named = jvmti.method_name(frame.method).is_ok_and(|(name, _)| name == method);
        let of = || jvmti.class_signature(jvmti.declaring_class(frame.method).ok()?);
        is_named && of().is_some_and(|signature| tamis_catalog::is_signature_of(class, &signature))
    })
}

/// Appends the probes of the methods on this thread's stack. Returns the program if any of them is its own, else the origin of
/// the innermost method that is not the JDK's.
pub(crate) fn here(jvmti: JvmtiEnv, classes: &mut KnownClasses, probes: &mut Vec<u32>) -> FrameOrigin {
    let mut origin = FrameOrigin::Jdk;
    for frame in frames(jvmti, ptr::null_mut()) {
        let method = classes.on_stack(jvmti, frame.method);
        probes.extend(&method.probes);
        if method.origin == FrameOrigin::Program || origin == FrameOrigin::Jdk {
            origin = method.origin;
        }
    }
    probes.sort_unstable();
    probes.dedup();
    // A thread in code of the JDK alone may work for the program.
    if origin == FrameOrigin::Jdk { FrameOrigin::Program } else { origin }
}

/// Appends the probes of the program's methods on a thread's stack; whether the top frame is not a native method.
fn stack(jvmti: JvmtiEnv, thread: JavaObject, classes: &mut KnownClasses, probes: &mut Vec<u32>) -> bool {
    let frames = frames(jvmti, thread);
    for frame in &frames {
        let method = classes.on_stack(jvmti, frame.method);
        if method.origin == FrameOrigin::Program {
            probes.extend(&method.probes);
        }
    }
    probes.sort_unstable();
    probes.dedup();
    frames.first().is_some_and(|top| !top.is_native())
}

fn frames(jvmti: JvmtiEnv, thread: JavaObject) -> Vec<FrameInfo> {
    let frames = jvmti.frames_of(thread, FRAMES).unwrap_or_default();
    if frames.len() < FRAMES { frames } else { jvmti.frames_of(thread, ALL_FRAMES).unwrap_or(frames) }
}
