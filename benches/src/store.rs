//! `store`: the size and speed of a store with 5,000 test classes and five passing traces of each.
//!
//! The project is artificial but resembles real ones. Every test depends on a few hundred facts shared by
//! nearly all tests, on facts of its own class, and on classes shared mostly with neighbouring tests. A few
//! bodies change from one trace to the next, one of them in the part shared by all, so no two traces of a
//! test are equal.

use crate::measure::{Runs, once};
use crate::table;
use anyhow::{Context, Result, ensure};
use std::collections::BTreeSet;
use std::time::{Duration, SystemTime};
use tamis_program::digest::Digest;
use tamis_select::facts::{Fact, FactKind, FactTable, Question};
use tamis_store::traces::{
    FinishedTest, NewTrace, StoredOutcome, StoredRun, StoredTraces, TestKey, TraceStore,
};

const TESTS: usize = 5_000;
const TRACES: usize = 5;
const FACTS: usize = 400;

/// Of a test's facts, these many are shared by nearly all tests, and these many belong to the test class.
const SHARED: usize = 250;
const OWN: usize = 12;

/// Runs the benchmark. Each of the two kinds of load is measured `runs` times.
pub(crate) fn run(runs: usize) -> Result<()> {
    let there = tempfile::tempdir()?;
    let directory = there.path().join("store");
    let recorded = record(&directory)?;
    let store = TraceStore::open(&directory)?;
    let stats = store.stats()?;
    ensure!(stats.traces == (TESTS * TRACES) as u64, "{} traces", stats.traces);
    drop(store);

    // The loaded traces are freed outside of the measured time: a process that exits need not free them.
    let load = || TraceStore::open(&directory).and_then(|store| store.load("hybrid")).unwrap_or_default();
    let mut stored = load();
    let loading = Runs::collect((0..runs).map(|_| {
        stored = StoredTraces::default();
        once(|| stored = load())
    }));
    let traces: usize = stored.tests.iter().map(|test| test.traces.len()).sum();
    ensure!(traces == TESTS * TRACES, "only {traces} traces were loaded");

    // Evaluating the facts is not part of the measurement.
    let now = |fact: &Fact| *fact == fact_now(&fact.question, TRACES - 1);
    let holding: Vec<bool> = stored.facts.iter().map(now).collect();
    let mut held = 0;
    let deciding = Runs::collect((0..runs).map(|_| {
        stored = StoredTraces::default();
        once(|| {
            stored = load();
            let holds = |set: usize| stored.all(set, |fact| holding.get(fact) == Some(&true));
            held =
                stored.tests.iter().filter(|test| test.traces.iter().any(|trace| holds(trace.set))).count();
        })
    }));
    ensure!(held == TESTS, "{held} tests have a trace that holds");

    let mut store = TraceStore::open(&directory)?;
    let digests: Vec<Digest> =
        stored.tests.iter().filter_map(|test| test.traces.first()).map(|trace| trace.digest).collect();
    let matched = Runs::of(runs, || _ = store.matched(&digests));

    let figures = |runs: &Runs| [ms(runs.median()), ms(runs.best()), ms(runs.cpu())];
    let row = |what: &str, promise: &str, runs: &Runs| {
        [vec![what.to_owned(), promise.to_owned()], figures(runs).to_vec()].concat()
    };
    let title = format!("{TESTS} test classes × {TRACES} traces × {FACTS} facts, {} different", stats.facts);
    table::print(
        &title,
        &["", "promised", "median", "best", "cpu"],
        &[
            row("open and load", "60 ms", &loading),
            row("open, load and decide", "100 ms", &deciding),
            row("note that all tests match, again", "", &matched),
        ],
    );
    let mb = |bytes: u64| format!("{:.1} MB", bytes as f64 / 1e6);
    let each = |time: Duration| format!("{:.0} µs", time.as_secs_f64() * 1e6 / (TESTS * TRACES) as f64);
    table::print(
        "on disk, and writing it",
        &["", "promised", ""],
        &[
            vec!["size".to_owned(), "50 MB".to_owned(), mb(stats.bytes)],
            vec!["marking a test, its verdict and its trace".to_owned(), String::new(), each(recorded)],
        ],
    );
    Ok(())
}

