//! Turns the events of all frameworks into spans: one per test.
//!
//! Frameworks run inside each other (JUnit 4 inside the Platform's Vintage engine, JUnit 3 inside JUnit 4), report a test twice,
//! and run tests from within tests. An event starts a span only if it is not part of one that is open: an invocation is part of
//! its test method, and a test inside a test is part of the outer one.

use crate::recorder;
use crate::skip_switch;
use crate::sync::lock;
use crate::threads::test_threads;
use crate::vm::JniEnv;
use std::collections::HashSet;
use std::sync::{Mutex, MutexGuard};
use std::thread::{self, ThreadId};
use tamis_wire::{Outcome, SpanKind, TestFailure, TestId};

/// The framework of an event. JUnit 3 and 4 are one: each can run the other's tests, with the same names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum EventSource {
    Junit,
    Platform,
    Testng,
}

/// The start of a test, class or container.
#[derive(Clone, Debug)]
pub(crate) struct SpanStart {
    pub(crate) source: EventSource,
    /// The framework's name for it, with which its end is reported.
    pub(crate) key: String,
    /// The identity of the object that runs it, if its end is reported by that object.
    pub(crate) runner: Option<i32>,
    pub(crate) kind: SpanKind,
    pub(crate) test: TestId,
    /// Whether it is a test without others in it: tests that its thread starts are part of it.
    pub(crate) leaf: bool,
    /// Whether the framework has reported that it runs. If it never does, the outcome is unknown.
    pub(crate) certain: bool,
}

struct OpenBoundary {
    begun: SpanStart,
    thread: ThreadId,
    /// Its own span, or the one that it is part of.
    span: u32,
    /// Whether the span is its own.
    own: bool,
    outcome: Option<Outcome>,
}

/// [`crate::sync`] says which calls are forbidden while it is locked.
static BOUNDARIES: Mutex<BoundaryTracker> =
    Mutex::new(BoundaryTracker { open: Vec::new(), runs: Vec::new(), plan: None });

struct BoundaryTracker {
    /// In the order of their starts.
    open: Vec<OpenBoundary>,
    /// Calls of frameworks to run tests, in the order of their starts.
    runs: Vec<FrameworkRun>,
    plan: Option<SkipPlan>,
}

/// A call of a framework to run tests: by a build, a test, or the set-up of a class.
struct FrameworkRun {
    thread: ThreadId,
    /// Whether a test or class was open at its start.
    is_inner: bool,
    /// The span of the test or class that was open on this thread at its start.
    part_of: Option<u32>,
}

struct SkipPlan {
    skip: HashSet<TestId>,
    reported: HashSet<TestId>,
}

fn boundaries() -> MutexGuard<'static, BoundaryTracker> {
    lock(&BOUNDARIES)
}

/// Sets the tests to skip.
pub(crate) fn plan(skip: Vec<TestId>) {
    if !skip.is_empty() {
        boundaries().plan = Some(SkipPlan { skip: skip.into_iter().collect(), reported: HashSet::new() });
    }
}

/// Whether a test that is about to start may be skipped: there are tests to skip, and it is not part of another test.
pub(crate) fn may_skip(jni: JniEnv, source: EventSource) -> bool {
    let boundaries = boundaries();
    let thread = thread::current().id();
    // Set-up of a class may run a framework, on any thread. The Platform and TestNG plan all tests before the first.
    let is_nested = |open: &OpenBoundary| match source {
        EventSource::Junit => open.begun.source != source && open.begun.kind != SpanKind::Container,
        EventSource::Platform | EventSource::Testng => {
            open.begun.source == source || open.begun.kind != SpanKind::Container
        }
    };
    boundaries.plan.is_some()
        && !skip_switch::is_off()
        && !boundaries.is_foreign(source)
        && boundaries.leaf(thread).is_none()
        && !boundaries.runs.iter().any(|run| run.is_inner)
        && !boundaries.open.iter().any(is_nested)
        && !test_threads::is_this(jni)
}

/// Whether this thread runs a test.
pub(crate) fn is_in_test() -> bool {
    boundaries().leaf(thread::current().id()).is_some()
}

