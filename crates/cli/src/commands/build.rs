//! `tamis test` and `tamis run`: a build with selection around it, and what is said of it.

use super::choosing::here;
use super::observe::exit_code;
use super::{live::Live, say};
use crate::args::{Choosing, Format, Global};
use crate::error::Error;
use crate::ops::{self, Choice, Collector, Room, Root, Session, Settings, Watch};
use std::ffi::OsString;
use std::fs::{self, File};
use std::io::{BufWriter, IsTerminal, Write};
use std::path::Path;
use std::process::{Command, ExitCode, ExitStatus};
use tamis_project::gate::Gate;
use tamis_project::maven::Maven;
use tamis_report::selection::Selection;

/// `tamis test [-- BUILD ARGS]`
pub(super) fn test(choosing: &Choosing, arguments: &[OsString], global: &Global) -> Result<ExitCode, Error> {
    let maven = Maven::find(&here()?, arguments).map_err(|error| Error::Usage(error.to_string()))?;
    let mut settings = choosing.settings_at(Root::new(&maven.root))?;
    let mut notes = Vec::new();
    if maven.asks_for_tests(arguments) && !settings.all {
        settings.all = true;
        notes.push("certain tests are asked for: all of those run".to_owned());
    }
    if maven.tests_are_off(arguments) {
        notes.push("tests are turned off: none ran".to_owned());
    }
    let room = Room::new()?;
    // Without a gate each module starts its JVM, and skips there.
    let gate = Gate::open(room.path()).ok();
    let command = maven.command(arguments, gate.as_ref());
    let build = Build { command, room: &room, gate: gate.as_ref(), notes };
    let ran = run_build(build, &settings, choosing, global)?;
    Ok(show(&ran, choosing, global))
}

/// `tamis run -- COMMAND`
pub(super) fn run(choosing: &Choosing, command: &[OsString], global: &Global) -> Result<ExitCode, Error> {
    let Some((program, arguments)) = command.split_first() else {
        return Err(Error::Usage("no command given; example: tamis run -- mvn verify".to_owned()));
    };
    let mut command = Command::new(program);
    command.args(arguments);
    let settings = choosing.settings()?;
    let build = Build { command, room: &Room::new()?, gate: None, notes: Vec::new() };
    let ran = run_build(build, &settings, choosing, global)?;
    Ok(show(&ran, choosing, global))
}

/// What is to run.
pub(super) struct Build<'b> {
    pub(super) command: Command,
    pub(super) room: &'b Room,
    pub(super) gate: Option<&'b Gate>,
    /// What is to be said of it.
    pub(super) notes: Vec<String>,
}

/// What came of it.
pub(super) struct Ran {
    pub(super) selection: Selection,
    /// What was decided, whatever ran then.
    pub(super) choices: Vec<Choice>,
    pub(super) status: ExitStatus,
}

/// Runs a build. Once it has been started, nothing that happens to us is an error.
pub(super) fn run_build(
    build: Build<'_>,
    settings: &Settings,
    choosing: &Choosing,
    global: &Global,
) -> Result<Ran, Error> {
    let Build { command, room, gate, notes } = build;
    let last = ops::last(&settings.store);
    // Where nobody watches, the build's output is shown as it is.
    let is_live = gate.is_some()
        && choosing.format == Format::Human
        && !global.verbose
        && !global.quiet
        && std::io::stdout().is_terminal()
        && std::io::stderr().is_terminal();
    let hides = is_live || choosing.format != Format::Human;
    let log = if hides { Some(open_log(&last)?) } else { None };
    let live = (is_live).then(|| Live::start(&last.join("build.log")));
    let collector = Collector::new(live.as_ref().map(|live| live as &dyn Watch));
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
    Ok(Ran { selection, choices: collector.choices(), status })
}

fn write_document(store: &Path, last: &Path, selection: &Selection) -> std::io::Result<()> {
    tamis_store::traces::make_directory(store)?;
    fs::create_dir_all(last)?;
    fs::write(last.join("run.json"), selection.to_json())
}

/// Says what came of a build; the exit code is the build's, whatever happens to our own output.
fn show(ran: &Ran, choosing: &Choosing, global: &Global) -> ExitCode {
    if let Err(error) = print(&ran.selection, choosing.format, global)
        && !matches!(error, Error::OutputClosed)
    {
        say(&format!("tamis: {error}"));
    }
    exit_code(ran.status)
}

/// Prints a selection as it was asked for.
pub(super) fn print(selection: &Selection, format: Format, global: &Global) -> Result<(), Error> {
    let mut out = BufWriter::new(anstream::stdout());
    match format {
        Format::Json => out.write_all(selection.to_json().as_bytes())?,
        Format::Names => selection.write_names(&mut out)?,
        Format::Human if global.quiet => {}
        Format::Human => selection.write_summary(&mut out)?,
    }
    out.flush()?;
    Ok(())
}

fn open_log(last: &Path) -> Result<File, Error> {
    let path = last.join("build.log");
    let open = || {
        fs::create_dir_all(last)?;
        File::create(&path)
    };
    open().map_err(|error| {
        Error::Failed(format!("cannot write {}: {error}; give another --store", path.display()))
    })
}

/// The whole log, to the error output.
fn show_log(path: &Path) {
    if let Ok(bytes) = fs::read(path) {
        let _ = anstream::stderr().write_all(&bytes);
    }
}
