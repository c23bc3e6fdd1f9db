//! Bazel.

use super::BuildTool;

/// The row.
pub const BAZEL: BuildTool = BuildTool {
    name: "Bazel",
    why: "Its files show where a project begins.",
    build_files: &["WORKSPACE", "MODULE.bazel"],
    ..BuildTool::EMPTY
};
