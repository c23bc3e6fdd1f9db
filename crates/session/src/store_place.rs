//! Finds the directory of the store.

use crate::error::SessionError;
use std::fs;
use std::path::{Path, PathBuf};
use tamis_project::root::ProjectRoot;

/// The store's directory: as requested, or `.tamis` in the project. A project may contain prepared symbolic
/// links, so a store with links is refused: the store makes none itself.
pub fn store_of(root: &ProjectRoot, asked: Option<&Path>) -> Result<PathBuf, SessionError> {
    let store = match asked {
        None => root.path().join(".tamis"),
        Some(asked) => {
            std::path::absolute(asked).map_err(|error| SessionError::StorePath(asked.to_owned(), error))?
        }
    };
    let own = if asked.is_none() && store.is_symlink() { Some(store.clone()) } else { link_in(&store, 3) };
    match own {
        Some(link) => Err(SessionError::StoreLink(link)),
        None => Ok(store),
    }
}

/// A symbolic link in a directory, or up to `depth` levels below it.
fn link_in(directory: &Path, depth: usize) -> Option<PathBuf> {
    fs::read_dir(directory).ok()?.flatten().find_map(|entry| {
        let kind = entry.file_type().ok()?;
        if kind.is_symlink() {
            return Some(entry.path());
        }
        (kind.is_dir() && depth > 0).then(|| link_in(&entry.path(), depth - 1)).flatten()
    })
}
