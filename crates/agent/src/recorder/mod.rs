//! Charges hits and inputs to the spans that were open, and reports them.
//!
//! Probes are global to the JVM. At every boundary the pages are read and cleared, and the hits since the last boundary are
//! charged to every open span: with tests in parallel that is more than each of them ran, never less. Ended spans are charged
//! as long as one of their threads is at work.

mod contexts;
mod flusher;
mod initialisers;
mod leftover_watch;
mod notes;
mod outbox;
pub(crate) mod pending_reads;
mod runner_inputs;

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
use contexts::ContextTable;
use initialisers::OpenInit;
pub(crate) use leftover_watch::LeftoverWatch;
use notes::PendingInputs;
use outbox::Outbox;
use std::os::unix::net::UnixStream;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Mutex;
use std::thread::ThreadId;
use std::time::Instant;
use tamis_wire::{
    AgentMessage, ClassLoaded, Gap, Input, MessageSender, Outcome, ProbeRuns, Span, SpanFinished, SpanHits,
    SpanKind, StaticFieldGraph, TestFailure, TestId,
};

/// The recorder of this JVM; `None` before the CLI has answered and after a failure.
static RECORDER: Mutex<Option<Recorder>> = Mutex::new(None);

/// Local references for live threads, as many as a JVM that checks references allows.
const THREADS: i32 = 4096;

/// Starts the recording of this JVM.
pub(crate) fn begin(recorder: Recorder) {
    *lock(&RECORDER) = Some(recorder);
}

/// Ends the recording when the JVM ends.
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

/// Runs `work` with the recorder locked; `None` if this JVM is not recorded. [`crate::sync`] says which calls are forbidden.
pub(crate) fn with<R>(work: impl FnOnce(&mut Recorder) -> R) -> Option<R> {
    lock(&RECORDER).as_mut().map(work)
}

/// Runs our own code on a thread of the JVM. A panic ends the recording and does not reach the JVM.
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
    contexts: ContextTable,
    notes: PendingInputs,
    jvmti: JvmtiEnv,
    threads: ThreadTable,
    recent: RecentHits,
    statics: StaticsTracker,
    /// While tests may be skipped.
    leftovers: Option<LeftoverWatch>,
    defaults: DefaultsTracker,
    /// The defaults as they were when the last open span ended.
    between: SpanDefaults,
}

struct OpenSpan {
    number: u32,
    kind: SpanKind,
    thread: ThreadId,
    started: Instant,
    found: SpanDefaults,
}

