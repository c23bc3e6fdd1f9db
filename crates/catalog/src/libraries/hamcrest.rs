//! Hamcrest, a library of assertions.

use super::Library;
use crate::package::PackageRole::ReadsStacks;
use crate::package::package;

/// The row.
pub const HAMCREST: Library = Library {
    name: "Hamcrest",
    why: "Its assertions say where they failed.",
    packages: &[package("org/hamcrest/", &[ReadsStacks])],
    ..Library::EMPTY
};
