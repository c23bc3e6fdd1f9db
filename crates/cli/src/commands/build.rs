//! `tamis test` and `tamis run`: a build with selection around it, and what is said of it.

use super::observe::exit_code;
use super::options::here;
use super::{live::LiveLine, say};
use crate::args::{GlobalArgs, OutputFormat, SelectionArgs};
use crate::error::CommandError;
use std::ffi::OsString;
use std::fs::{self, File};
use std::io::{BufWriter, IsTerminal, Write};
use std::path::Path;
use std::process::{Command, ExitCode, ExitStatus};
use tamis_project::gate::Gate;
use tamis_project::maven::MavenBuild;
use tamis_project::root::ProjectRoot;
use tamis_report::selection::SelectionReport;
use tamis_select::decide::ModuleDecision;
use tamis_select::events::RunListener;
use tamis_session::{self, ReportBuilder, RunDir, RunSettings, Session};

/// `tamis test [-- BUILD ARGS]`
pub(super) fn test(
    choosing: &SelectionArgs,
    arguments: &[OsString],
    global: &GlobalArgs,
) -> Result<ExitCode, CommandError> {
    let maven =
        MavenBuild::find(&here()?, arguments).map_err(|error| CommandError::Usage(error.to_string()))?;
    let mut settings = choosing.settings_at(ProjectRoot::new(&maven.root))?;
    let mut notes = Vec::new();
    if maven.asks_for_tests(arguments) && !settings.all {
        settings.all = true;
        notes.push("certain tests are asked for: all of those run".to_owned());
    }
    if maven.tests_are_off(arguments) {
        notes.push("tests are turned off: none ran".to_owned());
    }
    let room = RunDir::new()?;
    // Without a gate each module starts its JVM, and skips there.
    let gate = Gate::open(room.path()).ok();
    let command = maven.command(arguments, gate.as_ref());
    let build = BuildRequest { command, room: &room, gate: gate.as_ref(), notes };
    let ran = run_build(build, &settings, choosing, global)?;
    Ok(show(&ran, choosing, global))
}

/// `tamis run -- COMMAND`
pub(super) fn run(
    choosing: &SelectionArgs,
    command: &[OsString],
    global: &GlobalArgs,
) -> Result<ExitCode, CommandError> {
    let Some((program, arguments)) = command.split_first() else {
        return Err(CommandError::Usage("no command given; example: tamis run -- mvn verify".to_owned()));
    };
    let mut command = Command::new(program);
    command.args(arguments);
    let settings = choosing.settings()?;
    let build = BuildRequest { command, room: &RunDir::new()?, gate: None, notes: Vec::new() };
    let ran = run_build(build, &settings, choosing, global)?;
    Ok(show(&ran, choosing, global))
}

/// What is to run.
pub(super) struct BuildRequest<'b> {
    pub(super) command: Command,
    pub(super) room: &'b RunDir,
    pub(super) gate: Option<&'b Gate>,
    /// What is to be said of it.
    pub(super) notes: Vec<String>,
}

/// What came of it.
pub(super) struct BuildResult {
    pub(super) selection: SelectionReport,
    /// What was decided, whatever ran then.
    pub(super) choices: Vec<ModuleDecision>,
    pub(super) status: ExitStatus,
}

/// Runs a build. Once it has been started, nothing that happens to us is an error.
pub(super) fn run_build(
    build: BuildRequest<'_>,
    settings: &RunSettings,
    choosing: &SelectionArgs,
    global: &GlobalArgs,
) -> Result<BuildResult, CommandError> {
    let BuildRequest { command, room, gate, notes } = build;
    let last = tamis_session::last(&settings.store);
    // Where nobody watches, the build's output is shown as it is.
    let is_live = gate.is_some()
        && choosing.format == OutputFormat::Human
        && !global.verbose
        && !global.quiet
        && std::io::stdout().is_terminal()
        && std::io::stderr().is_terminal();
    let hides = is_live || choosing.format != OutputFormat::Human;
    let log = if hides { Some(open_log(&last)?) } else { None };
    let live = (is_live).then(|| LiveLine::start(&last.join("build.log")));
    let collector = ReportBuilder::new(live.as_ref().map(|live| live as &dyn RunListener));
    let session = Session::open(settings, &collector);
    let known = session.stored().tests.iter().any(|test| !test.traces.is_empty());
    let status = session.run(command, room, gate, log.as_ref())?;
    if let Some(live) = &live {
        live.stop();
    }
    let mut selection = collector.ended(settings);
    selection.notes.splice(0..0, notes);
    selection.summary.exit = status.code();
    if !known && selection.summary.run > 0 && settings.record {
        let all = selection.summary.run;
        selection.notes.insert(0, format!("nothing recorded yet: all {all} run"));
    }
    // Of a run that is not recorded, too: scripts read what the last one did. A document that cannot be written is one less.
    let _ = write_document(&settings.store, &last, &selection);
    let failed_otherwise = !status.success() && selection.summary.failed == Some(0);
    if hides && failed_otherwise {
        show_log(&last.join("build.log"));
    }
    Ok(BuildResult { selection, choices: collector.choices(), status })
}

fn write_document(store: &Path, last: &Path, selection: &SelectionReport) -> std::io::Result<()> {
    tamis_store::traces::make_directory(store)?;
    fs::create_dir_all(last)?;
    fs::write(last.join("run.json"), selection.to_json())
}

/// Says what came of a build; the exit code is the build's, whatever happens to our own output.
fn show(ran: &BuildResult, choosing: &SelectionArgs, global: &GlobalArgs) -> ExitCode {
    if let Err(error) = print(&ran.selection, choosing.format, global)
        && !matches!(error, CommandError::OutputClosed)
    {
        say(&format!("tamis: {error}"));
    }
    exit_code(ran.status)
}

/// Prints a selection as it was asked for.
pub(super) fn print(
    selection: &SelectionReport,
    format: OutputFormat,
    global: &GlobalArgs,
) -> Result<(), CommandError> {
    let mut out = BufWriter::new(anstream::stdout());
    match format {
        OutputFormat::Json => out.write_all(selection.to_json().as_bytes())?,
        OutputFormat::Names => selection.write_names(&mut out)?,
        OutputFormat::Human if global.quiet => {}
        OutputFormat::Human => selection.write_summary(&mut out)?,
    }
    out.flush()?;
    Ok(())
}

fn open_log(last: &Path) -> Result<File, CommandError> {
    let path = last.join("build.log");
    let open = || {
        fs::create_dir_all(last)?;
        File::create(&path)
    };
    open().map_err(|error| {
        CommandError::Failed(format!("cannot write {}: {error}; give another --store", path.display()))
    })
}

/// The whole log, to the error output.
fn show_log(path: &Path) {
    if let Ok(bytes) = fs::read(path) {
        let _ = anstream::stderr().write_all(&bytes);
    }
}
