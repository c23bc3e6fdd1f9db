//! Cases of `tests/decisions` that have a script. Compares the decisions about them with the declared ones.

use crate::case::{Case, Declared, Verdict};
use crate::programs;
use crate::recorded::record;
use crate::script::PROJECT;
use crate::script::read::read;
use crate::script::write::{FIRST_LINE, RecordedJvm, write};
use crate::world::TableWorld;
use std::collections::BTreeMap;
use std::fmt;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use tamis_select::decide::{Decision, RunReason, TestDecision, decide_module};
use tamis_select::recording::Granularity;
use tamis_select::stored::StoredTraces;
use tamis_select::world::{AnswerCache, World};
use tamis_test_support::markdown;

/// A case that was played with its script.
pub(crate) struct ScriptedCase {
    case: Case,
    script: String,
    /// An error if the script cannot be read.
    played: Result<PlayedScript, String>,
}

struct PlayedScript {
    /// The script, written again from its messages.
    rewritten: Result<String, String>,
    after: Decisions,
    /// The decisions without an edit.
    before: Decisions,
}

/// By test: `ATest#m`.
type Decisions = BTreeMap<String, Decision>;

/// All cases with a script, played once.
pub(crate) fn all() -> &'static [ScriptedCase] {
    static ALL: OnceLock<Vec<ScriptedCase>> = OnceLock::new();
    ALL.get_or_init(|| {
        let (cases, scripts): (Vec<Case>, Vec<String>) = read_all().into_iter().unzip();
        let worlds = programs::worlds(&cases);
        let played = cases.into_iter().zip(scripts).zip(worlds);
        played
            .map(|((case, script), (before, after))| ScriptedCase::play(case, script, &before, &after))
            .collect()
    })
}

fn read_all() -> Vec<(Case, String)> {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    let (cases, scripts) = (here.join("../../tests/decisions"), here.join("tests/scripts"));
    let wanted = std::env::var("TAMIS_CASE").unwrap_or_default();
    let mut files = Vec::new();
    find(&scripts, &mut files);
    files.sort();
    let is_wanted = |file: &PathBuf| wanted.split(',').any(|part| file.to_string_lossy().contains(part));
    let read = |file: PathBuf| {
        let path = cases.join(file.strip_prefix(&scripts).unwrap()).with_extension("md");
        let case = markdown::read(&path).unwrap_or_else(|e| panic!("{e}"));
        let case = Case::of(case, &cases).unwrap_or_else(|e| panic!("{e}"));
        assert!(is_playable(&case), "{}: this ring cannot play such a case", path.display());
        (case, fs::read_to_string(file).unwrap())
    };
    let all: Vec<(Case, String)> = files.into_iter().filter(is_wanted).map(read).collect();
    assert!(!all.is_empty(), "TAMIS_CASE={wanted} names no script");
    all
}

fn find(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            find(&path, found);
        } else {
            found.push(path);
        }
    }
}

/// Whether a case needs nothing that this ring does not have: another JDK, a command, options of `tamis`.
fn is_playable(case: &Case) -> bool {
    let is_usual = case.before.command.is_empty() && case.after.command.is_empty() && case.tamis.is_empty();
    is_usual && case.runtime_after.is_none() && !case.open && case.fits(programs::JDK)
}

impl ScriptedCase {
    fn play(case: Case, script: String, before: &TableWorld, after: &TableWorld) -> ScriptedCase {
        let played = read(&script, before.classes()).map(|messages| {
            let rewritten = write(&RecordedJvm {
                messages: &messages,
                classes: before.classes(),
                folder: PROJECT.trim_end_matches("/project"),
                is_framework: &|_| false,
            });
            let stored = record(before, messages);
            PlayedScript { rewritten, after: decide(&stored, after), before: decide(&stored, before) }
        });
        ScriptedCase { case, script, played }
    }

    /// Whether a recorded script is not what the writer makes of its messages.
    pub(crate) fn wrong_words(&self) -> Vec<String> {
        match &self.played {
            Ok(played) if self.script.starts_with(FIRST_LINE) => match &played.rewritten {
                Ok(rewritten) if *rewritten == self.script => Vec::new(),
                Ok(rewritten) => vec![format!("its messages are written as\n{rewritten}")],
                Err(problem) => vec![problem.clone()],
            },
            Ok(_) | Err(_) => Vec::new(),
        }
    }

