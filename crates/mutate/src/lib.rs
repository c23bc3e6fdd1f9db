//! Small semantic edits of class files and resources: changes that a person could have made, applied without
//! a compiler.
//!
//! A [`MutationOperator`] finds the places in a class where it applies, a [`MutationSite`] describes one
//! edit, and [`apply`] makes it. The caller chooses the edits and evaluates the results. Pure: classes are
//! passed as bytes.
#![forbid(unsafe_code)]

mod class;
mod class_lookup;
mod draw;
mod edit;
mod operators;
pub mod resource;

pub use class::EditableClass;
pub use class_lookup::ClassLookup;
pub use draw::RandomDraw;
pub use edit::{ClassEdit, apply};
pub use operators::{MutationOperator, OPERATORS, find};

/// A place where an operator applies.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MutationSite {
    /// The edited entity: `a/B`, `a/B.f`, `a/B.m(I)V`.
    pub entity: String,
    /// A description of the edit.
    pub what: String,
    /// The edit itself.
    pub edit: ClassEdit,
}

/// A class file that results from an edit: a replacement, or a new class.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EditedClass {
    /// Its name, `a/B`.
    pub class: String,
    /// Its bytes.
    pub bytes: Vec<u8>,
}
