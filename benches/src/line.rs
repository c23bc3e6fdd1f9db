//! Compares `tamis test` with `mvn`, on a given project or on the demo: the first run, which records, with
//! `mvn test`, and a run without changes with `mvn test-compile`. Each is measured twice: with the default
//! settings, and with Maven's own JVM left unchanged (`docs/design/maven-jvm.md`), which shows only the cost
//! of recording and deciding.
//!
//! The commands alternate, so that a machine that slows down affects both. The project's `.tamis` is deleted.

use crate::measure::{Runs, Took};
use crate::process::{self, once};
use crate::table;
use anyhow::{Context, Result};
use std::path::{Path, PathBuf};
use std::process::Command;

/// The subject of the measurement.
pub(crate) struct Line {
    pub(crate) runs: usize,
    /// `None` for the demo.
    pub(crate) project: Option<PathBuf>,
    /// Arguments for Maven.
    pub(crate) args: Vec<String>,
}

impl Line {
    pub(crate) fn run(&self) -> Result<()> {
        let demo = tempfile::tempdir()?;
        let project = match &self.project {
            Some(project) => project.clone(),
            None => {
                let project = demo.path().join("demo");
                once(Command::new(process::tamis()?).args(["demo", "--directory"]).arg(&project))
                    .context("the demo")?;
                project
            }
        };
        let project = project.canonicalize().with_context(|| project.display().to_string())?;
        // A warm-up: everything is compiled and in the page cache.
        self.maven(&project, "test")?;
        let (mut plain, mut first, mut compiled, mut unchanged) = (vec![], vec![], vec![], vec![]);
        let (mut first_alone, mut unchanged_alone) = (vec![], vec![]);
        let store = project.join(".tamis");
        let forget = || if store.exists() { std::fs::remove_dir_all(&store) } else { Ok(()) };
        for run in 0..self.runs.max(1) {
            eprintln!("run {} of {}", run + 1, self.runs.max(1));
            plain.push(self.maven(&project, "test")?);
            forget()?;
            first_alone.push(self.tamis(&project, true)?);
            forget()?;
            first.push(self.tamis(&project, false)?);
            compiled.push(self.maven(&project, "test-compile")?);
            unchanged.push(self.tamis(&project, false)?);
            unchanged_alone.push(self.tamis(&project, true)?);
        }
        let promise = if median(&plain) >= 10.0 { "1.05" } else { "1.10" };
        let row = |name: &str, ours: Vec<Took>, theirs: &[Took], promised: &str| {
            let cpu = |runs: &[Took]| middle(runs.iter().map(|took| took.cpu.as_secs_f64()).collect());
            let (wall, cpu) = (median(&ours) / median(theirs), cpu(&ours) / cpu(theirs));
            let (ours, theirs) = (Runs::collect(ours.into_iter()), Runs::collect(theirs.iter().copied()));
            let best = ours.best().as_secs_f64() / theirs.best().as_secs_f64();
            let seconds = |runs: &Runs| format!("{:.2} s", runs.median().as_secs_f64());
            let ratios = [wall, best, cpu].map(|ratio| format!("{ratio:.3}"));
            let mut row = vec![name.to_owned(), seconds(&theirs), seconds(&ours)];
            row.extend(ratios);
            row.push(promised.to_owned());
            row
        };
        table::print(
            &format!("tamis test in {}, {} runs in turns", project.display(), self.runs.max(1)),
            &["", "mvn", "tamis", "median", "best", "processor", "promised"],
            &[
                row("first run / mvn test", first, &plain, promise),
                row("  Maven's JVM left alone", first_alone, &plain, ""),
                row("nothing changed / mvn test-compile", unchanged, &compiled, "1.15"),
                row("  Maven's JVM left alone", unchanged_alone, &compiled, ""),
            ],
        );
        Ok(())
    }

    fn maven(&self, project: &Path, goal: &str) -> Result<Took> {
        let mut command = Command::new("mvn");
        once(command.args(["-o", "-B", "-q"]).args(&self.args).arg(goal).current_dir(project)).with_context(
            || format!("mvn -o {goal}; is Maven on the PATH, and does the project compile offline?"),
        )
    }

    fn tamis(&self, project: &Path, is_left_alone: bool) -> Result<Took> {
        let mut command = Command::new(process::tamis()?);
        if is_left_alone {
            // The default of every JVM. `tamis` does not override a setting of the user.
            command.env("MAVEN_OPTS", "-XX:TieredStopAtLevel=4");
        }
        once(command.args(["test", "--", "-o", "-B", "-q"]).args(&self.args).current_dir(project))
    }
}

fn median(runs: &[Took]) -> f64 {
    middle(runs.iter().map(|took| took.wall.as_secs_f64()).collect())
}

fn middle(mut figures: Vec<f64>) -> f64 {
    figures.sort_unstable_by(f64::total_cmp);
    figures.get(figures.len() / 2).copied().unwrap_or_default()
}
