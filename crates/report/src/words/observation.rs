//! Sentences of `tamis run --observe`.

use super::{count, subject};
use tamis_select::facts::{Fact, FactKind};

/// What a test did to depend on a fact that is not about a method; nothing if the fact holds for every test, or follows from
/// others.
pub fn input(fact: &Fact) -> Option<String> {
    let kind = fact.question.kind;
    let displayed = fact.question.displayed();
    let subject = subject(kind.word(), &displayed);
    let verb = match kind {
        FactKind::Resource | FactKind::File | FactKind::Exists | FactKind::Listing
            if fact.answer.is_none() =>
        {
            "misses"
        }
        FactKind::Resource | FactKind::File => "reads",
        FactKind::Exists => "examines",
        FactKind::Listing => "lists",
        FactKind::Attribute => "attribute",
        FactKind::Environment => "environment",
        FactKind::Property => "property",
        FactKind::Machine => "machine",
        FactKind::Shape => "reflects on",
        FactKind::Scan => "scans",
        FactKind::Debug => "reads a stack trace with",
        // The agent's own question about every program.
        FactKind::Class if subject == "module-info" => return None,
        FactKind::Class => "uses",
        FactKind::Body
        | FactKind::Init
        | FactKind::Library
        | FactKind::Inherits
        | FactKind::Supers
        | FactKind::External
        | FactKind::Head
        | FactKind::Methods
        | FactKind::Walk
        | FactKind::Jvm => return None,
    };
    Some(format!("{verb} {subject}"))
}

/// No JVM connected.
pub const NOTHING_OBSERVED: &str = "no test JVM started by the command connected; nothing was observed; does the command start one, and pass \
                                    JAVA_TOOL_OPTIONS on?";

/// The end of an observation.
pub fn observed(tests: usize, jvms: usize) -> String {
    let jvms = if jvms == 1 { "1 JVM".to_owned() } else { format!("{jvms} JVMs") };
    format!("{} observed in {jvms}", count(tests, "test"))
}

/// `--skip` named a test that was not skipped.
pub fn not_skipped(test: &str) -> String {
    format!(
        "--skip {test}: no such test was skipped; check the name, and docs/frameworks.md for what cannot be skipped"
    )
}

/// A static initialiser.
pub fn initialiser(class: &str) -> String {
    format!("{class}.<clinit>()V and what it ran")
}

/// Classes of libraries that are not listed.
pub fn library_classes(number: usize) -> String {
    let classes = if number == 1 { "class" } else { "classes" };
    format!("and {number} library {classes}")
}
