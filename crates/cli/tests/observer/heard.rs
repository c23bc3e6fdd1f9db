//! Groups the messages of one JVM by test, for `--observe`.

use std::collections::{BTreeMap, BTreeSet};
use tamis_wire::{
    AgentMessage, ClassLoaded, Hello, Input, NumberList, Outcome, ProbeRuns, Span, SpanHits, SpanKind,
    StaticInit, TestId,
};

/// The observations of one JVM.
pub(crate) struct Jvm {
    /// Its first message.
    pub(crate) hello: Hello,
    /// The directories whose classes were watched by method.
    pub(crate) watched: Vec<String>,
    /// Its tests and test classes, in the order in which they began.
    pub(crate) spans: Vec<Observed>,
    /// Footprints of static initialisers, by class.
    pub(crate) inits: BTreeMap<String, Initialised>,
    /// The footprint while no test was open: loading, set-up of the framework.
    pub(crate) outside: Used,
    /// The classes that it loaded, by their first probes.
    pub(crate) classes: BTreeMap<u32, ClassLoaded>,
    /// Other inputs, by number.
    pub(crate) notes: Vec<Input>,
    /// Tests that were skipped.
    pub(crate) skipped: Vec<TestId>,
    /// Gaps: what could not be seen.
    pub(crate) gaps: Vec<String>,
    /// Whether it ended normally.
    pub(crate) complete: bool,
}

/// The footprint of a span or an initialiser.
#[derive(Default)]
pub(crate) struct Used {
    /// Probes that were hit, in ascending order.
    pub(crate) probes: NumberList,
    /// The numbers of inputs, in the order of their first use.
    pub(crate) notes: NumberList,
    /// How many of the probes are known to be ascending.
    sorted: usize,
}

impl Used {
    /// Adds hits at the end, without sorting each time: containers are hit again and again.
    fn add(&mut self, probes: &[u32], notes: &[u32]) {
        self.probes.extend(probes);
        if self.probes.len() > 2 * self.sorted + 1024 {
            self.sort();
        }
        for note in notes {
            if !self.notes.contains(note) {
                self.notes.push(*note);
            }
        }
    }

    fn sort(&mut self) {
        self.probes.sort_unstable();
        self.probes.dedup();
        self.sorted = self.probes.len();
    }
}

/// The observations of a test, a class or a container.
pub(crate) struct Observed {
    /// Test, class or container.
    pub(crate) kind: SpanKind,
    /// Its test.
    pub(crate) test: TestId,
    /// The framework's own name for it.
    pub(crate) name: String,
    /// Its outcome; `None` if it did not end.
    pub(crate) outcome: Option<Outcome>,
    /// Its duration.
    pub(crate) microseconds: u64,
    /// Its footprint.
    pub(crate) used: Used,
    /// Classes whose static initialisers it ran.
    pub(crate) initialised: BTreeSet<String>,
}

/// The observations of a static initialiser.
#[derive(Default)]
pub(crate) struct Initialised {
    /// Its footprint.
    pub(crate) used: Used,
    /// The classes whose initialisers it ran in turn.
    pub(crate) nested: BTreeSet<String>,
}

impl Jvm {
    /// The class of a probe, and the method (name and descriptor) if the class is watched by method.
    pub(crate) fn probe(&self, probe: u32) -> Option<(&str, Option<(&str, &str)>)> {
        let (first, class) = self.classes.range(..=probe).next_back()?;
        match class.methods.get((probe - first) as usize) {
            Some((name, descriptor)) => Some((&class.name, Some((name, descriptor)))),
            None => (class.methods.is_empty() && probe == *first).then_some((&*class.name, None)),
        }
    }

    /// The same as a name: `a/B.f()V` for a method, `a/B` for a library class.
    pub(crate) fn entered(&self, probe: u32) -> Option<String> {
        Some(match self.probe(probe)? {
            (class, Some((name, descriptor))) => format!("{class}.{name}{descriptor}"),
            (class, None) => class.to_owned(),
        })
    }

