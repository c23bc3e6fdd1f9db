//! The runner of tests with which we audit ourselves.

use super::FrameworkRow;
use crate::package::PackageRole::NoProbes;
use crate::package::package;

/// The row.
pub const TAMIS: FrameworkRow = FrameworkRow {
    name: "the runner of audits",
    versions: "ours",
    why: "It starts a framework as a build's runner does, and does the same for every test.",
    cases: &["audit.rs"],
    packages: &[package("tamis/runner/", &[NoProbes])],
    ..FrameworkRow::EMPTY
};
