//! Options that mean the same everywhere, resolved.

use crate::args::{Choosing, TechniqueName, Unit};
use crate::error::Error;
use crate::ops::{Granularity, Root, Settings, find_root, store_of};
use tamis_core::technique::Technique;

/// The directory the user is in.
pub(super) fn here() -> Result<std::path::PathBuf, Error> {
    std::env::current_dir().map_err(|error| Error::Failed(format!("the current directory is gone: {error}")))
}

impl Choosing {
    /// For the build around the current directory.
    pub(super) fn settings(&self) -> Result<Settings, Error> {
        self.settings_at(find_root(&here()?))
    }

    /// For the build that begins there.
    pub(super) fn settings_at(&self, root: Root) -> Result<Settings, Error> {
        Ok(Settings {
            technique: match self.technique {
                TechniqueName::Hybrid => Technique::Hybrid,
                TechniqueName::Class => Technique::Class,
                TechniqueName::All => Technique::All,
            },
            granularity: match self.granularity {
                Unit::Auto => Granularity::Auto,
                Unit::Class => Granularity::Class,
                Unit::Method => Granularity::Method,
            },
            all: self.all || self.technique == TechniqueName::All,
            record: !self.no_record,
            store: store_of(&root, self.store.as_deref())?,
            root,
        })
    }
}
