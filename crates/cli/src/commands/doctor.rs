//! `tamis doctor`

use super::options::here;
use super::print;
use crate::args::{GlobalArgs, SelectionArgs};
use crate::error::CommandError;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
use tamis_catalog::builds::maven::without_colours;
use tamis_catalog::environment::{JAVA_HOME, TOOL_OPTIONS};
use tamis_catalog::jdk::properties::VM_VERSION;
use tamis_project::build as builds;
use tamis_report::doctor::{DoctorFinding, DoctorReport};
use tamis_report::{Document, words};
use tamis_session::RunSettings;
use tamis_store::launches::read_launches;
use tamis_store::traces::TraceStore;

/// The number of reasons that are shown.
const REASONS: usize = 8;

pub(super) fn doctor(choosing: &SelectionArgs, global: &GlobalArgs) -> Result<ExitCode, CommandError> {
    let settings = choosing.settings()?;
    let mut findings = vec![build()?, jdk(), agent(), store(&settings.store)];
    findings.extend(last_run(&settings.store));
    findings.extend(recorded(&settings));
    findings.extend(settings.rules.rules.iter().map(words::rule_found));
    let report = DoctorReport::new(findings);
    print(Document::Doctor(&report), choosing.format, global)?;
    Ok(if report.is_wrong() { ExitCode::from(3) } else { ExitCode::SUCCESS })
}

fn build() -> Result<DoctorFinding, CommandError> {
    let found = match builds::find(&here()?, &[]) {
        Ok(found) => found,
        Err(error) => return Ok(words::no_build(&error)),
    };
    let version = found.version_command().output().ok().filter(|output| output.status.success());
    let version = version.map(|output| without_colours(&String::from_utf8_lossy(&output.stdout)));
    let line =
        |text: &str| text.lines().find(|line| line.starts_with(char::is_alphabetic)).map(str::to_owned);
    Ok(match version.as_deref().and_then(line).as_deref() {
        Some(version) => words::build_found(version, found.root()),
        None => words::build_broken(),
    })
}

fn jdk() -> DoctorFinding {
    let home = std::env::var_os(JAVA_HOME).map(PathBuf::from);
    let java = home.as_ref().map_or(PathBuf::from("java"), |home| home.join("bin/java"));
    match Command::new(&java).arg("-version").env_remove(TOOL_OPTIONS).output() {
        Ok(output) if output.status.success() => {
            let text = String::from_utf8_lossy(&output.stderr);
            let from = if home.is_some() { JAVA_HOME } else { "PATH" };
            words::jdk_found(text.lines().next().unwrap_or_default(), from)
        }
        Ok(output) => words::jdk_broken(&java, &output.status),
        Err(error) => words::no_jdk_found(&java, &error),
    }
}

/// Starts a JVM with the agent.
fn agent() -> DoctorFinding {
    let command: Vec<_> = ["java", "-version"].into_iter().map(std::ffi::OsString::from).collect();
    match tamis_session::try_agent(&command) {
        Ok(connects) => words::agent(connects),
        Err(error) => words::agent_untried(&error),
    }
}

fn store(directory: &Path) -> DoctorFinding {
    if directory.exists() && !directory.is_dir() {
        return words::store_is_file(directory);
    }
    match TraceStore::read_only(directory).and_then(|traces| traces.map(|traces| traces.stats()).transpose())
    {
        Ok(Some(stats)) => words::store_found(directory, stats.tests, stats.traces, stats.bytes),
        Ok(None) => words::no_store(directory),
        Err(error) => words::store_broken(&error),
    }
}

fn last_run(store: &Path) -> Vec<DoctorFinding> {
    let launches = read_launches(&tamis_session::last(store)).launches;
    launches
        .iter()
        .map(|launch| {
            let java = launch.properties.get(VM_VERSION).map_or("?", String::as_str);
            let missing = launch.class_path.iter().filter(|entry| !Path::new(entry).exists()).count();
            words::module(&launch.module, java, launch.class_path.len(), launch.watched.len(), missing)
        })
        .collect()
}

/// What the recorded runs show: the tests that always run.
fn recorded(settings: &RunSettings) -> Vec<DoctorFinding> {
    let Ok(Some(traces)) = TraceStore::read_only(&settings.store) else { return Vec::new() };
    let Ok(stored) = traces.load(settings.technique.name()) else { return Vec::new() };
    let mut reasons: BTreeMap<&str, (usize, u64)> = BTreeMap::new();
    let (mut all, mut always, mut flaky) = (0, 0, 0);
    for test in stored.tests.iter().filter(|test| test.last.is_some()) {
        all += 1;
        flaky += usize::from(test.flaky);
        if let Some(why) = &test.always {
            always += 1;
            let known = reasons.entry(why).or_default();
            known.0 += 1;
            known.1 += test.traces.first().map_or(0, |trace| trace.microseconds);
        }
    }
    let mut reasons: Vec<(&str, usize, u64)> =
        reasons.into_iter().map(|(why, (tests, time))| (why, tests, time)).collect();
    reasons.sort_by_key(|reason| std::cmp::Reverse((reason.1, reason.2)));
    let mut findings = vec![words::always_running(always, all)];
    findings.extend(reasons.iter().take(REASONS).map(|(why, tests, _)| words::always_because(why, *tests)));
    if flaky > 0 {
        findings.push(words::flaky_tests(flaky));
    }
    findings
}
