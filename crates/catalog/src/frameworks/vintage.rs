//! JUnit Vintage, the Platform's engine for JUnit 3 and 4.

use super::FrameworkRow;

/// The row.
pub const VINTAGE: FrameworkRow = FrameworkRow {
    name: "JUnit Vintage",
    versions: "4.12 to 5.13",
    why: "A runner of JUnit 4 stands behind its nodes, and may run more than they show.",
    cases: &["platform.rs"],
    ..FrameworkRow::EMPTY
};

/// A node with a runner of JUnit 4.
pub const RUNNER: &str = "org/junit/vintage/engine/descriptor/RunnerTestDescriptor";

/// A node with one of its tests.
pub const TEST: &str = "org/junit/vintage/engine/descriptor/VintageTestDescriptor";
