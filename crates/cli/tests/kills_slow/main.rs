//! A hundred kills of each kind; `projects` has a few, and says what is checked.
#![allow(clippy::unwrap_used, clippy::indexing_slicing)] // A test may stop at the first surprise, in its helpers too.
#![allow(dead_code)] // What only the other one needs.

#[path = "../projects/build.rs"]
mod build;
#[path = "../projects/kills.rs"]
mod kills;
#[path = "../projects/steps.rs"]
mod steps;

use kills::{Victim, kill};

/// `TAMIS_KILLS` asks for another number.
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
