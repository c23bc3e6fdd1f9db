//! The atomic changes between two programs.

use crate::code::MethodListings;
use serde::Serialize;
use tamis_program::diff::{AtomicChange, ChangeKind};
use tamis_program::names::dotted;

/// The document.
#[derive(Clone, Debug, Serialize)]
pub struct DiffReport<'d> {
    format: u32,
    tamis: &'d str,
    /// The changes in serialised form.
    pub changes: Vec<DiffEntry>,
    /// The changes.
    #[serde(skip)]
    pub atomic: &'d [AtomicChange],
    /// For people: the code of changed methods, by change.
    #[serde(skip)]
    pub listings: Vec<Option<MethodListings>>,
    /// For people: only the number of changes of each kind.
    #[serde(skip)]
    pub is_stat: bool,
}

/// A change.
#[derive(Clone, Debug, Serialize)]
pub struct DiffEntry {
    /// Its kind.
    pub kind: String,
    /// The changed entity.
    pub entity: String,
    /// Of a look-up: the class of the objects.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub receiver: Option<String>,
    /// The layers as a text.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub detail: Option<String>,
    /// The layers that changed.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub layers: Vec<String>,
    /// A deleted or added class with the same content.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub renamed: Option<String>,
    /// The name that the class had before.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub was: Option<String>,
}

impl<'d> DiffReport<'d> {
    /// Without code.
    pub fn new(version: &'d str, changes: &'d [AtomicChange]) -> DiffReport<'d> {
        DiffReport {
            format: 1,
            tamis: version,
            changes: changes.iter().map(DiffEntry::from).collect(),
            atomic: changes,
            listings: Vec::new(),
            is_stat: false,
        }
    }
}

impl From<&AtomicChange> for DiffEntry {
    fn from(change: &AtomicChange) -> DiffEntry {
        let layers: Vec<String> = change.layers.iter().map(ToString::to_string).collect();
        DiffEntry {
            kind: change.kind.to_string(),
            entity: change.entity(),
            receiver: change.receiver.as_deref().map(dotted),
            detail: match change.kind {
                ChangeKind::LC => Some("look-up".to_owned()),
                _ => (!layers.is_empty()).then(|| layers.join(", ")),
            },
            layers,
            renamed: change.renamed.as_deref().map(dotted),
            was: change.was.as_deref().map(dotted),
        }
    }
}
