//! Notes of a run: gaps and fall-backs, one sentence each.

use super::{count, grouped, seconds, subject};
use crate::selection::{NoTestsKind, ReasonKind, RunSummary};
use std::fmt::Display;
use std::path::Path;
use tamis_catalog::builds::BUILD_TOOLS;
use tamis_catalog::builds::gradle::GRADLE;
use tamis_select::rules::SelectionRule;
use tamis_select::world::IN_ORDER;

/// The line of `tamis explain` if there is nothing to explain.
pub const NOTHING_RUNS: &str = "nothing would run, and nothing ran in the last run";

/// The next step without recorded traces.
pub const RECORD_FIRST: &str = "run `tamis test` first";

/// An empty store, before a run.
pub const NOTHING_RECORDED: &str = "nothing recorded yet, so every test would run; run `tamis test` first";

/// `-Dtest` and the like name the tests.
pub const TESTS_REQUESTED: &str = "specific tests were requested (-Dtest, --tests): they all run";

/// A JVM closed its connection.
pub const CONNECTION_CLOSED: &str = "connection closed";

/// The messages of a JVM could not be handled.
pub const UNREADABLE_MESSAGES: &str = "its messages could not be read";

/// The next step after a run.
pub const EXPLAIN_RUN: &str = "tamis explain --run shows why";

/// The next step after a run in which every test was skipped.
pub const EXPLAIN_TEST: &str = "tamis explain TEST shows why";

/// The consequence of an interrupted run.
pub const INTERRUPTED: &str = "interrupted; test classes that had ended are recorded";

/// `2 failed, 1 passed, 11 ignored in 1.4 s`
pub fn outcome(summary: &RunSummary, passed: usize) -> String {
    let failed = summary.failed.unwrap_or_default();
    let mut text = match (failed, summary.exit == Some(0) || summary.interrupted) {
        (failed, _) if failed > 0 && summary.interrupted => {
            format!("{} failed or cut short, ", grouped(failed))
        }
        (0, false) => "the build failed, ".to_owned(),
        (0, true) => String::new(),
        (failed, _) => format!("{} failed, ", grouped(failed)),
    };
    text.push_str(&format!("{} passed", grouped(passed)));
    if let Some(ignored) = summary.ignored.filter(|ignored| *ignored > 0) {
        text.push_str(&format!(", {} ignored", grouped(ignored)));
    }
    format!("{text} in {}", seconds(summary.seconds.unwrap_or_default()))
}

/// The time that skipping saved, as far as it was measured.
pub fn saved(summary: &RunSummary) -> String {
    match (summary.saved_seconds, summary.full_seconds) {
        (Some(saved), Some(full)) => format!("saved {} of {}", seconds(saved), seconds(full)),
        _ => format!("they took {} when they last ran", seconds(summary.spared_seconds)),
    }
}

/// Failed tests that are not listed.
pub fn more_failures(number: usize) -> String {
    format!("and {} more; .tamis/last/run.json has all", grouped(number))
}

/// Why tests run, if no change is the reason.
pub fn common_reason(kinds: &[ReasonKind]) -> &'static str {
    let words = [
        (ReasonKind::Asked, "as requested"),
        (ReasonKind::Failed, "because they failed last time"),
        (ReasonKind::Always, "because they always run"),
        (ReasonKind::Flaky, "because they are flaky"),
        (ReasonKind::Broken, "because their last run does not count"),
        (ReasonKind::New, "not recorded yet"),
        (ReasonKind::NotRun, "because they were disabled or aborted last time"),
    ];
    words.into_iter().find(|(kind, _)| kinds.contains(kind)).map_or("", |(_, word)| word)
}

/// What changed, if it is not code of the project.
pub fn changed_input(kind: &str, entity: &str) -> String {
    let name = entity.rsplit('/').next().unwrap_or(entity);
    match (kind, entity.strip_suffix(IN_ORDER)) {
        ("library", Some(class)) => format!("the order of members in {class}"),
        ("exists", _) => format!("presence or length of {name}"),
        ("listing", _) => format!("the list of files in {name}"),
        ("attribute", _) => {
            let (attribute, path) = entity.split_once(' ').unwrap_or(("an attribute", entity));
            format!("{attribute} of {}", path.rsplit('/').next().unwrap_or(path))
        }
        _ => subject(kind, entity).to_owned(),
    }
}

/// Why a run that succeeded saw no test, and the next step.
pub fn no_tests(kind: NoTestsKind, tool: Option<&str>) -> String {
    let build = tool.unwrap_or("the command");
    match kind {
        NoTestsKind::TurnedOff => "tests are turned off; run without the argument that does so".to_owned(),
        NoTestsKind::UpToDate => {
            format!("{build} considers its test tasks up to date; run `tamis test`, or add --rerun-tasks")
        }
        NoTestsKind::FromCache => {
            format!("{build} took test results from its build cache; run `tamis test`, or add --rerun-tasks")
        }
        NoTestsKind::BuildJvm => {
            let row = BUILD_TOOLS.iter().find(|row| Some(row.name) == tool && !row.fork_setting.is_empty());
            let setting = row.map_or("a JVM of their own", |row| row.fork_setting);
            format!("tests ran inside {build}'s own JVM, and were not recorded; set {setting}")
        }
        NoTestsKind::NoProjectClasses => {
            "tests ran in a JVM with no class of this project on its class path; go to the project's directory"
                .to_owned()
        }
        NoTestsKind::NotConnected if tool == Some(GRADLE.name) => {
            "tests ran, and their JVM did not connect; does the build replace the jvmArgs of its test tasks?"
                .to_owned()
        }
        NoTestsKind::NotConnected => {
            "tests ran, and their JVM did not connect; does the build remove JAVA_TOOL_OPTIONS?".to_owned()
        }
        NoTestsKind::NoTestJvm => {
            format!("{build} started no JVM that runs tests; check that the command runs tests here")
        }
        NoTestsKind::NoJvm => {
            "the command started no JVM, or removes JAVA_TOOL_OPTIONS; `tamis doctor` tries the agent"
                .to_owned()
        }
    }
}

