//! Cucumber, an engine of the Platform and a runner of JUnit 4.

use super::FrameworkRow;
use crate::package::PackageRole::NoProbes;
use crate::package::package;

/// The row.
pub const CUCUMBER: FrameworkRow = FrameworkRow {
    name: "Cucumber",
    versions: "7.18",
    why: "Its scenarios are tests without a class of their own.",
    cases: &["platform.rs"],
    // Its other packages run steps and get probes, as any library does.
    packages: &[package("io/cucumber/junit/", &[NoProbes])],
    words: &["cucumber"],
    ..FrameworkRow::EMPTY
};
