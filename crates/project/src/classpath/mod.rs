//! Reading a class path from disk: which classes it holds, and their bytes.
//!
//! Answers as the JVM would: the first root that holds a class wins, a jar's `Class-Path` comes right behind
//! the jar, the highest applicable version of a multi-release jar is the class, and of two entries of one
//! name in one jar the last. What a class says, its digest included, is for others to find out.

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

/// How to look at a class path.
#[derive(Clone, Debug)]
pub struct ClassPathOptions {
    /// The feature version of the JVM, which decides the classes of multi-release jars; `None` takes the base.
    pub release: Option<u32>,
    /// Whether to add what the manifests of jars name in `Class-Path`, as the JVM does.
    pub follow_manifests: bool,
    /// Threads to list with; 0 is as many as there are processors.
    pub threads: usize,
}

impl Default for ClassPathOptions {
    fn default() -> ClassPathOptions {
        ClassPathOptions { release: None, follow_manifests: true, threads: 0 }
    }
}

/// A class path, opened and listed.
///
/// It is as it was when it was opened. A file that changes after that is an error when it is read.
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
    /// A root that is not there, or is nothing of these, is an error; what is wrong within one, or with what
    /// its manifest names, is a [`Problem`].
    pub fn open(roots: &[PathBuf], options: &ClassPathOptions) -> Result<ClassPath, ClassPathError> {
        open::open(roots, options, true)
    }

    /// The same without looking into directories: the roots, manifests followed, and what archives hold.
    pub fn open_archives(roots: &[PathBuf], options: &ClassPathOptions) -> Result<ClassPath, ClassPathError> {
        open::open(roots, options, false)
    }

    /// The roots in the order in which the JVM asks them, those that manifests name included.
    pub fn roots(&self) -> &[ClassPathRoot] {
        &self.roots
    }

    /// The classes that are found, sorted by name, no name twice.
    pub fn classes(&self) -> &[ClassEntry] {
        &self.classes
    }

    /// The classes that are hidden by one of the same name, sorted by name and then as they would be found.
    /// [`Self::find`] gives the one that hides them.
    pub fn shadowed(&self) -> &[ClassEntry] {
        &self.shadowed
    }

    /// What could not be listed, sorted by place.
    pub fn problems(&self) -> &[ClassPathProblem] {
        &self.problems
    }

    /// The class of this internal name, `java/lang/String`.
    pub fn find(&self, name: &str) -> Option<&ClassEntry> {
        let at = self.classes.binary_search_by(|entry| entry.name.as_ref().cmp(name)).ok()?;
        self.classes.get(at)
    }

    /// The packages that several roots hold, each with the indices of those roots in ascending order.
    /// `module-info` does not count: it is in no package.
    pub fn split_packages(&self) -> BTreeMap<&str, BTreeSet<usize>> {
        let mut packages = BTreeMap::<&str, BTreeSet<usize>>::new();
        let mut last = None;
        for entry in self.classes.iter().chain(&self.shadowed).filter(|e| e.name.as_ref() != "module-info") {
            // Sorted by name, so mostly the same package of the same root again.
            let place = (entry.package(), entry.root());
            if last.replace(place) != Some(place) {
                packages.entry(place.0).or_default().insert(place.1);
            }
        }
        packages.retain(|_, roots| roots.len() > 1);
        packages
    }

    /// Makes `into` the bytes of a class of this class path. Any number of threads may read at once.
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

    /// The file that an entry of a directory or a single class file is.
    fn file_of(&self, entry: &ClassEntry) -> PathBuf {
        match self.roots.get(entry.root()) {
            Some(ClassPathRoot { path, opened: OpenedRoot::ClassFile, .. }) => path.clone(),
            Some(root) => root.path.join([&entry.name, ".class"].concat()),
            None => PathBuf::new(),
        }
    }
}
