//! `tamis test` and `tamis run`: a build with selection.

use super::options::here;
use super::{ci, live::LiveLine, print, record, say};
use crate::args::{GlobalArgs, RecordChoice, SelectionArgs};
use crate::error::CommandError;
use std::ffi::OsString;
use std::fs::{self, File};
use std::io::{IsTerminal, Write};
use std::os::unix::process::ExitStatusExt;
use std::path::Path;
use std::process::{Command, ExitCode, ExitStatus};
use tamis_project::build::gate::Gate;
use tamis_project::build::{self, BuildTool};
use tamis_project::root::ProjectRoot;
use tamis_report::selection::{NoTestsEntry, NoTestsKind, SelectionReport};
use tamis_report::{Document, Format, to_json, words};
use tamis_select::decide::ModuleDecision;
use tamis_select::events::RunListener;
use tamis_session::{
    ReportBuilder, RunCommand, RunDir, RunSettings, Session, SessionError, interrupt, run_memory,
};

/// `tamis test [-- BUILD ARGS]`
pub(super) fn test(
    choosing: &SelectionArgs,
    arguments: &[OsString],
    global: &GlobalArgs,
) -> Result<ExitCode, CommandError> {
    let found = build::find(&here()?, arguments).map_err(CommandError::NoBuild)?;
    run_found(&*found, arguments, choosing, global)
}

/// Runs a build that asks at the gate.
fn run_found(
    found: &dyn BuildTool,
    arguments: &[OsString],
    choosing: &SelectionArgs,
    global: &GlobalArgs,
) -> Result<ExitCode, CommandError> {
    let mut settings = choosing.settings_at(ProjectRoot::new(found.root()))?;
    record::take_turn(choosing, &mut settings);
    let mut notes = Vec::new();
    let is_partial = found.asks_for_tests(arguments);
    if is_partial && !settings.all {
        settings.all = true;
        notes.push(words::TESTS_REQUESTED.to_owned());
    }
    let room = RunDir::new()?;
    // Without a gate each module starts its JVM, and skips tests there.
    let gate = Gate::open(room.path()).ok();
    let command = found.command(arguments, gate.as_ref());
    let run = RunCommand { command, room: &room, gate: gate.as_ref(), delivery: found.delivery() };
    let tests_are_off = found.tests_are_off(arguments);
    let build = BuildRequest { run, notes, tests_are_off, is_partial };
    let ran = run_build(build, &settings, choosing, global)?;
    put_off(&ran, record::TestCommand::Test(arguments), choosing, &settings);
    Ok(show(&ran, choosing, global))
}

/// `tamis run -- COMMAND`
pub(super) fn run(
    choosing: &SelectionArgs,
    whole: &[OsString],
    global: &GlobalArgs,
) -> Result<ExitCode, CommandError> {
    let Some((program, arguments)) = whole.split_first() else {
        return Err(SessionError::NoCommand.into());
    };
    if let Some(found) = build::of_command(program, arguments, &here()?) {
        return run_found(&*found.map_err(CommandError::NoBuild)?, arguments, choosing, global);
    }
    let mut command = Command::new(program);
    command.args(arguments);
    let mut settings = choosing.settings()?;
    record::take_turn(choosing, &mut settings);
    let room = RunDir::new()?;
    let run = RunCommand::plain(command, &room);
    let build = BuildRequest { run, notes: Vec::new(), tests_are_off: false, is_partial: false };
    let ran = run_build(build, &settings, choosing, global)?;
    put_off(&ran, record::TestCommand::Run(whole), choosing, &settings);
    Ok(show(&ran, choosing, global))
}

/// With `--record later`: remembers the command if it ran tests.
fn put_off(
    ran: &BuildResult,
    command: record::TestCommand<'_>,
    choosing: &SelectionArgs,
    settings: &RunSettings,
) {
    if choosing.record_choice() == RecordChoice::Later
        && ran.selection.summary.run > 0
        && let Err(error) = record::put_off(command, &settings.store)
    {
        say(&format!("tamis: {error}"));
    }
}

/// A command to run with selection.
pub(super) struct BuildRequest<'b> {
    pub(super) run: RunCommand<'b>,
    /// Notes for the report.
    pub(super) notes: Vec<String>,
    /// Whether the user skips all tests.
    pub(super) tests_are_off: bool,
    /// Whether the user requested certain tests.
    pub(super) is_partial: bool,
}

/// The result of a command.
pub(super) struct BuildResult {
    pub(super) selection: SelectionReport,
    /// The decisions, independent of what ran.
    pub(super) choices: Vec<ModuleDecision>,
    pub(super) status: ExitStatus,
}

