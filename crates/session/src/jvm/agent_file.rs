//! The agent that this binary carries, on disk where a JVM can load it.

use crate::error::SessionError;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use tamis_program::digest::Digest;

/// The library as it was built with us.
const AGENT: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/tamis_agent.so"));

/// Writes the agent to the user's cache, under a name that is its content, unless it is there. A JVM that is told of a
/// missing agent does not start, so nothing ever removes or rewrites it.
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
