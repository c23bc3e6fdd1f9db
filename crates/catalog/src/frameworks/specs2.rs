//! specs2, a framework for Scala.

use super::FrameworkRow;

/// The row.
pub const SPECS2: FrameworkRow = FrameworkRow {
    name: "specs2",
    versions: "none",
    why: "It is known by its word alone, so that a JVM that seems to have no code of the project is asked all the same.",
    words: &["specs2"],
    ..FrameworkRow::EMPTY
};
