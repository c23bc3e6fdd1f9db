//! `tamis record`, and what `--record later` and `--record every=N` remember for it.

use super::build;
use crate::args::{GlobalArgs, RecordChoice, SelectionArgs};
use crate::error::CommandError;
use std::ffi::OsString;
use std::fs;
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::Path;
use std::process::ExitCode;
use tamis_session::{RunSettings, last};

/// The command that was put off: its kind, then its arguments, each ended by a zero byte.
const PUT_OFF: &str = "later";

/// The number of runs with `--record every=N`.
const RUNS: &str = "runs";

/// A command that runs tests.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum TestCommand<'c> {
    /// `tamis test`
    Test(&'c [OsString]),
    /// `tamis run`
    Run(&'c [OsString]),
}

/// Decides whether this run is recorded. A run that is not recorded because of its turn is not observed either.
pub(super) fn take_turn(choosing: &SelectionArgs, settings: &mut RunSettings) {
    let RecordChoice::Every(number) = choosing.record_choice() else { return };
    let folder = last(&settings.store);
    let file = folder.join(RUNS);
    let before: u32 = fs::read_to_string(&file).ok().and_then(|text| text.trim().parse().ok()).unwrap_or(0);
    settings.record = before.is_multiple_of(number);
    settings.observe = settings.record;
    // If the number cannot be kept, the next run is recorded again.
    let _ = fs::create_dir_all(&folder).and_then(|()| fs::write(file, before.wrapping_add(1).to_string()));
}

/// Remembers a command whose tests were not recorded.
pub(super) fn put_off(command: TestCommand<'_>, store: &Path) -> Result<(), CommandError> {
    let (kind, arguments) = match command {
        TestCommand::Test(arguments) => ("test", arguments),
        TestCommand::Run(arguments) => ("run", arguments),
    };
    let mut bytes = format!("{kind}\0").into_bytes();
    for argument in arguments {
        bytes.extend(argument.as_bytes());
        bytes.push(0);
    }
    let file = last(store).join(PUT_OFF);
    fs::create_dir_all(last(store))
        .and_then(|()| fs::write(&file, bytes))
        .map_err(|error| CommandError::Log(file, error))
}

/// `tamis record`
pub(super) fn record(choosing: &SelectionArgs, global: &GlobalArgs) -> Result<ExitCode, CommandError> {
    let store = choosing.settings()?.store;
    let file = last(&store).join(PUT_OFF);
    let Ok(bytes) = fs::read(&file) else { return Err(CommandError::NothingPutOff) };
    let mut words = bytes.split(|byte| *byte == 0).map(|word| OsString::from_vec(word.to_vec()));
    let kind = words.next().unwrap_or_default();
    let mut arguments: Vec<OsString> = words.collect();
    arguments.pop(); // After the last zero byte.
    let choosing =
        SelectionArgs { record: RecordChoice::Yes, no_record: false, store: Some(store), ..choosing.clone() };
    let code = match kind.as_bytes() {
        b"test" => build::test(&choosing, &arguments, global)?,
        b"run" => build::run(&choosing, &arguments, global)?,
        _ => return Err(CommandError::NothingPutOff),
    };
    if code == ExitCode::SUCCESS {
        let _ = fs::remove_file(file);
    }
    Ok(code)
}
