//! What Tamis knows and decides: names, digests, snapshot, diff, facts, selection.
//!
//! Pure: no files, no clock, and nothing here fails. What could not be read arrives as a value and leaves as one.
#![forbid(unsafe_code)]

pub mod bitset;
pub mod decide;
pub mod diff;
pub mod digest;
pub mod facts;
pub mod history;
pub mod record;
pub mod snapshot;
pub mod stamp;
pub mod technique;
