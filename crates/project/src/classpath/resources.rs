//! Resources in the archives of a class path: entries that are not classes.

use super::error::ClassPathError;
use super::root::OpenedRoot;
use super::zip::{CentralDirectory, ZipEntry};
use super::{ClassPath, ClassPathFault};

const VERSIONS: &[u8] = b"META-INF/versions/";

/// A requested entry of an archive.
#[derive(Debug)]
pub struct ArchiveResource {
    /// The index in [`ClassPath::roots`] of its root.
    pub root: usize,
    /// Its name. A version in a multi-release jar has the name of its base entry.
    pub name: String,
    /// Its content.
    pub bytes: Vec<u8>,
}

impl ClassPath {
    /// All entries of archives whose names are `wanted`, in all versions, in the order of the class path.
    pub fn resources(&self, wanted: impl Fn(&str) -> bool) -> Result<Vec<ArchiveResource>, ClassPathError> {
        let mut found = Vec::new();
        for (root, at) in self.roots.iter().enumerate() {
            let (OpenedRoot::Jar(archive) | OpenedRoot::Jmod(archive)) = &at.opened else { continue };
            let mut read = || {
                let directory = CentralDirectory::read(archive)?;
                for header in directory.headers() {
                    let header = header?;
                    let Ok(name) = str::from_utf8(base(header.name)) else { continue };
                    if wanted(name) {
                        let mut bytes = Vec::new();
                        ZipEntry::of(&header, &directory)?.read(archive, &mut bytes)?;
                        found.push(ArchiveResource { root, name: name.to_owned(), bytes });
                    }
                }
                Ok(())
            };
            read().map_err(|fault: ClassPathFault| fault.in_file(&at.path))?;
        }
        Ok(found)
    }
}

/// Strips the version directory: `a.txt` of `META-INF/versions/9/a.txt`.
fn base(name: &[u8]) -> &[u8] {
    let Some(versioned) = name.strip_prefix(VERSIONS) else { return name };
    let slash = versioned.iter().position(|byte| *byte == b'/');
    slash.and_then(|at| versioned.get(at + 1..)).unwrap_or(name)
}
