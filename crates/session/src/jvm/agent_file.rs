//! Writes the agent from this binary to the disk, where a JVM can load it.

use crate::error::SessionError;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use tamis_program::digest::Digest;

/// The agent's library, built together with this binary.
const AGENT: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/tamis_agent.so"));

/// Writes the agent to the user's cache, named after its content, unless it exists. A JVM does not start
/// without an agent that its options name, so the file is never removed or rewritten.
pub(crate) fn unpack() -> Result<PathBuf, SessionError> {
    let folder = cache_folder().join("tamis/agent");
    let file = folder.join(format!("{}.so", Digest::of(AGENT)));
    if fs::metadata(&file).is_ok_and(|metadata| metadata.len() == AGENT.len() as u64) {
        return Ok(file);
    }
    let failed = |error: std::io::Error| SessionError::Agent(folder.clone(), error);
    fs::create_dir_all(&folder).map_err(failed)?;
    let temporary =
        folder.join(format!(".{}.{}", std::process::id(), file.file_name().unwrap_or_default().display()));
    write_all(&temporary, AGENT).and_then(|()| fs::rename(&temporary, &file)).map_err(failed)?;
    Ok(file)
}

fn write_all(file: &Path, bytes: &[u8]) -> std::io::Result<()> {
    let mut out = fs::File::create(file)?;
    out.write_all(bytes)?;
    out.sync_all()
}

fn cache_folder() -> PathBuf {
    let variable = |name: &str| std::env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    variable("XDG_CACHE_HOME")
        .or_else(|| variable("HOME").map(|home| home.join(".cache")))
        .unwrap_or_else(std::env::temp_dir)
}
