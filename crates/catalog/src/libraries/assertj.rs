//! AssertJ, a library of assertions.

use super::LibraryRow;
use crate::package::PackageRole::ReadsStacks;
use crate::package::package;

/// The row.
pub const ASSERTJ: LibraryRow = LibraryRow {
    name: "AssertJ",
    why: "Its assertions shorten the stack traces of failures, and say in which line they failed.",
    packages: &[package("org/assertj/", &[ReadsStacks])],
    ..LibraryRow::EMPTY
};
