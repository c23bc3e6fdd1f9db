//! Groovy's compiler.

use super::CompilerRow;

/// The row.
pub const GROOVY: CompilerRow = CompilerRow {
    name: "Groovy",
    why: "Its sources count where the size of a build is estimated.",
    sources: &["groovy"],
    ..CompilerRow::EMPTY
};
