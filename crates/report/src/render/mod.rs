//! The formats of documents: one file each.

pub(crate) mod json;
pub(crate) mod names;
pub(crate) mod text;
