//! What the options mean here: where the project begins, and where what is known of it lies.

use super::root::ProjectRoot;
use crate::error::CommandError;
use std::fs;
use std::path::{Path, PathBuf};

/// Files that begin a build.
const BUILD_FILES: [&str; 12] = [
    "pom.xml",
    "settings.gradle",
    "settings.gradle.kts",
    "build.gradle",
    "build.gradle.kts",
    "build.xml",
    "build.sbt",
    "build.mill",
    "build.sc",
    "WORKSPACE",
    "MODULE.bazel",
    "mvnw",
];

/// The outermost directory with a build file around this one, not beyond the repository; the directory itself if there is
/// none.
pub fn find_root(directory: &Path) -> ProjectRoot {
    let mut found = directory;
    for above in directory.ancestors() {
        if BUILD_FILES.iter().any(|file| above.join(file).is_file()) {
            found = above;
        }
        if above.join(".git").exists() {
            break;
        }
    }
    ProjectRoot::new(found)
}

/// The store's directory: as asked for, or in the project. What came with a project may hold links, and nothing is written
/// through those: the store makes none itself.
pub fn store_of(root: &ProjectRoot, asked: Option<&Path>) -> Result<PathBuf, CommandError> {
    let store = match asked {
        None => root.path().join(".tamis"),
        Some(asked) => std::path::absolute(asked)
            .map_err(|error| CommandError::Usage(format!("--store {}: {error}", asked.display())))?,
    };
    let own = if asked.is_none() && store.is_symlink() { Some(store.clone()) } else { link_in(&store, 3) };
    match own {
        Some(link) => Err(CommandError::Failed(format!(
            "{} is a symbolic link, and nothing is written through one; remove it, or name another place with --store",
            link.display()
        ))),
        None => Ok(store),
    }
}

/// A link in a directory, or in those within it.
fn link_in(directory: &Path, depth: usize) -> Option<PathBuf> {
    fs::read_dir(directory).ok()?.flatten().find_map(|entry| {
        let kind = entry.file_type().ok()?;
        if kind.is_symlink() {
            return Some(entry.path());
        }
        (kind.is_dir() && depth > 0).then(|| link_in(&entry.path(), depth - 1)).flatten()
    })
}
