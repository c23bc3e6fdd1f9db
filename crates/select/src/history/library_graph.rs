//! What the history asks about libraries.

use super::Footprint;
use std::sync::Arc;
use tamis_program::bitset::BitSet;
use tamis_program::snapshot::{ClassId, MethodId};

/// Library classes by the caller's numbers: which ones code names, and what their static initialisers did.
pub trait LibraryGraph {
    /// The library classes that a method names.
    fn named_by(&mut self, method: MethodId) -> Arc<[u32]>;
    /// The library classes that a library class names.
    fn named_in(&mut self, class: u32) -> Arc<[u32]>;
    /// The library classes whose initialisers have run.
    fn initialised(&self) -> &BitSet<u32>;
    /// The footprint of a class's initialiser, if it has run.
    fn init(&self, class: u32) -> Option<&Footprint>;
    /// Whether `others` contains something of a library that a class of the project is made for, that is,
    /// inherits from.
    fn is_made_for(&mut self, class: ClassId, others: &BitSet<u32>) -> bool;
}
