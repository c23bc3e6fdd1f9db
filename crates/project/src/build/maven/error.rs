//! Errors of finding or starting a build, each as one line with advice.

use std::fmt::{self, Display, Formatter};
use std::io;
use std::path::PathBuf;

/// The cause.
#[derive(Debug)]
pub enum MavenError {
    /// There is no `pom.xml` in the directory or above it.
    NoBuild {
        /// The directory in which the search began.
        directory: PathBuf,
    },
    /// The file that `-f` names does not exist.
    NoFile {
        /// The file.
        file: PathBuf,
    },
    /// There is neither a wrapper nor an installed Maven.
    NoMaven {
        /// The root of the project.
        root: PathBuf,
    },
    /// The directory cannot be read.
    Unreadable {
        /// The directory.
        path: PathBuf,
        /// The system's error.
        source: io::Error,
    },
}

impl Display for MavenError {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoBuild { directory } => write!(
                f,
                "no pom.xml in {} or above; go to a Maven project, or start any other build with `tamis run -- COMMAND`",
                directory.display()
            ),
            Self::NoFile { file } => {
                write!(f, "{}: no such build file; correct the option -f", file.display())
            }
            Self::NoMaven { root } => write!(
                f,
                "no Maven: neither mvnw in {} nor mvn on the PATH; install Maven 3.6 or later, or add the Maven wrapper",
                root.display()
            ),
            Self::Unreadable { path, source } => {
                write!(f, "{}: cannot be read: {source}; check that you may read it", path.display())
            }
        }
    }
}

impl std::error::Error for MavenError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Unreadable { source, .. } => Some(source),
            Self::NoBuild { .. } | Self::NoFile { .. } | Self::NoMaven { .. } => None,
        }
    }
}
