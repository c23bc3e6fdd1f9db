//! Spek, a framework for Kotlin.

use super::FrameworkRow;

/// The row.
pub const SPEK: FrameworkRow = FrameworkRow {
    name: "Spek",
    versions: "none",
    why: "It is known by its word alone, so that a JVM that seems to have no code of the project is asked all the same.",
    words: &["spek"],
    ..FrameworkRow::EMPTY
};