/// A rule of the user decided something.
pub fn rule_used(rule: &SelectionRule) -> String {
    format!("a rule of tamis.toml decided: {}", self::rule(rule))
}

/// `[ignore] files "*.log": written by every run`
pub fn rule(rule: &SelectionRule) -> String {
    let (table, key) = rule.about.key();
    format!("[{table}] {key} \"{}\": {}", rule.pattern, rule.why)
}

/// The first run.
pub fn first_run(tests: usize) -> String {
    format!("nothing recorded yet: all {} run", count(tests, "test"))
}

/// The store cannot be written.
pub fn no_recording(error: &dyn Display) -> String {
    format!("{error}; everything runs, and nothing is recorded")
}

/// The store cannot be read.
pub fn no_traces(error: &dyn Display) -> String {
    format!("{error}; everything runs")
}

/// Some traces cannot be read.
pub fn unreadable_traces(number: usize) -> String {
    format!("{} cannot be read; the tests run", count(number, "recorded trace"))
}

/// The store failed during the run.
pub fn recording_stopped(problem: &str) -> String {
    format!("{problem}; later tests are not recorded")
}

/// The build ran tests of a module, and no JVM with the agent connected.
pub fn module_without_agent(module: &str, tool: &str) -> String {
    let setting = if tool == GRADLE.name { "other jvmArgs" } else { "forkCount 0" };
    format!("module {module}: no agent in its test JVM ({setting}?): everything ran, nothing was recorded")
}

/// A module cannot be analysed before a run.
pub fn module_unknown(module: &str, error: &dyn Display) -> String {
    format!("module {module}: {error}; its tests would run")
}

/// A JVM's class path cannot be found.
pub fn no_class_path(class: &str) -> String {
    format!("{class} ran in a JVM whose class path is not known: everything in it ran, nothing was recorded")
}

/// A JVM's program cannot be analysed.
pub fn jvm_unknown(error: &dyn Display) -> String {
    format!("{error}; everything runs, nothing is recorded")
}

/// A test left something in a static field for the first time.
pub fn new_leftover(field: &str, tests: usize) -> String {
    let field = field.replace('/', ".");
    let tests = if tests == 1 {
        "1 test that may use it runs".to_owned()
    } else {
        format!("{tests} tests that may use it run")
    };
    format!("a test left something else in {field} than any recorded run; {tests}, now or the next time")
}

/// A JVM did not end in good order.
pub fn jvm_lost(pid: u32, cause: &str) -> String {
    format!("test JVM {pid} exited unexpectedly ({cause}); its running tests were not recorded")
}

/// Some test classes are never skipped.
pub fn always_run(classes: &[&str]) -> String {
    let first = classes.first().unwrap_or(&"");
    let verb = if classes.len() == 1 { "is" } else { "are" };
    format!("{} {verb} never skipped; see `tamis explain {first}`", test_classes(classes.len()))
}

fn test_classes(number: usize) -> String {
    if number == 1 { "1 test class".to_owned() } else { format!("{number} test classes") }
}

/// Supertypes were not found: methods found through them cannot be compared.
pub fn missing_supertypes(first: &str, others: usize) -> String {
    let others = super::others(others);
    format!(
        "{first}{others}: not found, so look-ups through it are not compared; add its jar with --class-path"
    )
}

/// The JDK's classes cannot be read.
pub fn no_jdk(error: &dyn Display) -> String {
    format!("{error}; look-ups that leave the project are not known")
}

/// A class path without classes.
pub fn no_classes(roots: &str) -> String {
    format!("{roots}: no class files in it; build the project first?")
}

/// The index could not be written.
pub fn index_not_written(path: &Path, error: &dyn Display) -> String {
    format!("{}: {error}; the next run reads all classes again", path.display())
}

/// A class that cannot be read.
pub fn compared_by_bytes(place: &str, reason: &str) -> String {
    format!("{place}: {reason}; compared by its bytes")
}

/// A class file that is not where its name says.
pub fn misplaced(place: &str, others: usize, name: &str) -> String {
    let others = super::others(others);
    format!(
        "{place}.class{others}: holds {name}, which java would not find there; give the directory above its package"
    )
}

/// `tamis diff -v`
pub fn compared(old: usize, new: usize, milliseconds: u128) -> String {
    format!("{old} and {new} classes compared in {milliseconds} ms")
}

/// `tamis cache gc`
pub fn removed(tests: usize, traces: usize, facts: usize) -> String {
    format!("removed {tests} tests, {traces} traces, {facts} facts")
}

/// `tamis cache clear`
pub const CACHE_CLEARED: &str = "cache cleared; the next run will run all tests";

/// A file was written.
pub fn written(path: &Path) -> String {
    format!("wrote {}", path.display())
}
