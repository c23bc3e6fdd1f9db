//! `cargo xtask fuzz`: feeds a fuzz target for a while.
//!
//! Fuzzing needs a nightly compiler and cargo-fuzz; nothing else here does, so both are asked for only now.

use std::process::{Command, Stdio};

use anyhow::{Result, bail};

use crate::cargo;

/// Runs a target of `fuzz/` for this long; a crash is an error, and its input is kept under `fuzz/artifacts`.
pub(crate) fn fuzz(target: &str, seconds: u64) -> Result<()> {
    if !answers(&["--version"]) {
        bail!("no nightly compiler; install with: rustup toolchain install nightly --profile minimal");
    }
    if !answers(&["fuzz", "--version"]) {
        bail!("no cargo-fuzz; install with: cargo install cargo-fuzz");
    }
    cargo::run(
        nightly(&["fuzz", "run", target, "--", &format!("-max_total_time={seconds}")])
            // SQLite has static tables of one name in two places, which the sanitizer takes for a mistake.
            .env("ASAN_OPTIONS", "detect_odr_violation=0")
            .current_dir(cargo::workspace()),
    )
}

fn answers(args: &[&str]) -> bool {
    let mut command = nightly(args);
    command.stdout(Stdio::null()).stderr(Stdio::null()).status().is_ok_and(|status| status.success())
}

/// `cargo +nightly`, said through rustup: the cargo that started us is one toolchain's own and knows no `+`.
fn nightly(args: &[&str]) -> Command {
    let mut command = Command::new("rustup");
    command.args(["run", "nightly", "cargo"]).args(args);
    command
}
