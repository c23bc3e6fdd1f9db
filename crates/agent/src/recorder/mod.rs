//! What was hit, by whom, and how it is told.
//!
//! Probes are global to the JVM. At every boundary the pages are read and cleared, and what was hit since the last one is
//! charged to every span that was open: with tests in parallel that is more than each of them ran, never less. Ended spans
//! whose threads were at work are charged too. What is told waits for the end of the boundary, or a little longer, and goes out in one write.

mod flusher;
mod notes;
pub(crate) mod pending_reads;

use crate::instrument::helper_classes::{self, HITS, PAGE};
use crate::instrument::jdk_calls::DefaultKind;
use crate::own_code::OwnCode;
use crate::probes::map::{ClassProbes, KnownClasses};
use crate::state::defaults::{DefaultsTracker, LocatedField, SpanDefaults};
use crate::state::statics::StaticsTracker;
use crate::threads::ThreadTable;
use crate::threads::stacks::{self, RecentHits};
use crate::vm::{JavaObject, JniEnv, JvmtiEnv};
use notes::PendingInputs;
use std::os::unix::net::UnixStream;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicU8, AtomicU64, Ordering, fence};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread::ThreadId;
use std::time::Instant;
use tamis_wire::{
    AgentMessage, ClassLoaded, Gap, Input, MessageSender, Outcome, ProbeRuns, Span, SpanFinished, SpanHits,
    SpanKind, StaticInit, TestId,
};

/// The recorder of this JVM; `None` before it is connected and after anything went wrong.
static RECORDER: Mutex<Option<Recorder>> = Mutex::new(None);

/// More than this does not wait for a boundary.
const WAITING: usize = 256 << 10;

/// As many live threads are looked at without the JVM's check of local references complaining; the most it allows.
const THREADS: i32 = 4096;

/// Takes the recorder, whatever a panic elsewhere may have done to the lock. Nobody who has it may call the JVM in a way
/// that runs Java code or defines a class: that comes back to us on the same thread.
pub(crate) fn recorder() -> MutexGuard<'static, Option<Recorder>> {
    RECORDER.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Runs our own code on a thread of the JVM's. A panic of ours ends the recording and never reaches the JVM.
pub(crate) fn guarded<R>(work: impl FnOnce() -> R) -> Option<R> {
    let _inside = OwnCode::enter();
    let done = catch_unwind(AssertUnwindSafe(work));
    if done.is_err() {
        *recorder() = None;
    }
    done.ok()
}

