//! Every document that a command prints, and the formats that it can be printed in.
//!
//! A command fills a document and calls [`print`]. A new format is one file in `render` and one variant of [`Format`].

use crate::affected::AffectedReport;
use crate::audit::mutants::MutantReport;
use crate::audit::rerun::RerunReport;
use crate::cache::CacheReport;
use crate::diff::DiffReport;
use crate::doctor::DoctorReport;
use crate::explanation::ExplanationReport;
use crate::failure::FailureEntry;
use crate::import::ImportReport;
use crate::observation::ObservationReport;
use crate::render;
use crate::selection::SelectionReport;
use serde::Serialize;
use std::io::{self, Write};
use tamis_catalog::builds::SERVER_FORMAT;

/// A document. Its JSON is the serialised form of the report inside.
#[derive(Clone, Copy, Debug, Serialize)]
#[serde(untagged)]
pub enum Document<'d> {
    /// `tamis select`, `tamis test`, `tamis run`, and `run.json`.
    Selection(&'d SelectionReport),
    /// `tamis explain`
    Explanation(&'d ExplanationReport),
    /// `tamis affected`
    Affected(&'d AffectedReport),
    /// `tamis audit --rerun`
    Rerun(&'d RerunReport),
    /// `tamis audit --mutants`
    Mutants(&'d MutantReport),
    /// `tamis run --observe`
    Observation(&'d ObservationReport),
    /// `tamis diff`
    Diff(&'d DiffReport<'d>),
    /// `tamis doctor`
    Doctor(&'d DoctorReport),
    /// `tamis cache stats`
    Cache(&'d CacheReport),
    /// `tamis import`
    Import(&'d ImportReport),
}

/// How to print a document.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Format {
    /// For people.
    #[default]
    Human,
    /// One JSON document.
    Json,
    /// Names only, one per line.
    Names,
    /// JUnit XML.
    Junit,
    /// Annotations for GitHub Actions.
    Github,
    /// Service messages for TeamCity.
    Teamcity,
}

impl Format {
    /// All formats.
    pub const ALL: [Format; 6] =
        [Format::Human, Format::Json, Format::Names, Format::Junit, Format::Github, Format::Teamcity];

    /// The word on the command line.
    pub fn word(self) -> &'static str {
        match self {
            Format::Human => "human",
            Format::Json => "json",
            Format::Names => "names",
            Format::Junit => SERVER_FORMAT,
            Format::Github => "github",
            Format::Teamcity => "teamcity",
        }
    }

    /// The help for it.
    pub fn help(self) -> &'static str {
        match self {
            Format::Human => "For people",
            Format::Json => "One JSON document",
            Format::Names => "Names only, one per line",
            Format::Junit => "XML of a run for build servers; another document as text",
            Format::Github => "Annotations of a run's failures for GitHub Actions; another document as text",
            Format::Teamcity => "Service messages of a run for TeamCity; another document as text",
        }
    }
}

/// How much to print, and how wide.
#[derive(Clone, Copy, Debug, Default)]
pub struct Layout {
    /// Only the result.
    pub quiet: bool,
    /// More detail.
    pub verbose: bool,
    /// The columns of the terminal, if they are known.
    pub columns: Option<usize>,
}

/// Prints a document.
pub fn print<W: Write>(
    out: &mut W,
    document: Document<'_>,
    format: Format,
    layout: Layout,
) -> io::Result<()> {
    match (format, document) {
        (Format::Junit, Document::Selection(report)) => return render::junit::write(out, report),
        (Format::Github, Document::Selection(report)) => return render::github::write(out, report),
        (Format::Teamcity, Document::Selection(report)) => return render::teamcity::write(out, report),
        _ => {}
    }
    match format {
        Format::Human | Format::Junit | Format::Github | Format::Teamcity => {
            render::text::write(out, document, layout)
        }
        Format::Json => out.write_all(to_json(document).as_bytes()),
        Format::Names => render::names::write(out, document, layout),
    }
}

/// Prints a failed test, while the build is still running.
pub fn print_failure<W: Write>(out: &mut W, test: &str, failure: Option<&FailureEntry>) -> io::Result<()> {
    render::text::write_failure(out, test, failure)
}

/// The summary of a step of GitHub Actions, in Markdown.
pub fn github_summary(report: &SelectionReport) -> String {
    render::github::summary(report)
}

/// The numbers of a run as GitLab reads them: a name and a value on each line.
pub fn metrics(report: &SelectionReport) -> String {
    let summary = &report.summary;
    let mut metrics = vec![("run", summary.run as f64), ("skipped", summary.skip as f64)];
    metrics.extend(summary.failed.map(|number| ("failed", number as f64)));
    metrics.extend(summary.seconds.map(|seconds| ("seconds", seconds)));
    metrics.extend(summary.saved_seconds.map(|seconds| ("saved_seconds", seconds)));
    metrics.iter().map(|(name, value)| format!("tamis_tests_{name} {value}\n")).collect()
}

/// The JSON of a document, ending in a newline.
pub fn to_json(document: Document<'_>) -> String {
    render::json::text(document)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_format_prints_every_document() {
        let selection = SelectionReport::new("1.0", "hybrid", "auto");
        let cache = CacheReport::default();
        let doctor = DoctorReport::new(Vec::new());
        for document in [Document::Selection(&selection), Document::Cache(&cache), Document::Doctor(&doctor)]
        {
            for format in Format::ALL {
                let mut out = Vec::new();
                print(&mut out, document, format, Layout::default()).unwrap();
                assert_eq!(String::from_utf8(out).unwrap().starts_with('{'), format == Format::Json);
            }
        }
    }
}
