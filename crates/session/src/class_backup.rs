//! Copies of a module's classes from the last run, and from the latest run before it with other classes.
//!
//! They show the user what changed. No decision depends on them.

use crate::error::SessionError;
use crate::load::{JdkChoice, LoadOptions, load};
use crate::world::ProjectWorld;
use std::fs;
use std::path::{Path, PathBuf};
use tamis_catalog::jdk::properties::HOME;
use tamis_program::digest::{CanonicalOutput, Digest, DigestEncoder, EncodingTag};
use tamis_program::snapshot::Snapshot;
use tamis_project::class_archive::keep;
use tamis_select::broken_changes::CodeChange;
use tamis_select::world::World;

/// The files that hold copies of a module's classes.
pub struct ClassBackup {
    /// The classes of the last run.
    pub last: PathBuf,
    /// The classes of the latest earlier run that had others.
    pub before: PathBuf,
    sum: PathBuf,
}

impl ClassBackup {
    /// The copies of a module.
    pub fn of(store: &Path, module: &str) -> ClassBackup {
        let folder = crate::settings::last(store).join("classes");
        let name = Digest::of(module.as_bytes()).to_string();
        let file = |ending: &str| folder.join(format!("{name}{ending}"));
        ClassBackup { last: file(".jar"), before: file(".before.jar"), sum: file(".sum") }
    }

    /// Returns the changes since the last run, and replaces the copies by the present classes. A failure to
    /// read or write costs only an explanation.
    pub(crate) fn update(&self, world: &ProjectWorld) -> Vec<CodeChange> {
        let sum = sum(world.snapshot());
        if fs::read_to_string(&self.sum).is_ok_and(|known| known == sum) {
            return Vec::new();
        }
        let changes = self.changes(world).unwrap_or_default();
        let Some(folder) = self.last.parent() else { return changes };
        let write = || {
            fs::create_dir_all(folder).ok()?;
            let new = self.last.with_extension("new");
            keep(&world.loaded.class_path, &new).ok()?;
            let _ = fs::remove_file(&self.sum);
            let _ = fs::rename(&self.last, &self.before);
            fs::rename(&new, &self.last).ok()?;
            fs::write(&self.sum, &sum).ok()
        };
        write();
        changes
    }

    /// The changes since the last run.
    pub(crate) fn changes(&self, world: &ProjectWorld) -> Result<Vec<CodeChange>, SessionError> {
        if !self.last.is_file() {
            return Ok(Vec::new());
        }
        let jdk =
            world.launch.properties.get(HOME).map_or(JdkChoice::None, |home| JdkChoice::At(home.into()));
        let watched = &world.launch.watched;
        let libraries = world.launch.class_path.iter().filter(|entry| !watched.contains(entry));
        let options = LoadOptions {
            release: None,
            class_path: libraries.map(PathBuf::from).collect(),
            jdk,
            lenient: true,
            index: None,
        };
        let old = load(std::slice::from_ref(&self.last), &options)?;
        let changes = tamis_program::diff::diff(&old.snapshot, world.snapshot());
        Ok(changes.iter().map(CodeChange::from).collect())
    }
}

fn sum(snapshot: &Snapshot) -> String {
    let mut out = DigestEncoder::default();
    out.start(EncodingTag::Any);
    for class in snapshot.project() {
        let record = snapshot.class(class);
        out.bytes(record.name().as_bytes());
        out.digest(&record.layers.class);
        out.digest(&record.layers.debug);
    }
    out.finish().to_string()
}
