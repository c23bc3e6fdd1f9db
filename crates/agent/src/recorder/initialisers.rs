//! Static initialisers: code that runs inside one is charged to its class, once per JVM. The loading of a context is like one.

use super::Recorder;
use crate::vm::JniEnv;
use std::thread::ThreadId;
use tamis_wire::{AgentMessage, ProbeRuns, StaticInit};

/// Code whose work is shared by all tests that use what it made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum SharedWork {
    /// The static initialiser of a class, by its number.
    Class(u32),
    /// The loading of a context; with its number once it has one.
    Context(Option<u32>),
}

pub(super) struct OpenInit {
    pub(super) of: SharedWork,
    pub(super) thread: ThreadId,
    probes: Vec<u32>,
    nested: Vec<String>,
    notes: Vec<u32>,
    pub(super) spans: Vec<u32>,
    /// How many of `spans` were open when the initialiser began; the others began while it ran.
    began_in: usize,
}

impl OpenInit {
    /// The probes, the classes initialised inside, the inputs.
    pub(super) fn into_work(mut self) -> (ProbeRuns, Vec<String>, Vec<u32>) {
        self.probes.sort_unstable();
        self.probes.dedup();
        (ProbeRuns(self.probes), self.nested, self.notes)
    }
}

impl Recorder {
    /// A static initialiser begins or ends.
    pub(crate) fn init(&mut self, jni: JniEnv, class: u32, begin: bool) {
        let spans = self.open_spans();
        let working = self.threads.lingering(&spans);
        self.collect(jni, spans, &working);
        if begin {
            self.open_init(SharedWork::Class(class));
            return;
        }
        let thread = std::thread::current().id();
        let is_it = |open: &OpenInit| open.of == SharedWork::Class(class) && open.thread == thread;
        if let Some(begun) = self.inits.iter().rposition(is_it) {
            self.end_inits(jni, thread, begun);
        }
    }

    pub(super) fn open_init(&mut self, of: SharedWork) {
        let spans = self.open_spans();
        self.inits.push(OpenInit {
            of,
            thread: std::thread::current().id(),
            probes: Vec::new(),
            nested: Vec::new(),
            notes: Vec::new(),
            began_in: spans.len(),
            spans,
        });
    }

    /// Ends the initialiser at `begun` and those begun after it on its thread. The latter ended by an exception that left no
    /// stack space for the call that reports their end.
    pub(super) fn end_inits(&mut self, jni: JniEnv, thread: ThreadId, begun: usize) {
        while let Some(at) =
            self.inits.iter().rposition(|open| open.thread == thread).filter(|at| *at >= begun)
        {
            let done = self.inits.remove(at);
            let SharedWork::Class(class) = done.of else {
                self.end_context(done);
                continue;
            };
            let name = self.classes.name(class);
            if let Some(outer) = self.inits.iter_mut().rev().find(|open| open.thread == thread) {
                outer.nested.push(name.clone());
            }
            for seen in self.statics.initialised(self.jvmti, jni, &name) {
                self.outbox.queue(&seen);
            }
            self.report_init(name, done);
        }
    }

    /// Ends the initialisers that this thread began inside a span that it now ends: they can no longer be running.
    pub(super) fn end_inits_of(&mut self, jni: JniEnv, span: u32) {
        let thread = std::thread::current().id();
        let left = |open: &OpenInit| {
            open.thread == thread && open.spans.iter().take(open.began_in).any(|number| *number == span)
        };
        if let Some(begun) = self.inits.iter().position(left) {
            self.end_inits(jni, thread, begun);
        }
    }

    /// Reports the initialisers that have not ended when the JVM ends.
    pub(super) fn end_all_inits(&mut self) {
        for init in std::mem::take(&mut self.inits) {
            match init.of {
                SharedWork::Class(class) => {
                    let name = self.classes.name(class);
                    self.report_init(name, init);
                }
                SharedWork::Context(_) => self.end_context(init),
            }
        }
    }

    fn report_init(&mut self, class: String, done: OpenInit) {
        let spans = done.spans.clone();
        let (probes, nested, notes) = done.into_work();
        self.outbox.queue(&AgentMessage::Init(StaticInit { class, probes, nested, notes, spans }));
    }

    /// Charges the innermost initialiser of each thread. The outer ones report it as nested instead.
    pub(super) fn charge_inits(&mut self, probes: &[u32], notes: &[u32]) {
        let mut innermost: Vec<ThreadId> = Vec::new();
        for open in self.inits.iter_mut().rev() {
            if !innermost.contains(&open.thread) {
                innermost.push(open.thread);
                open.probes.extend(probes);
                for note in notes {
                    if !open.notes.contains(note) {
                        open.notes.push(*note);
                    }
                }
            }
        }
    }
}
