//! Notes of a run: gaps and fall-backs, one sentence each.

use super::count;
use std::fmt::Display;
use std::path::Path;

/// The line of `tamis explain` if there is nothing to explain.
pub const NOTHING_RUNS: &str = "nothing would run, and nothing ran in the last run";

/// The next step without recorded traces.
pub const RECORD_FIRST: &str = "run `tamis test` first";

/// An empty store, before a run.
pub const NOTHING_RECORDED: &str = "nothing recorded yet, so every test would run; run `tamis test` first";

/// `-Dtest` and the like name the tests.
pub const TESTS_REQUESTED: &str = "specific tests were requested (-Dtest): they all run";

/// `-DskipTests` and the like.
pub const TESTS_TURNED_OFF: &str = "tests are turned off: none ran";

/// A JVM closed its connection.
pub const CONNECTION_CLOSED: &str = "connection closed";

/// The messages of a JVM could not be handled.
pub const UNREADABLE_MESSAGES: &str = "its messages could not be read";

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
pub fn module_without_agent(module: &str) -> String {
    format!("module {module}: no agent in its test JVM (forkCount 0?): everything ran, nothing was recorded")
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
