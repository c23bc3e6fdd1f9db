//! The folder of a worker: a copy of the project, copies of the libraries, and a store.

use super::copy::{FolderListing, copy};
use crate::error::AuditError;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use tamis_program::digest::Digest;
use tamis_project::launch::Launch;
use tamis_project::root::ProjectRoot;
use tamis_project::runner;

/// A worker's folder.
pub(super) struct WorkerDir {
    folder: PathBuf,
    /// The user's project.
    origin: ProjectRoot,
    /// Its copy.
    pub(super) root: ProjectRoot,
    /// Archives outside the project, and their copies.
    libraries: BTreeMap<PathBuf, PathBuf>,
}

impl WorkerDir {
    /// Copies the project and the libraries of its tests.
    pub(super) fn make(
        folder: PathBuf,
        origin: &ProjectRoot,
        store: &Path,
        launches: &[Launch],
    ) -> Result<WorkerDir, AuditError> {
        let failed = |error: std::io::Error| AuditError::Copy(folder.clone(), error);
        let project = folder.join("project");
        copy(origin.path(), &project, store).map_err(failed)?;
        let libs = folder.join("libs");
        fs::create_dir_all(&libs).map_err(failed)?;
        fs::write(folder.join("runner.jar"), runner::JAR).map_err(failed)?;
        let mut libraries = BTreeMap::new();
        for entry in launches.iter().flat_map(|launch| &launch.class_path).map(PathBuf::from) {
            if entry.is_file() && !origin.holds(&entry.to_string_lossy()) && !libraries.contains_key(&entry) {
                let name = entry.file_name().unwrap_or_default().to_string_lossy().into_owned();
                let own = libs.join(format!("{}-{name}", libraries.len()));
                lay(&entry, &own).map_err(failed)?;
                libraries.insert(entry, own);
            }
        }
        Ok(WorkerDir { origin: origin.clone(), root: ProjectRoot::new(&project), libraries, folder })
    }

    /// The path in this folder for an entry of the user's class path.
    pub(super) fn entry(&self, path: &Path) -> PathBuf {
        match path.strip_prefix(self.origin.path()) {
            Ok(inside) => self.root.path().join(inside),
            Err(_) => self.libraries.get(path).cloned().unwrap_or_else(|| path.to_owned()),
        }
    }

    /// The working directory of a JVM.
    pub(super) fn directory(&self, path: &str) -> PathBuf {
        let own = self.entry(Path::new(path));
        if own.is_dir() { own } else { self.root.path().to_owned() }
    }

    /// A text with the project's path replaced by the copy's.
    pub(super) fn text(&self, text: &str) -> String {
        self.flag(&self.origin.relative(text))
    }

    /// A recorded flag, with the path of the copy for `{project}`.
    pub(super) fn flag(&self, flag: &str) -> String {
        flag.replace("{project}", &self.root.path().to_string_lossy())
    }

    /// Replaces a file of the copy, or removes it.
    pub(super) fn write(&self, path: &Path, bytes: Option<&[u8]>) -> std::io::Result<()> {
        // Never written through a link: the other end of a library's link is the user's own file.
        if path.exists() {
            fs::remove_file(path)?;
        }
        match bytes {
            Some(bytes) => {
                if let Some(folder) = path.parent() {
                    fs::create_dir_all(folder)?;
                }
                fs::write(path, bytes)
            }
            None => Ok(()),
        }
    }

    /// Restores a library.
    pub(super) fn restore_library(&self, path: &Path) -> std::io::Result<()> {
        match self.libraries.get(path) {
            Some(own) => {
                fs::remove_file(own)?;
                lay(path, own)
            }
            None => Ok(()),
        }
    }

    /// The content of the project's copy.
    pub(super) fn listing(&self) -> FolderListing {
        FolderListing::of(self.root.path())
    }

    /// Restores the copy: removes new files and brings back changed ones.
    pub(super) fn restore(&self, listing: &FolderListing) {
        listing.restore(self.root.path(), self.origin.path());
    }

    /// The store of this worker for a technique.
    pub(super) fn store(&self, technique: &str) -> PathBuf {
        self.folder.join(format!("store-{technique}"))
    }

    pub(super) fn runner(&self) -> PathBuf {
        self.folder.join("runner.jar")
    }

    pub(super) fn results(&self) -> PathBuf {
        self.folder.join("results")
    }

    /// The file of a list of classes. Each list has its own, because the content of a file that is read
    /// before all tests may become a fact of theirs.
    pub(super) fn list(&self, classes: &str) -> PathBuf {
        self.folder.join(format!("classes-{}", Digest::of(classes.as_bytes())))
    }

    /// The output of the last test run.
    pub(super) fn log(&self) -> PathBuf {
        self.folder.join("log")
    }
}

/// Puts a library under another name, as a hard link if possible. Libraries are only read, or replaced
/// completely.
fn lay(from: &Path, to: &Path) -> std::io::Result<()> {
    fs::hard_link(from, to).or_else(|_| fs::copy(from, to).map(drop))
}
