//! Why a test runs or may be skipped, for a person and as JSON.

use crate::selection::for_people;
use anstyle::{AnsiColor, Style};
use serde::{Deserialize, Serialize};
use std::io::{self, Write};

/// Facts of one test that are shown unless all are asked for.
const SHOWN: usize = 12;

/// One test, or a class as a whole.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Explanation {
    /// `org.x.ParserTest#flatten`
    pub test: String,
    /// Its module.
    pub module: String,
    /// `run` or `skip`.
    pub decision: &'static str,
    /// Why, in words.
    pub summary: String,
    /// Why it is a class as a whole.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub whole: Option<String>,
    /// The trace it was compared with.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub trace: Option<TraceSummary>,
    /// The facts: those that do not hold; or all.
    pub facts: Vec<ShownFact>,
}

/// A trace.
#[derive(Clone, Debug, Serialize)]
pub struct TraceSummary {
    /// Its digest.
    pub digest: String,
    /// When it was recorded.
    pub recorded: String,
    /// Where.
    pub place: String,
    /// How many facts it has.
    pub facts: usize,
}

/// A fact.
#[derive(Clone, Debug, Serialize)]
pub struct ShownFact {
    /// Its kind.
    pub fact: String,
    /// What it is about.
    pub entity: String,
    /// What became of it.
    pub change: &'static str,
    /// How the test comes to rely on it.
    pub how: &'static str,
    /// Both versions of the code, side by side.
    #[serde(skip)]
    pub code: Option<String>,
}

#[derive(Serialize)]
struct ExplanationDocument<'a> {
    format: u32,
    tests: &'a [Explanation],
}

/// One JSON document, ending in a newline.
pub fn to_json(explained: &[Explanation]) -> String {
    // Serialising strings and numbers into memory cannot fail.
    let mut text = serde_json::to_string_pretty(&ExplanationDocument { format: 1, tests: explained })
        .unwrap_or_default();
    text.push('\n');
    text
}

/// One block for tests that are explained alike; with `all` nothing is left out.
pub fn write<W: Write>(out: &mut W, explained: &[Explanation], all: bool) -> io::Result<()> {
    let mut shown: Vec<(&str, &str)> = Vec::new();
    let mut done = vec![false; explained.len()];
    for (at, test) in explained.iter().enumerate() {
        if done.get(at) == Some(&true) {
            continue;
        }
        let mut alike: Vec<&Explanation> = Vec::new();
        for (other, done) in explained.iter().zip(&mut done).skip(at) {
            if !*done && test.is_like(other) {
                *done = true;
                alike.push(other);
            }
        }
        write_block(out, &alike, all, &mut shown)?;
    }
    Ok(())
}

/// Code that was `shown` is not shown again.
fn write_block<'e, W: Write>(
    out: &mut W,
    alike: &[&'e Explanation],
    all: bool,
    shown: &mut Vec<(&'e str, &'e str)>,
) -> io::Result<()> {
    let Some(test) = alike.last() else { return Ok(()) };
    let (bold, dim) = (Style::new().bold(), Style::new().dimmed());
    let style = if test.decision == "run" { AnsiColor::Yellow } else { AnsiColor::Green }.on_default();
    for other in alike {
        let whole = other.whole.as_ref().map_or(String::new(), |whole| format!("  as a whole: {whole}"));
        writeln!(out, "{bold}{}{bold:#}{dim}{whole}{dim:#}", other.test)?;
    }
    let word = match (test.decision, alike.len()) {
        ("run", 1) => "runs",
        ("run", _) => "run",
        _ => "may be skipped",
    };
    writeln!(out, "  {style}{word}{style:#}: {}", test.summary)?;
    let width = test.facts.iter().map(|fact| fact.fact.len()).max().unwrap_or_default();
    for fact in test.facts.iter().take(if all || test.decision == "skip" { usize::MAX } else { SHOWN }) {
        let how = if fact.how.is_empty() { String::new() } else { format!("  {}", fact.how) };
        writeln!(
            out,
            "  {:<width$}  {}  {style}{}{style:#}{dim}{how}{dim:#}",
            fact.fact,
            for_people(&fact.fact, &fact.entity),
            fact.change
        )?;
        let key = (fact.fact.as_str(), fact.entity.as_str());
        if let Some(code) = fact.code.as_ref().filter(|_| !shown.contains(&key)) {
            shown.push(key);
            for line in code.lines() {
                writeln!(out, "  {line}")?;
            }
        }
    }
    if test.facts.len() > SHOWN && !all && test.decision == "run" {
        writeln!(out, "  and {} more; -v shows all", test.facts.len() - SHOWN)?;
    }
    if let Some(trace) = &test.trace {
        let place = if trace.place.is_empty() { String::new() } else { format!(" on {}", trace.place) };
        let short = trace.digest.get(..12).unwrap_or(&trace.digest);
        writeln!(
            out,
            "  {dim}trace {short} of {} facts, recorded {}{place}{dim:#}",
            trace.facts, trace.recorded
        )?;
    }
    Ok(())
}

impl Explanation {
    /// Whether another test can be explained in the same words.
    fn is_like(&self, other: &Explanation) -> bool {
        let facts = |test: &Explanation| -> Vec<(String, String)> {
            test.facts.iter().map(|fact| (fact.fact.clone(), fact.entity.clone())).collect()
        };
        let trace = |test: &Explanation| test.trace.as_ref().map(|trace| trace.digest.clone());
        (self.decision, &self.summary, self.decision == "run" || trace(self) == trace(other))
            == (other.decision, &other.summary, true)
            && facts(self) == facts(other)
    }
}

#[derive(Deserialize)]
struct Run {
    tests: Vec<Ran>,
}

#[derive(Deserialize)]
struct Ran {
    module: String,
    class: String,
    method: Option<String>,
    decision: String,
    reason: Option<Why>,
    whole: Option<String>,
}

#[derive(Deserialize)]
struct Why {
    kind: String,
    detail: Option<String>,
    #[serde(default)]
    facts: Vec<Broken>,
}

#[derive(Deserialize)]
struct Broken {
    fact: String,
    entity: String,
    detail: String,
}

/// Why tests ran, from the document of a run; none if it cannot be read.
pub fn of_run(document: &str) -> Vec<Explanation> {
    let Ok(run) = serde_json::from_str::<Run>(document) else { return Vec::new() };
    let ran = run.tests.into_iter().filter(|test| test.decision == "run");
    ran.map(|test| {
        let why = test.reason.unwrap_or(Why { kind: String::new(), detail: None, facts: Vec::new() });
        let summary = match (why.kind.as_str(), &why.detail) {
            ("changed", _) => "in the last run, something it relied on had changed".to_owned(),
            ("new", _) => "in the last run, nothing was recorded of it".to_owned(),
            ("asked", _) => "in the last run, it was asked for".to_owned(),
            ("failed", _) => "in the last run, it had failed the time before".to_owned(),
            ("always", Some(detail)) => format!("it always runs: {detail}"),
            (kind, _) => format!("in the last run, {kind}"),
        };
        let facts = why.facts.into_iter().map(|fact| ShownFact {
            change: match fact.detail.as_str() {
                "added" => "added",
                "removed" => "gone",
                _ => "changed",
            },
            fact: fact.fact,
            entity: fact.entity,
            how: "",
            code: None,
        });
        Explanation {
            test: match test.method {
                Some(method) => format!("{}#{method}", test.class),
                None => test.class,
            },
            module: test.module,
            decision: "run",
            summary,
            whole: test.whole,
            trace: None,
            facts: facts.collect(),
        }
    })
    .collect()
}
