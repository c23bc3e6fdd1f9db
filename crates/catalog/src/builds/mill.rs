//! Mill.

use super::BuildTool;

/// The row.
pub const MILL: BuildTool = BuildTool {
    name: "Mill",
    why: "Its files show where a project begins.",
    build_files: &["build.mill", "build.sc"],
    ..BuildTool::EMPTY
};
