//! Why a test runs or may be skipped, for a person and as JSON.

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
    pub trace: Option<Trace>,
    /// The facts: those that do not hold; or all.
    pub facts: Vec<Shown>,
}

/// A trace.
#[derive(Clone, Debug, Serialize)]
pub struct Trace {
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
pub struct Shown {
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
struct Document<'a> {
    format: u32,
    tests: &'a [Explanation],
}

/// One JSON document, ending in a newline.
pub fn to_json(explained: &[Explanation]) -> String {
    // Serialising strings and numbers into memory cannot fail.
    let mut text =
        serde_json::to_string_pretty(&Document { format: 1, tests: explained }).unwrap_or_default();
    text.push('\n');
    text
}

/// One block a test; with `all` nothing is left out.
pub fn write<W: Write>(out: &mut W, explained: &[Explanation], all: bool) -> io::Result<()> {
    let (bold, dim) = (Style::new().bold(), Style::new().dimmed());
    for test in explained {
        let style = if test.decision == "run" { AnsiColor::Yellow } else { AnsiColor::Green }.on_default();
        let word = if test.decision == "run" { "runs" } else { "may be skipped" };
        writeln!(out, "{bold}{}{bold:#}  {style}{word}{style:#}: {}", test.test, test.summary)?;
        if let Some(whole) = &test.whole {
            writeln!(out, "  {dim}decided about as a whole: {whole}{dim:#}")?;
        }
        let width = test.facts.iter().map(|fact| fact.fact.len()).max().unwrap_or_default();
        for fact in test.facts.iter().take(if all || test.decision == "skip" { usize::MAX } else { SHOWN }) {
            writeln!(
                out,
                "  {:<width$}  {}  {style}{}{style:#}  {dim}{}{dim:#}",
                fact.fact, fact.entity, fact.change, fact.how
            )?;
            if let Some(code) = &fact.code {
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
    }
    Ok(())
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
            ("changed", _) => "in the last run: something it relied on had changed".to_owned(),
            ("new", _) => "in the last run: nothing was recorded of it".to_owned(),
            ("asked", _) => "in the last run: it was asked for".to_owned(),
            ("always", Some(detail)) => format!("it always runs: {detail}"),
            (kind, _) => format!("in the last run: {kind}"),
        };
        let facts = why.facts.into_iter().map(|fact| Shown {
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