/// A framework without an event for the start of a run is called to run tests.
pub(crate) fn run_started() {
    let mut boundaries = boundaries();
    let thread = thread::current().id();
    // A JUnit run inside TestNG is in a suite, which is a container, and not part of a test.
    let holds = |open: &&OpenBoundary| open.begun.kind != SpanKind::Container;
    let part_of = boundaries.open.iter().filter(holds).rfind(|open| open.thread == thread);
    let run = FrameworkRun {
        thread,
        is_inner: boundaries.open.iter().any(|open| holds(&open)),
        part_of: part_of.map(|open| open.span),
    };
    boundaries.runs.push(run);
}

/// The framework has run them. If it throws instead, the run ends with the span that it is part of.
pub(crate) fn run_finished() {
    let mut boundaries = boundaries();
    let thread = thread::current().id();
    if let Some(at) = boundaries.runs.iter().rposition(|run| run.thread == thread) {
        boundaries.runs.remove(at);
    }
}

/// The entry of the plan that skips this test: the test itself or its class. Overloads share a name and are one test.
pub(crate) fn skipped_by(test: &TestId) -> Option<TestId> {
    let boundaries = boundaries();
    let skip = &boundaries.plan.as_ref()?.skip;
    let class = TestId { class: test.class.clone(), method: None };
    [class, test.clone()].into_iter().find(|id| skip.contains(id)).filter(|_| !skip_switch::is_off_for(test))
}

/// Reports entries of the plan that were skipped, once each.
pub(crate) fn report_skipped(tests: Vec<TestId>) {
    let mut boundaries = boundaries();
    let Some(plan) = boundaries.plan.as_mut() else { return };
    for test in tests {
        if plan.reported.insert(test.clone()) {
            recorder::with(|recorder| recorder.skipped(test));
        }
    }
}

/// Starts a span, unless an open one includes it.
pub(crate) fn begin(jni: JniEnv, begun: SpanStart) {
    if !is_part_of_another(jni) {
        boundaries().begin(jni, begun);
    }
}

/// Whether this thread runs tests for a test, or for the set-up of a class, that called a framework.
fn is_part_of_another(jni: JniEnv) -> bool {
    let thread = thread::current().id();
    test_threads::is_this(jni)
        || boundaries().runs.iter().any(|run| run.thread == thread && run.part_of.is_some())
}

/// The test or class of the nearest open node above a node of the Platform.
pub(crate) fn above(key: &str) -> TestId {
    let boundaries = boundaries();
    boundaries.parent(key).map(|open| open.begun.test.clone()).unwrap_or_default()
}

/// Sets the outcome of the boundary with this key, or else of the innermost one of this thread; false if there is neither.
pub(crate) fn will_end(jni: JniEnv, source: EventSource, key: &str, outcome: Outcome) -> bool {
    if is_part_of_another(jni) {
        return true;
    }
    let mut boundaries = boundaries();
    let thread = thread::current().id();
    if boundaries.is_foreign(source) || boundaries.is_inside_another(key, thread) {
        return true;
    }
    let at = boundaries.concerned(source, key, thread);
    at.map(|at| boundaries.set_outcome(at, outcome)).is_some()
}

/// Reports the error of the boundary for which [`will_end`] with the same key sets the outcome; without a key, of the innermost
/// one of this thread.
pub(crate) fn failed_with(jni: JniEnv, source: EventSource, key: Option<&str>, failure: TestFailure) {
    if is_part_of_another(jni) {
        return;
    }
    let boundaries = boundaries();
    let thread = thread::current().id();
    let other = |key| boundaries.is_foreign(source) || boundaries.is_inside_another(key, thread);
    let at = match key {
        Some(key) if other(key) => return,
        Some(key) => boundaries.concerned(source, key, thread),
        None => boundaries.innermost(source, thread),
    };
    if let Some(open) = at.and_then(|at| boundaries.open.get(at)) {
        recorder::with(|recorder| recorder.failed(TestFailure { number: open.span, ..failure }));
    }
}

/// Sets the outcome of the innermost boundary of this thread.
pub(crate) fn innermost_will_end(jni: JniEnv, source: EventSource, outcome: Outcome) {
    if is_part_of_another(jni) {
        return;
    }
    let mut boundaries = boundaries();
    let thread = thread::current().id();
    if let Some(at) = boundaries.innermost(source, thread) {
        boundaries.set_outcome(at, outcome);
    }
}

