//! Small semantic edits of class files and resources: what a person could have changed, made without a compiler.
//!
//! An [`Operator`] finds the places in a class where it applies; a [`Site`] says what would be edited there, and
//! [`apply`] does it. Which of them are tried, and what comes of it, is the caller's business. Pure: classes come as bytes.
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
    /// What is edited: `a/B`, `a/B.f`, `a/B.m(I)V`.
    pub entity: String,
    /// How, in words.
    pub what: String,
    /// The edit itself.
    pub edit: ClassEdit,
}

/// A class file that an edit makes: one that replaces another, or a new one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EditedClass {
    /// Its name, `a/B`.
    pub class: String,
    /// Its bytes.
    pub bytes: Vec<u8>,
}
