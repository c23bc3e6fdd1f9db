//! `cargo xtask bench`: runs the benchmark program, built with optimisation.
//!
//! Does not know which benchmarks exist.

use anyhow::Result;

use crate::cargo;

/// Runs benchmark `name` with these arguments. Without a name the program lists the benchmarks.
pub(crate) fn bench(name: Option<&str>, args: &[String]) -> Result<()> {
    let mut command = cargo::cargo(&["run", "--profile", "dist", "--package", "tamis-benches", "--"]);
    cargo::run(command.args(name).args(args))
}