/// Records like a run: each test separately.
fn record(directory: &std::path::Path) -> Result<Duration> {
    let mut store = TraceStore::open(directory)?;
    let mut total = Duration::ZERO;
    for version in 0..TRACES {
        let run =
            StoredRun { id: format!("run {version}"), began: SystemTime::now(), place: "bench".to_owned() };
        for test in 0..TESTS {
            let key = key(test);
            let told: FactTable = facts(test, version).into_iter().collect();
            let trace = NewTrace::of_all(key.clone(), "hybrid", &told, 1000);
            let ended = FinishedTest {
                test: key.clone(),
                outcome: StoredOutcome::Passed,
                microseconds: 1000,
                facts: None,
                always: None,
            };
            let mut written = Ok(());
            let took = once(|| {
                written = store
                    .started(&run, std::slice::from_ref(&key))
                    .and_then(|()| store.commit(&run, std::slice::from_ref(&trace)).map(|_| ()))
                    .and_then(|()| store.finished(&run, std::slice::from_ref(&ended)));
            });
            written.context("recording")?;
            total += took.wall;
        }
    }
    Ok(total)
}

fn key(test: usize) -> TestKey {
    let class = class_name("test", test / 50, test, "Test");
    TestKey { module: format!("module-{:02}", test / 500), class, method: None }
}

/// The facts of a test in one version of the project. As in reality, some of them differ from its
/// neighbours'.
fn facts(test: usize, version: usize) -> Vec<Fact> {
    let mut random = Random(test as u64 + 1);
    let mut questions = BTreeSet::new();
    for shared in 0..SHARED {
        // Some tests lack one in ten of the shared facts.
        if shared % 10 != 9 || random.below(4) != 0 {
            questions.insert(question(shared % 40, shared));
        }
    }
    for method in 0..OWN {
        questions.insert(method_question(&class_name("test", test / 50, test, "Test"), method));
    }
    questions.insert(Question::new(FactKind::Shape, class_name("test", test / 50, test, "Test")));
    // Two classes of its own, others of the package, a few from elsewhere.
    let near = test * 2;
    while questions.len() < FACTS {
        let class = 40
            + match random.below(10) {
                0..=3 => near + random.below(2),
                4..=8 => near / 100 * 100 + random.below(100),
                _ => random.below(TESTS * 2),
            };
        let methods = 1 + random.below(8);
        questions.extend((0..methods).map(|_| question(class, random.below(14))));
    }
    questions.iter().map(|question| fact_now(question, version)).collect()
}

/// The questions about a class: its initialiser and the like, and its bodies.
fn question(class: usize, number: usize) -> Question {
    let name = class_name("main", class / 100, class, "Service");
    match number {
        0 => Question::new(FactKind::Init, name),
        1 => Question::new(FactKind::Supers, name),
        2 => Question::new(FactKind::External, name),
        3 => Question::new(FactKind::Inherits, format!("{name}.toString()Ljava/lang/String;")),
        _ => method_question(&name, number),
    }
}

fn method_question(class: &str, method: usize) -> Question {
    const NAMES: [&str; 6] =
        ["findAllByCustomer", "of", "validate", "getConfiguration", "lambda:accept", "toResponse"];
    const TYPES: [&str; 4] = [
        "()V",
        "(Ljava/lang/String;I)Ljava/util/List;",
        "(Ljava/util/function/Function;)Lcom/example/shop/api/Response;",
        "(Lcom/example/shop/api/Request;)Z",
    ];
    let pick = |of: &[&str]| of.get(method % of.len()).copied().unwrap_or_default().to_owned();
    Question::new(FactKind::Body, format!("{class}.{}{method}{}", pick(&NAMES), pick(&TYPES)))
}

fn class_name(kind: &str, package: usize, number: usize, suffix: &str) -> String {
    format!("com/example/shop/{kind}/part{package:03}/Customer{number}{suffix}")
}

/// The answer to a question in one version of the project. From one version to the next, a hundredth of the
/// bodies change, and so does one fact shared by nearly all tests.
fn fact_now(question: &Question, version: usize) -> Fact {
    let name = Digest::of(question.subject.as_bytes());
    let hash = u64::from_le_bytes(*name.as_bytes().first_chunk().unwrap_or(&[0; 8]));
    let always = question.kind == FactKind::Init && question.subject.ends_with("/Customer0Service");
    let changes = always || question.kind == FactKind::Body && hash % 1000 < 10 * TRACES as u64;
    let since = (hash % 1000 / 10) as usize % TRACES;
    let version = if always { version } else { usize::from(changes && version >= since && since > 0) };
    let answer =
        format!("{}{version}", if question.kind == FactKind::Body { &*question.subject } else { "" });
    Fact { question: question.clone(), answer: Some(Digest::of(answer.as_bytes())) }
}

/// Pseudo-random numbers, the same in every run.
struct Random(u64);

impl Random {
    fn below(&mut self, limit: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % limit
    }
}

fn ms(time: Duration) -> String {
    format!("{:.1} ms", time.as_secs_f64() * 1e3)
}
