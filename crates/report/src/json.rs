//! The JSON of INTERFACE: one document, keys are only ever added.

use serde::Serialize;
use tamis_program::diff::{AtomicChange, ChangeKind};

/// `tamis diff --format json`.
#[derive(Serialize)]
struct DiffDocument<'a> {
    format: u32,
    tamis: &'a str,
    changes: Vec<DiffEntry>,
}

#[derive(Serialize)]
struct DiffEntry {
    kind: String,
    entity: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    receiver: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    detail: Option<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    layers: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    renamed: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    was: Option<String>,
}

/// The changes as one JSON document, ending in a newline.
pub fn diff(version: &str, changes: &[AtomicChange]) -> String {
    let changes = changes.iter().map(entry).collect();
    let document = DiffDocument { format: 1, tamis: version, changes };
    // Serialising strings and numbers into memory cannot fail.
    let mut text = serde_json::to_string_pretty(&document).unwrap_or_default();
    text.push('\n');
    text
}

fn entry(change: &AtomicChange) -> DiffEntry {
    let layers: Vec<String> = change.layers.iter().map(ToString::to_string).collect();
    let dotted = |name: &String| name.replace('/', ".");
    DiffEntry {
        kind: change.kind.to_string(),
        entity: change.entity(),
        receiver: change.receiver.as_ref().map(dotted),
        detail: match change.kind {
            ChangeKind::LC => Some("look-up".to_owned()),
            _ => (!layers.is_empty()).then(|| layers.join(", ")),
        },
        layers,
        renamed: change.renamed.as_ref().map(dotted),
        was: change.was.as_ref().map(dotted),
    }
}
