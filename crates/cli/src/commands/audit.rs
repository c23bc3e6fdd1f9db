//! `tamis audit`

use super::audit_progress::AuditProgress;
use super::build::{BuildRequest, run_build};
use super::options::here;
use crate::args::{AuditArgs, GlobalArgs, OutputFormat};
use crate::error::CommandError;
use std::io::{BufWriter, Write};
use std::process::{Command, ExitCode};
use tamis_audit::{AuditPlan, operator_names};
use tamis_project::gate::Gate;
use tamis_project::maven::MavenBuild;
use tamis_project::root::ProjectRoot;
use tamis_report::audit::MissedTest;
use tamis_report::audit::rerun::RerunReport;
use tamis_report::selection::{EvidenceEntry, SelectionReport};
use tamis_select::decide::{Decision, ModuleDecision};
use tamis_session::{RunDir, iso};

pub(super) fn audit(args: &AuditArgs, global: &GlobalArgs) -> Result<ExitCode, CommandError> {
    match args.mutants {
        Some(count) => mutants(args, count, global),
        None => rerun(args, global),
    }
}

/// Tries edits of the built classes.
fn mutants(args: &AuditArgs, count: usize, global: &GlobalArgs) -> Result<ExitCode, CommandError> {
    let settings = args.choosing.settings()?;
    for name in &args.operator {
        if !operator_names().any(|known| known == name) {
            let known: Vec<&str> = operator_names().collect();
            return Err(CommandError::Usage(format!("--operator {name}: there are {}", known.join(", "))));
        }
    }
    let half = std::thread::available_parallelism().map_or(1, |all| all.get().div_ceil(2));
    let plan = AuditPlan {
        settings: &settings,
        mutants: count,
        seed: args.seed,
        jobs: args.jobs.unwrap_or(half).max(1),
        module: args.module.clone(),
        operators: args.operator.clone(),
        quick: args.quick,
        ignored: None,
    };
    let progress = AuditProgress::new(global);
    let report = tamis_audit::mutants(&plan, &progress);
    progress.stop();
    let report = report?;
    let mut out = BufWriter::new(anstream::stdout());
    match args.choosing.format {
        OutputFormat::Json => out.write_all(report.to_json().as_bytes())?,
        OutputFormat::Names => {
            for miss in report.misses.iter().flat_map(|tried| &tried.misses) {
                writeln!(out, "{}", miss.test)?;
            }
        }
        OutputFormat::Human => report.write(&mut out)?,
    }
    out.flush()?;
    Ok(if report.misses.is_empty() { ExitCode::SUCCESS } else { ExitCode::from(1) })
}

/// Decides as usual, runs everything.
fn rerun(args: &AuditArgs, global: &GlobalArgs) -> Result<ExitCode, CommandError> {
    let choosing = &args.choosing;
    let room = RunDir::new()?;
    let gate = Gate::open(room.path()).ok();
    let found = MavenBuild::find(&here()?, &args.arguments);
    let (mut settings, command, gate) = match (found, args.arguments.split_first()) {
        (Ok(maven), _) => {
            let command = maven.command(&args.arguments, gate.as_ref());
            (choosing.settings_at(ProjectRoot::new(&maven.root))?, command, gate.as_ref())
        }
        (Err(_), Some((program, rest))) => {
            let mut command = Command::new(program);
            command.args(rest);
            (choosing.settings()?, command, None)
        }
        (Err(error), None) => {
            return Err(CommandError::Usage(format!("{error}; or say how: tamis audit --rerun -- COMMAND")));
        }
    };
    settings.all = true;
    let build = BuildRequest { command, room: &room, gate, notes: Vec::new() };
    let ran = run_build(build, &settings, choosing, global)?;
    let mut report =
        RerunReport::new(env!("CARGO_PKG_VERSION"), settings.technique.name(), settings.granularity.word());
    report.exit = ran.status.code();
    report.notes = ran.selection.notes.clone();
    compare(&ran.choices, &ran.selection, &mut report);
    if report.skip + report.run == 0 {
        return Err(CommandError::Failed(format!(
            "nothing was audited: the build ran no test ({}); does it pass without tamis?",
            ran.status
        )));
    }
    let mut out = BufWriter::new(anstream::stdout());
    match choosing.format {
        OutputFormat::Json => out.write_all(report.to_json().as_bytes())?,
        OutputFormat::Names => report.misses.iter().try_for_each(|miss| writeln!(out, "{}", miss.name()))?,
        OutputFormat::Human => report.write(&mut out)?,
    }
    out.flush()?;
    Ok(if report.misses.is_empty() { ExitCode::SUCCESS } else { ExitCode::from(1) })
}

/// What would have been skipped, and how it ended.
fn compare(choices: &[ModuleDecision], ran: &SelectionReport, report: &mut RerunReport) {
    for test in ran.tests.iter().filter(|test| test.decision == "run") {
        let is_of = |key: &tamis_store::traces::TestKey| {
            (&key.module, &key.class) == (&test.module, &test.class)
                && (key.method.is_none() || key.method == test.method)
        };
        let chosen = choices.iter().flat_map(|choice| &choice.tests).find(|chosen| is_of(&chosen.key));
        let outcome = test.outcome.as_deref().unwrap_or_default();
        let failed = matches!(outcome, "failed" | "unknown");
        match chosen.map(|chosen| &chosen.decision) {
            Some(Decision::Skip(held)) => {
                report.skip += 1;
                if failed {
                    report.misses.push(MissedTest {
                        module: test.module.clone(),
                        class: test.class.clone(),
                        method: test.method.clone(),
                        outcome: outcome.to_owned(),
                        evidence: EvidenceEntry {
                            trace: held.digest.to_string(),
                            facts: held.facts,
                            recorded: iso(held.recorded),
                            place: held.place.clone(),
                        },
                    });
                }
            }
            Some(Decision::Run(_)) | None => {
                report.run += 1;
                report.run_failed += usize::from(failed);
            }
        }
    }
}
