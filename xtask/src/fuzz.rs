//! `cargo xtask fuzz`: runs a fuzz target for a while.
//!
//! Fuzzing needs a nightly compiler and cargo-fuzz. Nothing else here does, so both are checked only now.

use std::process::{Command, Stdio};

use anyhow::{Result, bail};

use crate::cargo;

/// Runs a target of `fuzz/` for this long. A crash is an error, and its input is kept in `fuzz/artifacts`.
pub(crate) fn fuzz(target: &str, seconds: u64) -> Result<()> {
    if !answers(&["--version"]) {
        bail!("no nightly compiler; install with: rustup toolchain install nightly --profile minimal");
    }
    if !answers(&["fuzz", "--version"]) {
        bail!("no cargo-fuzz; install with: cargo install cargo-fuzz");
    }
    cargo::run(
        nightly(&["fuzz", "run", target, "--", &format!("-max_total_time={seconds}")])
            // SQLite has static tables with one name in two files, which the sanitizer reports as an error.
            .env("ASAN_OPTIONS", "detect_odr_violation=0")
            .current_dir(cargo::workspace()),
    )
}

fn answers(args: &[&str]) -> bool {
    let mut command = nightly(args);
    command.stdout(Stdio::null()).stderr(Stdio::null()).status().is_ok_and(|status| status.success())
}

/// `cargo +nightly` through rustup: the cargo that started this program belongs to one toolchain and does not
/// know `+`.
fn nightly(args: &[&str]) -> Command {
    let mut command = Command::new("rustup");
    command.args(["run", "nightly", "cargo"]).args(args);
    command
}
