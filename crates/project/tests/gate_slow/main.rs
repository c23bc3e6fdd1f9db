//! Requests of builds with many versions of Maven, Surefire and Failsafe, and how these builds obey the
//! answers.
#![allow(clippy::unwrap_used)] // Tests and their helpers may panic.

#[path = "../gate/asking.rs"]
mod asking;
mod versions;
