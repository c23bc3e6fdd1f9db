//! Runs a command and shows what its tests used, without storing anything.

use crate::error::SessionError;
use crate::jvm::connection::{CommandOutput, listen_to};
use crate::jvm::heard::{Heard, Jvm};
use crate::run_dir::RunDir;
use std::ffi::OsString;
use std::process::{Command, ExitStatus};
use std::sync::{Mutex, PoisonError};
use tamis_project::launch::class_path;
use tamis_project::root::ProjectRoot;
use tamis_wire::{Plan, TestId, VERSION};

/// A command that has ended.
pub struct ObservedRun {
    /// Its exit status.
    pub status: ExitStatus,
    /// The observations of its JVMs, in the order in which these ended.
    pub jvms: Vec<Jvm>,
}

/// Runs `command` without the tests in `skip`, and collects the observations of its JVMs.
pub fn observe(command: &[OsString], skip: &[TestId]) -> Result<ObservedRun, SessionError> {
    let Some((program, arguments)) = command.split_first() else {
        return Err(SessionError::NoCommand);
    };
    let mut command = Command::new(program);
    command.args(arguments);
    // All jars are libraries here, wherever they are: there is no project.
    let nowhere = ProjectRoot::new(std::path::Path::new("/dev/null"));
    let jvms: Mutex<Vec<Jvm>> = Mutex::default();
    let status = listen_to(command, &RunDir::new()?, CommandOutput::Shown, &|mut jvm| {
        let resolved = class_path::resolve(&jvm.hello, &nowhere);
        let mut heard = Heard::new(jvm.hello.clone(), resolved.watched.clone());
        let plan = Plan {
            version: VERSION,
            watch: resolved.watched,
            class_path: resolved.all,
            skip: skip.to_vec(),
            prompt: false,
        };
        if jvm.send_plan(plan) {
            let complete = jvm.hear(&|_| {}, |said| heard.take(said)).is_none();
            jvms.lock().unwrap_or_else(PoisonError::into_inner).push(heard.finish(complete));
        }
    })?;
    Ok(ObservedRun { status, jvms: jvms.into_inner().unwrap_or_else(PoisonError::into_inner) })
}

/// Whether a JVM that this command starts loads the agent and connects.
pub fn try_agent(command: &[OsString]) -> Result<bool, SessionError> {
    let Some((program, arguments)) = command.split_first() else { return Ok(false) };
    let mut command = Command::new(program);
    command.args(arguments);
    let heard = std::sync::atomic::AtomicBool::new(false);
    let nowhere = std::path::Path::new("/dev/null");
    let nowhere =
        std::fs::File::create(nowhere).map_err(|error| SessionError::Open(nowhere.to_owned(), error))?;
    listen_to(command, &RunDir::new()?, CommandOutput::To(&nowhere), &|_| {
        heard.store(true, std::sync::atomic::Ordering::SeqCst);
    })?;
    Ok(heard.into_inner())
}
