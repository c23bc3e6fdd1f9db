//! The writing half: one file a structure, mirroring [`crate::read`].
//!
//! [`class::ClassWriter`] writes a class back with appended constants and with instructions inserted into
//! methods; [`code::Insertion`] says what goes where. What is not touched comes out byte for byte.

mod annotation;
pub mod class;
pub mod code;
mod frame;
mod instruction;
mod output;
mod placement;
pub mod pool;
mod rows;
