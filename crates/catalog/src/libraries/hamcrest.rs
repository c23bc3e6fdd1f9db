//! Hamcrest, a library of assertions.

use super::LibraryRow;
use crate::package::PackageRole::ReadsStacks;
use crate::package::package;

/// The row.
pub const HAMCREST: LibraryRow = LibraryRow {
    name: "Hamcrest",
    why: "Its assertions say where they failed.",
    packages: &[package("org/hamcrest/", &[ReadsStacks])],
    ..LibraryRow::EMPTY
};
