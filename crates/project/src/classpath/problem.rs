//! Unusable parts of a class path, as values that the caller can show or act upon.
//!
//! A problem never hides a class silently: either the entry is still listed and reading it fails, or the JVM
//! would not find a class there either.

use super::error::{ClassPathError, OneLine};
use std::fmt::{self, Display, Formatter};

/// One problem of a class path. Its display is one line.
#[derive(Debug)]
pub struct ClassPathProblem {
    /// The file, directory or archive entry.
    pub place: String,
    /// The kind of problem.
    pub kind: ProblemKind,
}

/// The kinds of problems.
#[derive(Debug)]
pub enum ProblemKind {
    /// A directory, or an entry of one, that the system cannot read.
    Unreadable(std::io::Error),
    /// A symbolic link back to one of its parent directories.
    SymlinkLoop,
    /// Directories reached through more symbolic links than any deliberate layout has.
    TooManySymlinks,
    /// Named like a class file, but a directory, a pipe or a device.
    NotAFile,
    /// A name that is not Unicode, which the JVM cannot look up.
    NameNotUnicode,
    /// An archive entry that cannot be decoded. It is listed, and reading it fails with this error.
    Entry(ClassPathError),
    /// A manifest that cannot be decoded, so that its class path is unknown.
    Manifest(ClassPathError),
    /// A manifest's `Class-Path` names a file that does not exist.
    ManifestMissing {
        /// The URL in the manifest.
        url: String,
    },
    /// A manifest's `Class-Path` names something the JVM does not load from.
    ManifestIgnored {
        /// The URL in the manifest.
        url: String,
        /// The reason why the JVM ignores it.
        why: &'static str,
    },
    /// A manifest's `Class-Path` names a file that cannot be opened.
    ManifestUnusable {
        /// The URL in the manifest.
        url: String,
        /// The reason why it cannot be opened.
        error: ClassPathError,
    },
    /// A `directory/*` without a single jar.
    EmptyWildcard,
}

impl Display for ClassPathProblem {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        // The messages of these two already contain the place.
        if let ProblemKind::Entry(error) | ProblemKind::Manifest(error) = &self.kind {
            return write!(f, "{error}");
        }
        write!(f, "{}: ", OneLine(&self.place))?;
        match &self.kind {
            ProblemKind::Entry(_) | ProblemKind::Manifest(_) => Ok(()),
            ProblemKind::Unreadable(error) => {
                write!(f, "cannot be read: {error}; its classes are unknown; fix or remove it")
            }
            ProblemKind::SymlinkLoop => {
                write!(f, "a symbolic link to one of its parent directories, not followed; remove it")
            }
            ProblemKind::TooManySymlinks => {
                write!(f, "behind too many symbolic links to directories, not followed; remove some of them")
            }
            ProblemKind::NotAFile => {
                write!(
                    f,
                    "named like a class file, but not a file; no class can be loaded from it, so remove it"
                )
            }
            ProblemKind::NameNotUnicode => {
                write!(f, "the name is not Unicode, so no class can have it; rename it")
            }
            ProblemKind::ManifestMissing { url } => {
                write!(
                    f,
                    "Class-Path names {}, which does not exist; add it, or fix the manifest",
                    OneLine(url)
                )
            }
            ProblemKind::ManifestIgnored { url, why } => {
                write!(f, "Class-Path names {}, which the JVM ignores: {why}; fix the manifest", OneLine(url))
            }
            ProblemKind::ManifestUnusable { url, error } => {
                write!(f, "Class-Path names {}, which cannot be used: {error}", OneLine(url))
            }
            ProblemKind::EmptyWildcard => {
                write!(f, "no jar matches; correct the directory, or leave it out of the class path")
            }
        }
    }
}
