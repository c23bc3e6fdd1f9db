//! Sentences and numbers for people, from typed reasons. One file for each part of the product.

mod audit;
mod demo;
mod doctor;
mod import;
mod observation;
mod progress;
mod run;

pub use audit::*;
pub use demo::*;
pub use doctor::*;
pub use import::*;
pub use observation::*;
pub use progress::*;
pub use run::*;

use crate::selection::{BrokenFact, ReasonEntry, ReasonKind};
use tamis_catalog::frameworks::SharedState;
use tamis_select::decide::{RunReason, SkipEvidence};
use tamis_select::facts::FactKind;
use tamis_select::reason::{AlwaysReason, UnseenSuites, WholeReason};

/// Why a test runs, without the test.
pub fn run_reason(reason: &RunReason) -> String {
    match reason {
        RunReason::New => "no recorded run".to_owned(),
        RunReason::Failed => "it failed last time".to_owned(),
        RunReason::Broken => {
            "it did not end last time, or another test left something new that it may use".to_owned()
        }
        RunReason::NotRun => "it was disabled or aborted last time".to_owned(),
        RunReason::Flaky => "flaky: it passed and failed with the same inputs".to_owned(),
        RunReason::Always(why) => format!("it always runs: {why}"),
        RunReason::Changed(_) => "something that it depends on changed".to_owned(),
        RunReason::Asked => "requested".to_owned(),
    }
}

/// Why a test ran in the last run.
pub fn last_run_reason(reason: &ReasonEntry) -> String {
    let why = match reason.kind {
        ReasonKind::New => "it had no recorded run",
        ReasonKind::Failed => "it had failed the time before",
        ReasonKind::Broken => {
            "it had not ended the time before, or another test had left something new that it may use"
        }
        ReasonKind::NotRun => "it had been disabled or aborted the time before",
        ReasonKind::Flaky => "it was flaky: it had passed and failed with the same inputs",
        ReasonKind::Always => {
            let why = reason.detail.as_deref().unwrap_or_default();
            return format!("it always runs: {why}");
        }
        ReasonKind::Changed => "something that it depends on had changed",
        ReasonKind::Asked => "it was requested",
    };
    match &reason.since {
        Some(since) => red_since(&format!("in the last run, {why}"), since),
        None => format!("in the last run, {why}"),
    }
}

/// Why a test ran, in a line of a list.
pub fn short_reason(kind: ReasonKind, detail: Option<&str>, facts: &[BrokenFact]) -> String {
    match (kind, facts) {
        (ReasonKind::Changed, [first, rest @ ..]) => {
            let more = others(rest.len());
            format!("{}{more} changed", subject(&first.fact, &first.entity))
        }
        (ReasonKind::Changed, []) => "something that it depends on changed".to_owned(),
        (ReasonKind::New, _) => "no recorded run".to_owned(),
        (ReasonKind::Failed, _) => "it failed last time".to_owned(),
        (ReasonKind::Broken, _) => "its last run does not count".to_owned(),
        (ReasonKind::NotRun, _) => "it was disabled or aborted last time".to_owned(),
        (ReasonKind::Flaky, _) => "flaky: it passed and failed with the same inputs".to_owned(),
        (ReasonKind::Always, _) => format!("it always runs: {}", detail.unwrap_or_default()),
        (ReasonKind::Asked, _) => "requested".to_owned(),
    }
}

/// Why a test that failed the last time runs again, and since when it fails.
pub fn red_since(why: &str, since: &str) -> String {
    format!("{why}; it failed first at {since}, when this had changed:")
}

/// Why a test can be skipped.
pub fn skip_reason(evidence: &SkipEvidence) -> String {
    match evidence.is_static {
        false => format!("all {} recorded facts still hold", evidence.facts),
        true => format!("static: all {} facts of what it may reach still hold", evidence.facts),
    }
}

/// How a test came to depend on a fact.
pub fn dependency(kind: FactKind) -> &'static str {
    match kind {
        FactKind::Body => "entered: by the test, its set-up, or an initialiser or object that it uses",
        FactKind::Inherits => "called on an object of this class",
        FactKind::Supers => "the test used this class or an object of it",
        FactKind::External => "the test used objects of this class; other code may call these methods",
        FactKind::Init => "the test depends on its static initialiser, whenever it ran",
        FactKind::Shape => "used by reflection, or the test class itself",
        FactKind::Class => "used; tracked as a whole class",
        FactKind::Debug => "a stack trace was read",
        FactKind::Walk => "ran in part: the blocks that were entered, and the way between them",
        FactKind::Head => "a method of this class was entered, or its initialiser counts",
        FactKind::Methods => "the test used this class or a class below it",
        FactKind::Library => "a class of a library was used",
        FactKind::Scan => "read by a scan for components",
        FactKind::Resource => "looked up on the class path",
        FactKind::File => "read",
        FactKind::Exists => "its existence or length was checked",
        FactKind::Listing => "listed",
        FactKind::Attribute => "an attribute of the file was read",
        FactKind::Environment | FactKind::Property | FactKind::Machine => "read",
        FactKind::Jvm => "applies to every test of the JVM",
    }
}

