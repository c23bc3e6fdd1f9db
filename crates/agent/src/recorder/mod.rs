//! What was hit, by whom, and how it is told.
//!
//! Probes are global to the JVM. At every boundary the pages are read and cleared, and what was hit since the last one is
//! charged to every span that was open: with tests in parallel that is more than each of them ran, never less. Ended spans
//! whose threads were at work are charged too. What is told waits for the end of the boundary, or a little longer, and goes out in one write.

mod flusher;
mod initialisers;
mod notes;
mod outbox;
pub(crate) mod pending_reads;

use crate::instrument::helper_classes::PAGE;
use crate::instrument::jdk_calls::DefaultKind;
use crate::own_code::OwnCode;
use crate::probes::map::{ClassProbes, KnownClasses};
use crate::probes::pages::{ProbePage, ProbePages};
use crate::probes::recent::RecentHits;
use crate::state::defaults::{DefaultsTracker, LocatedField, SpanDefaults};
use crate::state::statics::StaticsTracker;
use crate::sync::lock;
use crate::threads::ThreadTable;
use crate::threads::stacks;
use crate::vm::{JavaEnv, JavaObject, JniEnv, JvmtiEnv};
use initialisers::OpenInit;
use notes::PendingInputs;
use outbox::Outbox;
use std::os::unix::net::UnixStream;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Mutex;
use std::thread::ThreadId;
use std::time::Instant;
use tamis_wire::{
    AgentMessage, ClassLoaded, Gap, Input, MessageSender, Outcome, ProbeRuns, Span, SpanFinished, SpanHits,
    SpanKind, TestId,
};

/// The recorder of this JVM; `None` before it is connected and after anything went wrong.
static RECORDER: Mutex<Option<Recorder>> = Mutex::new(None);

/// As many live threads are looked at without the JVM's check of local references complaining; the most it allows.
const THREADS: i32 = 4096;

/// Starts the recording of this JVM.
pub(crate) fn begin(recorder: Recorder) {
    *lock(&RECORDER) = Some(recorder);
}

/// The JVM ends.
pub(crate) fn end(jni: JniEnv) {
    let recorder = lock(&RECORDER).take();
    if let Some(mut recorder) = recorder {
        recorder.end(jni);
    }
}

/// Whether this JVM is recorded.
pub(crate) fn is_on() -> bool {
    lock(&RECORDER).is_some()
}

/// Runs `work` with the recorder locked; `None` if this JVM is not recorded. See [`crate::sync`] for what it must not do.
pub(crate) fn with<R>(work: impl FnOnce(&mut Recorder) -> R) -> Option<R> {
    lock(&RECORDER).as_mut().map(work)
}

/// Runs our own code on a thread of the JVM's. A panic of ours ends the recording and never reaches the JVM.
pub(crate) fn guarded<R>(work: impl FnOnce() -> R) -> Option<R> {
    let _inside = OwnCode::enter();
    let done = catch_unwind(AssertUnwindSafe(work));
    if done.is_err() {
        *lock(&RECORDER) = None;
    }
    done.ok()
}

pub(crate) struct Recorder {
    outbox: Outbox,
    pages: ProbePages,
    classes: KnownClasses,
    spans: Vec<OpenSpan>,
    next_span: u32,
    inits: Vec<OpenInit>,
    notes: PendingInputs,
    jvmti: JvmtiEnv,
    threads: ThreadTable,
    recent: RecentHits,
    statics: StaticsTracker,
    defaults: DefaultsTracker,
    /// What the defaults were when the last span ended of all that were open.
    between: SpanDefaults,
}

struct OpenSpan {
    number: u32,
    thread: ThreadId,
    started: Instant,
    found: SpanDefaults,
}

/// Probes for a class, one a method or one in all. Without the recorder in hand: see [`recorder`].
pub(crate) fn assign(
    jni: JavaEnv,
    name: &str,
    content: u64,
    supers: &[String],
    methods: &[(String, String)],
) -> Option<ClassProbes> {
    // Another thread may take what room there is, or be about to define the page that we cannot.
    for attempt in 0..100 {
        let page = match with(|recorder| recorder.assign(name, content, supers, methods))? {
            Ok(known) => return Some(known),
            Err(page) => page,
        };
        match ProbePage::define(jni, page) {
            Some(page) => with(|recorder| recorder.pages.add(page))?,
            None if attempt < 10 => std::thread::yield_now(),
            None => std::thread::sleep(std::time::Duration::from_millis(1)),
        }
    }
    None
}

