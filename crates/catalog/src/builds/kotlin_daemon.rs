//! Kotlin's compiler as a process that outlives builds.

use super::BuildToolRow;

/// The row.
pub const KOTLIN_DAEMON: BuildToolRow = BuildToolRow {
    name: "Kotlin daemon",
    why: "It outlives the build that started it, and runs no tests.",
    main_classes: &["org.jetbrains.kotlin.daemon."],
    ..BuildToolRow::EMPTY
};
