//! Sentences of `tamis import`.

use super::count;
use crate::import::ImportReport;
use tamis_program::names::dotted;
use tamis_select::static_graph::StaticGap;

/// What a verdict of another build rests on.
pub const IMPORT_ASSUMES: &str = "imported verdicts assume that test JVMs start with the same options and test framework as in that build, and that \
                                  its tests do not depend on what others leave in files";

/// The counts of an import.
pub fn imported(report: &ImportReport) -> String {
    let mut parts = vec![format!(
        "{} imported from {}",
        count(report.imported, "passing test"),
        count(report.reports, "report")
    )];
    if report.unfollowed > 0 {
        parts.push(format!("{} run: a static graph cannot follow them", count(report.unfollowed, "test")));
    }
    if report.failed > 0 {
        parts.push(format!("{} failed", report.failed));
    }
    if report.left_out > 0 {
        parts.push(format!("{} left out", report.left_out));
    }
    parts.join("; ")
}

/// What a static graph cannot follow.
pub fn static_gap(gap: &StaticGap) -> String {
    match gap {
        StaticGap::Api(api) => api.word().to_owned(),
        StaticGap::Library(class) => format!("the library class {}", dotted(class)),
        StaticGap::Unreadable(class) => format!("the unreadable class {}", dotted(class)),
    }
}

/// A fact that follows from the static graph.
pub fn static_fact(fact: &str) -> String {
    format!("static: {fact}")
}

/// The way from a test to what it may reach.
pub fn static_path(path: &[String]) -> String {
    format!("static path: {}", path.join(" > "))
}

/// A report is older than a class.
pub fn report_is_older(module: &str, class: &str) -> String {
    format!(
        "module {module}: {class} is younger than the reports; run the build again, and import afterwards"
    )
}

/// A report cannot be read.
pub fn report_unreadable(report: &str, error: &std::io::Error) -> String {
    format!("{report}: {error}")
}

/// A file is larger than any report.
pub fn report_too_large(report: &str) -> String {
    format!("{report}: the file is too large")
}

/// A file is not a report.
pub fn report_malformed(report: &str) -> String {
    format!("{report}: the file is not well formed")
}

/// A report has no system properties.
pub fn report_without_properties(report: &str) -> String {
    format!("{report}: no system properties, so the class path of its tests is not known")
}
