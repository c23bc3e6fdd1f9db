//! What a run adds to its document from earlier runs on this machine, and keeps for later ones, in `last/`.
//!
//! For people only: no decision depends on these files. If one cannot be read or written, a sentence is missing.

use crate::report_builder::ReportBuilder;
use crate::source_files::SourceFiles;
use std::fs;
use std::path::Path;
use std::time::SystemTime;
use tamis_report::full_runs::FullRuns;
use tamis_report::red_tests::RedTests;
use tamis_report::selection::SelectionReport;
use tamis_report::time::iso;

/// The tests that were red after the last run.
pub fn red_tests(last: &Path) -> RedTests {
    fs::read_to_string(last.join("red.json")).map(|text| RedTests::read(&text)).unwrap_or_default()
}

/// Completes the document of a run that has ended: the time it saved, the change that first broke a red test, the source
/// files of failures. `is_partial` is a run for which the user requested tests.
pub fn complete(
    run: &mut SelectionReport,
    collector: &ReportBuilder<'_>,
    (root, last): (&Path, &Path),
    is_partial: bool,
) {
    let _ = fs::create_dir_all(last);
    let mut red = red_tests(last);
    let was_red = !red.is_empty();
    red.update(run, &iso(SystemTime::now()));
    if was_red || !red.is_empty() {
        let _ = fs::write(last.join("red.json"), red.text());
    }
    if !is_partial && !run.summary.interrupted {
        let path = last.join("full.json");
        let mut full = fs::read_to_string(&path).map(|text| FullRuns::read(&text)).unwrap_or_default();
        full.compare(run, &collector.jvm_times());
        let _ = fs::write(path, full.text());
    }
    let mut files = SourceFiles::new(root);
    for test in &mut run.tests {
        let Some(failure) = &mut test.failure else { continue };
        failure.file = failure.frame.as_deref().and_then(|frame| files.file_of(&test.module, frame));
    }
}
