//! What was hit, by whom, and how it is told.
//!
//! Probes are global to the JVM. At every boundary the pages are read and cleared, and what was hit since the last one is
//! charged to every span that was open: with tests in parallel that is more than each of them ran, never less.

use crate::holder::{self, HITS, PAGE};
use crate::natives::held;
use crate::vm::{Jni, Object};
use std::collections::HashMap;
use std::os::unix::net::UnixStream;
use std::sync::atomic::{AtomicU8, AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Instant;
use tamis_trace::{
    ClassSeen, Finished, Gap, Hits, InitTrace, Note, Noted, Outcome, Said, Sender, Span, SpanKind, TestId,
};

/// The recorder of this JVM; `None` before it is connected and after anything went wrong.
static RECORDER: Mutex<Option<Recorder>> = Mutex::new(None);

/// Takes the recorder, whatever a panic elsewhere may have done to the lock.
pub(crate) fn recorder() -> MutexGuard<'static, Option<Recorder>> {
    RECORDER.lock().unwrap_or_else(PoisonError::into_inner)
}

pub(crate) struct Recorder {
    sender: Sender<UnixStream>,
    /// Directories whose classes are watched method by method.
    pub(crate) watch: Vec<String>,
    pages: Vec<Page>,
    next_probe: u32,
    /// First probe by class name and content, so that a class loaded twice has the same probes.
    known: HashMap<(String, u64), u32>,
    /// Names of classes watched by method, by the number that `init` is called with.
    classes: Vec<String>,
    spans: Vec<Open>,
    next_span: u32,
    inits: Vec<OpenInit>,
    notes: Notes,
}

/// What was noted: numbered once, pending until the next boundary.
#[derive(Default)]
struct Notes {
    numbers: HashMap<Noted, u32>,
    pending: Vec<u32>,
    /// By number: whether it is pending.
    is_pending: Vec<bool>,
}

/// A global reference to a page's `boolean[]`.
struct Page(Object);

// SAFETY: a JNI global reference may be used from any thread.
unsafe impl Send for Page {}

struct Open {
    number: u32,
    started: Instant,
}

struct OpenInit {
    class: u32,
    thread: std::thread::ThreadId,
    probes: Vec<u32>,
    nested: Vec<String>,
    notes: Vec<u32>,
    spans: Vec<u32>,
}

impl Recorder {
    pub(crate) fn new(sender: Sender<UnixStream>, watch: Vec<String>) -> Recorder {
        Recorder {
            sender,
            watch,
            pages: Vec::new(),
            next_probe: 0,
            known: HashMap::new(),
            classes: Vec::new(),
            spans: Vec::new(),
            next_span: 1,
            inits: Vec::new(),
            notes: Notes::default(),
        }
    }

    /// Whether a class is watched method by method: whether one of the directories holds it.
    pub(crate) fn is_watched(&self, name: &str) -> bool {
        let file = format!("/{name}.class");
        self.watch.iter().any(|directory| std::fs::metadata([directory, file.as_str()].concat()).is_ok())
    }

    /// Probes for a class: as many as it has methods, or one. All of a class lie on one page or the next ones, in order.
    pub(crate) fn assign(
        &mut self,
        jni: Jni,
        name: &str,
        content: u64,
        supers: Vec<String>,
        methods: Vec<(String, String)>,
    ) -> Option<u32> {
        if let Some(first) = self.known.get(&(name.to_owned(), content)) {
            return Some(*first);
        }
        let first = self.next_probe;
        let count = u32::try_from(methods.len().max(1)).ok()?;
        let last = first.checked_add(count)?;
        while (self.pages.len() as u32) * PAGE < last {
            let number = self.pages.len() as u32;
            let class = jni.define_boot_class(&holder::page_name(number), &holder::page_class(number))?;
            let array = jni.static_object(class, HITS.0, HITS.1)?;
            self.pages.push(Page(jni.global(array)?));
        }
        self.next_probe = last;
        self.known.insert((name.to_owned(), content), first);
        self.say(&Said::Class(ClassSeen {
            name: name.to_owned(),
            first_probe: first,
            methods,
            supers,
            content,
        }));
        Some(first)
    }

    /// A number for a class with a static initialiser.
    pub(crate) fn number(&mut self, name: &str) -> u32 {
        self.classes.push(name.to_owned());
        self.classes.len() as u32 - 1
    }

    pub(crate) fn gap(&mut self, what: String) {
        let spans = self.open_spans();
        self.say(&Said::Gap(Gap { spans, what }));
    }

    /// Something other than code is used now.
    pub(crate) fn note(&mut self, what: Noted) {
        let number = match self.notes.numbers.get(&what) {
            Some(number) => *number,
            None => {
                let number = self.notes.numbers.len() as u32;
                self.say(&Said::Note(Note { number, what: what.clone() }));
                self.notes.numbers.insert(what, number);
                self.notes.is_pending.push(false);
                number
            }
        };
        if let Some(is_pending @ false) = self.notes.is_pending.get_mut(number as usize) {
            *is_pending = true;
            self.notes.pending.push(number);
        }
    }

