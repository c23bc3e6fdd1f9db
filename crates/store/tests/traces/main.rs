//! Traces through their public face: what is recorded is found again, in whatever state the file and other processes are.
#![allow(clippy::unwrap_used)] // A test may stop at the first surprise, in its helpers too.

mod damage;
mod documentation;
mod forgetting;
mod importing;
mod opening;
mod outcomes;
mod processes;
mod recording;
mod sample;