impl Recorder {
    pub(crate) fn new(sender: MessageSender<UnixStream>, jvmti: JvmtiEnv, prompt: bool) -> Recorder {
        Recorder {
            outbox: Outbox::new(sender, prompt),
            pages: ProbePages::default(),
            classes: KnownClasses::default(),
            spans: Vec::new(),
            next_span: 1,
            inits: Vec::new(),
            notes: PendingInputs::default(),
            jvmti,
            threads: ThreadTable::new(jvmti),
            recent: RecentHits::default(),
            statics: StaticsTracker::default(),
            defaults: DefaultsTracker::default(),
            between: SpanDefaults::default(),
        }
    }

    /// Whether anybody listens.
    pub(crate) fn is_heard(&self) -> bool {
        self.outbox.is_heard()
    }

    /// Whether a class of this name has probes.
    pub(crate) fn knows(&self, name: &str) -> bool {
        self.classes.has(name)
    }

    /// Probes for a class: as many as it has methods, or one. The error is a page that is missing for it.
    fn assign(
        &mut self,
        name: &str,
        content: u64,
        supers: &[String],
        methods: &[(String, String)],
    ) -> Result<ClassProbes, u32> {
        if let Some(known) = self.classes.find(name, content, !methods.is_empty()) {
            return Ok(known);
        }
        // A class has less than 65,536 methods, and memory ends before the numbers do.
        let last = self.classes.probes().saturating_add(methods.len().max(1) as u32);
        let pages = self.pages.count();
        if pages.saturating_mul(PAGE) < last {
            return Err(pages);
        }
        let known = self.classes.add(name, content, methods);
        self.outbox.say(&AgentMessage::Class(ClassLoaded {
            name: name.to_owned(),
            first_probe: known.first,
            methods: methods.to_vec(),
            supers: supers.to_vec(),
            content,
        }));
        Ok(known)
    }

    /// These probes are nowhere in the code: from now on everything is taken to hit them.
    pub(crate) fn assume(&mut self, probes: Vec<u32>) {
        if !probes.is_empty() {
            self.outbox.say(&AgentMessage::Assumed(ProbeRuns(probes)));
        }
    }

    /// A class of the project is about to be defined that has static fields.
    pub(crate) fn expect_statics(&mut self, name: &str, has_initialiser: bool) {
        self.statics.expect(name, has_initialiser);
    }

    /// The JVM has prepared a class.
    pub(crate) fn prepared(&mut self, jni: JniEnv, class: JavaObject) {
        for seen in self.statics.prepared(self.jvmti, jni, class) {
            self.outbox.say(&AgentMessage::Field(seen));
        }
    }

    /// Whether it is known what defaults of this kind are.
    pub(crate) fn watches(&self, kind: DefaultKind) -> bool {
        self.defaults.is_watched(kind)
    }

    /// Somebody is about to set defaults for the first time.
    pub(crate) fn watch(&mut self, jni: JniEnv, kind: DefaultKind, located: Vec<LocatedField>) {
        if !self.watches(kind) {
            self.defaults.watch(jni, located);
        }
    }

    /// Something that no test of this JVM can be sure of from now on.
    pub(crate) fn gap_for_all(&mut self, what: String) {
        self.outbox.say(&AgentMessage::Gap(Gap { spans: Vec::new(), what }));
    }

    pub(crate) fn gap(&mut self, what: String) {
        let spans = self.open_spans();
        self.outbox.say(&AgentMessage::Gap(Gap { spans, what }));
    }

    /// Begins a span; its number.
    pub(crate) fn start(
        &mut self,
        jni: JniEnv,
        name: String,
        kind: SpanKind,
        test: TestId,
        parent: Option<u32>,
    ) -> u32 {
        let running = self.boundary(jni, None, true);
        let number = self.next_span;
        self.next_span += 1;
        for init in &mut self.inits {
            init.spans.push(number);
        }
        self.outbox.say(&AgentMessage::Started(Span { number, kind, test, name, parent }));
        if !running.is_empty() {
            self.outbox.say(&AgentMessage::Hits(SpanHits {
                spans: vec![number],
                probes: ProbeRuns(running),
                notes: Vec::new(),
            }));
        }
        let found = self.defaults.found(jni);
        self.spans.push(OpenSpan {
            number,
            thread: std::thread::current().id(),
            started: Instant::now(),
            found,
        });
        self.outbox.send_start();
        number
    }

