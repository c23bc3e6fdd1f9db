//! The settings of a run, from the options that all commands share.

use crate::args::SelectionArgs;
use crate::error::CommandError;
use tamis_project::root::{ProjectRoot, find_root};
use tamis_select::technique::HYBRID;
use tamis_session::{RunSettings, store_of};

/// The current directory.
pub(super) fn here() -> Result<std::path::PathBuf, CommandError> {
    std::env::current_dir().map_err(CommandError::NoDirectory)
}

impl SelectionArgs {
    /// The settings for the build of the current directory.
    pub(super) fn settings(&self) -> Result<RunSettings, CommandError> {
        self.settings_at(find_root(&here()?))
    }

    /// The settings for the build with this root.
    pub(super) fn settings_at(&self, root: ProjectRoot) -> Result<RunSettings, CommandError> {
        Ok(RunSettings {
            technique: self.technique.0.unwrap_or(HYBRID),
            granularity: self.granularity,
            all: self.all || self.technique.0.is_none(),
            record: !self.no_record,
            store: store_of(&root, self.store.as_deref())?,
            root,
        })
    }
}
