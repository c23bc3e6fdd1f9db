//! `tamis report`: one HTML page about a run.

use super::explain::code_of_run;
use super::say;
use crate::args::{ReportArgs, SelectionArgs};
use crate::error::CommandError;
use std::fs;
use std::path::Path;
use std::process::ExitCode;
use tamis_report::page::{PageExtras, PageHistory, PastRun, page};
use tamis_report::selection::{SelectionReport, test_name};
use tamis_report::time::iso;
use tamis_report::words;
use tamis_store::traces::TraceStore;

/// The number of earlier runs on the page.
const RUNS: u32 = 200;

pub(super) fn report(choosing: &SelectionArgs, args: &ReportArgs) -> Result<ExitCode, CommandError> {
    let settings = choosing.settings()?;
    let last = tamis_session::last(&settings.store).join("run.json");
    let path = args.run.as_deref().unwrap_or(&last);
    let text = fs::read_to_string(path).map_err(|error| CommandError::NoRun(path.to_owned(), Some(error)))?;
    let run = SelectionReport::read(&text).ok_or_else(|| CommandError::NoRun(path.to_owned(), None))?;
    // Only of the last run both versions of the classes are kept.
    let code = if args.run.is_none() { code_of_run(&settings, &run) } else { Default::default() };
    let history = if args.history { Some(history(&settings.store)?) } else { None };
    let html = page(&run, &PageExtras { code, history });
    fs::write(&args.output, html).map_err(|error| CommandError::Page(args.output.clone(), error))?;
    say(&words::written(&args.output));
    Ok(ExitCode::SUCCESS)
}

fn history(store: &Path) -> Result<PageHistory, CommandError> {
    let Some(traces) = TraceStore::read_only(store)? else { return Ok(PageHistory::default()) };
    let known = traces.history(RUNS)?;
    let runs = known.runs.into_iter().map(|run| PastRun {
        began: iso(run.began),
        place: run.place,
        passed: run.passed,
        failed: run.failed,
        other: run.other,
        microseconds: run.microseconds,
    });
    let letter = |outcome: &String| match outcome.as_str() {
        "passed" => '.',
        "failed" => 'F',
        "ignored" | "aborted" => '-',
        _ => '?',
    };
    let strips = known.verdicts.iter().map(|(key, outcomes)| {
        (test_name(&key.class, key.method.as_deref()), outcomes.iter().map(letter).collect())
    });
    Ok(PageHistory { runs: runs.collect(), strips: strips.collect() })
}
