//! Where a worker works: a copy of the project, copies of the libraries, and what is recorded there.

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
    /// The user's project, and its copy.
    origin: ProjectRoot,
    pub(super) root: ProjectRoot,
    /// Archives outside the project, and their copies.
    libraries: BTreeMap<PathBuf, PathBuf>,
}

impl WorkerDir {
    /// Copies the project and what its tests use.
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

    /// Where an entry of the user's class path lies here.
    pub(super) fn entry(&self, path: &Path) -> PathBuf {
        match path.strip_prefix(self.origin.path()) {
            Ok(inside) => self.root.path().join(inside),
            Err(_) => self.libraries.get(path).cloned().unwrap_or_else(|| path.to_owned()),
        }
    }

    /// The directory a JVM is started in.
    pub(super) fn directory(&self, path: &str) -> PathBuf {
        let own = self.entry(Path::new(path));
        if own.is_dir() { own } else { self.root.path().to_owned() }
    }

    /// A text that may name places in the project.
    pub(super) fn text(&self, text: &str) -> String {
        self.flag(&self.origin.relative(text))
    }

    /// A flag as it is recorded: without where the project lies.
    pub(super) fn flag(&self, flag: &str) -> String {
        flag.replace("{project}", &self.root.path().to_string_lossy())
    }

    /// Replaces a file of the copy, or removes it.
    pub(super) fn write(&self, path: &Path, bytes: Option<&[u8]>) -> std::io::Result<()> {
        // Never through a link: a library's is the user's own file.
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

    /// Brings a library back.
    pub(super) fn restore_library(&self, path: &Path) -> std::io::Result<()> {
        match self.libraries.get(path) {
            Some(own) => {
                fs::remove_file(own)?;
                lay(path, own)
            }
            None => Ok(()),
        }
    }

    /// What lies in the copy of the project.
    pub(super) fn listing(&self) -> FolderListing {
        FolderListing::of(self.root.path())
    }

    /// Takes away what tests left, and brings back what they took.
    pub(super) fn restore(&self, listing: &FolderListing) {
        listing.restore(self.root.path(), self.origin.path());
    }

    /// Where what is recorded here lies, by technique.
    pub(super) fn store(&self, technique: &str) -> PathBuf {
        self.folder.join(format!("store-{technique}"))
    }

    pub(super) fn runner(&self) -> PathBuf {
        self.folder.join("runner.jar")
    }

    pub(super) fn results(&self) -> PathBuf {
        self.folder.join("results")
    }

    /// Where a list of classes lies. Each has a place of its own: what was read before all tests may be a fact of theirs.
    pub(super) fn list(&self, classes: &str) -> PathBuf {
        self.folder.join(format!("classes-{}", Digest::of(classes.as_bytes())))
    }

    /// What the tests printed last.
    pub(super) fn log(&self) -> PathBuf {
        self.folder.join("log")
    }
}

/// A library under another name: a link where that can be, since it is only read and replaced as a whole.
fn lay(from: &Path, to: &Path) -> std::io::Result<()> {
    fs::hard_link(from, to).or_else(|_| fs::copy(from, to).map(drop))
}
