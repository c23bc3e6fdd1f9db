//! `cargo xtask lint`: format and lints, with warnings as errors.
//!
//! The workspace's `Cargo.toml` and `clippy.toml` choose the lints. Repairs nothing.

use anyhow::{Result, anyhow};

use crate::{cargo, slow};

/// Checks all targets of all crates, with those of the slow ring.
pub(crate) fn lint() -> Result<()> {
    cargo::run(&mut cargo::cargo(&["fmt", "--all", "--check"]))
        .map_err(|e| anyhow!("{e:#}; cargo fmt mends it"))?;
    let mut clippy = cargo::cargo(&["clippy", "--workspace", "--all-targets"]);
    if slow::of_workspace()?.feature {
        clippy.args(["--features", slow::FEATURE]);
    }
    cargo::run(clippy.args(["--", "-D", "warnings"]))
}
