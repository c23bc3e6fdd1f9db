//! sbt.

use super::BuildToolRow;

/// The row.
pub const SBT: BuildToolRow = BuildToolRow {
    name: "sbt",
    why: "Tests run in its own JVM unless a build asks for a fork. Of that JVM, only the beginning of a test is of interest.",
    build_files: &["build.sbt"],
    main_classes: &["xsbt.boot.Boot", "sbt-launch"],
    runs_tests_inside: true,
    fork_setting: "`Test / fork := true`",
    ..BuildToolRow::EMPTY
};
