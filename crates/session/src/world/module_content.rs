//! Answers about all libraries and all resources of a module together: static techniques do not know which of them a test
//! uses.

use super::ProjectWorld;
use super::files::content;
use std::fs;
use std::path::Path;
use tamis_program::digest::{CanonicalOutput, Digest, DigestEncoder, EncodingTag};
use tamis_select::facts::Answer;

/// Maximum depth of directories: links may lead in circles.
const DEEPEST: usize = 64;

impl ProjectWorld {
    /// The archives of the class path that are neither the project's nor a test framework's, in order.
    pub(super) fn all_libraries(&self) -> Answer {
        let mut out = DigestEncoder::default();
        out.start(EncodingTag::Any);
        for entry in self.launch.class_path.iter().filter(|entry| !self.launch.watched.contains(entry)) {
            if !self.frameworks.is_one(&self.loaded.libraries, Path::new(entry)) {
                out.optional(content(Path::new(entry)).as_ref());
            }
        }
        Some(out.finish())
    }

    /// All files but classes in the directories of the class path, and the project's archives.
    pub(super) fn all_module_resources(&self) -> Answer {
        let mut out = DigestEncoder::default();
        out.start(EncodingTag::Any);
        let mut files: Vec<(String, Digest)> = Vec::new();
        for (number, root) in self.launch.watched.iter().enumerate() {
            let root = Path::new(root);
            if root.is_dir() {
                add_files(root, &number.to_string(), DEEPEST, &mut files);
            } else if let Some(digest) = content(root) {
                files.push((number.to_string(), digest));
            }
        }
        files.sort_unstable();
        for (name, digest) in files {
            out.bytes(name.as_bytes());
            out.digest(&digest);
        }
        Some(out.finish())
    }
}

fn add_files(folder: &Path, name: &str, depth: usize, into: &mut Vec<(String, Digest)>) {
    let Some(depth) = depth.checked_sub(1) else { return };
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        let name = format!("{name}/{}", entry.file_name().to_string_lossy());
        if path.is_dir() {
            add_files(&path, &name, depth, into);
        } else if path.extension().is_none_or(|extension| extension != "class")
            && let Some(digest) = content(&path)
        {
            into.push((name, digest));
        }
    }
}
