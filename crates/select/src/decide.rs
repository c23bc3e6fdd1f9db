//! Decides for each recorded test of a module whether it can be skipped now.

use crate::broken_changes::{CodeChange, changes};
use crate::facts::{Answer, Fact, FactKind};
use crate::nearest_trace::{NearestTrace, nearest_trace};
use crate::reason::WholeReason;
use crate::recording::Granularity;
use crate::rules::SelectionRule;
use crate::stored::{StoredOutcome, StoredTest, StoredTraces, TestKey};
use crate::world::AnswerCache;
use rustc_hash::FxHashMap;
use std::time::SystemTime;
use tamis_program::digest::Digest;
use tamis_program::names::ClassName;
use tamis_program::snapshot::{ClassId, Snapshot};
use tamis_wire::TestId;

/// The decisions about the tests of one module.
#[derive(Clone, Debug, Default)]
pub struct ModuleDecision {
    /// The module.
    pub module: String,
    /// Its tests, ordered by name.
    pub tests: Vec<TestDecision>,
    /// How long deciding took, with reading.
    pub seconds: f64,
    /// The user's rules that decided something.
    pub rules: Vec<SelectionRule>,
}

/// The decision about one test, or about a class that is selected as one unit.
#[derive(Clone, Debug)]
pub struct TestDecision {
    /// The test.
    pub key: TestKey,
    /// The number of tests that it stands for.
    pub tests: usize,
    /// The methods of a class that is selected as one unit.
    pub methods: Vec<String>,
    /// Why the class is selected as one unit.
    pub whole: Option<WholeReason>,
    /// Run or skip.
    pub decision: Decision,
    /// The duration of the run in which it was last recorded.
    pub microseconds: u64,
}

/// Whether a test runs. Every answer carries its cause.
#[derive(Clone, Debug)]
pub enum Decision {
    /// It runs.
    Run(RunReason),
    /// It can be skipped.
    Skip(SkipEvidence),
}

/// A recorded trace of the test that holds. Only this module makes one.
#[derive(Clone, Debug)]
pub struct SkipEvidence {
    /// The digest of the trace.
    pub digest: Digest,
    /// The set of its facts, for [`StoredTraces::all`].
    pub set: usize,
    /// The number of its facts.
    pub facts: usize,
    /// When it was recorded.
    pub recorded: SystemTime,
    /// The machine or job on which it was recorded.
    pub place: String,
    /// Whether the trace follows from the static graph: no run was recorded.
    pub is_static: bool,
    /// Private, so that no other module makes one.
    _proof: OnlyDecide,
}

/// A value that no other module can make.
#[derive(Clone, Copy, Debug)]
struct OnlyDecide;

/// Why a test runs.
#[derive(Clone, Debug)]
pub enum RunReason {
    /// It has no recorded run.
    New,
    /// It failed the last time.
    Failed,
    /// It was not run to its end the last time.
    Broken,
    /// It was disabled, or an assumption did not hold.
    NotRun,
    /// It passed and failed with the same facts.
    Flaky,
    /// It uses something that recording does not understand.
    Always(String),
    /// None of its traces holds.
    Changed(BrokenTrace),
    /// The user asked for it.
    Asked,
}

/// The trace that comes nearest to holding.
#[derive(Clone, Debug)]
pub struct BrokenTrace {
    /// Its place among the traces of the test.
    pub trace: usize,
    /// The facts that do not hold, with the present answers; those about code first.
    pub broken: Vec<(Fact, Answer)>,
    /// The changes of code behind them.
    pub changes: Vec<CodeChange>,
}

impl RunReason {
    /// The facts that do not hold.
    pub fn broken(&self) -> &[(Fact, Answer)] {
        match self {
            RunReason::Changed(trace) => &trace.broken,
            RunReason::New
            | RunReason::Failed
            | RunReason::Broken
            | RunReason::NotRun
            | RunReason::Flaky
            | RunReason::Always(_)
            | RunReason::Asked => &[],
        }
    }

