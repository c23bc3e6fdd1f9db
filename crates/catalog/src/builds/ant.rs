//! Ant.

use super::BuildToolRow;

/// The row.
pub const ANT: BuildToolRow = BuildToolRow {
    name: "Ant",
    why: "Its own JVM runs no tests; nothing is asked of it.",
    build_files: &["build.xml"],
    main_classes: &["org.apache.tools.ant.launch.Launcher"],
    ..BuildToolRow::EMPTY
};
