//! Programs as their tests see them: names, digests, snapshot, diff.
//!
//! Pure: no files, no clock, and nothing here fails. A class that could not be read arrives as a value and leaves as one.
#![forbid(unsafe_code)]

pub mod bitset;
pub mod blocks;
pub mod diff;
pub mod digest;
pub mod names;
pub mod record;
pub mod snapshot;
pub mod stamp;