/// The subject of a fact. Code that names no variable or property has read all.
pub fn subject<'e>(kind: &str, entity: &'e str) -> &'e str {
    match kind {
        "env" if ["", "*"].contains(&entity) => "the names of variables",
        "property" if ["", "*", "**"].contains(&entity) => "the names of system properties",
        _ => entity,
    }
}

/// `1 test`, `1,284 tests`
pub fn count(number: usize, of: &str) -> String {
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

/// `1.4 s`, `2.5 min`
pub fn seconds(value: f64) -> String {
    if value >= 120.0 { format!("{:.1} min", value / 60.0) } else { format!("{value:.1} s") }
}

/// ` and 3 others`
pub fn others(number: usize) -> String {
    match number {
        0 => String::new(),
        1 => " and 1 other".to_owned(),
        number => format!(" and {number} others"),
    }
}

/// Why a test always runs.
pub fn always_reason(reason: &AlwaysReason) -> String {
    match reason {
        AlwaysReason::Gap(what) => what.clone(),
        AlwaysReason::ReadThenWritten(path) => format!("it reads and then writes {path}"),
        AlwaysReason::StartsProcess(program) => format!("it starts a process: {program}"),
        AlwaysReason::Connects(host) => format!("it connects to {host}"),
        AlwaysReason::ClassNotFound(class) => {
            format!("{class} is not on the class path that the JVM was started with")
        }
        AlwaysReason::NotEntered(method) => {
            format!("{method} was reported as passed, but was not entered in this JVM")
        }
        AlwaysReason::ChangedMeanwhile(path) => format!("{path} changed while the tests ran"),
        AlwaysReason::ClassFileUnreadable(error) => format!("{error}; it changed while the tests ran"),
        AlwaysReason::Unfollowed(gap) => {
            format!("it may use {}, which a static graph cannot follow", static_gap(gap))
        }
        AlwaysReason::ConstantSet(field) => format!("the constant {field} was set by reflection"),
        AlwaysReason::UnseenSuites { class, cause } => match cause {
            UnseenSuites::RequestUnknown => {
                format!(
                    "{class} is defined in a library, and the tests that this JVM should run are not known"
                )
            }
            UnseenSuites::TestFailed => {
                format!(
                    "{class} is defined in a library, and a failing test may have stopped other suites that use it"
                )
            }
            UnseenSuites::NotRun(suite) => {
                format!(
                    "{class} is defined in a library, and {suite}, which may run it too, did not run in this JVM"
                )
            }
        },
    }
}

/// All reasons why a test always runs; none if its facts decide.
pub fn always_reasons(reasons: &[AlwaysReason]) -> Option<String> {
    let reasons: Vec<String> = reasons.iter().map(always_reason).collect();
    (!reasons.is_empty()).then(|| reasons.join("; "))
}

/// Why the tests of a class are selected together.
pub fn whole_reason(reason: &WholeReason) -> String {
    match reason {
        WholeReason::Requested => "requested by --granularity class".to_owned(),
        WholeReason::NoMethods => "its framework names no methods".to_owned(),
        WholeReason::ClassNotFound => "its class file was not found".to_owned(),
        WholeReason::Annotated(SharedState::Order) => "its tests have an order".to_owned(),
        WholeReason::Annotated(SharedState::PerhapsObject) => "its tests may share an object".to_owned(),
        WholeReason::Annotated(SharedState::Object) => "its tests share an object".to_owned(),
        WholeReason::Annotated(SharedState::ObjectAlways(framework)) => {
            format!("{framework}'s tests share an object")
        }
        WholeReason::Setting(setting) => format!("{setting} is set"),
        WholeReason::LeavesDefault => {
            "a test changes a JDK default (locale, time zone, streams) and does not restore it".to_owned()
        }
        WholeReason::SharedField(field) => format!("its tests share the static field {field}"),
        WholeReason::SharedFile(path) => format!("one of its tests reads {path}, which another writes"),
        WholeReason::InLibrary => "it is defined in a library".to_owned(),
        WholeReason::Recorded(text) => text.clone(),
        WholeReason::RecordedAsOne => "it was recorded as one".to_owned(),
    }
}
