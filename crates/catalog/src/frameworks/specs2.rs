//! specs2, a framework for Scala.

use super::Framework;

/// The row.
pub const SPECS2: Framework = Framework {
    name: "specs2",
    versions: "none",
    why: "It is known by its word alone, so that a JVM that seems to have no code of the project is asked all the same.",
    words: &["specs2"],
    ..Framework::EMPTY
};
