//! One load in its own process, as for users: with fresh memory, and a peak that belongs only to the load.

use crate::measure::{Took, once};
use anyhow::{Context, Result, bail};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;
use tamis_session::{JdkChoice, LoadOptions};

/// The cost of a load.
pub(crate) struct Load {
    pub(crate) took: Took,
    /// The peak of resident memory in MB.
    pub(crate) peak: f64,
    pub(crate) classes: usize,
}

/// Loads `root` in a new process.
pub(crate) fn load(root: &Path, jdk: &Path, index: Option<&Path>) -> Result<Load> {
    let mut command = Command::new(std::env::current_exe()?);
    command.arg("load").arg(root).arg("--jdk").arg(jdk);
    if let Some(index) = index {
        command.arg("--index").arg(index);
    }
    let output = command.output()?;
    if !output.status.success() {
        bail!("load: {}", String::from_utf8_lossy(&output.stderr).trim());
    }
    let figures = String::from_utf8_lossy(&output.stdout);
    let mut figures = figures.split_whitespace().map(str::parse::<u64>);
    let mut next = || figures.next().context("load says too little")?.context("load says no number");
    let took = Took { wall: Duration::from_nanos(next()?), cpu: Duration::from_nanos(next()?) };
    Ok(Load { took, peak: next()? as f64 / 1e3, classes: next()? as usize })
}

/// Runs in the new process: loads, and prints the figures for [`load`].
pub(crate) fn run(root: PathBuf, jdk: PathBuf, index: Option<PathBuf>) -> Result<()> {
    let options = LoadOptions { jdk: JdkChoice::At(jdk), index, ..LoadOptions::default() };
    let mut loaded = None;
    let took = once(|| loaded = Some(tamis_session::load(&[root], &options)));
    let loaded = loaded.context("nothing was loaded")??;
    for note in &loaded.notes {
        eprintln!("load: {note}");
    }
    let classes = loaded.snapshot.project().len();
    println!("{} {} {} {classes}", took.wall.as_nanos(), took.cpu.as_nanos(), peak()?);
    Ok(())
}

/// The peak of resident memory in kB.
fn peak() -> Result<u64> {
    let status = std::fs::read_to_string("/proc/self/status").context("needs Linux's /proc")?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let number = line.and_then(|line| line.split_whitespace().next()).context("no VmHWM in /proc")?;
    Ok(number.parse()?)
}
