//! Copies the project to work in, and restores the copy after tests have changed it.

use crate::error::CopyError;
use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::time::SystemTime;
use tamis_catalog::builds::MEMORY;

/// Folders that are not copied, besides the memory of builds: the memory of other tools, and our own.
const LEFT_OUT: [&str; 4] = [".git", ".hg", ".svn", ".tamis"];

/// Maximum depth of folders. Only a link to a folder above it leads deeper.
const DEEPEST: usize = 100;

/// Copies a folder. Links stay links, and links to places inside the folder lead into the copy.
pub(super) fn copy(from: &Path, to: &Path, without: &Path) -> io::Result<()> {
    fs::create_dir_all(to)?;
    below(from, to, &|path| path == without, (from, to), 0)
}

fn below(
    from: &Path,
    to: &Path,
    is_left_out: &dyn Fn(&Path) -> bool,
    roots: (&Path, &Path),
    depth: usize,
) -> io::Result<()> {
    if depth > DEEPEST {
        return Err(io::Error::other(CopyError::TooDeep(from.to_owned())));
    }
    for entry in fs::read_dir(from)? {
        let entry = entry?;
        let (path, kind) = (entry.path(), entry.file_type()?);
        let target = to.join(entry.file_name());
        if is_left_out(&path) || LEFT_OUT.iter().chain(MEMORY).any(|name| entry.file_name() == *name) {
            continue;
        }
        if kind.is_symlink() {
            let leads_to = fs::read_link(&path)?;
            let leads_to =
                leads_to.strip_prefix(roots.0).map_or(leads_to.clone(), |inside| roots.1.join(inside));
            std::os::unix::fs::symlink(leads_to, &target)?;
        } else if kind.is_dir() {
            fs::create_dir_all(&target)?;
            below(&path, &target, is_left_out, roots, depth + 1)?;
        } else if kind.is_file() {
            fs::copy(&path, &target)?;
        }
    }
    Ok(())
}

/// The content of a folder, by relative path.
pub(super) struct FolderListing(BTreeMap<PathBuf, CopyStamp>);

#[derive(Clone, Copy, PartialEq, Eq)]
struct CopyStamp {
    is_dir: bool,
    length: u64,
    changed: Option<SystemTime>,
}

impl FolderListing {
    /// The present content. Unreadable entries are left out.
    pub(super) fn of(folder: &Path) -> FolderListing {
        let mut found = BTreeMap::new();
        let mut folders = vec![folder.to_owned()];
        while let Some(next) = folders.pop() {
            for entry in fs::read_dir(&next).into_iter().flatten().flatten() {
                let path = entry.path();
                let (Ok(metadata), Ok(name)) = (entry.metadata(), path.strip_prefix(folder)) else {
                    continue;
                };
                let is_dir = metadata.is_dir();
                let (length, changed) =
                    if is_dir { (0, None) } else { (metadata.len(), metadata.modified().ok()) };
                found.insert(name.to_owned(), CopyStamp { is_dir, length, changed });
                if is_dir {
                    folders.push(path);
                }
            }
        }
        FolderListing(found)
    }

    /// Removes new files from `folder`, and restores changed and deleted ones from `origin`.
    pub(super) fn restore(&self, folder: &Path, origin: &Path) {
        let now = FolderListing::of(folder);
        for (name, stamp) in now.0.iter().filter(|(name, _)| !self.0.contains_key(*name)) {
            // Fails if the entry disappeared with its folder, which does no harm.
            let path = folder.join(name);
            let _ = if stamp.is_dir { fs::remove_dir_all(path) } else { fs::remove_file(path) };
        }
        for (name, stamp) in &self.0 {
            let path = folder.join(name);
            if now.0.get(name) == Some(stamp) {
                continue;
            }
            let _ = if stamp.is_dir {
                fs::create_dir_all(path)
            } else {
                bring_back(&origin.join(name), &path, *stamp)
            };
        }
    }
}

/// Only if the original has this length: changes of the first test run are kept.
fn bring_back(origin: &Path, path: &Path, stamp: CopyStamp) -> io::Result<()> {
    if fs::metadata(origin)?.len() == stamp.length {
        fs::copy(origin, path)?;
        if let Some(time) = stamp.changed {
            fs::File::options().write(true).open(path)?.set_modified(time)?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_copy_equals_its_origin_and_can_be_restored() {
        let folder = tempfile::tempdir().unwrap();
        let (from, to) = (folder.path().join("from"), folder.path().join("to"));
        for (name, text) in [("a/b.txt", "b"), ("a/c/d.txt", "d"), (".git/x", "x"), ("own/y", "y")] {
            let file = from.join(name);
            fs::create_dir_all(file.parent().unwrap()).unwrap();
            fs::write(file, text).unwrap();
        }
        std::os::unix::fs::symlink(from.join("a"), from.join("link")).unwrap();
        copy(&from, &to, &from.join("own")).unwrap();
        assert!(!to.join(".git").exists() && !to.join("own").exists());
        assert_eq!(fs::read_link(to.join("link")).unwrap(), to.join("a"));
        let before = FolderListing::of(&to);
        fs::write(to.join("a/b.txt"), "other").unwrap();
        fs::remove_dir_all(to.join("a/c")).unwrap();
        fs::create_dir_all(to.join("new/deep")).unwrap();
        before.restore(&to, &from);
        let read = |name: &str| fs::read_to_string(to.join(name)).unwrap();
        assert_eq!((read("a/b.txt"), read("a/c/d.txt")), ("b".to_owned(), "d".to_owned()));
        assert!(!to.join("new").exists());
        assert!(FolderListing::of(&to).0 == before.0);
    }
}
