//! Decisions and differences as people and scripts read them: terminal and JSON.
//!
//! Writes to whatever it is given; knows no files and decides nothing.
#![forbid(unsafe_code)]

pub mod affected;
pub mod audit;
pub mod cache;
pub mod code;
pub mod diff;
pub mod doctor;
pub mod explanation;
pub mod json;
pub mod names;
pub mod observations;
pub mod selection;
pub mod words;