    /// The changes of code behind the facts that do not hold.
    pub fn changes(&self) -> &[CodeChange] {
        match self {
            RunReason::Changed(trace) => &trace.changes,
            RunReason::New
            | RunReason::Failed
            | RunReason::Broken
            | RunReason::NotRun
            | RunReason::Flaky
            | RunReason::Always(_)
            | RunReason::Asked => &[],
        }
    }
}

/// Decides about the tests of a module.
pub fn decide_module(
    stored: &StoredTraces,
    answers: &mut AnswerCache<'_>,
    snapshot: &Snapshot,
    module: &str,
    granularity: Granularity,
    ignored: Option<FactKind>,
) -> Vec<TestDecision> {
    let truth = |fact: &Fact| (Some(fact.question.kind) == ignored).then_some(true);
    let truths = stored.facts.iter().map(truth).collect();
    let mut judge = ModuleJudge { stored, snapshot, truths, answers };
    judge.follow_rules();
    judge.answers.expect(
        stored.facts.iter().map(|fact| &fact.question).filter(|question| question.kind == FactKind::Resource),
    );
    let mut chosen = Vec::new();
    let mut rest = stored.tests.iter().filter(|test| test.key.module == module).peekable();
    while let Some(first) = rest.next() {
        let mut class = vec![first];
        while let Some(next) = rest.next_if(|next| next.key.class == first.key.class) {
            class.push(next);
        }
        if is_there(snapshot, &first.key.class)
            || judge.answers.is_library(&ClassName::from_dotted(&first.key.class))
        {
            judge.class(&class, granularity, &mut chosen);
        }
    }
    judge.add_always(&mut chosen);
    chosen
}

/// Marks decisions that rest on static traces.
pub fn mark_static(tests: &mut [TestDecision]) {
    for test in tests {
        if let Decision::Skip(evidence) = &mut test.decision {
            evidence.is_static = true;
        }
    }
}

/// Takes the decisions of static traces for tests that have no recorded trace at all.
pub fn complete_with_static(tests: &mut [TestDecision], mut statics: Vec<TestDecision>) {
    mark_static(&mut statics);
    let mut found: FxHashMap<TestKey, TestDecision> =
        statics.into_iter().map(|test| (test.key.clone(), test)).collect();
    for test in tests.iter_mut().filter(|test| matches!(test.decision, Decision::Run(RunReason::New))) {
        if let Some(other) =
            found.remove(&test.key).filter(|other| other.is_skip() && other.methods == test.methods)
        {
            *test = other;
        }
    }
}

/// Whether a test class still exists. A name in brackets is not a class and counts as existing.
fn is_there(snapshot: &Snapshot, class: &str) -> bool {
    class.starts_with('[') || test_class(snapshot, &ClassName::from_dotted(class)).is_some()
}

/// The class of a test by its reported name. An inherited nested class is reported under the name of the
/// inheriting class.
pub fn test_class(snapshot: &Snapshot, name: &str) -> Option<ClassId> {
    snapshot.find(name).or_else(|| {
        let (outer, inner) = name.rsplit_once('$')?;
        let above = snapshot.supertypes(test_class(snapshot, outer)?).0;
        above
            .into_iter()
            .find_map(|above| snapshot.find(&format!("{}${inner}", snapshot.class(above).name())))
    })
}

/// Whether a test method still exists. Names that cannot be a method's count as existing.
pub fn has_method(snapshot: &Snapshot, class: &str, method: &str) -> bool {
    let Some(id) = test_class(snapshot, &ClassName::from_dotted(class)) else { return true };
    let is_name = method.chars().all(|letter| letter.is_alphanumeric() || letter == '_' || letter == '$');
    let declares = |id| {
        let record = snapshot.class(id);
        record.methods.iter().any(|known| record.str(known.name) == method)
    };
    !is_name
        || declares(id)
        || snapshot.supertypes(id).0.into_iter().any(declares)
        || !snapshot.supertypes(id).1.is_empty()
}

