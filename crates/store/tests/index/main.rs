//! Tests the index through its public API: written entries are found again, and a damaged file never gives
//! others.
#![allow(clippy::unwrap_used)] // Tests and their helper functions may panic.

mod damage;
mod forgetting;
mod round_trip;
mod sample;
