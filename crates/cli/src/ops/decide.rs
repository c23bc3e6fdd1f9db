//! Which of the recorded tests of a module may be skipped, as the world is now.

use super::broken_changes::changes;
use super::recording::Granularity;
use super::world::AnswerCache;
use std::time::SystemTime;
use tamis_program::digest::Digest;
use tamis_program::snapshot::{ClassId, Snapshot};
use tamis_report::selection::ChangeEntry;
use tamis_select::decide::{Decision, LastOutcome, RunReason, TestHistory, decide};
use tamis_select::facts::{Answer, Fact, FactKind};
use tamis_store::traces::{StoredOutcome, StoredTest, StoredTraces, TestKey};
use tamis_wire::TestId;

/// What was decided about a module's tests.
#[derive(Clone, Debug, Default)]
pub struct ModuleDecision {
    /// The module.
    pub module: String,
    /// Its tests, in the order of their names.
    pub tests: Vec<TestDecision>,
    /// How long it took, reading what there is included.
    pub seconds: f64,
}

/// What was decided about a test, or a class as a whole.
#[derive(Clone, Debug)]
pub struct TestDecision {
    /// Which.
    pub key: TestKey,
    /// For how many tests it stands.
    pub tests: usize,
    /// Their methods, where it is a class as a whole.
    pub methods: Vec<String>,
    /// Why it is a class as a whole.
    pub whole: Option<String>,
    /// Why it runs; or what says that it need not.
    pub verdict: TestVerdict,
    /// How long it took the last time that it was recorded.
    pub microseconds: u64,
}

/// Run or skip.
#[derive(Clone, Debug)]
pub enum TestVerdict {
    /// It runs.
    Run(RunCause),
    /// It may be skipped: this trace holds.
    Skip(SkipProof),
}

/// Why a test runs.
#[derive(Clone, Debug)]
pub struct RunCause {
    /// The reason.
    pub reason: RunReason,
    /// The facts that do not hold, with the answers of now; those about code first.
    pub broken: Vec<(Fact, Answer)>,
    /// What they say about the code.
    pub changes: Vec<ChangeEntry>,
}

impl RunCause {
    pub(super) fn without_facts(reason: RunReason) -> RunCause {
        RunCause { reason, broken: Vec::new(), changes: Vec::new() }
    }
}

/// A trace that holds.
#[derive(Clone, Debug)]
pub struct SkipProof {
    /// Its digest.
    pub digest: Digest,
    /// How many facts it has.
    pub facts: usize,
    /// When it was recorded.
    pub recorded: SystemTime,
    /// Where.
    pub place: String,
}

/// Decides about the tests of a module.
pub(super) fn choose(
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
            || judge.answers.is_library(&first.key.class.replace('.', "/"))
        {
            judge.class(&class, granularity, &mut chosen);
        }
    }
    chosen
}

/// Whether a test class still exists; one that goes by no class is taken to.
fn is_there(snapshot: &Snapshot, class: &str) -> bool {
    class.starts_with('[') || test_class(snapshot, &class.replace('.', "/")).is_some()
}

/// The class of a test by the name that it goes by: a nested class that is inherited goes by the name of who inherits it.
pub(super) fn test_class(snapshot: &Snapshot, name: &str) -> Option<ClassId> {
    snapshot.find(name).or_else(|| {
        let (outer, inner) = name.rsplit_once('$')?;
        let above = snapshot.supertypes(test_class(snapshot, outer)?).0;
        above
            .into_iter()
            .find_map(|above| snapshot.find(&format!("{}${inner}", snapshot.class(above).name())))
    })
}

