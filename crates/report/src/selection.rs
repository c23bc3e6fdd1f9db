//! Which tests run, which do not, and why: INTERFACE's document, and its last lines for a person.

use anstyle::{AnsiColor, Style};
use serde::{Deserialize, Serialize};
use std::io::{self, Write};
use tamis_select::broken_changes::CodeChange;

/// What was decided, and what came of it.
#[derive(Clone, Debug, Default, Serialize)]
pub struct SelectionReport {
    format: u32,
    tamis: String,
    /// Which facts decide.
    pub technique: String,
    /// What is decided about together.
    pub granularity: String,
    /// The tests, in the order of module, class and method.
    pub tests: Vec<TestEntry>,
    /// What changed, as far as recorded tests rely on it.
    pub changes: Vec<ChangeEntry>,
    /// In numbers.
    pub summary: RunSummary,
    /// What a person should know: gaps, fall-backs.
    pub notes: Vec<String>,
}

/// A test, or a class as a whole.
#[derive(Clone, Debug, Serialize)]
pub struct TestEntry {
    /// Its module.
    pub module: String,
    /// Its class.
    pub class: String,
    /// Its method; `null` is the whole class.
    pub method: Option<String>,
    /// `run` or `skip`.
    pub decision: &'static str,
    /// Why it runs.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<ReasonEntry>,
    /// Why it may be skipped.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub evidence: Option<EvidenceEntry>,
    /// Why it is a class as a whole.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub whole: Option<String>,
    /// For how many tests it stands.
    pub tests: usize,
    /// How it ended, if it ran.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub outcome: Option<String>,
    /// How long it took, if it ran; or the last time.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub seconds: Option<f64>,
}

/// Why a test runs.
#[derive(Clone, Debug, Default, Serialize)]
pub struct ReasonEntry {
    /// `changed`, `new`, `failed`, `broken`, `not-run`, `flaky`, `always`, `asked`.
    pub kind: String,
    /// The kind of fact that no longer holds.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fact: Option<String>,
    /// What it is about.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub entity: Option<String>,
    /// What of it changed; or more words.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub detail: Option<String>,
    /// All facts that no longer hold, the one above first.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub facts: Vec<BrokenFact>,
}

/// A fact that no longer holds.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct BrokenFact {
    /// Its kind.
    pub fact: String,
    /// What it is about.
    pub entity: String,
    /// `changed`, `added` or `removed`.
    pub detail: String,
}

/// A trace that holds.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct EvidenceEntry {
    /// Its digest.
    pub trace: String,
    /// How many facts it has.
    pub facts: usize,
    /// When it was recorded.
    pub recorded: String,
    /// Where.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub place: String,
}

/// Something that changed.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct ChangeEntry {
    /// An atomic change, as `tamis diff` has it; or the kind of fact where it is none of code.
    pub kind: String,
    /// What changed.
    pub entity: String,
    /// Of a look-up: on objects of which class.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub receiver: Option<String>,
    /// The layer that changed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub detail: Option<String>,
}

impl From<CodeChange> for ChangeEntry {
    fn from(change: CodeChange) -> ChangeEntry {
        let CodeChange { kind, entity, receiver, detail } = change;
        ChangeEntry { kind, entity, receiver, detail }
    }
}

/// In numbers; a class as a whole counts all its tests.
#[derive(Clone, Debug, Default, Serialize)]
pub struct RunSummary {
    /// How many tests run or ran.
    pub run: usize,
    /// How many need not.
    pub skip: usize,
    /// How long those took when they last ran.
    pub spared_seconds: f64,
    /// How long deciding took.
    pub analysis_seconds: f64,
    /// How many passed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub passed: Option<usize>,
    /// How many failed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub failed: Option<usize>,
    /// How long the tests that ran took.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub seconds: Option<f64>,
    /// The exit code of the build.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub exit: Option<i32>,
}

impl SelectionReport {
    /// With nothing in it yet.
    pub fn new(version: &str, technique: &str, granularity: &str) -> SelectionReport {
        SelectionReport {
            format: 1,
            tamis: version.to_owned(),
            technique: technique.to_owned(),
            granularity: granularity.to_owned(),
            ..SelectionReport::default()
        }
    }

    /// Sorts, and counts.
    pub fn finish(&mut self) {
        self.tests.sort_by(|a, b| (&a.module, &a.class, &a.method).cmp(&(&b.module, &b.class, &b.method)));
        self.changes.sort();
        self.changes.dedup();
        let count = |decision: &str| {
            self.tests.iter().filter(|test| test.decision == decision).map(|test| test.tests).sum()
        };
        self.summary.run = count("run");
        self.summary.skip = count("skip");
        let skipped = self.tests.iter().filter(|test| test.decision == "skip");
        self.summary.spared_seconds = round(skipped.filter_map(|test| test.seconds).sum());
        self.summary.analysis_seconds = round(self.summary.analysis_seconds);
    }

    /// One JSON document, ending in a newline.
    pub fn to_json(&self) -> String {
        // Serialising strings and numbers into memory cannot fail.
        let mut text = serde_json::to_string_pretty(self).unwrap_or_default();
        text.push('\n');
        text
    }

    /// The tests to run, one a line, as `-Dtest=` takes them.
    pub fn write_names<W: Write>(&self, out: &mut W) -> io::Result<()> {
        for test in self.tests.iter().filter(|test| test.decision == "run") {
            writeln!(out, "{}", test.name())?;
        }
        Ok(())
    }