/// Probes for a class: one per method, or one if `methods` is empty; and as many as `blocks` has for each method. Defines pages, so no lock may be held.
pub(crate) fn assign(
    jni: JavaEnv,
    name: &str,
    content: u64,
    supers: &[String],
    methods: &[(String, String)],
    blocks: &[u32],
) -> Option<ClassProbes> {
    // Another thread may use up the page, or be about to define the same one.
    for attempt in 0..100 {
        let page = match with(|recorder| recorder.assign(name, content, supers, methods, blocks))? {
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
            contexts: ContextTable::default(),
            notes: PendingInputs::default(),
            jvmti,
            threads: ThreadTable::new(jvmti),
            recent: RecentHits::default(),
            statics: StaticsTracker::default(),
            leftovers: None,
            defaults: DefaultsTracker::default(),
            between: SpanDefaults::default(),
        }
    }

    /// Whether the CLI still receives messages.
    pub(crate) fn is_connected(&self) -> bool {
        self.outbox.is_connected()
    }

    /// Whether a class of this name has a probe per method; `None` if it has no probes.
    pub(crate) fn is_watched(&self, name: &str) -> Option<bool> {
        self.classes.is_watched(name)
    }

    /// Whether a class of this name has probes.
    pub(crate) fn knows(&self, name: &str) -> bool {
        self.classes.has(name)
    }

    /// Probes for a class: as many as it has methods, or one. The error is the number of a page that must be defined first.
    fn assign(
        &mut self,
        name: &str,
        content: u64,
        supers: &[String],
        methods: &[(String, String)],
        blocks: &[u32],
    ) -> Result<ClassProbes, u32> {
        if let Some(known) = self.classes.find(name, content, !methods.is_empty()) {
            return Ok(known);
        }
        // A class has fewer than 65,536 methods; memory runs out before the numbers do.
        let count = (methods.len().max(1) as u32).saturating_add(blocks.iter().sum());
        let last = self.classes.probes().saturating_add(count);
        let pages = self.pages.count();
        if pages.saturating_mul(PAGE) < last {
            return Err(pages);
        }
        let known = self.classes.add(name, content, methods, blocks.iter().sum());
        self.outbox.queue(&AgentMessage::Class(ClassLoaded {
            name: name.to_owned(),
            first_probe: known.first,
            methods: methods.to_vec(),
            supers: supers.to_vec(),
            content,
            blocks: blocks.to_vec(),
        }));
        Ok(known)
    }

    /// Reports probes that could not be inserted: from now on every test is assumed to hit them.
    pub(crate) fn assume(&mut self, probes: Vec<u32>) {
        if !probes.is_empty() {
            self.outbox.queue(&AgentMessage::Assumed(ProbeRuns(probes)));
        }
    }

    /// A class of the project with static fields is about to be defined.
    pub(crate) fn expect_statics(&mut self, name: &str, has_initialiser: bool) {
        self.statics.expect(name, has_initialiser);
    }

    /// The JVM has prepared a class.
    pub(crate) fn prepared(&mut self, jni: JniEnv, class: JavaObject) {
        for seen in self.statics.prepared(self.jvmti, jni, class) {
            self.outbox.queue(&seen);
        }
    }

    /// Whether defaults of this kind are compared.
    pub(crate) fn watches(&self, kind: DefaultKind) -> bool {
        self.defaults.is_watched(kind)
    }

    /// Starts to compare defaults of a kind: they are about to be set for the first time.
    pub(crate) fn watch(&mut self, jni: JniEnv, kind: DefaultKind, located: Vec<LocatedField>) {
        if !self.watches(kind) {
            self.defaults.watch(jni, located);
        }
    }

    /// Reports a gap in the observation that concerns every test of this JVM.
    pub(crate) fn gap_for_all(&mut self, what: String) {
        self.outbox.queue(&AgentMessage::Gap(Gap { spans: Vec::new(), what }));
    }

    /// Reports a gap in the observation of the open spans.
    pub(crate) fn gap(&mut self, what: String) {
        let spans = self.open_spans();
        self.outbox.queue(&AgentMessage::Gap(Gap { spans, what }));
    }

    /// Tests may be skipped, as long as the static fields that they use are left as this watch knows them.
    pub(crate) fn expect_left(&mut self, watch: LeftoverWatch) {
        self.leftovers = Some(watch);
    }

    /// Static fields were left changed.
    fn left(&mut self, fields: Vec<String>) {
        if let Some(watch) = &mut self.leftovers {
            watch.left(fields, &mut self.outbox);
        }
    }

    /// Begins a span and returns its number.
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
        self.outbox.queue(&AgentMessage::Started(Span { number, kind, test, name, parent }));
        if !running.is_empty() {
            self.outbox.queue(&AgentMessage::Hits(SpanHits {
                spans: vec![number],
                probes: ProbeRuns(running),
                notes: Vec::new(),
            }));
        }
        let found = self.defaults.found(jni);
        self.spans.push(OpenSpan {
            number,
            kind,
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
        self.look_at_graphs(jni, number);
        if let Some(at) = self.spans.iter().rposition(|open| open.number == number) {
            let open = self.spans.remove(at);
            if self.spans.is_empty() {
                self.between = self.defaults.found(jni);
            }
            self.outbox.queue(&AgentMessage::Finished(SpanFinished {
                number,
                outcome,
                microseconds: u64::try_from(open.started.elapsed().as_micros()).unwrap_or(u64::MAX),
            }));
        }
        self.outbox.send_soon();
    }

    /// The error of a span that will end as failed.
    pub(crate) fn failed(&mut self, failure: TestFailure) {
        self.outbox.queue(&AgentMessage::Failure(failure));
    }

    /// A test was skipped according to the plan.
    pub(crate) fn skipped(&mut self, test: TestId) {
        self.outbox.queue(&AgentMessage::Skipped(test));
    }

    /// Compares what static fields reach: a few when a test ends, all when a class ends, or a test that no class is around.
    fn look_at_graphs(&mut self, jni: JniEnv, ending: u32) {
        let is_within = |open: &OpenSpan| open.number == ending && open.kind == SpanKind::Test;
        let is_class_around = self.spans.iter().any(|open| open.kind == SpanKind::Class);
        let is_within_class = self.spans.iter().any(is_within) && is_class_around;
        let mut changed = Vec::new();
        for found in self.statics.look_at_graphs(self.jvmti, jni, is_within_class) {
            if let AgentMessage::Graph(StaticFieldGraph { class, name, has_changed: true, .. }) = &found {
                changed.push(format!("{class}.{name}"));
            }
            self.outbox.queue(&found);
        }
        self.left(changed);
    }

    fn end(&mut self, jni: JniEnv) {
        self.boundary(jni, None, false);
        self.end_all_inits();
        self.outbox.queue(&AgentMessage::Bye);
        self.send();
    }

    /// Sends the messages that wait.
    pub(crate) fn send(&mut self) {
        self.outbox.send();
    }

    /// Whether a test or a class of tests is open.
    fn is_testing(&self) -> bool {
        self.spans.iter().any(|open| open.kind != SpanKind::Container)
    }

    /// Charges hits and inputs up to this moment. If a span starts, also returns the methods that threads may be in.
    fn boundary(&mut self, jni: JniEnv, ending: Option<u32>, starts: bool) -> Vec<u32> {
        if !self.is_connected() {
            return Vec::new();
        }
        self.note_left_fields(jni);
        // A default that was set and set back, within a span or around others, counts as unchanged.
        let ended = self.spans.iter().find(|open| Some(open.number) == ending).map(|open| &open.found);
        // Between spans, it is set by a thread of an ended span or by the framework.
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
            if !looked.ran.is_empty() && !open.is_empty() {
                let (spans, probes) = (open.clone(), ProbeRuns(looked.ran));
                self.outbox.queue(&AgentMessage::Hits(SpanHits { spans, probes, notes: Vec::new() }));
            }
            self.collect(jni, open, &looked.working);
            self.threads.read_stacks(&mut self.classes, &self.recent);
            self.recent.forget();
            if starts { self.running() } else { Vec::new() }
        });
        running.unwrap_or_else(|| {
            let open = self.open_spans();
            self.collect(jni, open, &[]);
            self.gap("threads could not be looked at: no room for references".to_owned());
            Vec::new()
        })
    }

    /// Notes the static fields that hold something else than at the last boundary.
    fn note_left_fields(&mut self, jni: JniEnv) {
        let changed = self.statics.changed(jni);
        for field in &changed {
            self.note(Input::FieldLeft(field.clone()));
        }
        self.left(changed);
    }

    /// The methods that this thread and virtual threads are in. Those of this thread belong to the span that is open on it, if
    /// there is one.
    fn running(&mut self) -> Vec<u32> {
        let mut running = Vec::new();
        let thread = std::thread::current().id();
        if !self.spans.iter().any(|open| open.thread == thread) {
            stacks::runner(self.jvmti, &mut self.classes, &mut running);
        }
        self.threads.running_virtual(&mut running);
        running.sort_unstable();
        running.dedup();
        running
    }

    /// Reads and clears the pages; charges the hits to the open spans, to `working` spans and to open initialisers.
    fn collect(&mut self, jni: JniEnv, mut spans: Vec<u32>, working: &[u32]) {
        if !self.is_connected() {
            return;
        }
        for what in pending_reads::settle() {
            self.note(what);
        }
        let mut probes = self.recent.spare();
        let all = self.classes.probes();
        self.pages.take_hits(jni, all, &mut probes);
        let notes = self.notes.take();
        if !probes.is_empty() || !notes.is_empty() {
            self.charge_inits(&probes, &notes);
            let is_shared = self.is_loading_context();
            if is_shared {
                spans.clear();
            }
            spans.extend(working);
            if !is_shared || !spans.is_empty() {
                let message = AgentMessage::Hits(SpanHits { spans, probes: ProbeRuns(probes), notes });
                self.outbox.queue(&message);
                probes = match message {
                    AgentMessage::Hits(hits) => hits.probes.0,
                    _ => Vec::new(),
                };
            }
        }
        self.recent.add(probes);
    }

    fn open_spans(&self) -> Vec<u32> {
        self.spans.iter().map(|open| open.number).collect()
    }
}
