//! Why a build cannot be found or started, each as one line that says what to do.

use std::fmt::{self, Display, Formatter};
use std::io;
use std::path::PathBuf;

/// What is missing.
#[derive(Debug)]
pub enum MavenError {
    /// No `pom.xml` in the directory or above it.
    NoBuild {
        /// Where the search began.
        directory: PathBuf,
    },
    /// What `-f` names is not there.
    NoFile {
        /// The file.
        file: PathBuf,
    },
    /// Neither a wrapper nor an installed Maven.
    NoMaven {
        /// The root of the project.
        root: PathBuf,
    },
    /// The system refused.
    Unreadable {
        /// The directory.
        path: PathBuf,
        /// What the system said.
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
