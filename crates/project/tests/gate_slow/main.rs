//! What builds of many versions of Maven, Surefire and Failsafe ask at the gate, and obey.
#![allow(clippy::unwrap_used)] // A test may stop at the first surprise, in its helpers too.

#[path = "../gate/asking.rs"]
mod asking;
mod versions;
