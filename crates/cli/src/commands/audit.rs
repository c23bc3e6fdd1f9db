//! `tamis audit`

use super::audit_progress::AuditProgress;
use super::build::{BuildRequest, run_build};
use super::options::here;
use super::print;
use crate::args::{AuditArgs, GlobalArgs};
use crate::error::CommandError;
use std::process::{Command, ExitCode};
use tamis_audit::{AuditPlan, operator_names};
use tamis_project::build;
use tamis_project::build::gate::Gate;
use tamis_project::root::ProjectRoot;
use tamis_report::Document;
use tamis_report::audit::MissedTest;
use tamis_report::audit::rerun::RerunReport;
use tamis_report::selection::{EvidenceEntry, SelectionReport};
use tamis_select::decide::{Decision, ModuleDecision};
use tamis_session::{RunCommand, RunDir};

pub(super) fn audit(args: &AuditArgs, global: &GlobalArgs) -> Result<ExitCode, CommandError> {
    match args.mutants {
        Some(count) => mutants(args, count, global),
        None => rerun(args, global),
    }
}

/// Tries mutants.
fn mutants(args: &AuditArgs, count: usize, global: &GlobalArgs) -> Result<ExitCode, CommandError> {
    let settings = args.choosing.settings()?;
    for name in &args.operator {
        if !operator_names().any(|known| known == name) {
            let known: Vec<&str> = operator_names().collect();
            return Err(CommandError::UnknownOperator { name: name.clone(), known });
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
    print(Document::Mutants(&report), args.choosing.format, global)?;
    Ok(if report.misses.is_empty() { ExitCode::SUCCESS } else { ExitCode::from(1) })
}

/// Decides as usual, and runs everything.
fn rerun(args: &AuditArgs, global: &GlobalArgs) -> Result<ExitCode, CommandError> {
    let choosing = &args.choosing;
    let room = RunDir::new()?;
    let gate = Gate::open(room.path()).ok();
    let found = build::find(&here()?, &args.arguments);
    let (mut settings, run) = match (found, args.arguments.split_first()) {
        (Ok(found), _) => {
            let command = found.command(&args.arguments, gate.as_ref());
            let run = RunCommand { command, room: &room, gate: gate.as_ref(), delivery: found.delivery() };
            (choosing.settings_at(ProjectRoot::new(found.root()))?, run)
        }
        (Err(_), Some((program, rest))) => {
            let mut command = Command::new(program);
            command.args(rest);
            (choosing.settings()?, RunCommand::plain(command, &room))
        }
        (Err(error), None) => {
            return Err(CommandError::NothingToRerun(error));
        }
    };
    settings.all = true;
    let build = BuildRequest { run, notes: Vec::new(), tests_are_off: false, is_partial: false };
    let ran = run_build(build, &settings, choosing, global)?;
    let mut report =
        RerunReport::new(env!("CARGO_PKG_VERSION"), settings.technique.name(), settings.granularity.word());
    report.exit = ran.status.code();
    report.notes = ran.selection.notes.clone();
    compare(&ran.choices, &ran.selection, &mut report);
    if report.skip + report.run == 0 {
        return Err(CommandError::NothingAudited(ran.status));
    }
    print(Document::Rerun(&report), choosing.format, global)?;
    Ok(if report.misses.is_empty() { ExitCode::SUCCESS } else { ExitCode::from(1) })
}

/// Compares the tests that would have been skipped with their outcomes.
fn compare(choices: &[ModuleDecision], ran: &SelectionReport, report: &mut RerunReport) {
    for test in ran.running() {
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
                        evidence: EvidenceEntry::from(held),
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
