//! Turns the messages of a JVM into traces: the footprint of each test, and its facts.
//!
//! The footprint of a test has the hits while it was open, the set-up of the classes around it, and the work
//! before all of them. Traces are committed when a test class has ended, because its tear-down is part of
//! each of its tests. Gaps become reasons why a test always runs.

mod commit;
mod generated_classes;
mod granularity;
mod inputs;
mod library_classes;
mod library_settings;
mod library_tests;
mod probe_table;
mod results;
mod shared_containers;

pub use granularity::Granularity;
pub use results::{ClassResult, ResultSink, TestResult};

use crate::decide::SkipEvidence;
use crate::events::{RunEvent, RunListener};
use crate::facts::{FactKind, FactTable, QuestionTable};
use crate::history::{Footprint, History};
use crate::stored::StoredTraces;
use crate::technique::{HybridCache, Technique};
use crate::world::{AnswerCache, CLASS_PATHS, World};
use generated_classes::GeneratedClasses;
use library_classes::LibraryClasses;
use library_settings::LibrarySettings;
use library_tests::SuiteContext;
use probe_table::{ProbeTable, ResolvedFootprint};
use rustc_hash::FxHashMap;
use std::collections::{BTreeMap, BTreeSet};
use std::time::SystemTime;
use tamis_program::bitset::{BitSet, SparseBitSet};
use tamis_wire::{
    AgentMessage, Gap, Input, Outcome, Span, SpanFinished, SpanHits, SpanKind, StaticInit, TestId,
};

/// The data that all JVMs of a run share.
pub struct RunContext<'r> {
    /// The selection technique.
    pub technique: Technique,
    /// The unit of selection.
    pub granularity: Granularity,
    /// Receives the traces; `None` with `--no-record`.
    pub writer: Option<&'r dyn ResultSink>,
    /// The traces recorded before.
    pub stored: &'r StoredTraces,
    /// Receives the events.
    pub listener: &'r dyn RunListener,
}

/// The recording of one JVM's tests.
pub struct JvmRecorder<'w> {
    shared: &'w RunContext<'w>,
    world: &'w dyn World,
    /// The time of the JVM's first message. Files that changed later may not be what a test read.
    since: SystemTime,
    answers: AnswerCache<'w>,
    asked: QuestionTable,
    memory: HybridCache,
    history: History<'w>,
    libraries: LibraryClasses,
    probes: ProbeTable,
    notes: Vec<Input>,
    /// By input, the code that was on the stack.
    under: FxHashMap<u32, StackFootprint>,
    looked_for: LibrarySettings,
    spans: BTreeMap<u32, SpanState>,
    classes: BTreeMap<String, ClassRecording>,
    /// The footprint while no test or class was open.
    outside: RawFootprint,
    /// Gaps of this JVM that cannot be assigned to tests.
    gaps: Vec<String>,
    held: FxHashMap<TestId, SkipEvidence>,
    assumed: Vec<u32>,
    /// Represents the JDK's defaults, once a test has left another one than it found. Every later test finds
    /// it.
    defaults: Option<u32>,
    made: GeneratedClasses,
    /// Methods that access the store which extensions of Jupiter share with other classes.
    extensions: BitSet<u32>,
    /// Questions that represent gaps in initialisers, with their reasons.
    unseen: FxHashMap<u32, String>,
    /// Answered questions by number, those about files among them, and those whose file changed while the
    /// tests ran.
    told: FactTable,
    files: Vec<u32>,
    late: FxHashMap<u32, String>,
    /// The numbers of the questions of stored facts, by index.
    of_stored: Vec<Option<u32>>,
    /// The footprint around all tests of an ended JVM, if some of them are a library's.
    around: Option<SuiteContext>,
    /// Classes of tests that were skipped.
    skipped: BTreeSet<String>,
    /// For inputs that are classes, whether these are test classes.
    of_tests: FxHashMap<u32, bool>,
}

/// The code on a stack.
#[derive(Default)]
struct StackFootprint {
    /// Methods of the project, by the history's numbers.
    methods: BTreeSet<u32>,
    /// Library classes, by question.
    libraries: BTreeSet<u32>,
}

/// A footprint as the agent reported it.
#[derive(Clone, Default)]
struct RawFootprint {
    probes: SparseBitSet<u32>,
    /// In the order of their first use.
    notes: Vec<u32>,
    gaps: Vec<String>,
    /// Numbers of the classes that it had generated.
    made: Vec<u32>,
}

impl RawFootprint {
    fn add(&mut self, probes: &[u32], notes: &[u32]) {
        self.probes.extend(probes.iter().copied());
        for note in notes {
            if !self.notes.contains(note) {
                self.notes.push(*note);
            }
        }
    }

