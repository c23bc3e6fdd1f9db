//! JUnit 3, alone or run by JUnit 4.

use super::{FrameworkRow, NamedFixtures, NamedTests};
use crate::package::PackageRole::{HasHooks, NoProbes, ReadsStacks};
use crate::package::package;

const TEST_CASE: &str = "junit/framework/TestCase";

/// The row.
pub const JUNIT_3: FrameworkRow = FrameworkRow {
    name: "JUnit 3",
    versions: "3.8",
    why: "Tests, fixtures and suites are methods that are found by their names.",
    cases: &["junit3.md", "junit3.rs", "suites.rs"],
    packages: &[
        // JUnit 4 brings these packages too. Others of `junit` are extensions, which are code as any other.
        package("junit/", &[ReadsStacks, HasHooks]),
        package("junit/framework/", &[NoProbes]),
        package("junit/runner/", &[NoProbes]),
    ],
    words: &["junit"],
    test_superclasses: &[TEST_CASE],
    named_tests: &[NamedTests { below: TEST_CASE, prefix: "test" }],
    fixtures: &[NamedFixtures { below: "junit/framework/", before: &["setUp"], after: &["tearDown"] }],
    empty_fixtures: &[TEST_CASE],
    suite_methods: &["suite"],
    ..FrameworkRow::EMPTY
};

/// The stand-in that JUnit 4 hands to runners of JUnit 3 for its own tests, which it reports itself.
pub const FACADE: &str = "junit/framework/JUnit4TestCaseFacade";
