//! Results of a run for build servers: files in `last/`, and what GitHub Actions reads.
//!
//! If one cannot be written, only it is missing.

use std::fs::{self, OpenOptions};
use std::io::Write;
use std::path::Path;
use tamis_catalog::builds::SERVER_REPORT;
use tamis_catalog::environment::{GITHUB_ACTIONS, GITHUB_SUMMARY};
use tamis_report::selection::SelectionReport;
use tamis_report::{Document, Format, Layout, github_summary, metrics, print};

/// Writes `junit.xml` and `metrics.txt`.
pub(super) fn write_files(last: &Path, run: &SelectionReport) {
    let mut xml = Vec::new();
    if print(&mut xml, Document::Selection(run), Format::Junit, Layout::default()).is_ok() {
        let _ = fs::write(last.join(SERVER_REPORT), xml);
    }
    let _ = fs::write(last.join("metrics.txt"), metrics(run));
}

/// In a step of GitHub Actions: annotates failures, and adds to the summary of the step.
pub(super) fn tell_github(run: &SelectionReport, format: Format) {
    if std::env::var(GITHUB_ACTIONS).as_deref() != Ok("true") {
        return;
    }
    if format != Format::Github {
        // Not to the standard output, which may be a document.
        let mut out = std::io::stderr().lock();
        let _ = print(&mut out, Document::Selection(run), Format::Github, Layout::default());
    }
    if let Some(path) = std::env::var_os(GITHUB_SUMMARY) {
        let file = OpenOptions::new().append(true).create(true).open(path);
        let _ = file.and_then(|mut file| file.write_all(github_summary(run).as_bytes()));
    }
}
