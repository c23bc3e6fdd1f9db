//! Options that mean the same everywhere, resolved.

use crate::args::{GranularityArg, SelectionArgs, TechniqueName};
use crate::error::CommandError;
use crate::ops::{Granularity, ProjectRoot, RunSettings, find_root, store_of};
use tamis_select::technique::Technique;

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
            technique: match self.technique {
                TechniqueName::Hybrid => Technique::Hybrid,
                TechniqueName::Class => Technique::Class,
                TechniqueName::All => Technique::All,
            },
            granularity: match self.granularity {
                GranularityArg::Auto => Granularity::Auto,
                GranularityArg::Class => Granularity::Class,
                GranularityArg::Method => Granularity::Method,
            },
            all: self.all || self.technique == TechniqueName::All,
            record: !self.no_record,
            store: store_of(&root, self.store.as_deref())?,
            root,
        })
    }
}
