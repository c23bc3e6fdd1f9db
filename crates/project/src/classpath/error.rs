//! What can go wrong with a class path, each as one line: which file, what is wrong, what to do.
//!
//! Readers of a format return a [`Fault`], which knows where in the file; whoever knows the file makes
//! it a [`ClassPathError`].

use std::fmt::{self, Display, Formatter, Write};
use std::io;
use std::path::{Path, PathBuf};

/// Why a class path, or one class of it, cannot be read.
#[derive(Debug)]
pub enum ClassPathError {
    /// An element of the class path does not exist.
    NotFound {
        /// The element as it was given.
        path: PathBuf,
    },
    /// An element is neither a directory nor an archive of classes.
    NotClasses {
        /// The element as it was given.
        path: PathBuf,
        /// What it is.
        what: &'static str,
        /// What to give instead.
        instead: &'static str,
    },
    /// The system refused.
    Io {
        /// The file, or the entry within an archive.
        place: String,
        /// What the system said.
        source: io::Error,
    },
    /// The bytes are not what the format says they must be.
    Malformed {
        /// The file, or the entry within an archive.
        place: String,
        /// Where in the file, counted from its first byte.
        offset: u64,
        /// What is wrong there.
        what: &'static str,
    },
    /// The bytes are right, but this reader has no way to decode them.
    Unsupported {
        /// The file, or the entry within an archive.
        place: String,
        /// What would be needed.
        what: String,
    },
    /// A class larger than any JVM could load.
    TooLarge {
        /// The file, or the entry within an archive.
        place: String,
        /// Its size in bytes.
        size: u64,
    },
    /// The file was there when the class path was listed, and is gone.
    Vanished {
        /// The file.
        place: String,
    },
    /// The file is another one than when the class path was listed.
    Changed {
        /// The file.
        place: String,
    },
}

impl Display for ClassPathError {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotFound { path } => write!(
                f,
                "{}: no such file or directory; build the project first, or correct the class path",
                OneLine(&path.to_string_lossy())
            ),
            Self::NotClasses { path, what, instead } => {
                write!(f, "{}: {what}, not a place of classes; {instead}", OneLine(&path.to_string_lossy()))
            }
            Self::Io { place, source } => {
                write!(f, "{}: cannot be read: {source}; check that you may read it", OneLine(place))
            }
            Self::Malformed { place, offset, what } => write!(
                f,
                "{}: malformed at byte {offset:#x}: {what}; build it again, or fetch it again",
                OneLine(place)
            ),
            Self::Unsupported { place, what } => {
                write!(f, "{}: {what}; store the entry plain or deflated", OneLine(place))
            }
            Self::TooLarge { place, size } => write!(
                f,
                "{}: {size} bytes are more than a class can have; remove it from the class path",
                OneLine(place)
            ),
            Self::Vanished { place } => write!(
                f,
                "{}: vanished after the class path was listed; try again when the build has ended",
                OneLine(place)
            ),
            Self::Changed { place } => write!(
                f,
                "{}: changed after the class path was listed; try again when the build has ended",
                OneLine(place)
            ),
        }
    }
}

impl std::error::Error for ClassPathError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Io { source, .. } => Some(source),
            Self::NotFound { .. }
            | Self::NotClasses { .. }
            | Self::Malformed { .. }
            | Self::Unsupported { .. }
            | Self::TooLarge { .. }
            | Self::Vanished { .. }
            | Self::Changed { .. } => None,
        }
    }
}

/// What a reader found wrong, before anyone says in which file.
#[derive(Debug)]
pub(super) enum ClassPathFault {
    Io(io::Error),
    Malformed { offset: u64, what: &'static str },
    Unsupported(String),
    TooLarge(u64),
    Vanished,
    Changed,
}

impl ClassPathFault {
    pub(super) fn malformed<T>(offset: u64, what: &'static str) -> Result<T, ClassPathFault> {
        Err(ClassPathFault::Malformed { offset, what })
    }

    pub(super) fn at(self, place: impl Display) -> ClassPathError {
        let place = place.to_string();
        match self {
            ClassPathFault::Io(source) => ClassPathError::Io { place, source },
            ClassPathFault::Malformed { offset, what } => ClassPathError::Malformed { place, offset, what },
            ClassPathFault::Unsupported(what) => ClassPathError::Unsupported { place, what },
            ClassPathFault::TooLarge(size) => ClassPathError::TooLarge { place, size },
            ClassPathFault::Vanished => ClassPathError::Vanished { place },
            ClassPathFault::Changed => ClassPathError::Changed { place },
        }
    }

    pub(super) fn in_file(self, path: &Path) -> ClassPathError {
        self.at(path.display())
    }
}

impl From<io::Error> for ClassPathFault {
    fn from(error: io::Error) -> ClassPathFault {
        ClassPathFault::Io(error)
    }
}

/// Shows a foreign name on one line: a line break or an escape sequence in it reaches no terminal.
pub(super) struct OneLine<'a>(pub(super) &'a str);

impl Display for OneLine<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        for c in self.0.chars() {
            if c.is_control() { write!(f, "{}", c.escape_default())? } else { f.write_char(c)? }
        }
        Ok(())
    }
}