    fn add_all(&mut self, other: &RawFootprint) {
        self.probes.unite(&other.probes);
        self.add(&[], &other.notes);
        self.gaps.extend(other.gaps.iter().cloned());
        self.made.extend(&other.made);
    }
}

struct SpanState {
    /// Whether it is open; a thread of a span that has ended may still be working.
    open: bool,
    kind: SpanKind,
    test: TestId,
    /// The test classes around it, with its own.
    around: BTreeSet<String>,
}

/// A class of tests.
#[derive(Default)]
struct ClassRecording {
    /// The number of its open spans.
    open: usize,
    /// Classes whose set-up also belongs to it.
    around: BTreeSet<String>,
    /// The footprint that its tests share.
    shared: RawFootprint,
    /// The number of shared inputs before its first test. Later ones are from between the tests, or from
    /// tear-down.
    set_up: Option<usize>,
    tests: BTreeMap<String, TestRecording>,
    outcome: Option<Outcome>,
    microseconds: u64,
    /// The amount of data when its traces were last committed.
    committed: usize,
}

/// One test of a class, with all its invocations.
#[derive(Default)]
struct TestRecording {
    charge: RawFootprint,
    outcome: Option<Outcome>,
    microseconds: u64,
    running: usize,
}

impl<'w> JvmRecorder<'w> {
    /// The recording of a JVM that sent its first message at `since`, and skips the tests in `held`.
    pub fn new(
        shared: &'w RunContext<'w>,
        world: &'w dyn World,
        held: FxHashMap<TestId, SkipEvidence>,
        since: SystemTime,
    ) -> JvmRecorder<'w> {
        JvmRecorder {
            shared,
            world,
            since,
            answers: AnswerCache::new(world),
            asked: QuestionTable::default(),
            memory: HybridCache::default(),
            history: History::new(world.snapshot()),
            libraries: LibraryClasses::default(),
            probes: ProbeTable::default(),
            notes: Vec::new(),
            under: FxHashMap::default(),
            looked_for: LibrarySettings::default(),
            spans: BTreeMap::new(),
            classes: BTreeMap::new(),
            outside: RawFootprint::default(),
            gaps: Vec::new(),
            held,
            assumed: Vec::new(),
            defaults: None,
            made: GeneratedClasses::default(),
            extensions: BitSet::default(),
            unseen: FxHashMap::default(),
            told: FactTable::default(),
            files: Vec::new(),
            late: FxHashMap::default(),
            of_stored: Vec::new(),
            around: None,
            skipped: BTreeSet::new(),
            of_tests: FxHashMap::default(),
        }
    }

    /// Handles a message of the JVM.
    pub fn handle_message(&mut self, said: AgentMessage) {
        match said {
            AgentMessage::Class(class) => self.class(&class),
            AgentMessage::Started(span) => self.started(span),
            AgentMessage::Finished(finished) => self.finished(&finished),
            AgentMessage::Hits(hits) => self.hits(&hits),
            AgentMessage::Init(init) => self.init(&init),
            AgentMessage::Gap(gap) => self.gap(gap),
            AgentMessage::Note(note) if note.number as usize == self.notes.len() => {
                self.noted(&note.what);
                self.noted_made(&note.what);
                self.notes.push(note.what);
            }
            // Notes are numbered one by one; one out of turn means nothing, and what names it is left out.
            AgentMessage::Note(_) => {}
            AgentMessage::Skipped(test) => {
                self.skipped.insert(test.class.clone());
                self.shared.listener.event(&RunEvent::Skipped { module: self.module(), test });
            }
            AgentMessage::Assumed(tamis_wire::ProbeRuns(probes)) => {
                for class in self.classes.values_mut().filter(|class| class.open > 0) {
                    class.shared.add(&probes, &[]);
                }
                self.assumed.extend(probes);
            }
            AgentMessage::Field(field) => {
                let snapshot = self.world.snapshot();
                if let Some(class) = snapshot.find(&field.class).filter(|id| snapshot.is_project(*id)) {
                    self.history.field_seen(class, &field.name, field.is_compared, field.holds.as_deref());
                }
            }
            AgentMessage::Under(under) => self.under(&under),
            AgentMessage::Hello(_) | AgentMessage::Bye => {}
        }
    }

    /// Handles the end of the JVM, normal or not.
    pub fn end(&mut self, complete: bool) {
        // They have begun, and whoever asks which tests ran is told of them.
        for (class, tests) in self.classes.iter().map(|(name, class)| (name, &class.tests)) {
            for (method, test) in tests.iter().filter(|(_, test)| test.running > 0) {
                let method = Some(method.clone()).filter(|method| !method.is_empty());
                self.report_finished(
                    TestId { class: class.clone(), method },
                    Outcome::Unknown,
                    test.microseconds,
                );
            }
        }
        // A class that has not ended may have been in its set-up or tear-down, which is part of its tests.
        let broken = self.classes.iter_mut().filter(|(_, class)| class.open > 0);
        let broken: Vec<String> = broken
            .map(|(name, class)| {
                class.outcome = Some(Outcome::Unknown);
                name.clone()
            })
            .collect();
        self.gather_around();
        broken.iter().for_each(|name| self.commit(name));
        if !complete {
            return;
        }
        let names: Vec<String> = self.classes.keys().cloned().collect();
        for name in names {
            if self.classes.get(&name).is_some_and(|class| class.committed != self.known_of(class)) {
                self.commit(&name);
            }
        }
    }

    /// The classes of all tests of the JVM, skipped ones included.
    pub fn test_classes(&self) -> impl Iterator<Item = &str> {
        self.classes.keys().map(String::as_str).chain(self.skipped.iter().map(String::as_str))
    }

    fn module(&self) -> String {
        self.world.module().to_owned()
    }

    fn started(&mut self, span: Span) {
        let Span { number, kind, test, name: _, parent } = span;
        let mut around: BTreeSet<String> = BTreeSet::new();
        for open in self.spans.values().filter(|open| open.open && open.kind == SpanKind::Class) {
            // In parallel several classes are open; those that enclose this one by name, and its own, are
            // around it.
            if is_around(&open.test.class, &test.class) {
                around.insert(open.test.class.clone());
            }
        }
        // Suites, and whatever else a framework puts around a class: their set-up is its own too.
        let above = parent.and_then(|parent| self.spans.get(&parent));
        if let Some(above) = above {
            around.extend(above.around.iter().cloned());
            if above.kind == SpanKind::Class {
                around.insert(above.test.class.clone());
            }
        }
        if kind != SpanKind::Container {
            let assumed = &self.assumed;
            let class = self.classes.entry(test.class.clone()).or_default();
            class.around.extend(around.iter().cloned());
            class.shared.add(assumed, &[]);
            match (kind, &test.method) {
                (SpanKind::Test, method) => {
                    let name = method.clone().unwrap_or_default();
                    class.tests.entry(name).or_default().running += 1;
                }
                _ => class.open += 1,
            }
            around.insert(test.class.clone());
        }
        if kind == SpanKind::Test {
            for name in &around {
                if let Some(class) = self.classes.get_mut(name) {
                    class.set_up.get_or_insert(class.shared.notes.len());
                }
            }
            let module = self.module();
            self.shared.listener.event(&RunEvent::Started { module: module.clone(), test: test.clone() });
            let class = TestId { class: test.class.clone(), method: None };
            for id in [&test, &class].into_iter().filter(|id| self.held.contains_key(*id)) {
                if let Some(keeper) = self.shared.writer {
                    keeper.started(&module, id);
                }
            }
        }
        self.spans.insert(number, SpanState { open: true, kind, test, around });
    }

    fn finished(&mut self, finished: &SpanFinished) {
        let Some(open) = self.spans.get_mut(&finished.number).filter(|open| open.open) else { return };
        open.open = false;
        let (kind, id) = (open.kind, open.test.clone());
        let Some(class) = self.classes.get_mut(&id.class) else { return };
        match kind {
            SpanKind::Test => {
                let name = id.method.clone().unwrap_or_default();
                if let Some(test) = class.tests.get_mut(&name) {
                    test.running = test.running.saturating_sub(1);
                    test.microseconds += finished.microseconds;
                    test.outcome =
                        Some(test.outcome.map_or(finished.outcome, |before| before.worse(finished.outcome)));
                }
                self.report_finished(id.clone(), finished.outcome, finished.microseconds);
                // A test that no class span encloses stands for itself.
                if self.classes.get(&id.class).is_some_and(|class| class.open == 0) {
                    self.commit(&id.class);
                }
            }
            SpanKind::Class => {
                class.open = class.open.saturating_sub(1);
                class.microseconds += finished.microseconds;
                class.outcome =
                    Some(class.outcome.map_or(finished.outcome, |before| before.worse(finished.outcome)));
                let is_over = class.open == 0 && class.tests.values().all(|test| test.running == 0);
                if finished.outcome == Outcome::Failed {
                    // Its set-up or tear-down: that of a test is the test's.
                    self.report_finished(id.clone(), finished.outcome, finished.microseconds);
                }
                if is_over {
                    self.commit(&id.class);
                }
            }
            SpanKind::Container => {}
        }
    }

    /// Reports that a test has ended.
    fn report_finished(&self, test: TestId, outcome: Outcome, microseconds: u64) {
        self.shared.listener.event(&RunEvent::Finished {
            module: self.module(),
            test,
            outcome,
            microseconds,
        });
    }

    fn hits(&mut self, hits: &SpanHits) {
        let SpanHits { spans, probes: tamis_wire::ProbeRuns(probes), notes } = hits;
        let mut of_tests: BTreeSet<String> = BTreeSet::new();
        let mut any = false;
        let open: Vec<(SpanKind, TestId, BTreeSet<String>)> = spans
            .iter()
            .filter_map(|number| self.spans.get(number))
            .map(|open| (open.kind, open.test.clone(), open.around.clone()))
            .collect();
        for (kind, test, around) in &open {
            if *kind == SpanKind::Test
                && let Some(class) = self.classes.get_mut(&test.class)
                && let Some(charged) = class.tests.get_mut(test.method.as_deref().unwrap_or_default())
            {
                charged.charge.add(probes, notes);
                of_tests.extend(around.iter().cloned());
                any = true;
            }
        }
        for (kind, test, _) in &open {
            if *kind == SpanKind::Class
                && !of_tests.contains(&test.class)
                && let Some(class) = self.classes.get_mut(&test.class)
            {
                class.shared.add(probes, notes);
                any = true;
            }
        }
        // A thread of a test that has ended: its class keeps it.
        if !any {
            self.outside.add(probes, notes);
        }
    }

    fn gap(&mut self, gap: Gap) {
        let mut placed = false;
        for number in &gap.spans {
            let Some(open) = self.spans.get(number) else { continue };
            let Some(class) = self.classes.get_mut(&open.test.class) else { continue };
            let charge = match (open.kind, &open.test.method) {
                (SpanKind::Test, method) => {
                    &mut class.tests.entry(method.clone().unwrap_or_default()).or_default().charge
                }
                _ => &mut class.shared,
            };
            charge.gaps.push(gap.what.clone());
            placed = true;
        }
        if !placed {
            self.shared.listener.event(&RunEvent::Gap { module: self.module(), what: gap.what.clone() });
            self.gaps.push(gap.what);
        }
    }

    fn init(&mut self, init: &StaticInit) {
        let StaticInit { class, probes: tamis_wire::ProbeRuns(probes), nested, notes, spans: _ } = init;
        let is_project =
            self.world.snapshot().find(class).is_some_and(|id| self.world.snapshot().is_project(id));
        let mut notes = notes.clone();
        if !is_project {
            // Libraries that copy all properties into constants do not scan the class path.
            notes.retain(|note| !self.is_class_path(*note));
        }
        let charge =
            RawFootprint { probes: probes.iter().copied().collect(), notes, ..RawFootprint::default() };
        let ResolvedFootprint { mut used, always, .. } = self.resolve_footprint(&[&charge]);
        for reason in always {
            let number = self.unseen(&reason);
            used.others.insert(number);
        }
        for name in nested {
            self.touch(name, &mut used);
        }
        match self.world.snapshot().find(class).filter(|id| self.world.snapshot().is_project(*id)) {
            Some(id) => {
                // Whoever looks at this class's initialiser looks at what it read, too.
                self.history.initialised(id, &used);
            }
            None => self.libraries.initialised(self.world, &mut self.asked, class, used),
        }
    }

    /// Whether an input is the class path, read as a property.
    fn is_class_path(&self, note: u32) -> bool {
        matches!(self.notes.get(note as usize), Some(Input::Property(Some(name))) if CLASS_PATHS.contains(&name.as_str()))
    }

    /// The number that represents a gap: a test that depends on it always runs.
    fn unseen(&mut self, reason: &str) -> u32 {
        let number = self.ask(FactKind::Jvm, &format!("not seen: {reason}"));
        self.unseen.insert(number, reason.to_owned());
        number
    }

    /// Adds the initialiser of a class.
    fn touch(&mut self, name: &str, used: &mut Footprint) {
        let snapshot = self.world.snapshot();
        match snapshot.find(name).filter(|id| snapshot.is_project(*id)) {
            Some(id) => drop(used.touched.insert(id)),
            None => drop(
                self.libraries
                    .number(self.world, &mut self.asked, name)
                    .map(|number| used.others.insert(number)),
            ),
        }
    }
}

/// Whether one test class is another one, or the outer class of it.
fn is_around(outer: &str, inner: &str) -> bool {
    inner.strip_prefix(outer).is_some_and(|rest| rest.is_empty() || rest.starts_with('$'))
}