/// Runs a build. Once it has been started, no failure of Tamis is an error.
pub(super) fn run_build(
    build: BuildRequest<'_>,
    settings: &RunSettings,
    choosing: &SelectionArgs,
    global: &GlobalArgs,
) -> Result<BuildResult, CommandError> {
    let BuildRequest { run, notes, tests_are_off, is_partial } = build;
    let last = tamis_session::last(&settings.store);
    // Without a terminal the build's output is shown unchanged.
    let is_live = run.gate.is_some()
        && choosing.format == Format::Human
        && !global.verbose
        && !global.quiet
        && std::io::stdout().is_terminal()
        && std::io::stderr().is_terminal();
    let hides = is_live || global.quiet || choosing.format != Format::Human;
    let log = if hides { Some(open_log(&last)?) } else { None };
    let live = is_live.then(|| LiveLine::start(&last.join("build.log"), settings.all));
    let collector = ReportBuilder::new(live.as_ref().map(|live| live as &dyn RunListener));
    let session = Session::open(settings, &collector);
    let known = session.stored().tests.iter().any(|test| !test.traces.is_empty());
    interrupt::begin();
    let status = session.run(run, log.as_ref());
    if let Some(live) = &live {
        live.stop();
    }
    let status = status?;
    let mut selection = collector.ended(settings);
    selection.notes.splice(0..0, notes);
    selection.summary.exit = status.code();
    selection.summary.interrupted = interrupt::is_requested();
    selection.log = hides.then(|| shown_path(&last.join("build.log")));
    run_memory::complete(&mut selection, &collector, (settings.root.path(), &last), is_partial);
    if status.success() && selection.tests.is_empty() {
        let off = tests_are_off.then(|| NoTestsEntry::new(NoTestsKind::TurnedOff, None));
        selection.summary.no_tests = off.or_else(|| Some(session.why_no_tests()));
    }
    if !known && selection.summary.run > 0 && settings.record {
        selection.notes.insert(0, words::first_run(selection.summary.run));
    }
    // Also of a run that is not recorded: scripts read it. If it cannot be written, only it is missing.
    let _ = write_document(&settings.store, &last, &selection);
    ci::write_files(&last, &selection);
    ci::tell_github(&selection, choosing.format);
    let failed_otherwise = !status.success() && selection.summary.failed == Some(0);
    if hides && failed_otherwise && !selection.summary.interrupted {
        show_log(&last.join("build.log"));
    }
    Ok(BuildResult { selection, choices: collector.choices(), status })
}

/// A path as a person in the current directory writes it.
fn shown_path(path: &Path) -> String {
    let here = std::env::current_dir().unwrap_or_default();
    path.strip_prefix(here).unwrap_or(path).display().to_string()
}

fn write_document(store: &Path, last: &Path, selection: &SelectionReport) -> std::io::Result<()> {
    tamis_store::traces::make_directory(store)?;
    fs::create_dir_all(last)?;
    fs::write(last.join("run.json"), to_json(Document::Selection(selection)))
}

/// Prints the result of a build. The exit code is the build's, even if the output cannot be written, unless the user
/// requires tests and there were none.
fn show(ran: &BuildResult, choosing: &SelectionArgs, global: &GlobalArgs) -> ExitCode {
    if let Err(error) = print(Document::Selection(&ran.selection), choosing.format, global)
        && !matches!(error, CommandError::OutputClosed)
    {
        say(&format!("tamis: {error}"));
    }
    match ran.selection.summary.no_tests {
        Some(_) if choosing.require_tests => ExitCode::from(3),
        _ => exit_code(ran.status),
    }
}

fn open_log(last: &Path) -> Result<File, CommandError> {
    let path = last.join("build.log");
    let open = || {
        fs::create_dir_all(last)?;
        File::create(&path)
    };
    open().map_err(|error| CommandError::Log(path.clone(), error))
}

/// Prints the whole log to standard error.
fn show_log(path: &Path) {
    if let Ok(bytes) = fs::read(path) {
        let _ = anstream::stderr().write_all(&bytes);
    }
}

/// The command's exit code. After a signal it is 128 and the signal, as in a shell.
pub(super) fn exit_code(status: ExitStatus) -> ExitCode {
    let code = status.code().or_else(|| status.signal().map(|signal| 128 + signal)).unwrap_or(1);
    ExitCode::from(u8::try_from(code & 0xff).unwrap_or(1))
}
