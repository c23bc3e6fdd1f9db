//! JUnit 4.

use super::{FrameworkRow, SharedState};
use crate::package::PackageRole::{FixtureAnnotations, HasHooks, NoProbes, OwnAnnotations, ReadsStacks};
use crate::package::package;

/// The row.
pub const JUNIT_4: FrameworkRow = FrameworkRow {
    name: "JUnit 4",
    versions: "4.0 to 4.13",
    why: "Its annotations say what a method is, and runners, which anybody may write, what is done with it. A class that \
          names a runner may run other tests than its own.",
    cases: &[
        "before.md",
        "before_class.md",
        "suite.md",
        "rule.md",
        "parameterized_junit4.md",
        "junit4.rs",
        "suites.rs",
    ],
    // The package of JUnit 5 and 6, too, which have rows of their own.
    packages: &[package(
        "org/junit/",
        &[NoProbes, ReadsStacks, HasHooks, FixtureAnnotations, OwnAnnotations],
    )],
    words: &["junit"],
    test_annotations: &["org/junit/Test"],
    suite_annotations: &["org/junit/runner/RunWith"],
    shared_state: &[("org/junit/FixMethodOrder", SharedState::Order)],
    ..FrameworkRow::EMPTY
};

/// The children of most runners: since 4.5, and before.
pub const CHILDREN: [&str; 2] = ["org/junit/runners/model/FrameworkMethod", "java/lang/reflect/Method"];

/// Whether a runner is JUnit's own, by its class's name as people write it: it runs no tests but those that it describes.
pub fn is_own_runner(class: &str) -> bool {
    class.starts_with("org.junit.")
}