/// Whether a test still exists, as far as its name is one of a method.
pub(super) fn has_method(snapshot: &Snapshot, class: &str, method: &str) -> bool {
    let Some(id) = test_class(snapshot, &class.replace('.', "/")) else { return true };
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
    /// By fact: whether it holds.
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
                let reason = whole.whole.clone().unwrap_or_else(|| "it was recorded so".to_owned());
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

    fn test(&mut self, test: &StoredTest, methods: Vec<String>, whole: Option<String>) -> TestDecision {
        let remembered = TestHistory {
            traces: test.traces.len(),
            last: last(test),
            flaky: test.flaky,
            always: test.always.as_deref(),
        };
        let stored = self.stored;
        // Most traces hold or fail at once; only for the one that comes nearest all that is broken is of interest.
        let mut nearest = usize::MAX;
        let decision = decide(&remembered, |trace| {
            let Some(trace) = test.traces.get(trace) else { return vec![u32::MAX] };
            if stored.all(trace.set, |index| self.holds(index)) {
                return Vec::new();
            }
            let mut broken = Vec::new();
            let read = stored.all(trace.set, |index| {
                if !self.holds(index) {
                    broken.push(index as u32);
                }
                broken.len() <= nearest
            });
            if !read {
                broken.push(u32::MAX);
            }
            nearest = nearest.min(broken.len());
            broken
        });
        let microseconds = test.traces.first().map_or(0, |trace| trace.microseconds);
        let verdict = match decision {
            Decision::Skip(unaffected) => match test.traces.get(unaffected.trace()) {
                Some(trace) => TestVerdict::Skip(SkipProof {
                    digest: trace.digest,
                    facts: stored.facts_of(trace.set).map_or(0, |facts| facts.len()),
                    recorded: trace.recorded,
                    place: trace
                        .run
                        .and_then(|run| stored.runs.get(run))
                        .map_or(String::new(), |run| run.place.clone()),
                }),
                None => TestVerdict::Run(RunCause::without_facts(RunReason::New)),
            },
            Decision::Run(reason) => {
                let mut why = RunCause::without_facts(reason);
                if let RunReason::Changed { facts, .. } = &why.reason {
                    why.broken = self.broken(facts);
                    let changes = |(fact, now): &(Fact, Answer)| changes(self.snapshot, fact, now);
                    why.changes = why.broken.iter().flat_map(changes).collect();
                }
                TestVerdict::Run(why)
            }
        };
        let tests = methods.len().max(1);
        TestDecision { key: test.key.clone(), tests, methods, whole, verdict, microseconds }
    }

    fn broken(&mut self, facts: &[u32]) -> Vec<(Fact, Answer)> {
        let facts = facts.iter().filter_map(|fact| self.stored.facts.get(*fact as usize));
        let mut broken: Vec<(Fact, Answer)> =
            facts.map(|fact| (fact.clone(), self.answers.answer(&fact.question))).collect();
        broken.sort_unstable();
        broken
    }
}

fn last(test: &StoredTest) -> LastOutcome {
    if test.running {
        return LastOutcome::Broken;
    }
    match test.last {
        None if test.traces.is_empty() => LastOutcome::Never,
        // Traces that were copied from another store come without verdicts.
        None => LastOutcome::Passed,
        // What is disabled is so by its annotations, which are facts.
        Some(StoredOutcome::Passed | StoredOutcome::Ignored) => LastOutcome::Passed,
        Some(StoredOutcome::Failed) => LastOutcome::Failed,
        Some(StoredOutcome::Aborted) => LastOutcome::NotRun,
        Some(StoredOutcome::TimedOut | StoredOutcome::Crashed | StoredOutcome::Unknown) => {
            LastOutcome::Broken
        }
    }
}

/// A class as a whole: it runs if one of its tests does.
fn together(all: Vec<TestDecision>) -> Option<TestDecision> {
    let tests = all.len();
    let microseconds = all.iter().map(|test| test.microseconds).sum();
    let runs = |test: &&TestDecision| matches!(test.verdict, TestVerdict::Run(_));
    let one = all.iter().find(runs).or(all.first())?;
    Some(TestDecision {
        key: TestKey { method: None, ..one.key.clone() },
        tests,
        methods: all.iter().filter_map(|test| test.key.method.clone()).collect(),
        whole: Some("as asked for".to_owned()),
        verdict: one.verdict.clone(),
        microseconds,
    })
}

impl TestDecision {
    /// Whether it may be skipped.
    pub fn is_skip(&self) -> bool {
        matches!(self.verdict, TestVerdict::Skip(_))
    }

    /// As frameworks and agent name it.
    pub fn id(&self) -> TestId {
        TestId { class: self.key.class.clone(), method: self.key.method.clone() }
    }

    /// What is left out if it is skipped: the tests that are known, by name. One that nobody has heard of runs, in a class
    /// that is decided about as a whole too.
    pub fn skipped_ids(&self) -> Vec<TestId> {
        let of = |method: &String| TestId { class: self.key.class.clone(), method: Some(method.clone()) };
        if self.methods.is_empty() { vec![self.id()] } else { self.methods.iter().map(of).collect() }
    }
}