pub(crate) struct Recorder {
    /// `None` once the CLI is gone: that costs the recording, nothing else.
    sender: Option<MessageSender<UnixStream>>,
    /// Whether it is told at once when a span begins.
    prompt: bool,
    pages: Vec<ProbePage>,
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

/// A page's `boolean[]`.
struct ProbePage {
    /// A global reference.
    array: JavaObject,
    /// Whether it can only be read as a copy.
    copied: bool,
}

// SAFETY: a JNI global reference may be used from any thread.
unsafe impl Send for ProbePage {}

struct OpenSpan {
    number: u32,
    thread: ThreadId,
    started: Instant,
    found: SpanDefaults,
}

struct OpenInit {
    class: u32,
    thread: ThreadId,
    probes: Vec<u32>,
    nested: Vec<String>,
    notes: Vec<u32>,
    spans: Vec<u32>,
    /// How many of `spans` were open when it began; the others began while it ran.
    began_in: usize,
}

/// Probes for a class, one a method or one in all. Without the recorder in hand: see [`recorder`].
pub(crate) fn assign(
    jni: JniEnv,
    name: &str,
    content: u64,
    supers: &[String],
    methods: &[(String, String)],
) -> Option<ClassProbes> {
    // Another thread may take what room there is, or be about to define the page that we cannot.
    for attempt in 0..100 {
        let page = match recorder().as_mut()?.assign(name, content, supers, methods) {
            Ok(known) => return Some(known),
            Err(page) => page,
        };
        let array = jni.with_locals(|| {
            let class =
                jni.define_boot_class(&helper_classes::page_name(page), &helper_classes::page_class(page))?;
            jni.global(jni.static_object(class, HITS.0, HITS.1)?)
        });
        match array.flatten() {
            Some(array) => {
                let page = ProbePage { array, copied: jni.copies(array) };
                recorder().as_mut()?.pages.push(page);
            }
            None if attempt < 10 => std::thread::yield_now(),
            None => std::thread::sleep(std::time::Duration::from_millis(1)),
        }
    }
    None
}

impl Recorder {
    pub(crate) fn new(sender: MessageSender<UnixStream>, jvmti: JvmtiEnv, prompt: bool) -> Recorder {
        Recorder {
            sender: Some(sender),
            prompt,
            pages: Vec::new(),
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
        self.sender.is_some()
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
        let pages = self.pages.len() as u32;
        if pages.saturating_mul(PAGE) < last {
            return Err(pages);
        }
        let known = self.classes.add(name, content, methods);
        self.say(&AgentMessage::Class(ClassLoaded {
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
            self.say(&AgentMessage::Assumed(ProbeRuns(probes)));
        }
    }

    /// A class of the project is about to be defined that has static fields.
    pub(crate) fn expect_statics(&mut self, name: &str, has_initialiser: bool) {
        self.statics.expect(name, has_initialiser);
    }

    /// The JVM has prepared a class.
    pub(crate) fn prepared(&mut self, jni: JniEnv, class: JavaObject) {
        for seen in self.statics.prepared(self.jvmti, jni, class) {
            self.say(&AgentMessage::Field(seen));
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
        self.say(&AgentMessage::Gap(Gap { spans: Vec::new(), what }));
    }

    pub(crate) fn gap(&mut self, what: String) {
        let spans = self.open_spans();
        self.say(&AgentMessage::Gap(Gap { spans, what }));
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
        self.say(&AgentMessage::Started(Span { number, kind, test, name, parent }));
        if !running.is_empty() {
            self.say(&AgentMessage::Hits(SpanHits {
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
        if self.prompt {
            self.send()
        } else {
            self.send_soon()
        }
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
            self.say(&AgentMessage::Finished(SpanFinished {
                number,
                outcome,
                microseconds: u64::try_from(open.started.elapsed().as_micros()).unwrap_or(u64::MAX),
            }));
        }
        self.send_soon();
    }

    /// A test was left out as the plan wanted.
    pub(crate) fn skipped(&mut self, test: TestId) {
        self.say(&AgentMessage::Skipped(test));
    }

    /// A static initialiser begins, or is left.
    pub(crate) fn init(&mut self, jni: JniEnv, class: u32, begin: bool) {
        let spans = self.open_spans();
        let working = self.threads.lingering(&spans);
        self.collect(jni, spans, &working);
        let thread = std::thread::current().id();
        if begin {
            let spans = self.open_spans();
            self.inits.push(OpenInit {
                class,
                thread,
                probes: Vec::new(),
                nested: Vec::new(),
                notes: Vec::new(),
                began_in: spans.len(),
                spans,
            });
            return;
        }
        let begun = self.inits.iter().rposition(|open| open.class == class && open.thread == thread);
        if let Some(begun) = begun {
            self.end_inits(jni, thread, begun);
        }
    }

    /// Ends the initialiser at `begun` and those begun after it on its thread. They were left by an exception that found no
    /// room on the stack even to tell us.
    fn end_inits(&mut self, jni: JniEnv, thread: ThreadId, begun: usize) {
        while let Some(at) =
            self.inits.iter().rposition(|open| open.thread == thread).filter(|at| *at >= begun)
        {
            let done = self.inits.remove(at);
            let name = self.classes.name(done.class);
            if let Some(outer) = self.inits.iter_mut().rev().find(|open| open.thread == thread) {
                outer.nested.push(name.clone());
            }
            for seen in self.statics.initialised(self.jvmti, jni, &name) {
                self.say(&AgentMessage::Field(seen));
            }
            self.tell_init(name, done);
        }
    }

    /// What began inside a span cannot run on where its own thread ends the span.
    fn end_inits_of(&mut self, jni: JniEnv, span: u32) {
        let thread = std::thread::current().id();
        let left = |open: &OpenInit| {
            open.thread == thread && open.spans.iter().take(open.began_in).any(|number| *number == span)
        };
        if let Some(begun) = self.inits.iter().position(left) {
            self.end_inits(jni, thread, begun);
        }
    }

    fn tell_init(&mut self, class: String, mut done: OpenInit) {
        done.probes.sort_unstable();
        done.probes.dedup();
        let OpenInit { probes, nested, notes, spans, .. } = done;
        self.say(&AgentMessage::Init(StaticInit { class, probes: ProbeRuns(probes), nested, notes, spans }));
    }

    pub(crate) fn end(&mut self, jni: JniEnv) {
        self.boundary(jni, None, false);
        for init in std::mem::take(&mut self.inits) {
            let name = self.classes.name(init.class);
            self.tell_init(name, init);
        }
        self.say(&AgentMessage::Bye);
        self.send();
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
        for (number, page) in self.pages.iter().enumerate() {
            let first = number as u32 * PAGE;
            let used = all.saturating_sub(first).min(PAGE) as usize;
            if page.copied {
                for (at, _) in jni.booleans(page.array, used).iter().enumerate().filter(|(_, hit)| **hit != 0)
                {
                    jni.clear_boolean(page.array, at);
                    probes.push(first + at as u32);
                }
                continue;
            }
            jni.with_booleans(page.array, used, |elements, length| {
                take_hits(elements, length, first, &mut probes)
            });
        }
        // What we cleared is clear for all before anyone runs on.
        fence(Ordering::SeqCst);
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
            self.say(&said);
            probes = match said {
                AgentMessage::Hits(hits) => hits.probes.0,
                _ => Vec::new(),
            };
        }
        self.recent.add(probes);
    }

    /// An initialiser that runs another is not charged with what the other does: it is told as nested.
    fn charge_inits(&mut self, probes: &[u32], notes: &[u32]) {
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

    fn open_spans(&self) -> Vec<u32> {
        self.spans.iter().map(|open| open.number).collect()
    }

    fn say(&mut self, said: &AgentMessage) {
        let Some(sender) = &mut self.sender else { return };
        let queued = sender.queue(said);
        if queued.is_err() {
            self.sender = None;
        } else if sender.waiting() > WAITING {
            self.send();
        }
    }

    /// Sends what waits, soon and on another thread: a write takes as long as all else that a boundary does.
    fn send_soon(&mut self) {
        if !flusher::leave() {
            self.send();
        }
    }

    /// Sends what waits.
    pub(crate) fn send(&mut self) {
        if self.sender.as_mut().is_some_and(|sender| sender.flush().is_err()) {
            self.sender = None;
        }
    }
}

/// Appends the numbers of the elements that are set, and clears them.
///
/// Each is read once and cleared if it was set. Whoever enters a method in between finds its probe set and leaves it: that
/// happened before the boundary was over, and is charged as such. An element set after it was read is not touched.
fn take_hits(elements: *mut u8, length: usize, first: u32, probes: &mut Vec<u32>) {
    const BLOCK: usize = 32;
    /// Eight elements that are all set.
    const ALL: u64 = 0x0101_0101_0101_0101;
    let mut at = 0;
    while at < length {
        let place = elements.wrapping_add(at);
        if !place.cast::<u64>().is_aligned() || at + BLOCK > length {
            take_hit(place, first + at as u32, probes);
            at += 1;
            continue;
        }
        // SAFETY: inside the array, aligned; the JVM writes single bytes meanwhile. The array stays where it is while we are
        // inside the critical region.
        let word = |i: usize| {
            unsafe { AtomicU64::from_ptr(place.cast::<u64>().wrapping_add(i)) }.load(Ordering::Relaxed)
        };
        let words = [word(0), word(1), word(2), word(3)];
        if words != [0; 4] {
            for (i, mut word) in words.into_iter().enumerate() {
                if word == ALL {
                    // SAFETY: as above.
                    unsafe { AtomicU64::from_ptr(place.cast::<u64>().wrapping_add(i)) }
                        .store(0, Ordering::Relaxed);
                    let first = first + (at + i * 8) as u32;
                    probes.extend(first..first + 8);
                    continue;
                }
                while word != 0 {
                    // Elements are 0 or 1, and the first is the lowest byte.
                    let byte = word.trailing_zeros() as usize / 8;
                    word &= !(0xff << (8 * byte));
                    let element = i * 8 + byte;
                    // SAFETY: one element inside the array.
                    unsafe { AtomicU8::from_ptr(place.wrapping_add(element)) }.store(0, Ordering::Relaxed);
                    probes.push(first + (at + element) as u32);
                }
            }
        }
        at += BLOCK;
    }
}

fn take_hit(place: *mut u8, probe: u32, probes: &mut Vec<u32>) {
    // SAFETY: one element inside the array.
    let byte = unsafe { AtomicU8::from_ptr(place) };
    if byte.load(Ordering::Relaxed) != 0 {
        byte.store(0, Ordering::Relaxed);
        probes.push(probe);
    }
}

#[cfg(test)]
mod tests {
    use super::take_hits;

    #[test]
    fn hits_are_taken_once_whatever_the_alignment() {
        for offset in 0..8 {
            let mut memory = [0u8; 100];
            for hit in [0, 1, 7, 8, 31, 63, 80] {
                memory[offset + hit] = 1;
            }
            let mut probes = Vec::new();
            take_hits(memory[offset..].as_mut_ptr(), 81, 1000, &mut probes);
            assert_eq!(probes, [1000, 1001, 1007, 1008, 1031, 1063, 1080], "offset {offset}");
            assert!(memory.iter().all(|byte| *byte == 0));
            probes.clear();
            take_hits(memory[offset..].as_mut_ptr(), 81, 1000, &mut probes);
            assert_eq!(probes, []);
        }
    }
}
