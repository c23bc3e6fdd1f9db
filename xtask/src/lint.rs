//! `cargo xtask lint`: format, lints and the rules of the house, with warnings as errors.
//!
//! The workspace's `Cargo.toml` and `clippy.toml` choose the lints. Repairs nothing.

use anyhow::{Result, anyhow};

use crate::{cargo, slow, tidy};

/// Checks all targets of all crates, with those of the slow ring.
pub(crate) fn lint() -> Result<()> {
    cargo::run(&mut cargo::cargo(&["fmt", "--all", "--check"]))
        .map_err(|e| anyhow!("{e:#}; cargo fmt fixes it"))?;
    let mut clippy = cargo::cargo(&["clippy", "--workspace", "--all-targets"]);
    if slow::of_workspace()?.feature {
        clippy.args(["--features", slow::FEATURE]);
    }
    cargo::run(clippy.args(["--", "-D", "warnings"]))?;
    tidy::tidy(false)
}
