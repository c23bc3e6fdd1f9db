//! Errors of finding or starting a build, each as one line with advice.

use std::fmt::{self, Display, Formatter};
use std::io;
use std::path::PathBuf;

/// The cause.
#[derive(Debug)]
pub enum BuildError {
    /// There is no build file in the directory or above it.
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
    /// There is neither a wrapper nor an installed Gradle.
    NoGradle {
        /// The root of the project.
        root: PathBuf,
    },
    /// Gradle is older than the oldest that works.
    OldGradle {
        /// Its version.
        version: String,
    },
    /// The directory cannot be read.
    Unreadable {
        /// The directory.
        path: PathBuf,
        /// The system's error.
        source: io::Error,
    },
}

impl Display for BuildError {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoBuild { directory } => write!(
                f,
                "no pom.xml and no Gradle build in {} or above; go to a Maven or Gradle project, or start any other build with `tamis run -- COMMAND`",
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
            Self::NoGradle { root } => write!(
                f,
                "no Gradle: neither gradlew in {} nor gradle on the PATH; install Gradle 6.8 or later, or add the Gradle wrapper",
                root.display()
            ),
            Self::OldGradle { version } => write!(
                f,
                "Gradle {version} is too old: Tamis works with Gradle 6.8 or later; update the wrapper, or run the build without Tamis"
            ),
            Self::Unreadable { path, source } => {
                write!(f, "{}: cannot be read: {source}; check that you may read it", path.display())
            }
        }
    }
}

impl std::error::Error for BuildError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Unreadable { source, .. } => Some(source),
            Self::NoBuild { .. }
            | Self::NoFile { .. }
            | Self::NoMaven { .. }
            | Self::NoGradle { .. }
            | Self::OldGradle { .. } => None,
        }
    }
}
