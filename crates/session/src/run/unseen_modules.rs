//! Modules whose test JVMs the build was about to start, and which did not connect.

use super::Session;
use crate::sync::lock;
use std::fs;
use std::path::Path;
use tamis_catalog::builds::{self, gradle};
use tamis_report::words;
use tamis_select::events::RunEvent;

impl Session<'_> {
    /// Reports modules that ran tests, as new report files show, but whose JVMs did not connect.
    pub(super) fn tell_unseen(&self) {
        let tool =
            if lock(&self.others).only_tests { gradle::GRADLE.name } else { builds::maven::MAVEN.name };
        let seen: Vec<String> = lock(&self.started).iter().map(|(launch, _)| launch.module.clone()).collect();
        for (module, directory) in lock(&self.awaited).iter().filter(|(module, _)| !seen.contains(module)) {
            let is_new = |folder: &&str| {
                // Gradle has a folder for each task.
                let folder = directory.join(folder);
                let task = module.rsplit_once(':').map_or(gradle::TEST_TASK, |(_, task)| task);
                let files =
                    [folder.join(task), folder].into_iter().filter_map(|folder| fs::read_dir(folder).ok());
                let mut times = files
                    .flatten()
                    .flatten()
                    .filter(|file| file.path().extension().is_some_and(|ending| ending == "xml"))
                    .filter_map(|file| file.metadata().ok()?.modified().ok());
                times.any(|time| time >= self.began)
            };
            if builds::REPORTS.iter().any(is_new) {
                let what = words::module_without_agent(module, tool);
                self.watch.event(&RunEvent::Gap { module: module.clone(), what });
            }
        }
    }

    /// Notes that the build is about to start a module's JVM.
    pub(super) fn await_module(&self, module: &str, directory: &Path) {
        lock(&self.awaited).insert(module.to_owned(), directory.to_owned());
    }
}
