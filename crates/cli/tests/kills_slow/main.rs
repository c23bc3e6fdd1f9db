//! A hundred kills of each kind. `projects` has a few, and describes the checks.
#![allow(clippy::unwrap_used, clippy::indexing_slicing)] // Tests and their helpers may panic.
#![allow(dead_code)] // Parts that only `projects` needs.

#[path = "../projects/build.rs"]
mod build;
#[path = "../projects/kills.rs"]
mod kills;
#[path = "../projects/steps.rs"]
mod steps;

use kills::{Victim, kill};

/// The number of kills; `TAMIS_KILLS` sets another one.
fn times() -> usize {
    std::env::var("TAMIS_KILLS").map_or(100, |times| times.parse().unwrap())
}

#[test]
fn tamis_is_killed() {
    kill(Victim::Tamis, times());
}

#[test]
fn maven_is_killed() {
    kill(Victim::Maven, times());
}

#[test]
fn the_test_jvm_is_killed() {
    kill(Victim::TestJvm, times());
}
