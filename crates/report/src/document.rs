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
use crate::import::ImportReport;
use crate::observation::ObservationReport;
use crate::render;
use crate::selection::SelectionReport;
use serde::Serialize;
use std::io::{self, Write};

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
}

impl Format {
    /// All formats.
    pub const ALL: [Format; 3] = [Format::Human, Format::Json, Format::Names];

    /// The word on the command line.
    pub fn word(self) -> &'static str {
        match self {
            Format::Human => "human",
            Format::Json => "json",
            Format::Names => "names",
        }
    }

    /// The help for it.
    pub fn help(self) -> &'static str {
        match self {
            Format::Human => "For people",
            Format::Json => "One JSON document",
            Format::Names => "Names only, one per line",
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
    match format {
        Format::Human => render::text::write(out, document, layout),
        Format::Json => out.write_all(to_json(document).as_bytes()),
        Format::Names => render::names::write(out, document, layout),
    }
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
