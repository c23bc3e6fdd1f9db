//! Answers about files, directories and resources.

use super::ProjectWorld;
use rustc_hash::FxHashMap;
use rustix::fs::Access;
use std::collections::{BTreeMap, BTreeSet};
use std::fs::{self, Metadata};
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::path::Path;
use std::time::SystemTime;
use tamis_program::digest::{CanonicalOutput, Digest, DigestEncoder, EncodingTag};
use tamis_select::facts::Answer;
use tamis_select::world::PRESENCE;
use tamis_wire::FileAttribute;

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

/// The value of an attribute. A link's own value counts too.
pub(super) fn attribute_of(path: &Path, attribute: FileAttribute) -> Answer {
    let own = fs::symlink_metadata(path).ok()?;
    let target = if own.is_symlink() { fs::metadata(path).ok() } else { None };
    let time = |time: std::io::Result<SystemTime>| match time {
        Ok(time) => format!("{time:?}"),
        Err(error) => error.kind().to_string(),
    };
    let may = |access: Access| rustix::fs::access(path, access).is_ok().to_string();
    let value = |metadata: &Metadata| match attribute {
        FileAttribute::Modified => time(metadata.modified()),
        FileAttribute::Accessed => time(metadata.accessed()),
        FileAttribute::Created => time(metadata.created()),
        FileAttribute::Permissions => format!("{:o}", metadata.mode() & 0o7777),
        FileAttribute::Owner => format!("{} {}", metadata.uid(), metadata.gid()),
        FileAttribute::Key => format!("{} {} {}", metadata.dev(), metadata.ino(), metadata.nlink()),
        FileAttribute::Readable => may(Access::READ_OK),
        FileAttribute::Writable => may(Access::WRITE_OK),
        FileAttribute::Executable => may(Access::EXEC_OK),
    };
    let mut out = DigestEncoder::default();
    out.start(EncodingTag::Any);
    [Some(&own), target.as_ref()]
        .into_iter()
        .flatten()
        .for_each(|metadata| out.bytes(value(metadata).as_bytes()));
    Some(out.finish())
}

/// The name of a resource in a question about its content, or about whether it is there.
fn without_presence(name: &str) -> &str {
    name.strip_suffix(PRESENCE).unwrap_or(name)
}

impl ProjectWorld {
    /// The contents of all resources of each name, in the order of the class path.
    pub(super) fn all_resources(&self, asked: &BTreeSet<&str>) -> BTreeMap<String, Answer> {
        let names: BTreeSet<&str> = asked.iter().map(|name| without_presence(name)).collect();
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
        let answers: BTreeMap<String, Answer> =
            found.into_iter().map(|(name, all)| (name, digest(all))).collect();
        let answer = |name: &str| {
            let answer = answers.get(without_presence(name)).copied().flatten();
            if name.ends_with(PRESENCE) { answer.map(|_| Digest::of(b"there")) } else { answer }
        };
        asked.iter().map(|name| ((*name).to_owned(), answer(name))).collect()
    }
}
