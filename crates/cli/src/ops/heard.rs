//! What a JVM told, put together by test.

use std::collections::{BTreeMap, BTreeSet};
use tamis_trace::{ClassSeen, Hello, InitTrace, Noted, Outcome, Said, Span, SpanKind, TestId};

/// One JVM's observations.
pub struct Jvm {
    /// Who it was.
    pub hello: Hello,
    /// Its tests and test classes, in the order in which they began.
    pub spans: Vec<Observed>,
    /// What ran inside static initialisers, by class.
    pub inits: BTreeMap<String, Initialised>,
    /// What ran while no test was open: loading, set-up of the framework.
    pub outside: BTreeSet<String>,
    /// What else was used, by number.
    pub notes: Vec<Noted>,
    /// Notes while no test was open.
    pub noted_outside: Vec<u32>,
    /// Tests that were skipped.
    pub skipped: Vec<TestId>,
    /// What could not be seen.
    pub gaps: Vec<String>,
    /// Whether it ended in good order.
    pub complete: bool,
}

/// What was seen of a test, a class or a container.
pub struct Observed {
    /// Test, class or container.
    pub kind: SpanKind,
    /// Whose.
    pub test: TestId,
    /// The framework's own name for it.
    pub name: String,
    /// How it ended; `None` if it did not.
    pub outcome: Option<Outcome>,
    /// How long it took.
    pub microseconds: u64,
    /// `a/B.f()V` for a method entered, `a/B` for a library class used.
    pub entered: BTreeSet<String>,
    /// Classes whose static initialisers it ran.
    pub initialised: BTreeSet<String>,
    /// The numbers of what else it used, in the order in which that came first.
    pub notes: Vec<u32>,
}

/// What ran inside a static initialiser.
#[derive(Default)]
pub struct Initialised {
    /// Methods and library classes.
    pub entered: BTreeSet<String>,
    /// The classes it initialised in turn.
    pub nested: BTreeSet<String>,
    /// The numbers of what else it used, in the order in which that came first.
    pub notes: Vec<u32>,
}

/// Collects messages.
pub(super) struct Heard {
    jvm: Jvm,
    classes: BTreeMap<u32, ClassSeen>,
    numbers: BTreeMap<u32, usize>,
}

impl Heard {
    pub(super) fn new(hello: Hello) -> Heard {
        let jvm = Jvm {
            hello,
            spans: Vec::new(),
            inits: BTreeMap::new(),
            outside: BTreeSet::new(),
            notes: Vec::new(),
            noted_outside: Vec::new(),
            skipped: Vec::new(),
            gaps: Vec::new(),
            complete: false,
        };
        Heard { jvm, classes: BTreeMap::new(), numbers: BTreeMap::new() }
    }

    pub(super) fn take(&mut self, said: Said) {
        match said {
            Said::Class(class) => {
                self.classes.insert(class.first_probe, class);
            }
            Said::Started(Span { number, kind, test, name }) => {
                self.numbers.insert(number, self.jvm.spans.len());
                self.jvm.spans.push(Observed {
                    kind,
                    test,
                    name,
                    outcome: None,
                    microseconds: 0,
                    entered: BTreeSet::new(),
                    initialised: BTreeSet::new(),
                    notes: Vec::new(),
                });
            }
            Said::Finished(finished) => {
                if let Some(span) = self.span(finished.number) {
                    span.outcome = Some(finished.outcome);
                    span.microseconds = finished.microseconds;
                }
            }
            Said::Hits(hits) => {
                let names: Vec<String> = hits.probes.iter().filter_map(|probe| self.name(*probe)).collect();
                if hits.spans.is_empty() {
                    self.jvm.outside.extend(names.iter().cloned());
                    add_notes(&mut self.jvm.noted_outside, &hits.notes);
                }
                for number in hits.spans {
                    if let Some(span) = self.span(number) {
                        span.entered.extend(names.iter().cloned());
                        add_notes(&mut span.notes, &hits.notes);
                    }
                }
            }
            Said::Init(InitTrace { class, probes, nested, notes, spans }) => {
                let names: Vec<String> = probes.iter().filter_map(|probe| self.name(*probe)).collect();
                for number in spans {
                    if let Some(span) = self.span(number) {
                        span.initialised.insert(class.clone());
                    }
                }
                let init = self.jvm.inits.entry(class).or_default();
                init.entered.extend(names);
                init.nested.extend(nested);
                add_notes(&mut init.notes, &notes);
            }
            // Numbered one by one; a number out of turn means nothing, and what names it is left out.
            Said::Note(note) if note.number as usize == self.jvm.notes.len() => {
                self.jvm.notes.push(note.what)
            }
            Said::Note(_) => {}
            Said::Skipped(test) => self.jvm.skipped.push(test),
            Said::Gap(gap) => self.jvm.gaps.push(gap.what),
            // Said once, before this collector was made; a second one means nothing.
            Said::Hello(_) | Said::Bye => {}
        }
    }

    pub(super) fn finish(mut self, complete: bool) -> Jvm {
        self.jvm.complete = complete;
        self.jvm
    }

    fn span(&mut self, number: u32) -> Option<&mut Observed> {
        self.numbers.get(&number).and_then(|index| self.jvm.spans.get_mut(*index))
    }

    /// The method or class that a probe stands for.
    fn name(&self, probe: u32) -> Option<String> {
        let (first, class) = self.classes.range(..=probe).next_back()?;
        match class.methods.get((probe - first) as usize) {
            Some((name, descriptor)) => Some(format!("{}.{name}{descriptor}", class.name)),
            None => (class.methods.is_empty() && probe == *first).then(|| class.name.clone()),
        }
    }
}

fn add_notes(notes: &mut Vec<u32>, more: &[u32]) {
    for note in more {
        if !notes.contains(note) {
            notes.push(*note);
        }
    }
}
