//! From observations to facts to decisions: which tests a change can affect.
//!
//! Pure: no files, no clock, and nothing here fails. Everything outside of the program arrives as a value.
#![forbid(unsafe_code)]

pub mod decide;
pub mod facts;
pub mod history;
pub mod technique;
