//! `tamis cache stats|gc|clear`

use super::print;
use crate::args::{CacheCommand, GlobalArgs, SelectionArgs};
use crate::error::CommandError;
use std::io::{ErrorKind, Write};
use std::process::ExitCode;
use std::time::Duration;
use tamis_report::cache::CacheReport;
use tamis_report::{Document, words};
use tamis_store::traces::{RetentionRule, TraceStore};

pub(super) fn cache(
    choosing: &SelectionArgs,
    action: Option<CacheCommand>,
    global: &GlobalArgs,
) -> Result<ExitCode, CommandError> {
    let store = choosing.settings()?.store;
    let mut out = anstream::stdout();
    match action.unwrap_or(CacheCommand::Stats) {
        CacheCommand::Stats => {
            let Some(traces) = TraceStore::read_only(&store)? else {
                return Err(CommandError::NothingRecorded(Some(store)));
            };
            let stats = traces.stats()?;
            let report = CacheReport {
                tests: stats.tests,
                traces: stats.traces,
                fact_sets: stats.fact_sets,
                facts: stats.facts,
                verdicts: stats.verdicts,
                runs: stats.runs,
                bytes: stats.bytes,
                free_bytes: stats.free,
                ..CacheReport::default()
            };
            print(Document::Cache(&report), choosing.format, global)?;
        }
        CacheCommand::Gc { older_than } => {
            let mut traces = TraceStore::open(&store)?;
            let within = Duration::from_secs(u64::from(older_than) * 86_400);
            let removed = traces.gc(&RetentionRule { matched_within: Some(within), tests: None })?;
            if !global.quiet {
                writeln!(out, "{}", words::removed(removed.tests, removed.traces, removed.facts))?;
            }
        }
        CacheCommand::Clear => {
            TraceStore::remove(&store)?;
            for folder in [tamis_session::last(&store), store.join("index")] {
                match std::fs::remove_dir_all(&folder) {
                    Err(error) if error.kind() != ErrorKind::NotFound => {
                        return Err(CommandError::Remove(folder, error));
                    }
                    _ => {}
                }
            }
            if !global.quiet {
                writeln!(out, "{}", words::CACHE_CLEARED)?;
            }
        }
    }
    Ok(ExitCode::SUCCESS)
}
