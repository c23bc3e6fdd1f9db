//! Tests the traces through their public API: recorded traces are found again, whatever happens to the file
//! or in other processes.
#![allow(clippy::unwrap_used)] // Tests and their helpers may panic.

mod damage;
mod documentation;
mod forgetting;
mod importing;
mod opening;
mod outcomes;
mod processes;
mod recording;
mod sample;
