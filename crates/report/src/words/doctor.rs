//! The findings of `tamis doctor`.

use super::count;
use crate::doctor::DoctorFinding;
use std::fmt::Display;
use std::path::Path;
use tamis_select::rules::SelectionRule;

/// A build tool that starts.
pub fn build_found(version: &str, root: &Path) -> DoctorFinding {
    DoctorFinding::fine("build", format!("{version}, project at {}", root.display()))
}

/// A build tool that does not start.
pub fn build_broken() -> DoctorFinding {
    DoctorFinding::wrong("build", "Maven does not start".to_owned(), "run `mvn --version` to see why")
}

/// No build that is known.
pub fn no_build(error: &dyn Display) -> DoctorFinding {
    let advice = "`tamis run -- COMMAND` works with any command that starts test JVMs";
    DoctorFinding::note("build", error.to_string(), advice)
}

/// A JDK that starts.
pub fn jdk_found(version: &str, from: &str) -> DoctorFinding {
    DoctorFinding::fine("jdk", format!("{version} (from {from})"))
}

/// A JDK that does not work.
pub fn jdk_broken(java: &Path, status: &dyn Display) -> DoctorFinding {
    let found = format!("{} fails: {status}", java.display());
    DoctorFinding::wrong("jdk", found, "set JAVA_HOME to a JDK from 8 to 25")
}

/// No JDK.
pub fn no_jdk_found(java: &Path, error: &dyn Display) -> DoctorFinding {
    let found = format!("{}: {error}", java.display());
    DoctorFinding::wrong("jdk", found, "install a JDK, or set JAVA_HOME")
}

/// Whether the agent of a JVM connected.
pub fn agent(connects: bool) -> DoctorFinding {
    if connects {
        return DoctorFinding::fine("agent", "a JVM loads the agent and connects".to_owned());
    }
    let advice = "is JAVA_TOOL_OPTIONS removed from the environment, or the temporary directory not accessible? try another \
                  TMPDIR";
    DoctorFinding::wrong("agent", "a JVM started and did not connect".to_owned(), advice)
}

/// The agent could not be tried.
pub fn agent_untried(error: &dyn Display) -> DoctorFinding {
    DoctorFinding::wrong("agent", error.to_string(), "tamis needs `java` on the PATH to try the agent")
}

/// A store.
pub fn store_found(directory: &Path, tests: u64, traces: u64, bytes: u64) -> DoctorFinding {
    let kilobytes = bytes / 1024;
    let found = format!("{}: {tests} tests, {traces} traces, {kilobytes} KB", directory.display());
    DoctorFinding::fine("store", found)
}

/// No store.
pub fn no_store(directory: &Path) -> DoctorFinding {
    let found = format!("{}: nothing recorded yet", directory.display());
    DoctorFinding::note("store", found, super::RECORD_FIRST)
}

/// A store that cannot be read.
pub fn store_broken(error: &dyn Display) -> DoctorFinding {
    DoctorFinding::wrong("store", error.to_string(), "run `tamis cache clear` to start again")
}

/// The test JVM of a module in the last run: entries of its class path, those of the project, those that are missing.
pub fn module(module: &str, java: &str, entries: usize, own: usize, missing: usize) -> DoctorFinding {
    let found =
        format!("module {module}: Java {java}, {own} of {entries} class path entries belong to the project");
    if missing == 0 {
        return DoctorFinding::fine("tests", found);
    }
    let advice = "build the project before `tamis select`";
    DoctorFinding::note("tests", format!("{found}; {missing} missing"), advice)
}

/// A store that is not a directory.
pub fn store_is_file(path: &Path) -> DoctorFinding {
    let found = format!("{} is a file, so nothing can be recorded", path.display());
    DoctorFinding::wrong("store", found, "remove the file, or name a directory with --store")
}

/// Tests that always run, among those that are recorded.
pub fn always_running(always: usize, all: usize) -> DoctorFinding {
    let found = format!("{always} of {} always run", count(all, "recorded test"));
    match (always * 10 > all, always) {
        (_, 0) => DoctorFinding::fine("runs", found),
        (true, _) => {
            DoctorFinding::note("runs", found, "little can be skipped until their reasons below are gone")
        }
        (false, _) => DoctorFinding::note("runs", found, "their reasons are below"),
    }
}

/// A reason why tests always run.
pub fn always_because(why: &str, tests: usize) -> DoctorFinding {
    let found = format!("{}: {why}", count(tests, "test"));
    DoctorFinding::note("runs", found, advice(why))
}

/// The next step against a reason why tests always run, as it is stored.
fn advice(why: &str) -> &'static str {
    let of = |start: &str| why.starts_with(start);
    if of("it connects to") || of("it starts a process") || of("it reads and then writes") {
        "if the outcome cannot depend on it, say so in tamis.toml: `tamis init` writes an example"
    } else if of("the constant") {
        "set the value through a method or a property instead of by reflection"
    } else {
        "`tamis explain` shows the tests"
    }
}

/// Tests that passed and failed with the same inputs.
pub fn flaky_tests(number: usize) -> DoctorFinding {
    let found = format!("{} passed and failed with the same inputs", count(number, "recorded test"));
    DoctorFinding::note("runs", found, "they always run; find what else they depend on")
}

/// A rule of the user.
pub fn rule_found(rule: &SelectionRule) -> DoctorFinding {
    DoctorFinding::fine("rules", super::rule(rule))
}
