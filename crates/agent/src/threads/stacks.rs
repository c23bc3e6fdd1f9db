//! What threads are inside of when a span begins.
//!
//! A method that was entered before is not entered again: its probe was cleared, and it runs on. So the stacks of all
//! threads but those that run tests are read after the probes were cleared, and what is on them is charged to the new span.
//!
//! The compiler moves a probe out of a loop that calls nothing, so that a method inlined there is not seen again either. A
//! thread that is found in code, and not in a native method, may be in such a loop; it is charged with all that was hit
//! since it was last found elsewhere. A thread that has not run since it was looked at is where it was.

use crate::probes::map::KnownClasses;
use crate::probes::recent::{ProbeSet, RecentHits};
use crate::vm::{FrameInfo, JavaObject, JvmtiEnv};
use std::ptr;

/// Most stacks have no more frames; the others are read again.
const FRAMES: usize = 128;
const ALL_FRAMES: usize = 1 << 16;

/// Where a thread was when it was last looked at.
#[derive(Default)]
pub(crate) struct StackPosition {
    work: ThreadWork,
    /// The probes of the methods on its stack.
    stack: Vec<u32>,
    /// What it may run without being seen.
    hit: ProbeSet,
}

/// How much a thread had done when it was looked at.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum ThreadWork {
    #[default]
    Unknown,
    /// So long it had run, in nanoseconds.
    Ran(i64),
    /// It waited for the next task after so many.
    Did(u64),
}

impl ThreadWork {
    /// Notes what it is now; whether it has run in between.
    pub(crate) fn goes_on(&mut self, now: ThreadWork) -> bool {
        let before = std::mem::replace(self, now);
        now == ThreadWork::Unknown || before != now
    }
}

impl StackPosition {
    /// Looks where a thread is; appends what it may be running.
    pub(crate) fn look(
        &mut self,
        jvmti: JvmtiEnv,
        thread: JavaObject,
        // Found before the stack: a thread that runs on meanwhile is looked at again.
        work: ThreadWork,
        classes: &mut KnownClasses,
        recent: &RecentHits,
        running: &mut Vec<u32>,
    ) {
        if self.work.goes_on(work) {
            self.stack.clear();
            let in_code = stack(jvmti, thread, classes, &mut self.stack);
            if in_code && !self.stack.is_empty() {
                recent.fill(&mut self.hit);
            } else {
                self.hit.clear();
            }
        }
        running.extend(&self.stack);
        self.hit.list(running);
    }
}

/// Appends the probes of what this thread is inside of: runners and what else a framework calls to run a test. What called
/// the framework is a program that starts tests, and no part of them.
pub(crate) fn runner(jvmti: JvmtiEnv, classes: &mut KnownClasses, probes: &mut Vec<u32>) {
    let frames = frames(jvmti, ptr::null_mut());
    let mut called = 0;
    for frame in &frames {
        let method = classes.on_stack(jvmti, frame.method);
        probes.extend(&method.probes);
        // The first with probes is the one that tells us.
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
        is_named && of().as_deref() == Some(class)
    })
}

/// Appends the probes of the methods on this thread's stack.
pub(crate) fn here(jvmti: JvmtiEnv, classes: &mut KnownClasses, probes: &mut Vec<u32>) {
    stack(jvmti, ptr::null_mut(), classes, probes);
}

/// Appends the probes of the methods on a thread's stack; whether it runs code, which is not native.
fn stack(jvmti: JvmtiEnv, thread: JavaObject, classes: &mut KnownClasses, probes: &mut Vec<u32>) -> bool {
    let frames = frames(jvmti, thread);
    for frame in &frames {
        probes.extend(&classes.on_stack(jvmti, frame.method).probes);
    }
    probes.sort_unstable();
    probes.dedup();
    frames.first().is_some_and(|top| !top.is_native())
}

fn frames(jvmti: JvmtiEnv, thread: JavaObject) -> Vec<FrameInfo> {
    let frames = jvmti.frames_of(thread, FRAMES).unwrap_or_default();
    if frames.len() < FRAMES { frames } else { jvmti.frames_of(thread, ALL_FRAMES).unwrap_or(frames) }
}
