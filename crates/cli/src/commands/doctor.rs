//! `tamis doctor`

use super::options::here;
use crate::args::{GlobalArgs, OutputFormat, SelectionArgs};
use crate::error::CommandError;

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
use tamis_project::maven::MavenBuild;
use tamis_report::doctor::{self, DoctorFinding, FindingState};
use tamis_store::launches::read_launches;
use tamis_store::traces::TraceStore;

pub(super) fn doctor(choosing: &SelectionArgs, _global: &GlobalArgs) -> Result<ExitCode, CommandError> {
    let settings = choosing.settings()?;
    let mut found = vec![build()?, jdk(), agent()];
    found.push(store(&settings.store));
    found.extend(last_run(&settings.store));
    let mut out = anstream::stdout();
    match choosing.format {
        OutputFormat::Json => out.write_all(doctor::to_json(&found).as_bytes())?,
        OutputFormat::Human | OutputFormat::Names => doctor::write(&mut out, &found)?,
    }
    let is_wrong = found.iter().any(|finding| finding.state == FindingState::Wrong);
    Ok(if is_wrong { ExitCode::from(3) } else { ExitCode::SUCCESS })
}

fn build() -> Result<DoctorFinding, CommandError> {
    let here = here()?;
    Ok(match MavenBuild::find(&here, &[]) {
        Ok(maven) => {
            let mut command = maven.program.command();
            let version = command.arg("--version").output().ok().filter(|output| output.status.success());
            let version = version.map(|output| plain(&String::from_utf8_lossy(&output.stdout)));
            match version.as_deref().and_then(|text| text.lines().next()) {
                Some(version) => {
                    DoctorFinding::fine("build", format!("{version}, project at {}", maven.root.display()))
                }
                None => DoctorFinding::wrong(
                    "build",
                    "Maven does not start".to_owned(),
                    "run mvn --version to see why",
                ),
            }
        }
        Err(error) => DoctorFinding::note(
            "build",
            error.to_string(),
            "tamis run -- COMMAND works around any command that starts test JVMs",
        ),
    })
}

/// Without the colours that Maven writes.
fn plain(text: &str) -> String {
    text.replace("\x1b[1m", "").replace("\x1b[m", "").replace("\x1b[0m", "")
}

fn jdk() -> DoctorFinding {
    let home = std::env::var_os("JAVA_HOME").map(PathBuf::from);
    let java = home.as_ref().map_or(PathBuf::from("java"), |home| home.join("bin/java"));
    match Command::new(&java).arg("-version").env_remove("JAVA_TOOL_OPTIONS").output() {
        Ok(output) if output.status.success() => {
            let text = String::from_utf8_lossy(&output.stderr);
            let from = if home.is_some() { "JAVA_HOME" } else { "PATH" };
            DoctorFinding::fine("jdk", format!("{} (from {from})", text.lines().next().unwrap_or_default()))
        }
        Ok(output) => DoctorFinding::wrong(
            "jdk",
            format!("{} fails: {}", java.display(), output.status),
            "set JAVA_HOME to a JDK from 8 to 25",
        ),
        Err(error) => DoctorFinding::wrong(
            "jdk",
            format!("{}: {error}", java.display()),
            "install a JDK, or set JAVA_HOME",
        ),
    }
}

/// Whether a JVM takes the agent: one is started with it.
fn agent() -> DoctorFinding {
    let command: Vec<_> = ["java", "-version"].into_iter().map(std::ffi::OsString::from).collect();
    match tamis_session::try_agent(&command) {
        Ok(true) => DoctorFinding::fine("agent", "a JVM loads it and speaks to us".to_owned()),
        Ok(false) => DoctorFinding::wrong(
            "agent",
            "a JVM was started and did not speak to us".to_owned(),
            "is JAVA_TOOL_OPTIONS taken away, or the temporary directory not to be entered? set TMPDIR",
        ),
        Err(error) => {
            DoctorFinding::wrong("agent", error.to_string(), "tamis needs a java on the PATH to try it")
        }
    }
}

fn store(directory: &Path) -> DoctorFinding {
    match TraceStore::read_only(directory).and_then(|traces| traces.map(|traces| traces.stats()).transpose())
    {
        Ok(Some(stats)) => DoctorFinding::fine(
            "store",
            format!(
                "{}: {} tests, {} traces, {} KB",
                directory.display(),
                stats.tests,
                stats.traces,
                stats.bytes / 1024
            ),
        ),
        Ok(None) => DoctorFinding::note(
            "store",
            format!("{}: nothing is recorded yet", directory.display()),
            "tamis test records",
        ),
        Err(error) => DoctorFinding::wrong("store", error.to_string(), "tamis cache clear begins anew"),
    }
}

fn last_run(store: &Path) -> Vec<DoctorFinding> {
    let launches = read_launches(&tamis_session::last(store)).launches;
    launches
        .iter()
        .map(|launch| {
            let java = launch.properties.get("java.vm.version").map_or("?", String::as_str);
            let gone = launch.class_path.iter().filter(|entry| !Path::new(entry).exists()).count();
            let text = format!(
                "module {}: Java {java}, {} of {} class path entries are the project's own",
                launch.module,
                launch.watched.len(),
                launch.class_path.len()
            );
            if gone > 0 {
                DoctorFinding::note(
                    "tests",
                    format!("{text}; {gone} are gone"),
                    "build the project before tamis select",
                )
            } else {
                DoctorFinding::fine("tests", text)
            }
        })
        .collect()
}