/// Ends the boundary with this key, and those that are open inside it.
pub(crate) fn end(jni: JniEnv, source: EventSource, key: &str, outcome: Option<Outcome>) {
    if is_part_of_another(jni) {
        return;
    }
    let mut boundaries = boundaries();
    let thread = thread::current().id();
    if boundaries.is_inside_another(key, thread) {
        return;
    }
    let Some(at) = boundaries.find(source, key, thread) else { return };
    boundaries.end(jni, at, outcome);
}

/// Ends the last boundary of this kind that this object began on this thread, and those that are open inside it.
pub(crate) fn end_by(jni: JniEnv, source: EventSource, runner: i32, kind: SpanKind) {
    let mut boundaries = boundaries();
    let thread = thread::current().id();
    let is_it = |open: &OpenBoundary| {
        open.thread == thread
            && open.begun.source == source
            && open.begun.runner == Some(runner)
            && open.begun.kind == kind
    };
    let Some(at) = boundaries.open.iter().rposition(is_it) else { return };
    boundaries.end(jni, at, None);
}

impl BoundaryTracker {
    /// Whether the Platform runs this framework's tests and reports them itself.
    fn is_foreign(&self, source: EventSource) -> bool {
        source != EventSource::Platform
            && self.open.iter().any(|open| open.begun.source == EventSource::Platform)
    }

    /// The test that this thread runs.
    fn leaf(&self, thread: ThreadId) -> Option<&OpenBoundary> {
        self.open.iter().rev().find(|open| open.thread == thread && open.begun.leaf)
    }

    /// Whether this thread runs a test to which this key does not belong by name: then it is part of the test by its position.
    fn is_inside_another(&self, key: &str, thread: ThreadId) -> bool {
        self.leaf(thread).is_some_and(|leaf| leaf.begun.key != key && !is_below(key, &leaf.begun.key))
    }

    fn begin(&mut self, jni: JniEnv, begun: SpanStart) {
        let thread = thread::current().id();
        if begun.source == EventSource::Platform {
            if self
                .open
                .iter()
                .any(|open| open.begun.source == EventSource::Platform && open.begun.key == begun.key)
            {
                return;
            }
            // An engine started by a test is part of the test. An invocation of a test has a key below it.
            if self.is_inside_another(&begun.key, thread) {
                return;
            }
        } else if self.is_foreign(begun.source) {
            return;
        } else if let Some(leaf) =
            self.open.iter_mut().rev().find(|open| open.thread == thread && open.begun.leaf)
        {
            leaf.begun.certain |= begun.certain && leaf.begun.key == begun.key;
            return;
        }
        let parent = match begun.source {
            EventSource::Platform => self.parent(&begun.key),
            EventSource::Junit | EventSource::Testng => {
                self.open.iter().rev().find(|open| open.thread == thread && open.begun.source == begun.source)
            }
        };
        let part_of = parent.filter(|parent| {
            let parent = &parent.begun;
            parent.kind == SpanKind::Test || (parent.kind, &parent.test) == (begun.kind, &begun.test)
        });
        let above = parent.map(|parent| parent.span);
        let (span, own, kind) = match part_of {
            Some(parent) => (Some(parent.span), false, parent.begun.kind),
            None => {
                let number = recorder::with(|recorder| {
                    recorder.start(jni, begun.key.clone(), begun.kind, begun.test.clone(), above)
                });
                (number, true, begun.kind)
            }
        };
        if let Some(span) = span {
            self.open.push(OpenBoundary {
                begun: SpanStart { kind, ..begun },
                thread,
                span,
                own,
                outcome: None,
            });
        }
    }

    /// The nearest open node above a node of the Platform: the one with the longest key.
    fn parent(&self, key: &str) -> Option<&OpenBoundary> {
        let above = |open: &&OpenBoundary| {
            open.begun.source == EventSource::Platform && is_below(key, &open.begun.key)
        };
        self.open.iter().filter(above).max_by_key(|open| open.begun.key.len())
    }