    /// The last lines, readable in five seconds.
    pub fn write_summary<W: Write>(&self, out: &mut W) -> io::Result<()> {
        let bold = Style::new().bold();
        let dim = Style::new().dimmed();
        let summary = &self.summary;
        let classes = |decision: &str| {
            let mut classes: Vec<_> = self
                .tests
                .iter()
                .filter(|test| decision.is_empty() || test.decision == decision)
                .map(|test| (&test.module, &test.class))
                .collect();
            classes.dedup();
            classes.len()
        };
        for note in &self.notes {
            let yellow = AnsiColor::Yellow.on_default();
            writeln!(out, "{yellow}   note{yellow:#}  {note}")?;
        }
        let all = summary.run + summary.skip;
        let (tests, of) = (count(all, "test"), count(classes(""), "class"));
        let analysed = milliseconds(summary.analysis_seconds);
        writeln!(out, "{bold}  tamis{bold:#}  {}, {tests} in {of}; analysed in {analysed}", self.technique)?;
        if summary.run > 0 {
            let run = format!("{} in {}", count(summary.run, "test"), count(classes("run"), "class"));
            writeln!(out, "{bold}    run{bold:#}  {run:<24}  {dim}{}{dim:#}", self.because())?;
        }
        if summary.skip > 0 {
            let spent = summary.seconds.unwrap_or_default();
            let spared = summary.spared_seconds;
            let whole = seconds(spared + spent);
            let skip = count(summary.skip, "test");
            writeln!(
                out,
                "{bold}   skip{bold:#}  {skip:<24}  {dim}{} of {whole} spared{dim:#}",
                seconds(spared)
            )?;
        }
        if let Some(passed) = summary.passed {
            let failed = summary.failed.unwrap_or_default();
            let broken = failed > 0 || summary.exit != Some(0);
            let style =
                if broken { AnsiColor::Red.on_default() } else { AnsiColor::Green.on_default() }.bold();
            let word = if broken { "   FAIL" } else { "   PASS" };
            let mut text = match (failed, broken) {
                (0, true) => "the build failed, ".to_owned(),
                (0, false) => String::new(),
                (failed, _) => format!("{failed} failed, "),
            };
            text.push_str(&format!("{passed} passed in {}", seconds(summary.seconds.unwrap_or_default())));
            let hint = if summary.run > 0 {
                "tamis explain --run shows why"
            } else {
                "tamis explain TEST shows why"
            };
            writeln!(out, "{style}{word}{style:#}  {text:<24}  {dim}{hint}{dim:#}")?;
        }
        Ok(())
    }

    /// `because Parser.flatten and 1 more changed`
    fn because(&self) -> String {
        let reasons = || self.tests.iter().filter_map(|test| test.reason.as_ref());
        let of_kind = |kind: &str| reasons().filter(|reason| reason.kind == kind).count();
        if let [first, rest @ ..] = self.changes.as_slice() {
            let more = if rest.is_empty() { String::new() } else { format!(" and {} more", rest.len()) };
            return format!("because {}{more} changed", first.short());
        }
        let words = [
            ("asked", "as asked for"),
            ("failed", "because they failed the last time"),
            ("always", "because they always run"),
            ("flaky", "because they are flaky"),
            ("broken", "because they did not end the last time"),
            ("new", "nothing is recorded of them yet"),
            ("not-run", "because they were disabled or aborted the last time"),
        ];
        let word = words.into_iter().find(|(kind, _)| of_kind(kind) > 0);
        word.map_or(String::new(), |(_, word)| word.to_owned())
    }
}

impl TestEntry {
    /// `org.x.ParserTest#flatten`, or a whole class.
    pub fn name(&self) -> String {
        match &self.method {
            Some(method) => format!("{}#{method}", self.class),
            None => self.class.clone(),
        }
    }
}

impl ChangeEntry {
    /// `Parser.flatten`
    fn short(&self) -> String {
        let before = self.entity.split('(').next().unwrap_or(&self.entity);
        let is_code = self.kind.chars().all(|letter| letter.is_ascii_uppercase());
        if !is_code {
            return for_people(&self.kind, &self.entity).to_owned();
        }
        let mut parts: Vec<&str> = before.rsplit('.').take(2).collect();
        parts.reverse();
        match parts.as_slice() {
            [class, member] if class.chars().next().is_some_and(char::is_uppercase) => match *member {
                "<init>" => format!("{class}'s constructor"),
                "<clinit>" => format!("{class}'s initialiser"),
                member => format!("{class}.{member}"),
            },
            parts => parts.last().map_or(String::new(), |last| (*last).to_owned()),
        }
    }
}

/// `1,284 tests`
fn count(number: usize, of: &str) -> String {
    let plural = match (number, of) {
        (1, _) => of.to_owned(),
        (_, "class") => "classes".to_owned(),
        _ => format!("{of}s"),
    };
    format!("{} {plural}", grouped(number))
}

/// `1,284`
fn grouped(number: usize) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

fn seconds(value: f64) -> String {
    if value >= 120.0 { format!("{:.1} min", value / 60.0) } else { format!("{value:.1} s") }
}

fn milliseconds(value: f64) -> String {
    if value >= 1.0 { seconds(value) } else { format!("{:.0} ms", value * 1000.0) }
}

fn round(value: f64) -> f64 {
    // Nothing at all sums up to minus zero.
    (value * 1e6).round() / 1e6 + 0.0
}

/// Who asks for no variable or property by its name asks for all.
pub(crate) fn for_people<'e>(kind: &str, entity: &'e str) -> &'e str {
    match kind {
        "env" if ["", "*"].contains(&entity) => "the environment",
        "property" if entity.is_empty() => "the system properties",
        _ => entity,
    }
}
