//! Reads a class path from disk: the names of its classes, and their bytes.
//!
//! The result is that of the JVM: the first root with a class wins; the elements of a jar's `Class-Path`
//! follow immediately after the jar; the highest applicable version in a multi-release jar wins; and of two
//! entries with one name in a jar, the last one wins. This module does not interpret the content of classes.

mod directory;
mod entry;
mod error;
mod expand;
mod file;
mod image;
mod jar;
mod jdk;
mod kind;
mod manifest;
mod open;
mod parallel;
mod problem;
mod resources;
mod root;
mod stamp;
mod zip;

pub use entry::ClassEntry;
pub use error::ClassPathError;
pub use jdk::JdkClasses;
pub use problem::{ClassPathProblem, ProblemKind};
pub use resources::ArchiveResource;
pub use root::{ClassPathRoot, RootKind};
pub use stamp::stamp_of;

use entry::{EntryLocation, EntryPlace};
use error::ClassPathFault;
use root::OpenedRoot;
use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

/// Options for opening a class path.
#[derive(Clone, Debug)]
pub struct ClassPathOptions {
    /// The feature version of the JVM, which decides the classes of multi-release jars; `None` selects the
    /// base version.
    pub release: Option<u32>,
    /// Whether to add the elements of `Class-Path` in manifests, as the JVM does.
    pub follow_manifests: bool,
    /// The number of threads for listing; 0 means one per processor.
    pub threads: usize,
}

impl Default for ClassPathOptions {
    fn default() -> ClassPathOptions {
        ClassPathOptions { release: None, follow_manifests: true, threads: 0 }
    }
}

/// A class path, opened and listed.
///
/// It describes the state at the time of opening. Reading a file that changed later is an error.
#[derive(Debug)]
pub struct ClassPath {
    roots: Vec<ClassPathRoot>,
    classes: Vec<ClassEntry>,
    shadowed: Vec<ClassEntry>,
    problems: Vec<ClassPathProblem>,
}

impl ClassPath {
    /// Opens directories, jars, jmods, JDK images, homes of JDKs, single class files and `directory/*`.
    ///
    /// A root that does not exist, or is none of these, is an error. Problems within a root, or with the
    /// elements in its manifest, are returned as [`ClassPathProblem`]s.
    pub fn open(roots: &[PathBuf], options: &ClassPathOptions) -> Result<ClassPath, ClassPathError> {
        open::open(roots, options, true)
    }

    /// Like [`Self::open`], but without listing directories: the roots, including those from manifests, and
    /// the content of archives.
    pub fn open_archives(roots: &[PathBuf], options: &ClassPathOptions) -> Result<ClassPath, ClassPathError> {
        open::open(roots, options, false)
    }

    /// The roots in the JVM's search order, including those from manifests.
    pub fn roots(&self) -> &[ClassPathRoot] {
        &self.roots
    }

    /// The classes that a look-up finds, sorted by name; no name occurs twice.
    pub fn classes(&self) -> &[ClassEntry] {
        &self.classes
    }

    /// The classes hidden by another one of the same name, sorted by name and then by search order.
    /// [`Self::find`] returns the class that hides them.
    pub fn shadowed(&self) -> &[ClassEntry] {
        &self.shadowed
    }

    /// The problems of listing, sorted by location.
    pub fn problems(&self) -> &[ClassPathProblem] {
        &self.problems
    }

    /// The class of this internal name, `java/lang/String`.
    pub fn find(&self, name: &str) -> Option<&ClassEntry> {
        let at = self.classes.binary_search_by(|entry| entry.name.as_ref().cmp(name)).ok()?;
        self.classes.get(at)
    }

    /// The packages that occur in several roots, each with the indices of those roots in ascending order.
    /// `module-info` is ignored: it is in no package.
    pub fn split_packages(&self) -> BTreeMap<&str, BTreeSet<usize>> {
        let mut packages = BTreeMap::<&str, BTreeSet<usize>>::new();
        let mut last = None;
        for entry in self.classes.iter().chain(&self.shadowed).filter(|e| e.name.as_ref() != "module-info") {
            // In name order, most entries repeat the package and root of the previous one.
            let place = (entry.package(), entry.root());
            if last.replace(place) != Some(place) {
                packages.entry(place.0).or_default().insert(place.1);
            }
        }
        packages.retain(|_, roots| roots.len() > 1);
        packages
    }

    /// Replaces `into` by the bytes of a class of this class path. Any number of threads may read at once.
    pub fn read(&self, entry: &ClassEntry, into: &mut Vec<u8>) -> Result<(), ClassPathError> {
        into.clear();
        let root = self.roots.get(entry.root());
        let read = match (root.map(|root| &root.opened), &entry.place) {
            (Some(OpenedRoot::Jar(archive) | OpenedRoot::Jmod(archive)), EntryPlace::Zip { packed, .. }) => {
                packed.map_err(ClassPathFault::from).and_then(|packed| packed.read(archive, into))
            }
            (Some(OpenedRoot::Image(image)), EntryPlace::Image(located)) => image.read(located, into),
            _ => file::read_listed(&self.file_of(entry), entry.stamp, into),
        };
        read.map_err(|fault| {
            into.clear();
            fault.at(EntryLocation { entry, root })
        })
    }

    /// The path of an entry in a directory, or of a single class file.
    fn file_of(&self, entry: &ClassEntry) -> PathBuf {
        match self.roots.get(entry.root()) {
            Some(ClassPathRoot { path, opened: OpenedRoot::ClassFile, .. }) => path.clone(),
            Some(root) => root.path.join([&entry.name, ".class"].concat()),
            None => PathBuf::new(),
        }
    }
}
