//! Options that mean the same everywhere, resolved.

use crate::args::{ALL, GranularityArg, SelectionArgs};
use crate::error::CommandError;
use tamis_project::root::{ProjectRoot, find_root};
use tamis_select::recording::Granularity;
use tamis_select::technique::{HYBRID, technique};
use tamis_session::{RunSettings, store_of};

/// The directory the user is in.
pub(super) fn here() -> Result<std::path::PathBuf, CommandError> {
    std::env::current_dir()
        .map_err(|error| CommandError::Failed(format!("the current directory is gone: {error}")))
}

impl SelectionArgs {
    /// For the build around the current directory.
    pub(super) fn settings(&self) -> Result<RunSettings, CommandError> {
        self.settings_at(find_root(&here()?))
    }

    /// For the build that begins there.
    pub(super) fn settings_at(&self, root: ProjectRoot) -> Result<RunSettings, CommandError> {
        Ok(RunSettings {
            technique: technique(&self.technique).unwrap_or(HYBRID),
            granularity: match self.granularity {
                GranularityArg::Auto => Granularity::Auto,
                GranularityArg::Class => Granularity::Class,
                GranularityArg::Method => Granularity::Method,
            },
            all: self.all || self.technique == ALL,
            record: !self.no_record,
            store: store_of(&root, self.store.as_deref())?,
            root,
        })
    }
}
