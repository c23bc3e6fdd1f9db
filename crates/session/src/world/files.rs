//! Answers about files, directories and resources.

use super::ProjectWorld;
use rustc_hash::FxHashMap;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use tamis_program::digest::{CanonicalOutput, Digest, DigestEncoder, EncodingTag};
use tamis_select::facts::Answer;

/// The content of a file. For a directory or an unreadable file, the answer says so.
pub(super) fn content(path: &Path) -> Answer {
    let metadata = fs::metadata(path).ok()?;
    if metadata.is_dir() {
        return Some(Digest::of(b"a directory"));
    }
    if !metadata.is_file() {
        return Some(Digest::of(b"neither file nor directory"));
    }
    match fs::read(path) {
        Ok(bytes) => {
            let mut out = DigestEncoder::default();
            out.start(EncodingTag::Raw).digest(&Digest::of(&bytes));
            Some(out.finish())
        }
        // Depends on the time: a file that cannot be read may have changed.
        Err(error) => Some(Digest::of(format!("{error} {:?}", metadata.modified().ok()).as_bytes())),
    }
}

pub(super) fn exists(path: &Path) -> Answer {
    let metadata = fs::metadata(path).ok()?;
    let length = if metadata.is_file() { metadata.len() } else { 0 };
    let kind = if metadata.is_dir() { "directory" } else { "file" };
    // Version control keeps only this permission.
    let runs = metadata.is_file() && metadata.permissions().mode() & 0o100 != 0;
    let link = fs::read_link(path).unwrap_or_default();
    Some(Digest::of(format!("{kind} {length} {runs} {}", link.display()).as_bytes()))
}

pub(super) fn listing(path: &Path) -> Answer {
    let entries = fs::read_dir(path).ok()?;
    let mut names: Vec<_> = entries.flatten().map(|entry| entry.file_name()).collect();
    names.sort_unstable();
    let mut out = DigestEncoder::default();
    out.start(EncodingTag::Any);
    names.iter().for_each(|name| out.bytes(name.as_encoded_bytes()));
    Some(out.finish())
}

impl ProjectWorld {
    /// The contents of all resources of each name, in the order of the class path.
    pub(super) fn all_resources(&self, names: &BTreeSet<&str>) -> BTreeMap<String, Answer> {
        let mut found: BTreeMap<String, Vec<(usize, Digest)>> =
            names.iter().map(|name| ((*name).to_owned(), Vec::new())).collect();
        let places: FxHashMap<&str, usize> =
            self.launch.class_path.iter().enumerate().map(|(at, path)| (path.as_str(), at)).collect();
        for (at, path) in
            self.launch.class_path.iter().enumerate().filter(|(_, path)| Path::new(path).is_dir())
        {
            for (name, all) in &mut found {
                all.extend(content(&Path::new(path).join(name)).map(|digest| (at, digest)));
            }
        }
        for path in [&self.loaded.class_path, &self.loaded.libraries] {
            // If an archive cannot be read now, the JVM cannot read it either.
            for resource in path.resources(|name| names.contains(name)).unwrap_or_default() {
                let at = path.roots().get(resource.root).and_then(|root| places.get(root.path.to_str()?));
                if let Some(all) = found.get_mut(&resource.name) {
                    all.push((at.copied().unwrap_or(usize::MAX), Digest::of(&resource.bytes)));
                }
            }
        }
        let digest = |mut all: Vec<(usize, Digest)>| {
            all.sort_unstable();
            let mut out = DigestEncoder::default();
            out.start(EncodingTag::Any);
            all.iter().for_each(|(_, digest)| out.digest(digest));
            (!all.is_empty()).then(|| out.finish())
        };
        found.into_iter().map(|(name, all)| (name, digest(all))).collect()
    }
}