    /// All probes that were hit in this JVM.
    pub(crate) fn all_probes(&self) -> BTreeSet<u32> {
        let spans = self.spans.iter().map(|span| &span.used);
        let inits = self.inits.values().map(|init| &init.used);
        let all = spans.chain(inits).chain([&self.outside]);
        all.flat_map(|used| used.probes.iter().copied()).collect()
    }
}

/// Collects the messages.
pub(crate) struct Heard {
    jvm: Jvm,
    /// By number of a span, its index in `jvm.spans`.
    numbers: BTreeMap<u32, usize>,
    /// Probes that all open and later spans are assumed to have hit.
    assumed: Vec<u32>,
}

impl Heard {
    pub(crate) fn new(hello: Hello, watched: Vec<String>) -> Heard {
        let jvm = Jvm {
            hello,
            watched,
            spans: Vec::new(),
            inits: BTreeMap::new(),
            outside: Used::default(),
            classes: BTreeMap::new(),
            notes: Vec::new(),
            skipped: Vec::new(),
            gaps: Vec::new(),
            complete: false,
        };
        Heard { jvm, numbers: BTreeMap::new(), assumed: Vec::new() }
    }

    pub(crate) fn take(&mut self, said: AgentMessage) {
        match said {
            AgentMessage::Class(class) => {
                self.jvm.classes.insert(class.first_probe, class);
            }
            AgentMessage::Started(Span { number, kind, test, name, parent: _ }) => {
                self.numbers.insert(number, self.jvm.spans.len());
                let mut used = Used::default();
                used.add(&self.assumed, &[]);
                self.jvm.spans.push(Observed {
                    kind,
                    test,
                    name,
                    outcome: None,
                    microseconds: 0,
                    used,
                    initialised: BTreeSet::new(),
                });
            }
            AgentMessage::Finished(finished) => {
                if let Some(span) = self.span(finished.number) {
                    span.outcome = Some(finished.outcome);
                    span.microseconds = finished.microseconds;
                }
            }
            AgentMessage::Hits(SpanHits { spans, probes: ProbeRuns(probes), notes }) => {
                if spans.is_empty() {
                    self.jvm.outside.add(&probes, &notes);
                }
                for number in spans {
                    if let Some(span) = self.span(number) {
                        span.used.add(&probes, &notes);
                    }
                }
            }
            AgentMessage::Init(StaticInit { class, probes: ProbeRuns(probes), nested, notes, spans }) => {
                for number in spans {
                    if let Some(span) = self.span(number) {
                        span.initialised.insert(class.clone());
                    }
                }
                let init = self.jvm.inits.entry(class).or_default();
                init.used.add(&probes, &notes);
                init.nested.extend(nested);
            }
            AgentMessage::Assumed(ProbeRuns(probes)) => {
                for span in self.jvm.spans.iter_mut().filter(|span| span.outcome.is_none()) {
                    span.used.add(&probes, &[]);
                }
                self.assumed.extend(probes);
            }
            // Numbers must be consecutive. An input with another number is ignored, and so are uses of it.
            AgentMessage::Note(note) if note.number as usize == self.jvm.notes.len() => {
                self.jvm.notes.push(note.what)
            }
            AgentMessage::Note(_) => {}
            AgentMessage::Skipped(test) => self.jvm.skipped.push(test),
            AgentMessage::Gap(gap) => self.jvm.gaps.push(gap.what),
            // Not needed here, or already handled.
            AgentMessage::Hello(_)
            | AgentMessage::Failure(_)
            | AgentMessage::Field(_)
            | AgentMessage::Graph(_)
            | AgentMessage::Under(_)
            | AgentMessage::ContextAsked
            | AgentMessage::Context(_)
            | AgentMessage::NewLeftovers(_)
            | AgentMessage::Bye => {}
        }
    }

    pub(crate) fn finish(mut self, complete: bool) -> Jvm {
        self.jvm.complete = complete;
        self.jvm.outside.sort();
        self.jvm.spans.iter_mut().for_each(|span| span.used.sort());
        self.jvm.inits.values_mut().for_each(|init| init.used.sort());
        self.jvm
    }

    fn span(&mut self, number: u32) -> Option<&mut Observed> {
        self.numbers.get(&number).and_then(|index| self.jvm.spans.get_mut(*index))
    }
}
