//! TestNG, alone or run by the Platform.

use super::{FrameworkRow, SharedState};
use crate::package::PackageRole::{FixtureAnnotations, HasHooks, NoProbes, OwnAnnotations, ReadsStacks};
use crate::package::package;
use std::ffi::CStr;

const NAME: &str = "TestNG";

/// The row.
pub const TESTNG: FrameworkRow = FrameworkRow {
    name: NAME,
    versions: "6.8 to 7.11",
    why: "All tests of a class share one object. A factory makes objects of other classes.",
    cases: &["testng.md", "testng_provider.md", "testng.rs", "projects/testng"],
    packages: &[
        package("org/testng/", &[NoProbes, ReadsStacks, HasHooks, OwnAnnotations]),
        package("org/testng/annotations/", &[FixtureAnnotations]),
    ],
    // Its name contains the word for any test tool.
    words: &[],
    test_annotations: &["org/testng/annotations/Test"],
    suite_annotations: &["org/testng/annotations/Factory"],
    shared_state: &[("org/testng/annotations/", SharedState::ObjectAlways(NAME))],
    ..FrameworkRow::EMPTY
};

/// The property that is set while TestNG goes through all tests without running any.
pub const DRY_RUN: &CStr = c"testng.mode.dryrun";

/// The method in which the Platform's engine for TestNG finds out which tests there are, by a dry run. What TestNG reports then
/// is not how tests end. A dry run that a person asked for is one.
pub const DISCOVERY: (&str, &str) = ("org/junit/support/testng/engine/TestNGTestEngine", "discover");
