//! sbt.

use super::BuildToolRow;

/// The row.
pub const SBT: BuildToolRow = BuildToolRow {
    name: "sbt",
    why: "Its own JVM is taken to run no tests; those that it forks are.",
    build_files: &["build.sbt"],
    main_classes: &["xsbt.boot.Boot"],
    ..BuildToolRow::EMPTY
};
