//! Compares two class paths.

use crate::error::SessionError;
use crate::load::digest_classes::read_family;
use crate::load::{LoadOptions, LoadedProgram, load};
use std::path::PathBuf;
use tamis_program::diff::{AtomicChange, ClassMatch, match_classes};
use tamis_program::digest::{ListingLine, family_name, list_methods};
use tamis_program::names::dotted;
use tamis_program::snapshot::Snapshot;
use tamis_project::classpath::ClassPath;
use tamis_report::code::MethodListings;
use tamis_report::words;

/// Two class paths, and the changes from one to the other.
pub struct ClassPathDiff {
    /// The atomic changes.
    pub changes: Vec<AtomicChange>,
    /// Remarks for the user, one line each.
    pub notes: Vec<String>,
    old: LoadedProgram,
    new: LoadedProgram,
    matching: ClassMatch,
}

/// Compares the classes of `old` with those of `new`.
pub fn diff(old: &[PathBuf], new: &[PathBuf], options: &LoadOptions) -> Result<ClassPathDiff, SessionError> {
    // In parallel: listing classes and finding supertypes take one thread, so the other path can use the rest
    // to digest.
    let (old, new) = std::thread::scope(|scope| {
        let old = scope.spawn(|| load(old, options));
        let new = load(new, options);
        (old.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)), new)
    });
    let (mut old, mut new) = (old?, new?);
    let changes = tamis_program::diff::diff(&old.snapshot, &new.snapshot);
    let matching = match_classes(&old.snapshot, &new.snapshot);
    let mut notes = std::mem::take(&mut old.notes);
    notes.append(&mut new.notes);
    notes.extend(missing_note(&[&old.snapshot, &new.snapshot]));
    notes.sort();
    notes.dedup();
    Ok(ClassPathDiff { changes, notes, old, new, matching })
}

/// Supertypes that were not found: look-ups through them cannot be compared.
fn missing_note(snapshots: &[&Snapshot]) -> Option<String> {
    let mut missing: Vec<&str> =
        snapshots.iter().flat_map(|snapshot| snapshot.missing_supertypes()).collect();
    missing.sort_unstable();
    missing.dedup();
    let first = dotted(missing.first()?);
    Some(words::missing_supertypes(&first, missing.len() - 1))
}

impl ClassPathDiff {
    /// The numbers of classes compared: before, after.
    pub fn counts(&self) -> (usize, usize) {
        (self.old.snapshot.project().len(), self.new.snapshot.project().len())
    }

    /// The listings of a method. The class goes by its name in the new snapshot if it exists there.
    pub fn listings(&self, class: &str, method: &str) -> Result<MethodListings, SessionError> {
        let (old, new) = (&self.old.snapshot, &self.new.snapshot);
        let pair = self.matching.both.iter().find(|(_, after)| new.class(*after).name() == class);
        let before = match pair {
            Some((before, _)) => Some(*before),
            None => old.find(class),
        };
        let after = pair.map(|(_, after)| *after);
        let listing = |snapshot: &Snapshot, class_path: &ClassPath, id: Option<_>| match id {
            Some(id) => list(class_path, snapshot.class(id).name(), method),
            None => Ok(Vec::new()),
        };
        Ok(MethodListings {
            old: listing(old, &self.old.class_path, before)?,
            new: listing(new, &self.new.class_path, after)?,
        })
    }
}

fn list(class_path: &ClassPath, class: &str, method: &str) -> Result<Vec<ListingLine>, SessionError> {
    let family = family_name(class);
    let entries: Vec<_> =
        class_path.classes().iter().filter(|entry| family_name(&entry.name) == family).collect();
    let mut buffers = Vec::new();
    let sources = read_family(class_path, &entries, &mut buffers)?;
    let listings = list_methods(&sources, class);
    Ok(listings.into_iter().find(|(name, _)| name == method).map(|(_, lines)| lines).unwrap_or_default())
}
