//! `tamis diff` of two releases of a library: the whole process, started anew, files in the page cache.

use crate::libraries::jar;
use crate::measure::{Runs, Took};
use crate::table;
use anyhow::{Context, Result, bail};
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

const RELEASES: [(&str, &str, &str); 3] = [
    ("org.apache.commons:commons-math3", "3.5", "3.6.1"),
    ("com.google.guava:guava", "32.1.3-jre", "33.4.8-jre"),
    ("org.apache.commons:commons-lang3", "3.17.0", "3.18.0"),
];

pub(crate) fn run(runs: usize) -> Result<()> {
    let tamis = tamis()?;
    let mut rows = Vec::new();
    for (library, old, new) in RELEASES {
        let jars = [jar(&format!("{library}:{old}"))?, jar(&format!("{library}:{new}"))?];
        let diff = || {
            let mut command = Command::new(&tamis);
            command.arg("diff").args(&jars).args(["--format", "json"]).stdin(Stdio::null());
            command
        };
        let said = diff().arg("--verbose").output()?;
        let said = String::from_utf8_lossy(&said.stderr);
        let compared = said.lines().find_map(|line| line.split_once(" classes compared")).map(|(of, _)| of);
        let compared = compared.with_context(|| format!("tamis diff says: {said}"))?;
        let took: Result<Vec<Took>> = (0..runs.max(1)).map(|_| once(diff())).collect();
        let took = Runs::collect(took?.into_iter());
        let ms = |time: Duration| format!("{:.0}", time.as_secs_f64() * 1e3);
        rows.push(vec![
            format!("{library} {old} → {new}"),
            compared.trim_start_matches("tamis: ").to_owned(),
            ms(took.median()),
            ms(took.best()),
            ms(took.cpu()),
            "150".to_owned(),
        ]);
    }
    table::print(
        &format!("tamis diff --format json, whole process, {runs} runs, warm page cache"),
        &["", "classes", "ms median", "best", "processor", "at most"],
        &rows,
    );
    Ok(())
}

/// The program, built beside this one.
fn tamis() -> Result<PathBuf> {
    let folder = std::env::current_exe()?.parent().map(PathBuf::from).context("no folder")?;
    let built = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()))
        .args(["build", "--quiet", "--release", "--package", "tamis", "--bin", "tamis"])
        .status()
        .context("cargo builds the tamis that is measured")?;
    if !built.success() {
        bail!("tamis was not built");
    }
    Ok(folder.join("tamis"))
}

fn once(mut command: Command) -> Result<Took> {
    let (start, before) = (Instant::now(), children()?);
    let output = command.output()?;
    let took = Took { wall: start.elapsed(), cpu: children()?.saturating_sub(before) };
    if !output.status.success() {
        bail!("tamis diff: {}", String::from_utf8_lossy(&output.stderr).trim());
    }
    Ok(took)
}

/// Processor time of the processes that were waited for. Linux counts it in hundredths of a second.
fn children() -> Result<Duration> {
    let stat = std::fs::read_to_string("/proc/self/stat").context("needs Linux's /proc")?;
    // The second field is the program's name, which may hold anything but ends with the last bracket.
    let (_, fields) = stat.rsplit_once(')').context("/proc/self/stat has no name")?;
    let ticks = fields.split_whitespace().skip(13).take(2).map(str::parse::<u64>);
    let ticks: u64 = ticks.sum::<Result<_, _>>()?;
    Ok(Duration::from_millis(ticks * 10))
}
