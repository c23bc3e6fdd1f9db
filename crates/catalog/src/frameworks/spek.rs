//! Spek, a framework for Kotlin.

use super::Framework;

/// The row.
pub const SPEK: Framework = Framework {
    name: "Spek",
    versions: "none",
    why: "It is known by its word alone, so that a JVM that seems to have no code of the project is asked all the same.",
    words: &["spek"],
    ..Framework::EMPTY
};