    /// Ends a span.
    pub(crate) fn finish(&mut self, jni: JniEnv, number: u32, outcome: Outcome) {
        self.boundary(jni, Some(number), false);
        self.end_inits_of(jni, number);
        if let Some(at) = self.spans.iter().rposition(|open| open.number == number) {
            let open = self.spans.remove(at);
            if self.spans.is_empty() {
                self.between = self.defaults.found(jni);
            }
            self.outbox.say(&AgentMessage::Finished(SpanFinished {
                number,
                outcome,
                microseconds: u64::try_from(open.started.elapsed().as_micros()).unwrap_or(u64::MAX),
            }));
        }
        self.outbox.send_soon();
    }

    /// A test was left out as the plan wanted.
    pub(crate) fn skipped(&mut self, test: TestId) {
        self.outbox.say(&AgentMessage::Skipped(test));
    }

    fn end(&mut self, jni: JniEnv) {
        self.boundary(jni, None, false);
        self.end_all_inits();
        self.outbox.say(&AgentMessage::Bye);
        self.send();
    }

    /// Sends what waits.
    pub(crate) fn send(&mut self) {
        self.outbox.send();
    }

    /// Charges what was hit up to here. Where a span starts, also gives what threads may be running then.
    fn boundary(&mut self, jni: JniEnv, ending: Option<u32>, starts: bool) -> Vec<u32> {
        if !self.is_heard() {
            return Vec::new();
        }
        for field in self.statics.changed(jni) {
            self.note(Input::FieldLeft(field));
        }
        // Whoever set one and set it back, within one span or around others, has left nothing.
        let ended = self.spans.iter().find(|open| Some(open.number) == ending).map(|open| &open.found);
        // Between spans it is a thread of one that has ended, or the framework.
        let found = ended.or_else(|| self.spans.is_empty().then_some(&self.between));
        for field in found.map(|found| self.defaults.left(jni, found)).unwrap_or_default() {
            self.note(Input::FieldLeft(field));
        }
        let running = jni.with_room_for(THREADS, || {
            let open = self.open_spans();
            let looked = self.threads.look(jni, &open, ending);
            for name in looked.outliving {
                self.note(Input::Thread(name));
            }
            self.collect(jni, open, &looked.working);
            if starts { self.running(jni) } else { Vec::new() }
        });
        running.unwrap_or_else(|| {
            let open = self.open_spans();
            self.collect(jni, open, &[]);
            self.gap("threads could not be looked at: no room for references".to_owned());
            Vec::new()
        })
    }

    /// What threads are inside of. Of this thread it is part of the span that is open on it, if there is one.
    fn running(&mut self, jni: JniEnv) -> Vec<u32> {
        let mut running = Vec::new();
        let thread = std::thread::current().id();
        if !self.spans.iter().any(|open| open.thread == thread) {
            stacks::runner(self.jvmti, &mut self.classes, &mut running);
        }
        self.threads.running(jni, &mut self.classes, &self.recent, &mut running);
        self.recent.forget();
        running.sort_unstable();
        running.dedup();
        running
    }

    /// Reads and clears the pages; charges what was hit to the open spans, those at work and the initialisers.
    fn collect(&mut self, jni: JniEnv, mut spans: Vec<u32>, working: &[u32]) {
        if !self.is_heard() {
            return;
        }
        for what in pending_reads::settle() {
            self.note(what);
        }
        let mut probes = self.recent.spare();
        let all = self.classes.probes();
        self.pages.take_hits(jni, all, &mut probes);
        let notes = std::mem::take(&mut self.notes.pending);
        for number in &notes {
            if let Some(is_pending) = self.notes.is_pending.get_mut(*number as usize) {
                *is_pending = false;
            }
        }
        if !probes.is_empty() || !notes.is_empty() {
            self.charge_inits(&probes, &notes);
            spans.extend(working);
            let said = AgentMessage::Hits(SpanHits { spans, probes: ProbeRuns(probes), notes });
            self.outbox.say(&said);
            probes = match said {
                AgentMessage::Hits(hits) => hits.probes.0,
                _ => Vec::new(),
            };
        }
        self.recent.add(probes);
    }

    fn open_spans(&self) -> Vec<u32> {
        self.spans.iter().map(|open| open.number).collect()
    }
}
