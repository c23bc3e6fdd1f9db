//! Queries the index about the classes of a class path, and collects the updates.

use crate::load::digest_classes::IndexUpdates;
use tamis_program::digest::Digest;
use tamis_project::classpath::{ClassEntry, ClassPath, ClassPathRoot, RootKind};
use tamis_store::index::{IndexUpdate, KnownFamilies, SeenFile};

/// The index's answers for a class path.
pub(crate) struct IndexLookup<'i> {
    pub(crate) known: &'i KnownFamilies<'i>,
    class_path: &'i ClassPath,
    /// By root, its key in the index.
    keys: Vec<Vec<u8>>,
    /// By class, in the order of the class path: the digest of its content, if its stamp is known.
    contents: Vec<Option<Digest>>,
}

impl<'i> IndexLookup<'i> {
    /// Looks up every class by its stamp. `release` is the one with which the class path was opened.
    pub(crate) fn ask(known: &'i KnownFamilies<'i>, class_path: &'i ClassPath, release: Option<u32>) -> Self {
        let keys: Vec<_> = class_path.roots().iter().map(|root| key(root, release)).collect();
        let mut roots: Vec<_> = keys.iter().map(|key| known.files(key)).collect();
        let ask = |entry: &ClassEntry| {
            roots.get_mut(entry.root()).and_then(|root| root.content(&entry.name, &entry.stamp))
        };
        let contents = class_path.classes().iter().map(ask).collect();
        IndexLookup { known, class_path, keys, contents }
    }

    /// The digest of a class's content, if its stamp is known.
    pub(crate) fn content(&self, place: usize) -> Option<Digest> {
        self.contents.get(place).copied().flatten()
    }

    /// The complete update of the index.
    pub(crate) fn update(&self, learned: IndexUpdates) -> IndexUpdate<'_> {
        let mut update = IndexUpdate::new(self.known);
        let mut read: Vec<Option<Digest>> = vec![None; self.contents.len()];
        for (place, content) in learned.contents {
            if let Some(read) = read.get_mut(place) {
                *read = Some(content);
            }
        }
        let mut files: Vec<Vec<SeenFile<'_>>> = self.keys.iter().map(|_| Vec::new()).collect();
        for ((entry, known), read) in self.class_path.classes().iter().zip(&self.contents).zip(read) {
            // Content that was read now takes precedence over the index.
            let (Some(content), Some(files)) = (read.or(*known), files.get_mut(entry.root())) else {
                continue;
            };
            files.push(SeenFile {
                name: &entry.name,
                stamp: entry.stamp,
                content,
                known: *known == Some(content),
            });
        }
        for ((root, key), files) in self.class_path.roots().iter().zip(&self.keys).zip(files) {
            update.root(key.clone(), is_archive(root), files);
        }
        learned.families.into_iter().for_each(|key| update.family(key));
        learned.new.into_iter().for_each(|family| update.new_family(family));
        update
    }
}

/// The path as it was given; stamps show whether it still leads to the same files. The release decides which
/// classes of a jar are found.
fn key(root: &ClassPathRoot, release: Option<u32>) -> Vec<u8> {
    let mut key = root.path.as_os_str().as_encoded_bytes().to_vec();
    if let (true, Some(release)) = (is_archive(root), release) {
        key.extend(format!("\0{release}").bytes()); // No path holds a NUL.
    }
    key
}

fn is_archive(root: &ClassPathRoot) -> bool {
    match root.kind() {
        RootKind::Directory | RootKind::ClassFile => false,
        RootKind::Jar | RootKind::Jmod | RootKind::Image => true,
    }
}
