//! What a project of `tests/projects` declares: its tests, edits, and what runs after each. The README there has the format.

use serde::Deserialize;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// A `steps.toml`.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Steps {
    #[serde(rename = "about")]
    _about: String,
    #[serde(default)]
    pub(crate) jdks: Vec<u32>,
    /// What the build is given.
    #[serde(default)]
    pub(crate) args: Vec<String>,
    /// What runs the first time.
    pub(crate) tests: BTreeSet<String>,
    /// What runs once more although nothing has changed.
    #[serde(default)]
    pub(crate) again: BTreeSet<String>,
    /// What every run has besides what it declares.
    #[serde(default)]
    pub(crate) always: BTreeSet<String>,
    /// What runs when every edit is undone, if it is not what runs again.
    pub(crate) undone: Option<BTreeSet<String>>,
    /// What `run.json` does not tell of although it ran.
    #[serde(default)]
    pub(crate) untold: BTreeSet<String>,
    #[serde(default)]
    pub(crate) fails: BTreeSet<String>,
    #[serde(default)]
    pub(crate) unreported: BTreeSet<String>,
    #[serde(default)]
    pub(crate) exit: i32,
    /// What every run prints.
    pub(crate) says: Option<String>,
    #[serde(default, rename = "step")]
    pub(crate) steps: Vec<Step>,
}

/// A run, after an edit or with other arguments. Edits stay.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Step {
    pub(crate) what: String,
    #[serde(default)]
    pub(crate) edits: Vec<Edit>,
    /// What the build is given instead of what it is always given.
    #[serde(default)]
    pub(crate) args: Vec<String>,
    /// What runs.
    pub(crate) runs: BTreeSet<String>,
    /// What may run too: where tests run at the same time, it is not certain which.
    #[serde(default)]
    pub(crate) may: BTreeSet<String>,
    /// What of it fails.
    #[serde(default)]
    pub(crate) fails: BTreeSet<String>,
    /// What runs and is not in the build's reports as a test that ran: it was aborted, or its JVM ended with it.
    #[serde(default)]
    pub(crate) unreported: BTreeSet<String>,
    #[serde(default)]
    pub(crate) exit: i32,
    pub(crate) says: Option<String>,
}

/// A text that is replaced in a file.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Edit {
    pub(crate) file: PathBuf,
    pub(crate) find: String,
    pub(crate) replace: String,
}

impl Steps {
    pub(crate) fn read(project: &Path) -> Steps {
        let file = project.join("steps.toml");
        let text =
            std::fs::read_to_string(&file).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
        toml::from_str(&text).unwrap_or_else(|error| panic!("{}: {error}", file.display()))
    }
}