struct ModuleJudge<'j, 'w> {
    stored: &'j StoredTraces,
    snapshot: &'j Snapshot,
    /// By fact, whether it holds, as far as it is known.
    truths: Vec<Option<bool>>,
    answers: &'j mut AnswerCache<'w>,
}

impl ModuleJudge<'_, '_> {
    fn holds(&mut self, index: usize) -> bool {
        let (Some(truth), Some(fact)) = (self.truths.get_mut(index), self.stored.facts.get(index)) else {
            return false;
        };
        match truth {
            Some(known) => *known,
            None => {
                let holds = self.answers.answer(&fact.question) == fact.answer;
                *truth = Some(holds);
                holds
            }
        }
    }

    /// Facts that the user's rules ignore count as held. A rule is used if the fact does not hold.
    fn follow_rules(&mut self) {
        let rules = self.answers.rules();
        if rules.rules.is_empty() {
            return;
        }
        for (fact, truth) in self.stored.facts.iter().zip(&mut self.truths) {
            let Some(rule) = rules.ignoring(&fact.question) else { continue };
            if self.answers.answer(&fact.question) != fact.answer {
                self.answers.used_rules.insert(rule.clone());
            }
            *truth = Some(true);
        }
    }

    /// Tests that always run by a rule.
    fn add_always(&mut self, chosen: &mut [TestDecision]) {
        let rules = self.answers.rules();
        for test in chosen.iter_mut().filter(|test| test.is_skip()) {
            let one = test.key.method.as_deref();
            let methods: Vec<&str> = test.methods.iter().map(String::as_str).chain(one).collect();
            if let Some(rule) = rules.always(&test.key.class, &methods) {
                self.answers.used_rules.insert(rule.clone());
                test.decision = Decision::Run(RunReason::Always(rule.why.clone()));
            }
        }
    }

    fn class(&mut self, class: &[&StoredTest], granularity: Granularity, chosen: &mut Vec<TestDecision>) {
        let snapshot = self.snapshot;
        let whole = class.iter().find(|test| test.key.method.is_none());
        let there = |test: &&&StoredTest| {
            test.key.method.as_deref().is_some_and(|method| has_method(snapshot, &test.key.class, method))
        };
        let methods: Vec<&StoredTest> = class.iter().filter(there).copied().collect();
        let is_whole = whole.is_some_and(|whole| {
            whole.whole.is_some()
                || (!whole.traces.is_empty() && methods.iter().all(|test| test.traces.is_empty()))
        });
        match (whole, granularity) {
            (Some(whole), Granularity::Auto | Granularity::Class) if is_whole => {
                let reason = whole.whole.clone().map_or(WholeReason::RecordedAsOne, WholeReason::Recorded);
                let names = methods.iter().filter_map(|test| test.key.method.clone()).collect();
                chosen.push(self.test(whole, names, Some(reason)));
            }
            (_, Granularity::Class) if !methods.is_empty() => {
                let all: Vec<TestDecision> =
                    methods.iter().map(|test| self.test(test, Vec::new(), None)).collect();
                chosen.extend(together(all));
            }
            _ => {
                for test in methods {
                    chosen.push(self.test(test, Vec::new(), None));
                }
            }
        }
    }

    fn test(&mut self, test: &StoredTest, methods: Vec<String>, whole: Option<WholeReason>) -> TestDecision {
        let decision = match reason_to_run(test) {
            Some(reason) => Decision::Run(reason),
            None => self.by_traces(test),
        };
        let microseconds = test.traces.first().map_or(0, |trace| trace.microseconds);
        let tests = methods.len().max(1);
        TestDecision { key: test.key.clone(), tests, methods, whole, decision, microseconds }
    }

