//! Walks directories of class files on several threads.
//!
//! Lists and stamps files without opening them. Symbolic links are followed, as in the JVM. A link to one of
//! its own parent directories is reported as a problem, and so is everything that cannot be listed.

use super::entry::{ClassEntry, EntryPlace};
use super::parallel;
use super::problem::{ClassPathProblem, ProblemKind};
use super::stamp::stamp_of;
use std::fs::{self, DirEntry, Metadata};
use std::io;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Links to directories may lead through other such links. Without a limit, two links in each of twenty
/// directories make a million paths.
const MOST_LINKS: u8 = 8;

/// The result of one walk, in no particular order.
#[derive(Default)]
pub(super) struct DirectoryWalk {
    pub(super) entries: Vec<ClassEntry>,
    pub(super) problems: Vec<ClassPathProblem>,
}

/// Walks these roots; each comes with its number.
pub(super) fn walk<'a>(roots: impl Iterator<Item = (u32, &'a Path)>, threads: usize) -> DirectoryWalk {
    let mut all = DirectoryWalk::default();
    let mut first = Vec::new();
    for (root, path) in roots {
        match fs::metadata(path) {
            Ok(metadata) => first.push(WalkedDirectory {
                root,
                path: path.to_owned(),
                prefix: String::new(),
                links: 0,
                chain: Arc::new(DirectoryChain::new(&metadata, None)),
            }),
            Err(error) => all.problem(path, ProblemKind::Unreadable(error)),
        }
    }
    if first.is_empty() {
        return all;
    }
    for part in parallel::drain(first, threads, |directory, more, found| directory.list(more, found)) {
        all.entries.extend(part.entries);
        all.problems.extend(part.problems);
    }
    all
}

impl DirectoryWalk {
    fn problem(&mut self, path: &Path, kind: ProblemKind) {
        self.problems.push(ClassPathProblem { place: path.display().to_string(), kind });
    }
}

struct WalkedDirectory {
    root: u32,
    path: PathBuf,
    /// The common prefix of the names of its classes: `a/b/`.
    prefix: String,
    /// Symbolic links followed on the way to this directory.
    links: u8,
    chain: Arc<DirectoryChain>,
}

/// A directory's identity, and its parent directories.
struct DirectoryChain {
    device: u64,
    inode: u64,
    above: Option<Arc<DirectoryChain>>,
}

impl DirectoryChain {
    fn new(metadata: &Metadata, above: Option<Arc<DirectoryChain>>) -> DirectoryChain {
        DirectoryChain { device: metadata.dev(), inode: metadata.ino(), above }
    }

    fn holds(&self, metadata: &Metadata) -> bool {
        let mut next = Some(self);
        while let Some(link) = next {
            if link.device == metadata.dev() && link.inode == metadata.ino() {
                return true;
            }
            next = link.above.as_deref();
        }
        false
    }
}

impl WalkedDirectory {
    fn list(&self, more: &mut Vec<WalkedDirectory>, found: &mut DirectoryWalk) {
        let listing = match fs::read_dir(&self.path) {
            Ok(listing) => listing,
            Err(error) => return found.problem(&self.path, ProblemKind::Unreadable(error)),
        };
        for entry in listing {
            match entry {
                Ok(entry) => self.take(&entry, more, found),
                Err(error) => found.problem(&self.path, ProblemKind::Unreadable(error)),
            }
        }
    }

    fn take(&self, entry: &DirEntry, more: &mut Vec<WalkedDirectory>, found: &mut DirectoryWalk) {
        let name = entry.file_name();
        let stem = name.as_encoded_bytes().strip_suffix(b".class").filter(|stem| !stem.is_empty());
        let kind = match entry.file_type() {
            Ok(kind) => kind,
            Err(error) => return found.problem(&entry.path(), ProblemKind::Unreadable(error)),
        };
        // Most other files are resources; this saves the query of their metadata.
        if kind.is_file() && stem.is_none() {
            return;
        }
        let metadata = match followed(entry, kind.is_symlink()) {
            Ok(metadata) => metadata,
            // A dangling link called `notes.txt` hides no class.
            Err(_) if stem.is_none() && name.as_encoded_bytes().contains(&b'.') => return,
            Err(error) => return found.problem(&entry.path(), ProblemKind::Unreadable(error)),
        };
        if !metadata.is_dir() && stem.is_none() {
            return;
        }
        let Some(name) = name.to_str() else {
            return found.problem(&entry.path(), ProblemKind::NameNotUnicode);
        };
        match name.strip_suffix(".class").filter(|stem| !stem.is_empty()) {
            Some(stem) if metadata.is_file() => found.entries.push(ClassEntry {
                name: [&self.prefix, stem].concat().into(),
                stamp: stamp_of(&metadata),
                root: self.root,
                place: EntryPlace::File,
            }),
            Some(_) => found.problem(&entry.path(), ProblemKind::NotAFile),
            // Only jars have versions; classes below this directory cannot be loaded from here.
            None if self.prefix == "META-INF/" && name == "versions" => {}
            None if self.chain.holds(&metadata) => found.problem(&entry.path(), ProblemKind::SymlinkLoop),
            None if self.links + u8::from(kind.is_symlink()) > MOST_LINKS => {
                found.problem(&entry.path(), ProblemKind::TooManySymlinks);
            }
            None => more.push(WalkedDirectory {
                root: self.root,
                path: entry.path(),
                prefix: [&self.prefix, name, "/"].concat(),
                links: self.links + u8::from(kind.is_symlink()),
                chain: Arc::new(DirectoryChain::new(&metadata, Some(self.chain.clone()))),
            }),
        }
    }
}

fn followed(entry: &DirEntry, is_symlink: bool) -> io::Result<Metadata> {
    if is_symlink { fs::metadata(entry.path()) } else { entry.metadata() }
}
