//! Measured processes: builds `tamis` beside this program, and times commands.

use crate::measure::Took;
use anyhow::{Context, Result, bail};
use std::path::PathBuf;
use std::process::{Command, Output, Stdio};
use std::sync::OnceLock;
use std::time::{Duration, Instant};

/// The program, built once.
pub(crate) fn tamis() -> Result<PathBuf> {
    static BUILT: OnceLock<()> = OnceLock::new();
    let folder = std::env::current_exe()?.parent().map(PathBuf::from).context("no folder")?;
    if BUILT.get().is_none() {
        let built = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()))
            .args(["build", "--quiet", "--profile", "dist", "--package", "tamis", "--bin", "tamis"])
            .status()
            .context("cargo builds the tamis that is measured")?;
        if !built.success() {
            bail!("tamis was not built");
        }
        let _ = BUILT.set(());
    }
    Ok(folder.join("tamis"))
}

/// Runs a command to its end, with any exit code.
pub(crate) fn timed(command: &mut Command) -> Result<(Took, Output)> {
    let (start, before) = (Instant::now(), children()?);
    let output = command.stdin(Stdio::null()).output()?;
    let took = Took { wall: start.elapsed(), cpu: children()?.saturating_sub(before) };
    Ok((took, output))
}

/// Runs a command to its end; an exit code other than 0 is an error.
pub(crate) fn once(command: &mut Command) -> Result<Took> {
    let (took, output) = timed(command)?;
    if !output.status.success() {
        let program = command.get_program().display();
        bail!("{program}: {}: {}", output.status, String::from_utf8_lossy(&output.stderr).trim());
    }
    Ok(took)
}

/// Processor time of all finished child processes. Linux counts it in hundredths of a second.
fn children() -> Result<Duration> {
    let stat = std::fs::read_to_string("/proc/self/stat").context("needs Linux's /proc")?;
    // The second field is the program's name, which may contain any character but ends at the last bracket.
    let (_, fields) = stat.rsplit_once(')').context("/proc/self/stat has no name")?;
    let ticks = fields.split_whitespace().skip(13).take(2).map(str::parse::<u64>);
    let ticks: u64 = ticks.sum::<Result<_, _>>()?;
    Ok(Duration::from_millis(ticks * 10))
}
