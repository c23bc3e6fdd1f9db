//! Small semantic edits of class files and resources: changes that a person could have made, applied without
//! a compiler.
//!
//! An [`Operator`] finds the places in a class where it applies, a [`Site`] describes one edit, and [`apply`]
//! makes it. The caller chooses the edits and evaluates the results. Pure: classes are passed as bytes.
#![forbid(unsafe_code)]

mod around;
mod class;
mod draw;
mod edit;
mod operators;
pub mod resource;

pub use around::Around;
pub use class::Class;
pub use draw::Draw;
pub use edit::{Edit, apply};
pub use operators::{OPERATORS, Operator, find};

/// A place where an operator applies.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Site {
    /// The edited entity: `a/B`, `a/B.f`, `a/B.m(I)V`.
    pub entity: String,
    /// A description of the edit.
    pub what: String,
    /// The edit itself.
    pub edit: Edit,
}

/// A class file that results from an edit: a replacement, or a new class.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Made {
    /// Its name, `a/B`.
    pub class: String,
    /// Its bytes.
    pub bytes: Vec<u8>,
}
