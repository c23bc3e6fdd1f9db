//! Names only, one per line, for other programs. Documents without names are printed as text.

use super::text;
use crate::document::{Document, Layout};
use std::io::{self, Write};

pub(crate) fn write<W: Write>(out: &mut W, document: Document<'_>, layout: Layout) -> io::Result<()> {
    match document {
        // The tests to run, as `-Dtest=` takes them.
        Document::Selection(report) => lines(out, report.running().map(|test| test.name())),
        Document::Explanation(report) => lines(out, report.tests.iter().map(|test| &test.test)),
        Document::Affected(report) => lines(out, report.tests.iter().map(|test| &test.test)),
        Document::Rerun(report) => lines(out, report.misses.iter().map(|miss| miss.name())),
        Document::Mutants(report) => {
            lines(out, report.misses.iter().flat_map(|tried| &tried.misses).map(|miss| &miss.test))
        }
        Document::Observation(report) => lines(out, report.tests.iter().map(|test| &test.test)),
        Document::Diff(report) => lines(out, report.changes.iter().map(|change| &change.entity)),
        Document::Doctor(_) | Document::Cache(_) | Document::Import(_) => text::write(out, document, layout),
    }
}

fn lines<W: Write>(out: &mut W, mut names: impl Iterator<Item = impl std::fmt::Display>) -> io::Result<()> {
    names.try_for_each(|name| writeln!(out, "{name}"))
}
