//! The gate, from both sides: what comes over the wire, and what real Maven builds ask and obey.
#![allow(clippy::unwrap_used)] // A test may stop at the first surprise, in its helpers too.

#[allow(dead_code)] // The slow ring uses more of it.
mod asking;
mod configured;
mod jar;
mod wire;
