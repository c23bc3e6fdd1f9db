//! `cargo xtask bench`: hands over to the benchmarks' own program, built for speed.
//!
//! Does not know which benchmarks there are.

use anyhow::Result;

use crate::cargo;

/// Runs benchmark `name` with these arguments; without a name the program lists what there is.
pub(crate) fn bench(name: Option<&str>, args: &[String]) -> Result<()> {
    let mut command = cargo::cargo(&["run", "--release", "--package", "tamis-benches", "--"]);
    cargo::run(command.args(name).args(args))
}
