//! `tamis run --observe [--skip TEST] -- COMMAND`

use super::build::exit_code;
use super::{print, say};
use crate::args::{GlobalArgs, SelectionArgs};
use crate::error::CommandError;
use std::ffi::OsString;
use std::process::{Command, ExitCode};
use tamis_report::observation::ObservationReport;
use tamis_report::{Document, Format, words};
use tamis_session::SessionError;
use tamis_wire::TestId;

pub(super) fn observe(
    choosing: &SelectionArgs,
    skip: &[String],
    command: &[OsString],
    global: &GlobalArgs,
) -> Result<ExitCode, CommandError> {
    if skip.iter().any(|test| test.is_empty() || test.starts_with('#')) {
        return Err(CommandError::SkipWithoutClass);
    }
    let skip: Vec<TestId> = skip.iter().map(|test| test_id(test)).collect();
    let Some((program, arguments)) = command.split_first() else {
        return Err(SessionError::NoCommand.into());
    };
    let mut command = Command::new(program);
    command.args(arguments);
    let (status, report) = tamis_session::observe(command, &skip, &choosing.settings()?)?;
    // From here on the exit code is the command's, even if printing fails.
    if !global.quiet
        && let Err(error) = show(&report, global)
        && !matches!(error, CommandError::OutputClosed)
    {
        say(&format!("tamis: {error}"));
    }
    for test in skip.iter().filter(|test| !is_skipped(test, &report)) {
        say(&format!("tamis: {}", words::not_skipped(&test.to_string())));
    }
    Ok(exit_code(status))
}

fn show(report: &ObservationReport, global: &GlobalArgs) -> Result<(), CommandError> {
    // The command's own output is on standard output, too.
    print(Document::Observation(report), Format::Human, global)?;
    for note in &report.notes {
        say(&format!("tamis: {note}"));
    }
    match report.jvms {
        0 => say(&format!("tamis: {}", words::NOTHING_OBSERVED)),
        jvms => say(&format!("tamis: {}", words::observed(report.tests.len(), jvms))),
    }
    Ok(())
}

/// Whether a test, or any test of a class, was skipped.
fn is_skipped(wanted: &TestId, report: &ObservationReport) -> bool {
    let wanted = wanted.to_string();
    report.skipped.iter().any(|test| *test == wanted || test.starts_with(&format!("{wanted}#")))
}

/// Names of classes have no `#`, those of methods may; a test without a class is named by its unique id in brackets.
fn test_id(name: &str) -> TestId {
    match name.split_once('#').filter(|_| !name.starts_with('[')) {
        Some((class, method)) => TestId { class: class.to_owned(), method: Some(method.to_owned()) },
        None => TestId { class: name.to_owned(), method: None },
    }
}
