//! The settings of a run, and the place of its data in the store.

use std::path::{Path, PathBuf};
use tamis_project::root::ProjectRoot;
use tamis_select::recording::Granularity;
use tamis_select::rules::SelectionRules;
use tamis_select::technique::Technique;

/// Settings of a run.
#[derive(Clone, Debug)]
pub struct RunSettings {
    /// The selection technique.
    pub technique: &'static dyn Technique,
    /// Whether single tests or whole classes are selected.
    pub granularity: Granularity,
    /// The number of threads of a static technique; 0 is one for each processor.
    pub threads: usize,
    /// Run all tests, and still record.
    pub all: bool,
    /// Record traces.
    pub record: bool,
    /// Observe what tests use. Without that nothing can be recorded but failures.
    pub observe: bool,
    /// The directory of the store.
    pub store: PathBuf,
    /// The root of the project.
    pub root: ProjectRoot,
    /// The user's rules.
    pub rules: SelectionRules,
}

/// The folder for data about this machine and the last run.
pub fn last(store: &Path) -> PathBuf {
    store.join("last")
}
