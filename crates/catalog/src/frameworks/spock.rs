//! Spock, an engine of the Platform.

use super::{FrameworkRow, NamedFixtures, SharedState};
use crate::package::PackageRole::{NoProbes, OwnAnnotations};
use crate::package::package;

/// The row.
pub const SPOCK: FrameworkRow = FrameworkRow {
    name: "Spock",
    versions: "2.3",
    why: "Specifications are subclasses of one class, and their fixtures are found by name. Fields that are shared, and \
          specifications that go step by step, tie the features of a class together.",
    cases: &["platform.rs"],
    packages: &[package("org/spockframework/runtime/", &[NoProbes]), package("spock/", &[OwnAnnotations])],
    words: &["spock"],
    test_superclasses: &["spock/lang/Specification"],
    fixtures: &[NamedFixtures {
        below: "spock/lang/",
        before: &["setup", "setupSpec"],
        after: &["cleanup", "cleanupSpec"],
    }],
    shared_state: &[("spock/lang/Stepwise", SharedState::Order), ("spock/lang/Shared", SharedState::Object)],
    ..FrameworkRow::EMPTY
};
