//! `tamis cache stats|gc|clear`

use crate::args::{CacheCommand, GlobalArgs, OutputFormat, SelectionArgs};
use crate::error::CommandError;

use std::io::Write;
use std::process::ExitCode;
use std::time::Duration;
use tamis_report::cache;
use tamis_store::traces::{RetentionRule, TraceStore};

pub(super) fn cache(
    choosing: &SelectionArgs,
    action: Option<CacheCommand>,
    global: &GlobalArgs,
) -> Result<ExitCode, CommandError> {
    let settings = choosing.settings()?;
    let failed = |error: tamis_store::traces::StoreError| CommandError::Failed(error.to_string());
    let mut out = anstream::stdout();
    match action.unwrap_or(CacheCommand::Stats) {
        CacheCommand::Stats => {
            let Some(traces) = TraceStore::read_only(&settings.store).map_err(failed)? else {
                return Err(CommandError::Failed(format!(
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
                OutputFormat::Json => out.write_all(cache::to_json(&numbers).as_bytes())?,
                OutputFormat::Human | OutputFormat::Names => cache::write(&mut out, &numbers)?,
            }
        }
        CacheCommand::Gc { older_than } => {
            let mut traces = TraceStore::open(&settings.store).map_err(failed)?;
            let within = Duration::from_secs(u64::from(older_than) * 86_400);
            let forgotten =
                traces.gc(&RetentionRule { matched_within: Some(within), tests: None }).map_err(failed)?;
            if !global.quiet {
                let (tests, traces, facts) = (forgotten.tests, forgotten.traces, forgotten.facts);
                writeln!(out, "forgotten: {tests} tests, {traces} traces, {facts} facts")?;
            }
        }
        CacheCommand::Clear => {
            TraceStore::remove(&settings.store).map_err(failed)?;
            for folder in [tamis_session::last(&settings.store), settings.store.join("index")] {
                match std::fs::remove_dir_all(&folder) {
                    Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
                        return Err(CommandError::Failed(format!(
                            "cannot remove {}: {error}",
                            folder.display()
                        )));
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
