//! Mill.

use super::BuildToolRow;

/// The row.
pub const MILL: BuildToolRow = BuildToolRow {
    name: "Mill",
    why: "Its files show where a project begins.",
    build_files: &["build.mill", "build.sc"],
    ..BuildToolRow::EMPTY
};
