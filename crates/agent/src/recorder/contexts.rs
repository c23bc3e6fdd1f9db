//! Contexts of Spring's test framework, which are loaded for one test and given to others.
//!
//! The work of loading one is reported once, as a work of its own, and is not charged to the test that came first. Every test
//! that is given the context uses it by its number.

use super::Recorder;
use super::initialisers::{OpenInit, SharedWork};
use crate::vm::{JavaObject, JniEnv};
use std::thread::ThreadId;
use tamis_wire::{AgentMessage, ContextWork, Input};

/// The contexts of this JVM.
#[derive(Default)]
pub(super) struct ContextTable {
    /// Weak references to contexts, with their numbers.
    known: Vec<(usize, u32)>,
    next: u32,
}

impl ContextTable {
    /// The number of a context; a new one if it is not known.
    fn number(&mut self, jni: JniEnv, context: JavaObject) -> u32 {
        let known = self.known.iter().find(|(known, _)| jni.is_same(*known as JavaObject, context));
        if let Some((_, number)) = known {
            return *number;
        }
        let number = self.new_number();
        self.known.extend(jni.weak(context).map(|weak| (weak as usize, number)));
        number
    }

    fn new_number(&mut self) -> u32 {
        self.next += 1;
        self.next
    }
}

impl Recorder {
    /// A test asks for a context: from here to the answer, everything is work on that context.
    pub(crate) fn context_asked(&mut self, jni: JniEnv) {
        self.settle_shared(jni);
        self.open_init(SharedWork::Context(None));
        if self.is_loading_context() {
            self.outbox.queue(&AgentMessage::ContextAsked);
        }
    }

    /// The context that was asked for is given to the test.
    pub(crate) fn context_given(&mut self, jni: JniEnv, context: JavaObject) {
        self.settle_shared(jni);
        let thread = std::thread::current().id();
        let is_it = |open: &OpenInit| matches!(open.of, SharedWork::Context(_)) && open.thread == thread;
        let Some(at) = self.inits.iter().rposition(is_it) else { return };
        let number = self.contexts.number(jni, context);
        if let Some(open) = self.inits.get_mut(at) {
            open.of = SharedWork::Context(Some(number));
        }
        self.end_inits(jni, thread, at);
    }

    /// A thread is started. While a context is loaded it belongs to the context, and works for no test.
    pub(crate) fn thread_starts(&mut self, jni: JniEnv, thread: JavaObject) {
        if self.is_loading_context() {
            self.threads.add_of_context(jni, thread);
        }
    }

    /// Charges what was used and left until now.
    fn settle_shared(&mut self, jni: JniEnv) {
        self.note_left_fields(jni);
        let spans = self.open_spans();
        let working = self.threads.lingering(&spans);
        self.collect(jni, spans, &working);
    }

    /// The work on a context has ended. Without a number it failed: the tests that are open depend on it.
    pub(super) fn end_context(&mut self, done: OpenInit) {
        let number = match done.of {
            SharedWork::Context(Some(number)) => number,
            SharedWork::Context(None) | SharedWork::Class(_) => self.contexts.new_number(),
        };
        let (probes, nested, notes) = done.into_work();
        self.outbox.queue(&AgentMessage::Context(ContextWork { number, probes, nested, notes }));
        self.note(Input::Context(number));
    }

    /// Whether everything that runs now is work on a context: it is loaded on the thread on which all open spans began.
    pub(super) fn is_loading_context(&self) -> bool {
        let loading = |thread: ThreadId| {
            let of_thread = |open: &&OpenInit| open.thread == thread;
            self.inits.iter().filter(of_thread).any(|open| matches!(open.of, SharedWork::Context(_)))
        };
        let mut threads = self.spans.iter().map(|open| open.thread);
        let Some(first) = threads.next() else { return false };
        threads.all(|thread| thread == first)
            && self.inits.iter().all(|open| open.thread == first)
            && loading(first)
    }
}
