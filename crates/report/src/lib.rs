//! Documents, their formats, and every sentence that a person reads.
//!
//! Writes to the stream that it is given; knows no files and decides nothing.
#![forbid(unsafe_code)]

pub mod affected;
pub mod audit;
pub mod cache;
pub mod code;
pub mod diff;
pub mod doctor;
pub mod document;
pub mod explanation;
pub mod failure;
pub mod full_runs;
pub mod import;
pub mod names;
pub mod observation;
pub mod page;
pub mod red_tests;
mod render;
pub mod selection;
pub mod time;
pub mod words;

pub use document::{Document, Format, Layout, github_summary, metrics, print, print_failure, to_json};