    /// Decisions that differ from the declared ones.
    pub(crate) fn wrong_decisions(&self) -> Vec<String> {
        match &self.played {
            Ok(played) => {
                self.case.declared.iter().flat_map(|declared| wrong(declared, &played.after)).collect()
            }
            Err(problem) => vec![problem.clone()],
        }
    }

    /// Tests that would run again although nothing was edited; those that did not pass must.
    pub(crate) fn run_again(&self) -> Vec<String> {
        let Ok(played) = &self.played else { return Vec::new() };
        let failing = |test: &str| self.case.failing.iter().any(|failing| covers(failing, test));
        let again = played.before.iter().filter(|(test, decision)| match decision {
            Decision::Skip(_) | Decision::Run(RunReason::Always(_)) => false,
            Decision::Run(_) => !failing(test),
        });
        again.map(|(test, decision)| format!("{test} would run: {}", reason(decision).join(", "))).collect()
    }
}

impl fmt::Display for ScriptedCase {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(to, "{}: {}", self.case.path.display(), self.case.title)
    }
}

/// The decision about each test. A class that is decided about as a whole stands for its tests.
fn decide(stored: &StoredTraces, world: &TableWorld) -> Decisions {
    let mut answers = AnswerCache::new(world);
    let (snapshot, module) = (world.snapshot(), world.module());
    let decided = decide_module(stored, &mut answers, snapshot, module, Granularity::Auto, None);
    let of_each = |test: TestDecision| {
        let tests = test.skipped_ids().into_iter();
        tests.map(move |id| (id.to_string(), test.decision.clone()))
    };
    decided.into_iter().flat_map(of_each).collect()
}

/// Decisions that differ from a line of `decisions`.
fn wrong(declared: &Declared, decided: &Decisions) -> Vec<String> {
    let tests = || decided.iter().filter(|(test, _)| covers(&declared.test, test));
    if tests().next().is_none() {
        return vec![format!("nothing was decided about {}", declared.test)];
    }
    let mut wrong = Vec::new();
    for (test, decision) in tests() {
        match (declared.verdict, decision) {
            (Verdict::Run, Decision::Skip(_)) => wrong.push(format!("MISS: {test} must run and is skipped")),
            (Verdict::Needless, Decision::Skip(_)) => {
                wrong.push(format!("{test} is skipped now; declare it so"));
            }
            (Verdict::Skip, Decision::Run(_)) => {
                wrong.push(format!("needless: {test} runs: {}", reason(decision).join(", ")));
            }
            (Verdict::Run | Verdict::Needless, Decision::Run(_)) | (Verdict::Skip, Decision::Skip(_)) => {}
        }
    }
    if let (Some(expected), Some((test, decision))) = (&declared.reason, tests().next()) {
        let given = reason(decision);
        let is_it = |given: &String| match expected.strip_prefix("changed: ") {
            Some(subject) => given.split_once(": ").is_some_and(|(_, given)| given == subject),
            None => given == expected,
        };
        if !given.iter().any(is_it) {
            wrong.push(format!("{test} does not run because of `{expected}`: {}", given.join(", ")));
        }
    }
    wrong
}

/// Why a test runs: its facts that do not hold, or a kind of reason.
fn reason(decision: &Decision) -> Vec<String> {
    let word = match decision {
        Decision::Skip(_) => "it is skipped",
        Decision::Run(RunReason::Changed(trace)) => {
            let facts = trace.broken.iter().map(|(fact, _)| &fact.question);
            return facts.map(|asked| format!("{}: {}", asked.kind.word(), asked.displayed())).collect();
        }
        Decision::Run(RunReason::Always(why)) => return vec!["always".to_owned(), why.clone()],
        Decision::Run(RunReason::New) => "new",
        Decision::Run(RunReason::Failed) => "failed",
        Decision::Run(RunReason::Broken) => "broken",
        Decision::Run(RunReason::NotRun) => "not-run",
        Decision::Run(RunReason::Flaky) => "flaky",
        Decision::Run(RunReason::Asked) => "asked",
    };
    vec![word.to_owned()]
}

/// Whether a declared name, of a test or a class, includes a test.
pub(crate) fn covers(declared: &str, test: &str) -> bool {
    declared == test || test.strip_prefix(declared).is_some_and(|rest| rest.starts_with('#'))
}
