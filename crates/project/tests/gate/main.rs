//! The gate from both sides: bytes on the wire, and real Maven builds that ask and obey.
#![allow(clippy::unwrap_used)] // Tests and their helpers may panic.

#[allow(dead_code)] // The slow ring uses more of it.
mod asking;
mod configured;
mod jar;
mod wire;
