//! The declarations of a project of `tests/projects`: its tests and edits, and which tests run after each.
//! The README there describes the format.

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
    /// Arguments of the build.
    #[serde(default)]
    pub(crate) args: Vec<String>,
    /// Tests that run the first time.
    pub(crate) tests: BTreeSet<String>,
    /// Tests that run again although nothing has changed.
    #[serde(default)]
    pub(crate) again: BTreeSet<String>,
    /// Tests of every run, besides the declared ones.
    #[serde(default)]
    pub(crate) always: BTreeSet<String>,
    /// Tests that run when every edit is undone, if these are not the ones in `again`.
    pub(crate) undone: Option<BTreeSet<String>>,
    /// Tests that run but are not in `run.json`.
    #[serde(default)]
    pub(crate) untold: BTreeSet<String>,
    #[serde(default)]
    pub(crate) fails: BTreeSet<String>,
    #[serde(default)]
    pub(crate) unreported: BTreeSet<String>,
    #[serde(default)]
    pub(crate) exit: i32,
    /// A text that every run prints.
    pub(crate) says: Option<String>,
    #[serde(default, rename = "step")]
    pub(crate) steps: Vec<Step>,
}

/// A run, after an edit or with other arguments. Edits stay in effect.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Step {
    pub(crate) what: String,
    #[serde(default)]
    pub(crate) edits: Vec<Edit>,
    /// Arguments of the build, instead of the usual ones.
    #[serde(default)]
    pub(crate) args: Vec<String>,
    /// Tests that run.
    pub(crate) runs: BTreeSet<String>,
    /// Tests that may also run: with parallel tests this is not certain.
    #[serde(default)]
    pub(crate) may: BTreeSet<String>,
    /// Tests that fail.
    #[serde(default)]
    pub(crate) fails: BTreeSet<String>,
    /// Tests that run, but that the build does not report as run: they were aborted, or their JVM crashed
    /// with them.
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