    /// The boundary with this key, on this thread if possible: two threads may run tests with the same name. TestNG ends each
    /// boundary on the thread where it began.
    fn find(&self, source: EventSource, key: &str, thread: ThreadId) -> Option<usize> {
        let has_key = |open: &OpenBoundary| open.begun.source == source && open.begun.key == key;
        self.open
            .iter()
            .rposition(|open| open.thread == thread && has_key(open))
            .or_else(|| self.open.iter().rposition(|open| source != EventSource::Testng && has_key(open)))
    }

    /// The innermost boundary of this thread.
    fn innermost(&self, source: EventSource, thread: ThreadId) -> Option<usize> {
        self.open.iter().rposition(|open| open.thread == thread && open.begun.source == source)
    }

    /// The boundary with this key, or else the innermost one of this thread.
    fn concerned(&self, source: EventSource, key: &str, thread: ThreadId) -> Option<usize> {
        self.find(source, key, thread).or_else(|| self.innermost(source, thread))
    }

    fn set_outcome(&mut self, at: usize, outcome: Outcome) {
        let span = self.open.get(at).map(|open| open.span);
        if let Some(owner) = self.open.iter_mut().find(|open| open.own && Some(open.span) == span) {
            owner.outcome = Some(owner.outcome.map_or(outcome, |before| before.worse(outcome)));
        }
    }

    fn end(&mut self, jni: JniEnv, at: usize, outcome: Option<Outcome>) {
        let Some(outer) = self.open.get(at) else { return };
        let (source, key, thread) = (outer.begun.source, outer.begun.key.clone(), outer.thread);
        let is_inside = |inner: &OpenBoundary| match source {
            EventSource::Platform => is_below(&inner.begun.key, &key),
            EventSource::Junit | EventSource::Testng => inner.thread == thread,
        };
        // A boundary without an end event ends with the one that it is in, the innermost first.
        for inner in (at + 1..self.open.len()).rev() {
            let inside =
                self.open.get(inner).is_some_and(|open| open.begun.source == source && is_inside(open));
            if inside {
                self.end_one(jni, inner, Some(Outcome::Unknown));
            }
        }
        self.end_one(jni, at, outcome);
    }

    fn end_one(&mut self, jni: JniEnv, at: usize, outcome: Option<Outcome>) {
        let certain = self.open.get(at).is_some_and(|open| open.begun.certain);
        let outcome = outcome.or((!certain).then_some(Outcome::Unknown));
        if let Some(outcome) = outcome {
            self.set_outcome(at, outcome);
        }
        if at >= self.open.len() {
            return;
        }
        let open = self.open.remove(at);
        self.runs.retain(|run| run.part_of != Some(open.span) || !open.own);
        if open.own {
            let outcome = open.outcome.unwrap_or(Outcome::Passed);
            recorder::with(|recorder| recorder.finish(jni, open.span, outcome));
        }
    }
}

/// Whether a unique id of the Platform is below another. Its segments are `[type:value]`, separated by slashes; types and values
/// contain neither brackets nor slashes.
fn is_below(key: &str, ancestor: &str) -> bool {
    key.strip_prefix(ancestor).is_some_and(|rest| rest.starts_with('/'))
}

#[cfg(test)]
mod tests {
    use super::is_below;
    use tamis_wire::Outcome;

    #[test]
    fn a_node_is_below_its_ancestors_and_nothing_else() {
        assert!(is_below("[engine:e]/[class:a]/[method:m()]", "[engine:e]/[class:a]"));
        assert!(is_below("[engine:e]/[class:a]", "[engine:e]"));
        assert!(!is_below("[engine:e]", "[engine:e]"));
        assert!(!is_below("[engine:e]/[class:ab]", "[engine:e]/[class:a"));
    }

    #[test]
    fn a_test_fails_if_one_of_its_invocations_fails() {
        assert_eq!(Outcome::Passed.worse(Outcome::Failed), Outcome::Failed);
        assert_eq!(Outcome::Aborted.worse(Outcome::Passed), Outcome::Aborted);
        assert_eq!(Outcome::Ignored.worse(Outcome::Passed), Outcome::Passed);
    }
}
