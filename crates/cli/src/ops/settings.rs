//! What the options mean here: where the project begins, and where what is known of it lies.

use super::root::Root;
use crate::error::Error;
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
pub fn find_root(directory: &Path) -> Root {
    let mut found = directory;
    for above in directory.ancestors() {
        if BUILD_FILES.iter().any(|file| above.join(file).is_file()) {
            found = above;
        }
        if above.join(".git").exists() {
            break;
        }
    }
    Root::new(found)
}

/// The store's directory: as asked for, or in the project.
pub fn store_of(root: &Root, asked: Option<&Path>) -> Result<PathBuf, Error> {
    let Some(asked) = asked else { return Ok(root.path().join(".tamis")) };
    std::path::absolute(asked).map_err(|error| Error::Usage(format!("--store {}: {error}", asked.display())))
}
