//! What a class path holds that could not be used: values, for the caller to show or to act upon.
//!
//! A problem never makes an answer smaller in silence: either the entry is still listed and reading it
//! fails, or the JVM would not find a class there either.

use super::error::{ClassPathError, OneLine};
use std::fmt::{self, Display, Formatter};

/// One thing on the class path that is not as it should be. Its display is one line.
#[derive(Debug)]
pub struct ClassPathProblem {
    /// The file, directory or archive entry.
    pub place: String,
    /// What is wrong with it.
    pub kind: ProblemKind,
}

/// What is wrong.
#[derive(Debug)]
pub enum ProblemKind {
    /// A directory, or an entry of one, of which the system told nothing.
    Unreadable(std::io::Error),
    /// A symbolic link back to a directory that holds it.
    SymlinkLoop,
    /// Directories reached through more symbolic links than anyone lays out on purpose.
    TooManySymlinks,
    /// Named like a class file, but a directory, a pipe or a device.
    NotAFile,
    /// A name that is not Unicode, which the JVM cannot ask for.
    NameNotUnicode,
    /// An archive entry that cannot be decoded; it is listed, and reading it fails with this.
    Entry(ClassPathError),
    /// A manifest that cannot be decoded: what it says of the class path is unknown.
    Manifest(ClassPathError),
    /// A manifest's `Class-Path` names a file that does not exist.
    ManifestMissing {
        /// As the manifest writes it.
        url: String,
    },
    /// A manifest's `Class-Path` names something the JVM does not load from.
    ManifestIgnored {
        /// As the manifest writes it.
        url: String,
        /// Why the JVM passes over it.
        why: &'static str,
    },
    /// A manifest's `Class-Path` names a file that cannot be opened.
    ManifestUnusable {
        /// As the manifest writes it.
        url: String,
        /// Why not.
        error: ClassPathError,
    },
    /// A `directory/*` without a single jar.
    EmptyWildcard,
}

impl Display for ClassPathProblem {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        // These two name their place themselves.
        if let ProblemKind::Entry(error) | ProblemKind::Manifest(error) = &self.kind {
            return write!(f, "{error}");
        }
        write!(f, "{}: ", OneLine(&self.place))?;
        match &self.kind {
            ProblemKind::Entry(_) | ProblemKind::Manifest(_) => Ok(()),
            ProblemKind::Unreadable(error) => {
                write!(f, "cannot be read: {error}; classes in it are unknown, mend or remove it")
            }
            ProblemKind::SymlinkLoop => {
                write!(f, "a symbolic link to a directory it lies in, not followed; remove it")
            }
            ProblemKind::TooManySymlinks => {
                write!(f, "behind too many symbolic links to directories, not followed; lay it out flat")
            }
            ProblemKind::NotAFile => {
                write!(
                    f,
                    "named like a class file, but not a file; classes in it cannot be loaded, remove it"
                )
            }
            ProblemKind::NameNotUnicode => {
                write!(f, "the name is not Unicode, so no class can have it; rename it")
            }
            ProblemKind::ManifestMissing { url } => {
                write!(
                    f,
                    "Class-Path names {}, which does not exist; add it, or mend the manifest",
                    OneLine(url)
                )
            }
            ProblemKind::ManifestIgnored { url, why } => {
                write!(
                    f,
                    "Class-Path names {}, which the JVM ignores: {why}; mend the manifest",
                    OneLine(url)
                )
            }
            ProblemKind::ManifestUnusable { url, error } => {
                write!(f, "Class-Path names {}, which is of no use: {error}", OneLine(url))
            }
            ProblemKind::EmptyWildcard => {
                write!(f, "no jar matches; correct the directory, or leave it out of the class path")
            }
        }
    }
}
