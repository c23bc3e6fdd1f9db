//! One element of a class path: recognises its kind and opens it.

use super::entry::{Entry, Place};
use super::error::{ClassPathError, Fault};
use super::file::Archive;
use super::image::Image;
use super::jar::Jar;
use super::kind;
use super::problem::Problem;
use super::stamp::stamp_of;
use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use tamis_core::stamp::Stamp;

/// A directory or file from which classes are loaded.
#[derive(Debug)]
pub struct Root {
    /// The path as given, or as resolved from a manifest.
    pub path: PathBuf,
    /// The index of the root whose manifest names this one; `None` for a given root.
    pub named_by: Option<usize>,
    pub(super) opened: Opened,
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

impl Root {
    /// The kind of this root.
    pub fn kind(&self) -> RootKind {
        match self.opened {
            Opened::Directory => RootKind::Directory,
            Opened::ClassFile => RootKind::ClassFile,
            Opened::Jar(_) => RootKind::Jar,
            Opened::Jmod(_) => RootKind::Jmod,
            Opened::Image(_) => RootKind::Image,
        }
    }
}

/// An open root.
#[derive(Debug)]
pub(super) enum Opened {
    Directory,
    ClassFile,
    Jar(Archive),
    Jmod(Archive),
    Image(Image),
}

/// A root and its content. The classes of all directories are listed later, in one step.
pub(super) struct Listed {
    pub(super) opened: Opened,
    pub(super) entries: Vec<Entry>,
    pub(super) problems: Vec<Problem>,
    /// The elements of its manifest's `Class-Path`.
    pub(super) class_path: Vec<String>,
}

impl Listed {
    /// Opens a root from the view of a JVM of this feature version.
    pub(super) fn open(path: &Path, release: Option<u32>) -> Result<Listed, ClassPathError> {
        let fault = |error| Fault::Io(error).in_file(path);
        let metadata = fs::metadata(path).map_err(|error| match error.kind() {
            ErrorKind::NotFound | ErrorKind::NotADirectory => {
                ClassPathError::NotFound { path: path.to_owned() }
            }
            _ => fault(error),
        })?;
        if metadata.is_dir() {
            fs::read_dir(path).map_err(fault)?;
            return Ok(Listed::holding(Opened::Directory, Vec::new()));
        }
        if !metadata.is_file() {
            return Err(kind::NOT_A_FILE.error(path));
        }
        if path.extension().is_some_and(|extension| extension == "class") {
            return class_file(path, stamp_of(&metadata));
        }
        open_archive(path, release)
    }

    fn holding(opened: Opened, entries: Vec<Entry>) -> Listed {
        Listed { opened, entries, problems: Vec::new(), class_path: Vec::new() }
    }

    fn jar(jar: Jar, opened: fn(Archive) -> Opened) -> Listed {
        Listed {
            opened: opened(jar.archive),
            entries: jar.entries,
            problems: jar.problems,
            class_path: jar.manifest.class_path,
        }
    }
}

fn class_file(path: &Path, stamp: Stamp) -> Result<Listed, ClassPathError> {
    // A file with an extension has a stem.
    let Some(name) = path.file_stem().unwrap_or_default().to_str() else {
        return Err(kind::NAME_NOT_UNICODE.error(path));
    };
    let entry = Entry { name: name.into(), stamp, root: 0, place: Place::File };
    Ok(Listed::holding(Opened::ClassFile, vec![entry]))
}

fn open_archive(path: &Path, release: Option<u32>) -> Result<Listed, ClassPathError> {
    let fault = |fault: Fault| fault.in_file(path);
    let archive = Archive::open(path).map_err(|error| fault(error.into()))?;
    let mut start = Vec::new();
    archive.read_at(0, archive.size().min(kind::START) as usize, &mut start).map_err(fault)?;
    if start.starts_with(b"JM\x01\x00") {
        return Ok(Listed::jar(Jar::open_jmod(archive).map_err(fault)?, Opened::Jmod));
    }
    if Image::starts_with(&start) {
        return open_image(Image::open(archive).map_err(fault)?);
    }
    match Jar::open(archive, release) {
        Ok(jar) => Ok(Listed::jar(jar, Opened::Jar)),
        // A file without the magic number of a zip is another kind of file.
        Err(Fault::Malformed { .. }) if !start.starts_with(b"PK") => {
            Err(kind::recognise(path, &start).error(path))
        }
        Err(other) => Err(fault(other)),
    }
}

fn open_image(image: Image) -> Result<Listed, ClassPathError> {
    let stamp = image.archive().stamp();
    let entry = |(name, located): (String, _)| Entry {
        name: name.into(),
        stamp,
        root: 0,
        place: Place::Image(located),
    };
    let mut entries = image
        .classes()
        .map(|class| class.map(entry))
        .collect::<Result<Vec<_>, _>>()
        .map_err(|fault| fault.in_file(image.archive().path()))?;
    // Only `module-info` occurs more than once. Sorting by module makes the first one independent of hashing.
    entries.sort_by(|a, b| a.name.cmp(&b.name).then_with(|| module(&image, a).cmp(module(&image, b))));
    Ok(Listed::holding(Opened::Image(image), entries))
}

fn module<'a>(image: &'a Image, entry: &Entry) -> &'a str {
    match &entry.place {
        Place::Image(located) => image.module(located),
        Place::File | Place::Zip { .. } => "",
    }
}
