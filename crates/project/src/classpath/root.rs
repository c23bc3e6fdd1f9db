//! One element of a class path: recognises its kind and opens it.

use super::entry::{ClassEntry, EntryPlace};
use super::error::{ClassPathError, ClassPathFault};
use super::file::ArchiveFile;
use super::image::JdkImage;
use super::jar::JarFile;
use super::kind;
use super::problem::ClassPathProblem;
use super::stamp::stamp_of;
use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use tamis_program::stamp::FileStamp;

/// A directory or file from which classes are loaded.
#[derive(Debug)]
pub struct ClassPathRoot {
    /// The path as given, or as resolved from a manifest.
    pub path: PathBuf,
    /// The index of the root whose manifest names this one; `None` for a given root.
    pub named_by: Option<usize>,
    pub(super) opened: OpenedRoot,
}

/// The kinds of roots.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RootKind {
    /// A directory of class files.
    Directory,
    /// A single class file.
    ClassFile,
    /// A jar, or another zip with the same layout.
    Jar,
    /// A module in the input format of `jlink`.
    Jmod,
    /// The modules of a JDK, `lib/modules`.
    Image,
}

impl ClassPathRoot {
    /// The kind of this root.
    pub fn kind(&self) -> RootKind {
        match self.opened {
            OpenedRoot::Directory => RootKind::Directory,
            OpenedRoot::ClassFile => RootKind::ClassFile,
            OpenedRoot::Jar(_) => RootKind::Jar,
            OpenedRoot::Jmod(_) => RootKind::Jmod,
            OpenedRoot::Image(_) => RootKind::Image,
        }
    }
}

/// An open root.
#[derive(Debug)]
pub(super) enum OpenedRoot {
    Directory,
    ClassFile,
    Jar(ArchiveFile),
    Jmod(ArchiveFile),
    Image(JdkImage),
}

/// A root and its content. The classes of all directories are listed later, in one step.
pub(super) struct ListedRoot {
    pub(super) opened: OpenedRoot,
    pub(super) entries: Vec<ClassEntry>,
    pub(super) problems: Vec<ClassPathProblem>,
    /// The elements of its manifest's `Class-Path`.
    pub(super) class_path: Vec<String>,
}

impl ListedRoot {
    /// Opens a root from the view of a JVM of this feature version.
    pub(super) fn open(path: &Path, release: Option<u32>) -> Result<ListedRoot, ClassPathError> {
        let fault = |error| ClassPathFault::Io(error).in_file(path);
        let metadata = fs::metadata(path).map_err(|error| match error.kind() {
            ErrorKind::NotFound | ErrorKind::NotADirectory => {
                ClassPathError::NotFound { path: path.to_owned() }
            }
            _ => fault(error),
        })?;
        if metadata.is_dir() {
            fs::read_dir(path).map_err(fault)?;
            return Ok(ListedRoot::holding(OpenedRoot::Directory, Vec::new()));
        }
        if !metadata.is_file() {
            return Err(kind::NOT_A_FILE.error(path));
        }
        if path.extension().is_some_and(|extension| extension == "class") {
            return class_file(path, stamp_of(&metadata));
        }
        open_archive(path, release)
    }

    fn holding(opened: OpenedRoot, entries: Vec<ClassEntry>) -> ListedRoot {
        ListedRoot { opened, entries, problems: Vec::new(), class_path: Vec::new() }
    }

    fn jar(jar: JarFile, opened: fn(ArchiveFile) -> OpenedRoot) -> ListedRoot {
        ListedRoot {
            opened: opened(jar.archive),
            entries: jar.entries,
            problems: jar.problems,
            class_path: jar.manifest.class_path,
        }
    }
}

fn class_file(path: &Path, stamp: FileStamp) -> Result<ListedRoot, ClassPathError> {
    // A file with an extension has a stem.
    let Some(name) = path.file_stem().unwrap_or_default().to_str() else {
        return Err(kind::NAME_NOT_UNICODE.error(path));
    };
    let entry = ClassEntry { name: name.into(), stamp, root: 0, place: EntryPlace::File };
    Ok(ListedRoot::holding(OpenedRoot::ClassFile, vec![entry]))
}

fn open_archive(path: &Path, release: Option<u32>) -> Result<ListedRoot, ClassPathError> {
    let fault = |fault: ClassPathFault| fault.in_file(path);
    let archive = ArchiveFile::open(path).map_err(|error| fault(error.into()))?;
    let mut start = Vec::new();
    archive.read_at(0, archive.size().min(kind::START) as usize, &mut start).map_err(fault)?;
    if start.starts_with(b"JM\x01\x00") {
        return Ok(ListedRoot::jar(JarFile::open_jmod(archive).map_err(fault)?, OpenedRoot::Jmod));
    }
    if JdkImage::starts_with(&start) {
        return open_image(JdkImage::open(archive).map_err(fault)?);
    }
    match JarFile::open(archive, release) {
        Ok(jar) => Ok(ListedRoot::jar(jar, OpenedRoot::Jar)),
        // A file without the magic number of a zip is another kind of file.
        Err(ClassPathFault::Malformed { .. }) if !start.starts_with(b"PK") => {
            Err(kind::recognise(path, &start).error(path))
        }
        Err(other) => Err(fault(other)),
    }
}

fn open_image(image: JdkImage) -> Result<ListedRoot, ClassPathError> {
    let stamp = image.archive().stamp();
    let entry = |(name, located): (String, _)| ClassEntry {
        name: name.into(),
        stamp,
        root: 0,
        place: EntryPlace::Image(located),
    };
    let mut entries = image
        .classes()
        .map(|class| class.map(entry))
        .collect::<Result<Vec<_>, _>>()
        .map_err(|fault| fault.in_file(image.archive().path()))?;
    // Only `module-info` occurs more than once. Sorting by module makes the first one independent of hashing.
    entries.sort_by(|a, b| a.name.cmp(&b.name).then_with(|| module(&image, a).cmp(module(&image, b))));
    Ok(ListedRoot::holding(OpenedRoot::Image(image), entries))
}

fn module<'a>(image: &'a JdkImage, entry: &ClassEntry) -> &'a str {
    match &entry.place {
        EntryPlace::Image(located) => image.module(located),
        EntryPlace::File | EntryPlace::Zip { .. } => "",
    }
}
