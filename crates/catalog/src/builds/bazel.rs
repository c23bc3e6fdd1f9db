//! Bazel.

use super::BuildToolRow;

/// The row.
pub const BAZEL: BuildToolRow = BuildToolRow {
    name: "Bazel",
    why: "Its files show where a project begins.",
    build_files: &["WORKSPACE", "MODULE.bazel"],
    ..BuildToolRow::EMPTY
};
