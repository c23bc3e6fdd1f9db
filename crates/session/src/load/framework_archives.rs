//! Archives of test frameworks and build runners on a class path. Their code counts for every test.

use rustc_hash::FxHashSet;
use std::fs;
use std::path::Path;
use tamis_program::digest::{CanonicalOutput, Digest, DigestEncoder, EncodingTag};
use tamis_project::classpath::ClassPath;
use tamis_select::facts::Answer;

/// The archives that contain frameworks, and a digest of their content.
#[derive(Default)]
pub struct FrameworkArchives {
    roots: FxHashSet<usize>,
    digest: Option<Digest>,
}

impl FrameworkArchives {
    /// Finds them among the libraries.
    pub fn find(libraries: &ClassPath) -> FrameworkArchives {
        let mut roots = FxHashSet::default();
        for entry in libraries.classes() {
            if !roots.contains(&entry.root()) && tamis_wire::is_framework(&entry.name) {
                roots.insert(entry.root());
            }
        }
        let mut out = DigestEncoder::default();
        out.start(EncodingTag::Any);
        for (index, root) in libraries.roots().iter().enumerate().filter(|(index, _)| roots.contains(index)) {
            match fs::read(&root.path) {
                Ok(bytes) => out.digest(&Digest::of(&bytes)),
                Err(error) => out.bytes(format!("{index} {error}").as_bytes()),
            }
        }
        FrameworkArchives { roots, digest: Some(out.finish()) }
    }

    /// Whether a class is found in one of them.
    pub fn hold(&self, libraries: &ClassPath, class: &str) -> bool {
        libraries.find(class).is_some_and(|entry| self.roots.contains(&entry.root()))
    }

    /// Whether an archive is one of them.
    pub fn is_one(&self, libraries: &ClassPath, archive: &Path) -> bool {
        let roots = libraries.roots().iter().enumerate();
        roots.filter(|(index, _)| self.roots.contains(index)).any(|(_, root)| root.path == archive)
    }

    /// The digest of their content.
    pub fn digest(&self) -> Answer {
        self.digest
    }
}
