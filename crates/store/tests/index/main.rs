//! The index through its public face: what is written is found again, and whatever happens to the file, nothing else is.
#![allow(clippy::unwrap_used)] // A test may stop at the first surprise, in its helpers too.

mod damage;
mod forgetting;
mod round_trip;
mod sample;
