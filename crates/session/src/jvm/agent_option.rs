//! The JVM option that loads the agent, and how it gets to JVMs.

use super::agent_file;
use crate::error::SessionError;
use crate::run_dir::RunDir;
use tamis_project::build::AgentDelivery;

/// The option for the JVMs of one run.
pub(crate) struct AgentOption {
    /// `-agentpath:FILE=SOCKET`
    pub(super) text: String,
    pub(super) delivery: AgentDelivery,
}

impl AgentOption {
    /// Writes the agent to the disk, if needed.
    pub(crate) fn new(room: &RunDir, delivery: AgentDelivery) -> Result<AgentOption, SessionError> {
        let agent = agent_file::unpack()?;
        let text = format!("-agentpath:{}={}", room.agent(&agent)?.display(), room.socket().display());
        Ok(AgentOption { text, delivery })
    }

    /// The option for JVMs that the build starts after a request; they send the token back.
    pub(crate) fn with_token(&self, token: &str) -> String {
        format!("{},{token}", self.text)
    }
}
