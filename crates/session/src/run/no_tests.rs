//! Why a run saw no test: from the JVMs that connected, and from the reports that the build wrote.

use super::Session;
use crate::jvm::connection::JvmConnection;
use crate::sync::lock;
use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::time::{Duration, SystemTime};
use tamis_catalog::builds::{self, gradle};
use tamis_report::selection::{NoTestsEntry, NoTestsKind};
use tamis_wire::{AgentMessage, Plan, VERSION};

/// How deep reports may be below the root of a project.
const DEEPEST: usize = 9;

/// The number of directory entries after which the search for reports ends.
const MOST_ENTRIES: usize = 200_000;

/// How far the time of a file may be behind the clock: the kernel's ticks.
const CLOCK: Duration = Duration::from_millis(20);

/// The JVMs of a run in which no test was observed.
#[derive(Debug, Default)]
pub(super) struct OtherJvms {
    /// The build tools whose own JVMs connected.
    pub(super) tools: BTreeSet<&'static str>,
    /// The build tool in whose own JVM a test began.
    pub(super) ran_inside: Option<&'static str>,
    /// Whether a test began in a JVM without classes of the project.
    pub(super) without_classes: bool,
    /// Whether any JVM connected.
    pub(super) any: bool,
    /// Whether the build gives the agent to its test JVMs itself, so no other JVM connects.
    pub(super) only_tests: bool,
}

impl Session<'_> {
    /// Notes whether a test begins in the JVM of a build tool. Nothing of that JVM is recorded.
    pub(super) fn await_test_inside(&self, mut jvm: JvmConnection<'_>, tool: &'static str) {
        if jvm.send_plan(Plan { version: VERSION, ..Plan::default() }) {
            jvm.hear(&|_| {}, |said| {
                if let AgentMessage::Started(_) = said {
                    lock(&self.others).ran_inside = Some(tool);
                }
                None
            });
        }
    }

    /// Why no test was seen.
    pub fn why_no_tests(&self) -> NoTestsEntry {
        let others = lock(&self.others);
        let tool = others.tools.iter().next().copied();
        let is_gradle = others.tools.contains(gradle::GRADLE.name);
        let mut entries = MOST_ENTRIES;
        let since = self.began - CLOCK;
        let has_reports = || has_new_report(self.settings.root.path(), since, 0, &mut entries);
        let kind = if others.ran_inside.is_some() {
            NoTestsKind::BuildJvm
        } else if others.without_classes {
            NoTestsKind::NoProjectClasses
        } else if others.only_tests {
            if { has_reports }() { NoTestsKind::NotConnected } else { NoTestsKind::NoTestJvm }
        } else if is_gradle {
            if { has_reports }() { NoTestsKind::FromCache } else { NoTestsKind::UpToDate }
        } else if { has_reports }() {
            NoTestsKind::NotConnected
        } else if others.any {
            NoTestsKind::NoTestJvm
        } else {
            NoTestsKind::NoJvm
        };
        NoTestsEntry::new(kind, others.ran_inside.or(tool))
    }
}

/// Whether a build wrote a report on tests into this directory or below it.
fn has_new_report(folder: &Path, since: SystemTime, depth: usize, entries: &mut usize) -> bool {
    let mut folders = Vec::new();
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        if *entries == 0 {
            return false;
        }
        *entries -= 1;
        let name = entry.file_name();
        let Ok(kind) = entry.file_type() else { continue };
        if kind.is_dir() && !name.as_encoded_bytes().starts_with(b".") && name != "node_modules" {
            folders.push(entry.path());
        } else if kind.is_file()
            && name.to_str().is_some_and(builds::is_report)
            && entry.metadata().and_then(|file| file.modified()).is_ok_and(|time| time >= since)
        {
            return true;
        }
    }
    depth < DEEPEST && folders.iter().any(|folder| has_new_report(folder, since, depth + 1, entries))
}
