//! Writes the agent from this binary to the disk, where a JVM can load it.

use crate::error::SessionError;
use std::path::PathBuf;
use tamis_program::digest::Digest;
use tamis_project::user_cache;

/// The agent's library, built together with this binary.
const AGENT: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/tamis_agent.so"));

/// Writes the agent to the user's cache, named after its content, unless it exists. A JVM does not start
/// without an agent that its options name, so the file is never removed or rewritten.
pub(crate) fn unpack() -> Result<PathBuf, SessionError> {
    let folder = user_cache::folder().join("tamis/agent");
    let file = folder.join(format!("{}.so", Digest::of(AGENT)));
    user_cache::write_once(&file, AGENT).map_err(|error| SessionError::Agent(folder, error))?;
    Ok(file)
}
