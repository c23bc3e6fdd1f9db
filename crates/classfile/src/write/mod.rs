//! Writing: one file per structure, mirroring [`crate::read`].
//!
//! [`class::ClassWriter`] writes a class back with appended constants and with instructions inserted into
//! methods; [`code::CodeInsertion`] describes an insertion. Unedited parts are written back byte for byte.

mod annotation;
pub mod class;
pub mod code;
mod frame;
mod instruction;
mod output;
mod placement;
pub mod pool;
mod rows;
