//! AssertJ, a library of assertions.

use super::Library;
use crate::package::PackageRole::ReadsStacks;
use crate::package::package;

/// The row.
pub const ASSERTJ: Library = Library {
    name: "AssertJ",
    why: "Its assertions shorten the stack traces of failures, and say in which line they failed.",
    packages: &[package("org/assertj/", &[ReadsStacks])],
    ..Library::EMPTY
};
