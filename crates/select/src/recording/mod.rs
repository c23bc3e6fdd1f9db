//! Turns the messages of a JVM into traces: the footprint of each test, and its facts.
//!
//! The footprint of a test has the hits while it was open, the set-up of the classes around it, and the work
//! outside of any class so far. Traces are committed when a test class has ended, because its tear-down is part
//! of each of its tests. Gaps become reasons why a test always runs.

mod commit;
mod contexts;
mod fact_book;
mod file_attributes;
mod generated_classes;
mod granularity;
mod input_log;
mod inputs;
mod library_classes;
mod library_settings;
mod library_state;
mod library_tests;
mod probe_table;
mod project_code;
mod results;
mod shared_containers;
mod span_tracker;
mod static_facts;

pub use granularity::Granularity;
pub use results::{ClassResult, ResultSink, TestResult};

use crate::decide::SkipEvidence;
use crate::events::{RunEvent, RunListener};
use crate::facts::FlowTable;
use crate::field_users;
use crate::history::{FieldState, Footprint, History};
use crate::static_graph::StaticTests;
use crate::stored::StoredTraces;
use crate::technique::{FactExtractor, Technique};
use crate::world::World;
use fact_book::FactBook;
use input_log::InputLog;
use library_state::LibraryState;
use library_tests::SuiteContext;
use probe_table::{ProbeTable, ResolvedFootprint};
use rustc_hash::FxHashMap;
use span_tracker::{RawFootprint, SpanTracker};
use std::time::SystemTime;
use tamis_program::names::ClassName;
use tamis_wire::{
    AgentMessage, Gap, Input, Outcome, ProbeRuns, Span, SpanFinished, StaticFieldGraph, StaticFieldInfo,
    StaticInit, TestFailure, TestId,
};

/// The data that all JVMs of a run share.
pub struct RunContext<'r> {
    /// The technique that extracts facts.
    pub technique: &'static dyn Technique,
    /// Whether single tests or classes are selected.
    pub granularity: Granularity,
    /// The number of threads of a static technique; 0 is one for each processor.
    pub threads: usize,
    /// The receiver of results; none with `--no-record`.
    pub writer: Option<&'r dyn ResultSink>,
    /// The traces that were recorded before.
    pub stored: &'r StoredTraces,
    /// The receiver of events.
    pub listener: &'r dyn RunListener,
}

/// Records the tests of one JVM while they run. Each field below owns one kind of knowledge.
pub struct JvmRecorder<'w> {
    run: &'w RunContext<'w>,
    world: &'w dyn World,
    spans: SpanTracker,
    inputs: InputLog,
    probes: ProbeTable,
    libraries: LibraryState,
    facts: FactBook<'w>,
    flows: FlowTable,
    history: History<'w>,
    extractor: Box<dyn FactExtractor>,
    /// With a static technique: the graph, once a test has ended.
    statics: Option<StaticTests<'w>>,
    /// The traces for which tests could be skipped.
    evidence: FxHashMap<TestId, SkipEvidence>,
    /// Once the JVM has ended: the surroundings of its tests, if tests of a library are among them.
    suites: Option<SuiteContext>,
}

