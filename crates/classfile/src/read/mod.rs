//! Reading: one file per structure, mirrored in [`crate::write`].

pub mod annotation;
pub mod attribute;
pub mod class;
pub mod code;
pub mod cursor;
pub mod frame;
pub mod instruction;
pub mod module;
pub mod pool;
pub mod rows;
