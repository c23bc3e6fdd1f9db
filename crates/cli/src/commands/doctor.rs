//! `tamis doctor`

use super::options::here;
use super::print;
use crate::args::{GlobalArgs, SelectionArgs};
use crate::error::CommandError;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
use tamis_catalog::builds::maven::without_colours;
use tamis_catalog::environment::{JAVA_HOME, TOOL_OPTIONS};
use tamis_catalog::jdk::properties::VM_VERSION;
use tamis_project::build as builds;
use tamis_report::doctor::{DoctorFinding, DoctorReport};
use tamis_report::{Document, words};
use tamis_store::launches::read_launches;
use tamis_store::traces::TraceStore;

pub(super) fn doctor(choosing: &SelectionArgs, global: &GlobalArgs) -> Result<ExitCode, CommandError> {
    let settings = choosing.settings()?;
    let mut findings = vec![build()?, jdk(), agent(), store(&settings.store)];
    findings.extend(last_run(&settings.store));
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
    Ok(match version.as_deref().and_then(|text| text.lines().next()) {
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
