//! A command, and how its test JVMs get the agent and the answers of the gate.

use crate::run_dir::RunDir;
use std::process::Command;
use tamis_project::build::AgentDelivery;
use tamis_project::build::gate::Gate;

/// A command to run.
pub struct RunCommand<'c> {
    /// The command.
    pub command: Command,
    /// The directory of the run.
    pub room: &'c RunDir,
    /// Answers the build's requests.
    pub gate: Option<&'c Gate>,
    /// How the agent gets into test JVMs.
    pub delivery: AgentDelivery,
}

impl<'c> RunCommand<'c> {
    /// A command that asks nothing.
    pub fn plain(command: Command, room: &'c RunDir) -> RunCommand<'c> {
        RunCommand { command, room, gate: None, delivery: AgentDelivery::Environment }
    }
}
