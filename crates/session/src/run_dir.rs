//! The temporary directory of one run: socket, gate and agent.

use crate::error::SessionError;
use std::fs;
use std::os::unix::fs::{DirBuilderExt, MetadataExt};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

/// Age at which the directory of a killed run is removed. Not earlier, because its build may live on, and a
/// JVM does not start without an agent that its options name.
const ABANDONED: Duration = Duration::from_secs(24 * 60 * 60);

/// A private directory for socket and agent, removed when the run ends. Its path has no blanks, which would
/// split `JAVA_TOOL_OPTIONS`.
pub struct RunDir(PathBuf);

impl RunDir {
    /// Creates the directory.
    pub fn new() -> Result<RunDir, SessionError> {
        let wanted = std::env::temp_dir();
        let base = if wanted.to_str().is_some_and(is_plain) { wanted } else { PathBuf::from("/tmp") };
        RunDir::in_folder(&base)
    }

    fn in_folder(base: &Path) -> Result<RunDir, SessionError> {
        let nanos =
            SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).map_or(0, |time| time.subsec_nanos());
        let room = base.join(format!("tamis-{}-{nanos:x}", std::process::id()));
        // 0700 and it must not exist: nobody else can put anything there.
        fs::DirBuilder::new()
            .mode(0o700)
            .create(&room)
            .map_err(|error| SessionError::RunDir(room.clone(), error))?;
        let room = RunDir(room);
        room.sweep(base);
        Ok(room)
    }

    /// The directory.
    pub fn path(&self) -> &Path {
        &self.0
    }

    pub(crate) fn socket(&self) -> PathBuf {
        self.0.join("socket")
    }

    /// A path of the agent without blanks.
    pub(crate) fn agent(&self, agent: &Path) -> Result<PathBuf, SessionError> {
        if agent.to_str().is_some_and(is_plain) {
            return Ok(agent.to_owned());
        }
        let link = self.0.join("agent.so");
        std::os::unix::fs::symlink(agent, &link).map_err(|error| SessionError::Link(link.clone(), error))?;
        Ok(link)
    }

    /// Removes the directories of our own killed runs.
    fn sweep(&self, base: &Path) {
        let processes = Path::new("/proc");
        let Ok(own) = fs::symlink_metadata(&self.0) else { return };
        if !processes.join("self").exists() {
            return; // Without /proc, live processes are not known.
        }
        for entry in fs::read_dir(base).into_iter().flatten().flatten() {
            let Some(pid) = entry.file_name().to_str().and_then(owner) else { continue };
            let is_abandoned = entry.metadata().is_ok_and(|metadata| {
                let age = metadata.modified().ok().and_then(|time| time.elapsed().ok());
                metadata.is_dir()
                    && (metadata.uid(), metadata.mode()) == (own.uid(), own.mode())
                    && age.is_some_and(|age| age > ABANDONED)
            });
            if is_abandoned && !processes.join(pid.to_string()).exists() {
                let _ = fs::remove_dir_all(entry.path());
            }
        }
    }
}

impl Drop for RunDir {
    fn drop(&mut self) {
        // A directory that cannot be removed is left to the system's cleaning.
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// The process of a directory with this name.
fn owner(name: &str) -> Option<u32> {
    let (pid, nanos) = name.strip_prefix("tamis-")?.split_once('-')?;
    u32::from_str_radix(nanos, 16).ok()?;
    pid.parse().ok()
}

fn is_plain(path: &str) -> bool {
    path.bytes().all(|byte| byte.is_ascii_graphic() && !b"'\"=,".contains(&byte))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_day_old_directories_of_killed_runs_are_removed() {
        let folder = tempfile::tempdir().unwrap();
        // No process has such a number.
        let names =
            ["tamis-4194999-1", "tamis-4194999-2", "tamis-4194999-x", "tamis-4194999", "other-4194999-3"];
        let alive = format!("tamis-{}-4", std::process::id());
        let open = "tamis-4194999-5";
        for name in names.iter().copied().chain([alive.as_str(), open]) {
            let mode = if name == open { 0o755 } else { 0o700 };
            fs::DirBuilder::new().mode(mode).create(folder.path().join(name)).unwrap();
            fs::write(folder.path().join(name).join("socket"), "").unwrap();
            if name != "tamis-4194999-2" {
                let old = SystemTime::now() - 2 * ABANDONED;
                fs::File::open(folder.path().join(name)).unwrap().set_modified(old).unwrap();
            }
        }
        drop(RunDir::in_folder(folder.path()).unwrap());
        let mut left: Vec<String> = fs::read_dir(folder.path())
            .unwrap()
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect();
        left.sort();
        let mut expected: Vec<&str> = names.iter().skip(1).copied().chain([alive.as_str(), open]).collect();
        expected.sort_unstable();
        assert_eq!(left, expected);
    }
}
