//! Checks whether the agent works here.

use crate::error::SessionError;
use crate::jvm::agent_option::AgentOption;
use crate::jvm::connection::{CommandOutput, listen_to};
use crate::run_dir::RunDir;
use std::ffi::OsString;
use std::fs::File;
use std::path::Path;
use std::process::Command;
use std::sync::atomic::{AtomicBool, Ordering};
use tamis_project::build::AgentDelivery;

/// Whether a JVM that this command starts loads the agent and connects.
pub fn try_agent(command: &[OsString]) -> Result<bool, SessionError> {
    let Some((program, arguments)) = command.split_first() else { return Ok(false) };
    let mut command = Command::new(program);
    command.args(arguments);
    let connected = AtomicBool::new(false);
    let nowhere = Path::new("/dev/null");
    let nowhere = File::create(nowhere).map_err(|error| SessionError::Open(nowhere.to_owned(), error))?;
    let room = RunDir::new()?;
    let agent = AgentOption::new(&room, AgentDelivery::Environment)?;
    listen_to(command, &room, &agent, CommandOutput::To(&nowhere), &|_| {
        connected.store(true, Ordering::SeqCst);
    })?;
    Ok(connected.into_inner())
}
