//! The tests of a run in columns: values that repeat are stored once and named by number.

use super::{PageExtras, PageHistory};
use crate::failure::FailureEntry;
use crate::selection::{DecisionWord, EvidenceEntry, ReasonEntry, ReasonKind, SelectionReport};
use crate::words;
use serde::Serialize;
use std::collections::{BTreeMap, HashMap};

/// The data of a page.
#[derive(Debug, Serialize)]
pub(super) struct PageData<'r> {
    modules: Vec<&'r str>,
    classes: Vec<&'r str>,
    outcomes: Vec<&'r str>,
    reasons: Vec<PageReason<'r>>,
    evidence: Vec<&'r EvidenceEntry>,
    tests: TestColumns<'r>,
    failures: BTreeMap<usize, &'r FailureEntry>,
    code: &'r BTreeMap<String, [String; 2]>,
    history: &'r Option<PageHistory>,
}

/// One list for each column: module, class, name of the method, 1 for a skip, reason or evidence, outcome, microseconds, number
/// of tests.
#[derive(Debug, Default, Serialize)]
struct TestColumns<'r> {
    m: Vec<usize>,
    c: Vec<usize>,
    n: Vec<Option<&'r str>>,
    d: Vec<u8>,
    r: Vec<usize>,
    o: Vec<usize>,
    t: Vec<Option<u64>>,
    k: Vec<usize>,
}

/// Why tests run.
#[derive(Debug, Serialize)]
struct PageReason<'r> {
    kind: ReasonKind,
    text: String,
    facts: Vec<[&'r str; 3]>,
    since: Option<&'r str>,
    whole: Option<&'r str>,
}

/// Values in the order of their first use.
struct ValueTable<'r> {
    numbers: HashMap<&'r str, usize>,
    values: Vec<&'r str>,
}

impl<'r> ValueTable<'r> {
    fn new() -> ValueTable<'r> {
        ValueTable { numbers: HashMap::new(), values: Vec::new() }
    }

    fn number(&mut self, value: &'r str) -> usize {
        *self.numbers.entry(value).or_insert_with(|| {
            self.values.push(value);
            self.values.len() - 1
        })
    }
}

impl<'r> PageData<'r> {
    pub(super) fn new(run: &'r SelectionReport, extras: &'r PageExtras) -> PageData<'r> {
        let (mut modules, mut classes, mut outcomes) =
            (ValueTable::new(), ValueTable::new(), ValueTable::new());
        outcomes.number("");
        let mut reasons = Vec::new();
        let mut reason_numbers: HashMap<String, usize> = HashMap::new();
        let mut evidence: Vec<&EvidenceEntry> = Vec::new();
        let mut traces: HashMap<&str, usize> = HashMap::new();
        let (mut tests, mut failures) = (TestColumns::default(), BTreeMap::new());
        for (at, test) in run.tests.iter().enumerate() {
            let is_skip = test.decision == DecisionWord::Skip && test.evidence.is_some();
            let number = match &test.evidence {
                Some(entry) if is_skip => *traces.entry(&entry.trace).or_insert_with(|| {
                    evidence.push(entry);
                    evidence.len() - 1
                }),
                _ => {
                    let key = format!("{:?} {:?}", test.reason, test.whole);
                    *reason_numbers.entry(key).or_insert_with(|| {
                        reasons.push(PageReason::new(test.reason.as_ref(), test.whole.as_deref()));
                        reasons.len() - 1
                    })
                }
            };
            tests.m.push(modules.number(&test.module));
            tests.c.push(classes.number(&test.class));
            tests.n.push(test.method.as_deref());
            tests.d.push(u8::from(is_skip));
            tests.r.push(number);
            tests.o.push(outcomes.number(test.outcome.as_deref().unwrap_or_default()));
            tests.t.push(test.seconds.map(|seconds| (seconds * 1e6) as u64));
            tests.k.push(test.tests);
            if let Some(failure) = &test.failure {
                failures.insert(at, failure);
            }
        }
        PageData {
            modules: modules.values,
            classes: classes.values,
            outcomes: outcomes.values,
            reasons,
            evidence,
            tests,
            failures,
            code: &extras.code,
            history: &extras.history,
        }
    }
}

impl<'r> PageReason<'r> {
    fn new(reason: Option<&'r ReasonEntry>, whole: Option<&'r str>) -> PageReason<'r> {
        let kind = reason.map_or(ReasonKind::New, |reason| reason.kind);
        let facts = reason.map_or(&[][..], |reason| &reason.facts);
        PageReason {
            kind,
            text: words::short_reason(kind, reason.and_then(|reason| reason.detail.as_deref()), facts),
            facts: facts.iter().map(|fact| [&*fact.fact, &*fact.entity, &*fact.detail]).collect(),
            since: reason.and_then(|reason| reason.since.as_deref()),
            whole,
        }
    }
}