    fn by_traces(&mut self, test: &StoredTest) -> Decision {
        let stored = self.stored;
        // Most traces hold or fail at once. The full list of broken facts matters only for the nearest trace.
        let mut fewest = usize::MAX;
        let nearest = nearest_trace(test.traces.len(), |trace| {
            let Some(trace) = test.traces.get(trace) else { return vec![u32::MAX] };
            if stored.all(trace.set, |index| self.holds(index)) {
                return Vec::new();
            }
            let mut broken = Vec::new();
            let read = stored.all(trace.set, |index| {
                if !self.holds(index) {
                    broken.push(index as u32);
                }
                broken.len() <= fewest
            });
            if !read {
                broken.push(u32::MAX);
            }
            fewest = fewest.min(broken.len());
            broken
        });
        match nearest {
            NearestTrace::Holds(trace) => match test.traces.get(trace) {
                Some(trace) => {
                    let run = trace.run.and_then(|run| stored.runs.get(run));
                    Decision::Skip(SkipEvidence {
                        digest: trace.digest,
                        set: trace.set,
                        facts: stored.facts_of(trace.set).map_or(0, |facts| facts.len()),
                        recorded: trace.recorded,
                        place: run.map_or(String::new(), |run| run.place.clone()),
                        is_static: false,
                        _proof: OnlyDecide,
                    })
                }
                None => Decision::Run(RunReason::New),
            },
            NearestTrace::Broken { trace, facts } => {
                let broken = self.broken(&facts);
                let changes =
                    broken.iter().flat_map(|(fact, now)| changes(self.snapshot, fact, now)).collect();
                Decision::Run(RunReason::Changed(BrokenTrace { trace, broken, changes }))
            }
            NearestTrace::None => Decision::Run(RunReason::New),
        }
    }

    fn broken(&mut self, facts: &[u32]) -> Vec<(Fact, Answer)> {
        let facts = facts.iter().filter_map(|fact| self.stored.facts.get(*fact as usize));
        let mut broken: Vec<(Fact, Answer)> =
            facts.map(|fact| (fact.clone(), self.answers.answer(&fact.question))).collect();
        broken.sort_unstable();
        broken
    }
}

/// A reason to run that does not depend on the traces; `None` if the traces decide.
fn reason_to_run(test: &StoredTest) -> Option<RunReason> {
    if test.running {
        return Some(RunReason::Broken);
    }
    match test.last {
        None if test.traces.is_empty() => Some(RunReason::New),
        Some(StoredOutcome::Failed) => Some(RunReason::Failed),
        Some(StoredOutcome::Aborted) => Some(RunReason::NotRun),
        Some(StoredOutcome::Crashed | StoredOutcome::Unknown) => Some(RunReason::Broken),
        // Traces imported from another store have no outcome. Whether a test is disabled depends on its
        // annotations, which are facts.
        None | Some(StoredOutcome::Passed | StoredOutcome::Ignored) => match &test.always {
            Some(why) => Some(RunReason::Always(why.clone())),
            None => test.flaky.then_some(RunReason::Flaky),
        },
    }
}

/// Decides about a class as one unit: it runs if one of its tests does.
fn together(all: Vec<TestDecision>) -> Option<TestDecision> {
    let tests = all.len();
    let microseconds = all.iter().map(|test| test.microseconds).sum();
    let runs = |test: &&TestDecision| matches!(test.decision, Decision::Run(_));
    let one = all.iter().find(runs).or(all.first())?;
    Some(TestDecision {
        key: TestKey { method: None, ..one.key.clone() },
        tests,
        methods: all.iter().filter_map(|test| test.key.method.clone()).collect(),
        whole: Some(WholeReason::Requested),
        decision: one.decision.clone(),
        microseconds,
    })
}

impl TestDecision {
    /// Whether it may be skipped.
    pub fn is_skip(&self) -> bool {
        matches!(self.decision, Decision::Skip(_))
    }

    /// The test as frameworks and the agent name it.
    pub fn id(&self) -> TestId {
        TestId { class: self.key.class.clone(), method: self.key.method.clone() }
    }

    /// The tests to skip, by name. A test without a recorded run is never among them, even if its class is
    /// selected as one unit.
    pub fn skipped_ids(&self) -> Vec<TestId> {
        let of = |method: &String| TestId { class: self.key.class.clone(), method: Some(method.clone()) };
        if self.methods.is_empty() { vec![self.id()] } else { self.methods.iter().map(of).collect() }
    }
}
