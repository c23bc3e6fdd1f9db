//! `tamis diff` of two releases of a library: the whole process, started for each run, with files in the page
//! cache.

use crate::libraries::jar;
use crate::measure::{Runs, Took};
use crate::process::{once, tamis};
use crate::table;
use anyhow::{Context, Result};
use std::process::Command;
use std::time::Duration;

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
            command.arg("diff").args(&jars).args(["--format", "json"]);
            command
        };
        let said = diff().arg("--verbose").output()?;
        let said = String::from_utf8_lossy(&said.stderr);
        let compared = said.lines().find_map(|line| line.split_once(" classes compared")).map(|(of, _)| of);
        let compared = compared.with_context(|| format!("tamis diff says: {said}"))?;
        let took: Result<Vec<Took>> = (0..runs.max(1)).map(|_| once(&mut diff())).collect();
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