    /// Begins a span; its number.
    pub(crate) fn start(&mut self, jni: Jni, name: String, kind: SpanKind, test: TestId) -> u32 {
        self.collect(jni);
        let number = self.next_span;
        self.next_span += 1;
        self.say(&Said::Started(Span { number, kind, test, name }));
        self.spans.push(Open { number, started: Instant::now() });
        number
    }

    /// Ends a span.
    pub(crate) fn finish(&mut self, jni: Jni, number: u32, outcome: Outcome) {
        self.collect(jni);
        let Some(at) = self.spans.iter().rposition(|open| open.number == number) else { return };
        let open = self.spans.remove(at);
        self.say(&Said::Finished(Finished {
            number: open.number,
            outcome,
            microseconds: u64::try_from(open.started.elapsed().as_micros()).unwrap_or(u64::MAX),
        }));
    }

    /// A test was left out as the plan wanted.
    pub(crate) fn skipped(&mut self, test: TestId) {
        self.say(&Said::Skipped(test));
    }

    pub(crate) fn init(&mut self, jni: Jni, class: u32, begin: bool) {
        self.collect(jni);
        let thread = std::thread::current().id();
        if begin {
            let spans = self.open_spans();
            self.inits.push(OpenInit {
                class,
                thread,
                probes: Vec::new(),
                nested: Vec::new(),
                notes: Vec::new(),
                spans,
            });
            return;
        }
        let Some(at) = self.inits.iter().rposition(|open| open.class == class && open.thread == thread)
        else {
            return;
        };
        let mut done = self.inits.remove(at);
        let name = self.classes.get(class as usize).cloned().unwrap_or_default();
        if let Some(outer) = self.inits.iter_mut().rev().find(|open| open.thread == thread) {
            outer.nested.push(name.clone());
        }
        done.probes.sort_unstable();
        done.probes.dedup();
        self.say(&Said::Init(InitTrace {
            class: name,
            probes: done.probes,
            nested: done.nested,
            notes: done.notes,
            spans: done.spans,
        }));
    }

    pub(crate) fn end(&mut self, jni: Jni) {
        self.collect(jni);
        self.say(&Said::Bye);
    }

    /// Reads and clears the pages; charges what was hit to the open spans and initialisers.
    fn collect(&mut self, jni: Jni) {
        for what in held::take() {
            self.note(what);
        }
        let mut probes = Vec::new();
        for (page, array) in self.pages.iter().enumerate() {
            let first = page as u32 * PAGE;
            let used = (self.next_probe - first.min(self.next_probe)).min(PAGE) as usize;
            jni.with_booleans(array.0, used, |elements, length| {
                take_hits(elements, length, first, &mut probes)
            });
        }
        let notes = std::mem::take(&mut self.notes.pending);
        for number in &notes {
            if let Some(is_pending) = self.notes.is_pending.get_mut(*number as usize) {
                *is_pending = false;
            }
        }
        if probes.is_empty() && notes.is_empty() {
            return;
        }
        // An initialiser that runs another is not charged with what the other does: it is told as nested.
        let mut innermost: Vec<std::thread::ThreadId> = Vec::new();
        for open in self.inits.iter_mut().rev() {
            if !innermost.contains(&open.thread) {
                innermost.push(open.thread);
                open.probes.extend(&probes);
                for note in &notes {
                    if !open.notes.contains(note) {
                        open.notes.push(*note);
                    }
                }
            }
        }
        let spans = self.open_spans();
        self.say(&Said::Hits(Hits { spans, probes, notes }));
    }

    fn open_spans(&self) -> Vec<u32> {
        self.spans.iter().map(|open| open.number).collect()
    }

    /// A CLI that is gone costs the recording, nothing else.
    fn say(&mut self, said: &Said) {
        let _ = self.sender.send(said);
    }
}

/// Appends the numbers of the elements that are set, and clears them, without losing a store that comes in between.
fn take_hits(elements: *mut u8, length: usize, first: u32, probes: &mut Vec<u32>) {
    let mut at = 0;
    while at < length {
        let place = elements.wrapping_add(at);
        if place.cast::<u64>().is_aligned() && at + 8 <= length {
            // SAFETY: eight elements inside the array, aligned, which the JVM writes byte by byte while we read; both are
            // single machine accesses, and the array stays in place while we are inside the critical region.
            let word = unsafe { AtomicU64::from_ptr(place.cast()) };
            if word.load(Ordering::Relaxed) != 0 {
                for (i, byte) in word.swap(0, Ordering::Relaxed).to_ne_bytes().into_iter().enumerate() {
                    if byte != 0 {
                        probes.push(first + (at + i) as u32);
                    }
                }
            }
            at += 8;
        } else {
            // SAFETY: one element inside the array.
            let byte = unsafe { AtomicU8::from_ptr(place) };
            if byte.load(Ordering::Relaxed) != 0 && byte.swap(0, Ordering::Relaxed) != 0 {
                probes.push(first + at as u32);
            }
            at += 1;
        }
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
