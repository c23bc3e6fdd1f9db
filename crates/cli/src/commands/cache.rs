//! `tamis cache stats|gc|clear`

use crate::args::{Cache, Choosing, Format, Global};
use crate::error::Error;
use crate::ops;
use std::io::Write;
use std::process::ExitCode;
use std::time::Duration;
use tamis_report::cache;
use tamis_store::traces::{Keep, Traces};

pub(super) fn cache(choosing: &Choosing, action: Option<Cache>, global: &Global) -> Result<ExitCode, Error> {
    let settings = choosing.settings()?;
    let failed = |error: tamis_store::traces::Error| Error::Failed(error.to_string());
    let mut out = anstream::stdout();
    match action.unwrap_or(Cache::Stats) {
        Cache::Stats => {
            let Some(traces) = Traces::read_only(&settings.store).map_err(failed)? else {
                return Err(Error::Failed(format!(
                    "{}: nothing is recorded yet; tamis test records",
                    settings.store.display()
                )));
            };
            let stats = traces.stats().map_err(failed)?;
            let numbers = [
                ("tests", stats.tests),
                ("traces", stats.traces),
                ("fact_sets", stats.fact_sets),
                ("facts", stats.facts),
                ("verdicts", stats.verdicts),
                ("runs", stats.runs),
                ("bytes", stats.bytes),
                ("free_bytes", stats.free),
            ];
            match choosing.format {
                Format::Json => out.write_all(cache::to_json(&numbers).as_bytes())?,
                Format::Human | Format::Names => cache::write(&mut out, &numbers)?,
            }
        }
        Cache::Gc { older_than } => {
            let mut traces = Traces::open(&settings.store).map_err(failed)?;
            let within = Duration::from_secs(u64::from(older_than) * 86_400);
            let forgotten = traces.gc(&Keep { matched_within: Some(within), tests: None }).map_err(failed)?;
            if !global.quiet {
                let (tests, traces, facts) = (forgotten.tests, forgotten.traces, forgotten.facts);
                writeln!(out, "forgotten: {tests} tests, {traces} traces, {facts} facts")?;
            }
        }
        Cache::Clear => {
            Traces::remove(&settings.store).map_err(failed)?;
            for folder in [ops::last(&settings.store), settings.store.join("index")] {
                match std::fs::remove_dir_all(&folder) {
                    Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
                        return Err(Error::Failed(format!("cannot remove {}: {error}", folder.display())));
                    }
                    _ => {}
                }
            }
            if !global.quiet {
                writeln!(out, "everything is forgotten; the next run runs all tests")?;
            }
        }
    }
    Ok(ExitCode::SUCCESS)
}
