//! Files that changed after a given time, so that it is not known which version a JVM read.
//!
//! Uses the change time (ctime), which programs cannot set.

use std::fs::{self, Metadata};
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// Whether a file changed after `since`.
pub(crate) fn is_late(metadata: &Metadata, since: SystemTime) -> bool {
    let seconds = u64::try_from(metadata.ctime());
    let nanoseconds = u32::try_from(metadata.ctime_nsec());
    match (seconds, nanoseconds) {
        (Ok(seconds), Ok(nanoseconds)) => UNIX_EPOCH + Duration::new(seconds, nanoseconds) > since,
        // Before 1970, or invalid.
        _ => false,
    }
}

/// Whether a path shows a setting of the kernel. Such a file's change time is the time at which somebody first looked
/// at it, so it says nothing; the content does.
pub(crate) fn is_kernel_setting(path: &Path) -> bool {
    path.starts_with("/proc/sys") || path.starts_with("/sys")
}

/// Whether anything in these directories and archives changed after `since`.
pub(crate) fn is_any_late(places: &[String], since: SystemTime) -> bool {
    let mut open: Vec<PathBuf> = places.iter().map(PathBuf::from).collect();
    while let Some(path) = open.pop() {
        let Ok(metadata) = fs::symlink_metadata(&path) else { continue };
        if is_late(&metadata, since) {
            return true;
        }
        if metadata.is_dir() {
            open.extend(fs::read_dir(&path).into_iter().flatten().flatten().map(|entry| entry.path()));
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use super::is_any_late;
    use std::fs;
    use std::time::{Duration, SystemTime};

    #[test]
    fn files_written_or_removed_later_are_late() {
        let folder = tempfile::tempdir().unwrap();
        fs::create_dir_all(folder.path().join("a/b")).unwrap();
        fs::write(folder.path().join("a/b/C.class"), "1").unwrap();
        let places = [folder.path().to_string_lossy().into_owned()];
        // The file system's clock ticks some hundred times a second.
        let tick = || std::thread::sleep(Duration::from_millis(30));
        tick();
        let since = SystemTime::now();
        assert!(!is_any_late(&places, since));
        tick();
        fs::write(folder.path().join("a/b/C.class"), "2").unwrap();
        assert!(is_any_late(&places, since));
        tick();
        let since = SystemTime::now();
        tick();
        fs::remove_file(folder.path().join("a/b/C.class")).unwrap();
        assert!(is_any_late(&places, since));
    }
}