impl<'w> JvmRecorder<'w> {
    /// Records a JVM that connected at `since` and could skip the tests of `evidence`.
    pub fn new(
        run: &'w RunContext<'w>,
        world: &'w dyn World,
        evidence: FxHashMap<TestId, SkipEvidence>,
        since: SystemTime,
    ) -> JvmRecorder<'w> {
        JvmRecorder {
            run,
            world,
            spans: SpanTracker::default(),
            inputs: InputLog::default(),
            probes: ProbeTable::default(),
            libraries: LibraryState::default(),
            facts: FactBook::new(world, since),
            flows: FlowTable::default(),
            history: History::new(world.snapshot()),
            extractor: run.technique.extractor(),
            statics: None,
            evidence,
            suites: None,
        }
    }

    /// Takes a message of the JVM. The answer, if the JVM waits for one, is the tests that run after all.
    pub fn handle_message(&mut self, message: AgentMessage) -> Option<Vec<TestId>> {
        match message {
            AgentMessage::NewLeftovers(fields) => return Some(self.new_leftovers(&fields)),
            AgentMessage::Class(class) => self.class(&class),
            AgentMessage::Started(span) => self.started(span),
            AgentMessage::Finished(finished) => self.finished(&finished),
            AgentMessage::Hits(hits) => self.spans.add_hits(&hits),
            AgentMessage::Init(init) => self.init(&init),
            AgentMessage::ContextAsked => self.libraries.loading.push(Vec::new()),
            AgentMessage::Context(work) => self.context_work(work),
            AgentMessage::Gap(gap) => self.gap(gap),
            AgentMessage::Note(input) => {
                if let Some(input) = self.inputs.add(input) {
                    self.note_input(&input);
                }
            }
            AgentMessage::Skipped(test) => {
                self.spans.skipped.insert(test.class.clone());
                self.run.listener.event(&RunEvent::Skipped { module: self.module(), test });
            }
            AgentMessage::Assumed(ProbeRuns(probes)) => self.spans.add_assumed(probes),
            AgentMessage::Field(field) => self.static_field_info(&field),
            AgentMessage::Graph(graph) => self.static_field_graph(&graph),
            AgentMessage::Under(stack) => self.under(&stack),
            AgentMessage::Failure(failure) => self.failed(failure),
            AgentMessage::Hello(_) | AgentMessage::Bye => {}
        }
        None
    }

    /// The JVM has ended, in good order or not.
    pub fn end(&mut self, complete: bool) {
        for (test, microseconds) in self.spans.running() {
            self.report_finished(test, Outcome::Unknown, microseconds);
        }
        // A class that has not ended may have been in its set-up or tear-down, which is part of its tests.
        let broken = self.spans.break_off();
        self.gather_around();
        broken.iter().for_each(|name| self.commit(name));
        if !complete {
            return;
        }
        let names: Vec<String> = self.spans.classes.keys().cloned().collect();
        for name in names {
            let has_grown =
                |class: &span_tracker::ClassRecording| class.committed != self.spans.size_of(class);
            if self.spans.classes.get(&name).is_some_and(has_grown) {
                self.commit(&name);
            }
        }
    }

    /// The classes of all tests so far, with those that were skipped.
    pub fn test_classes(&self) -> impl Iterator<Item = &str> {
        self.spans.classes.keys().map(String::as_str).chain(self.spans.skipped.iter().map(String::as_str))
    }

    fn module(&self) -> String {
        self.world.module().to_owned()
    }

    fn started(&mut self, span: Span) {
        let Some(test) = self.spans.start(span) else { return };
        let module = self.module();
        self.run.listener.event(&RunEvent::Started { module: module.clone(), test: test.clone() });
        let class = TestId { class: test.class.clone(), method: None };
        for id in [&test, &class].into_iter().filter(|id| self.evidence.contains_key(*id)) {
            if let Some(writer) = self.run.writer {
                writer.started(&module, id);
            }
        }
    }

    fn finished(&mut self, finished: &SpanFinished) {
        let end = self.spans.finish(finished);
        if let Some(test) = end.ended {
            self.report_finished(test, finished.outcome, finished.microseconds);
        }
        if let Some(class) = end.completed_class {
            self.commit(&class);
        }
    }

    /// A test or a class is about to end as failed. Nothing is decided by its error.
    fn failed(&self, failure: TestFailure) {
        let Some(test) = self.spans.test_of(failure.number).cloned() else { return };
        let snapshot = self.world.snapshot();
        let is_own = |line: &String| {
            let class = frame_class(line).map(ClassName::from_dotted);
            class.and_then(|class| snapshot.find(&class)).is_some_and(|id| snapshot.is_project(id))
        };
        let own_frame = failure.trace.iter().position(is_own);
        self.run.listener.event(&RunEvent::Failed { module: self.module(), test, failure, own_frame });
    }

    fn report_finished(&self, test: TestId, outcome: Outcome, microseconds: u64) {
        self.run.listener.event(&RunEvent::Finished { module: self.module(), test, outcome, microseconds });
    }

    fn gap(&mut self, gap: Gap) {
        if let Some(what) = self.spans.add_gap(gap) {
            self.run.listener.event(&RunEvent::Gap { module: self.module(), what });
        }
    }

    fn static_field_info(&mut self, field: &StaticFieldInfo) {
        let snapshot = self.world.snapshot();
        if let Some(class) = snapshot.find(&field.class).filter(|id| snapshot.is_project(*id)) {
            self.history.field_seen(class, &field.name, field.is_compared, field.holds.as_deref());
        }
    }

    /// A test left something in these static fields, which no recorded run has shown. The tests that may use them and are
    /// not run any more in this JVM run the next time.
    fn new_leftovers(&mut self, fields: &[String]) -> Vec<TestId> {
        let users = field_users::users(fields, self.world.snapshot(), self.run.stored, &self.evidence);
        let module = self.module();
        if let Some(writer) = self.run.writer {
            users.iter().for_each(|test| writer.started(&module, test));
        }
        if let (Some(field), false) = (fields.first(), users.is_empty()) {
            let (field, tests) = (field.clone(), users.len());
            self.run.listener.event(&RunEvent::Left { module, field, tests });
        }
        users
    }

    fn static_field_graph(&mut self, graph: &StaticFieldGraph) {
        let snapshot = self.world.snapshot();
        let project = |name: &str| snapshot.find(name).filter(|id| snapshot.is_project(*id));
        let Some(class) = project(&graph.class) else { return };
        // A class in it stands for those above, too: their methods run on the same objects.
        let reaches = graph.reaches.iter().filter_map(|name| project(name));
        let reaches =
            reaches.flat_map(|class| snapshot.above(class).iter().copied().chain([class])).collect();
        let state = match (graph.is_compared, graph.has_changed) {
            (false, _) => FieldState::Unknown,
            (true, true) => FieldState::Changed,
            (true, false) => FieldState::Quiet,
        };
        self.history.graph_seen(class, &graph.name, state, &reaches);
        if graph.has_changed
            && let Some(field) = self.history.field(class, &graph.name)
        {
            self.spans.add_changed(field, graph.each_test);
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
        let ResolvedFootprint { used, .. } = self.resolve_shared(&charge, nested);
        match self.world.snapshot().find(class).filter(|id| self.world.snapshot().is_project(*id)) {
            Some(id) => {
                // Tests that depend on the initialiser of this class depend on its inputs, too.
                let has_library = used.others.iter().any(|number| self.libraries.classes.is_one(number));
                self.history.initialised(id, &used, has_library);
            }
            None => self.libraries.classes.initialised(self.world, &mut self.facts.questions, class, used),
        }
    }

    /// Whether a note is that the class path was read as a property.
    fn is_class_path(&self, note: u32) -> bool {
        matches!(self.inputs.get(note), Some(Input::Property(Some(name))) if tamis_catalog::builds::holds_class_path(name))
    }

    /// Notes that a class's initialiser counts.
    fn touch(&mut self, name: &str, used: &mut Footprint) {
        let snapshot = self.world.snapshot();
        match snapshot.find(name).filter(|id| snapshot.is_project(*id)) {
            Some(id) => drop(used.touched.insert(id)),
            None => drop(
                self.libraries
                    .classes
                    .number(self.world, &mut self.facts.questions, name)
                    .map(|number| used.others.insert(number)),
            ),
        }
    }
}

/// The class of a line of a stack: `a.B$C` of `at app//a.B$C.m(B.java:7)`.
fn frame_class(line: &str) -> Option<&str> {
    let (method, _) = line.strip_prefix("at ")?.split_once('(')?;
    let method = method.rsplit('/').next().unwrap_or(method);
    Some(method.rsplit_once('.')?.0)
}

#[cfg(test)]
mod tests {
    use super::frame_class;

    #[test]
    fn a_frame_names_its_class_behind_loader_and_module() {
        assert_eq!(frame_class("at a.B$C.m(B.java:7)"), Some("a.B$C"));
        assert_eq!(frame_class("at app//a.B.<init>(B.java:7)"), Some("a.B"));
        assert_eq!(frame_class("at java.base/java.util.List.of(List.java)"), Some("java.util.List"));
        assert_eq!(frame_class("Caused by: a.E: (x)"), None);
    }
}
