//! The settings of a run, from the options that all commands share.

use crate::args::{ReceiverChoice, RecordChoice, SelectionArgs};
use crate::error::CommandError;
use tamis_project::root::{ProjectRoot, find_root};
use tamis_select::technique::{HYBRID, STATIC_MEMBER, STATIC_MEMBER_INSTANTIATED};
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

    /// What to record, with `--no-record`.
    pub(super) fn record_choice(&self) -> RecordChoice {
        if self.no_record { RecordChoice::No } else { self.record }
    }

    /// The same for an import, which is about static traces whatever the technique is.
    pub(super) fn import_settings(&self) -> Result<RunSettings, CommandError> {
        let technique = match self.receivers {
            ReceiverChoice::Hierarchy => STATIC_MEMBER,
            ReceiverChoice::Instantiated => STATIC_MEMBER_INSTANTIATED,
        };
        Ok(RunSettings { technique, ..self.settings()? })
    }

    /// The settings for the build with this root.
    pub(super) fn settings_at(&self, root: ProjectRoot) -> Result<RunSettings, CommandError> {
        let technique = match (self.technique.0.unwrap_or(HYBRID), self.receivers) {
            (technique, ReceiverChoice::Instantiated) if technique == STATIC_MEMBER => {
                STATIC_MEMBER_INSTANTIATED
            }
            (technique, _) => technique,
        };
        Ok(RunSettings {
            technique,
            granularity: self.granularity,
            threads: self.threads,
            all: self.all || self.technique.0.is_none(),
            record: self.record_choice() == RecordChoice::Yes,
            observe: !matches!(self.record_choice(), RecordChoice::No | RecordChoice::Later),
            store: store_of(&root, self.store.as_deref())?,
            root,
            rules: crate::rules::read(&here()?)?,
        })
    }
}
