//! Everything that libraries and the JDK keep from one test to the next.

use super::generated_classes::GeneratedClasses;
use super::library_classes::LibraryClasses;
use super::library_settings::LibrarySettings;
use super::project_code::ProjectCode;
use crate::history::Footprint;
use tamis_program::bitset::BitSet;

/// The memory of libraries.
#[derive(Default)]
pub(super) struct LibraryState {
    pub(super) classes: LibraryClasses,
    pub(super) settings: LibrarySettings,
    pub(super) generated: GeneratedClasses,
    /// Methods that use what extensions of Jupiter share with other classes.
    pub(super) extensions: BitSet<u32>,
    /// The marker of the JDK's defaults, once a test has left another default than it found: all later tests find it.
    pub(super) defaults: Option<u32>,
    pub(super) project: ProjectCode,
    /// For each context that is being loaded, one inside the other: the numbers of the classes that were generated for it.
    pub(super) loading: Vec<Vec<u32>>,
    /// The work on contexts that has ended since the last test class.
    pub(super) context_parts: Vec<Footprint>,
}
