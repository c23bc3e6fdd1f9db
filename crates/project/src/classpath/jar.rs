//! Lists the classes of a jar or jmod, and reads its manifest.

use super::entry::{ClassEntry, EntryPlace};
use super::error::ClassPathFault;
use super::file::ArchiveFile;
use super::manifest::Manifest;
use super::problem::{ClassPathProblem, ProblemKind};
use super::zip::{CentralDirectory, ZipEntry};
use std::path::Path;

const MANIFEST: &[u8] = b"META-INF/MANIFEST.MF";
const VERSIONS: &str = "META-INF/versions/";

/// An open jar, listed.
pub(super) struct JarFile {
    pub(super) archive: ArchiveFile,
    pub(super) manifest: Manifest,
    /// All classes, including those hidden by others of this jar.
    pub(super) entries: Vec<ClassEntry>,
    pub(super) problems: Vec<ClassPathProblem>,
}

impl JarFile {
    /// Lists a jar from the view of a JVM of this feature version; `None` for a JVM without versioned
    /// entries.
    pub(super) fn open(archive: ArchiveFile, release: Option<u32>) -> Result<JarFile, ClassPathFault> {
        let directory = CentralDirectory::read(&archive)?;
        let mut problems = Vec::new();
        let manifest = read_manifest(&archive, &directory, &mut problems)?;
        let release = release.filter(|_| manifest.multi_release);
        let entries = list(&archive, &directory, &mut problems, |name| {
            let Some(versioned) = name.strip_prefix(VERSIONS) else { return Some((0, name)) };
            let (version, name) = versioned.split_once('/')?;
            Some((applicable(version, release?)?, name)).filter(|_| !name.starts_with("META-INF/"))
        })?;
        Ok(JarFile { archive, manifest, entries, problems })
    }

    /// Lists a jmod. Its classes are below `classes/`; its manifest has no relevant attributes.
    pub(super) fn open_jmod(archive: ArchiveFile) -> Result<JarFile, ClassPathFault> {
        let directory = CentralDirectory::read(&archive)?;
        let mut problems = Vec::new();
        let entries =
            list(&archive, &directory, &mut problems, |name| Some((0, name.strip_prefix("classes/")?)))?;
        Ok(JarFile { archive, manifest: Manifest::default(), entries, problems })
    }
}

/// The version of a directory in `META-INF/versions`, if a JVM of this release reads that directory.
///
/// Only canonical decimals count: the JVM looks up the directory by number. The specification starts at 9.
/// JDK 17, 21 and 25 also read 8; JDK 11 does not (verified by experiment).
fn applicable(version: &str, release: u32) -> Option<u16> {
    let number: u16 = version.parse().ok()?;
    let lowest = if release >= 17 { 8 } else { 9 };
    (number.to_string() == version && number >= lowest && u32::from(number) <= release).then_some(number)
}

/// Lists the classes among the entries. `place` maps an entry to its version and name, if it can be found at
/// all.
///
/// The order is reversed: of two entries with one name, the JVM uses the later one (verified on JDK 8 to 25).
fn list(
    archive: &ArchiveFile,
    directory: &CentralDirectory,
    problems: &mut Vec<ClassPathProblem>,
    place: impl Fn(&str) -> Option<(u16, &str)>,
) -> Result<Vec<ClassEntry>, ClassPathFault> {
    let mut entries = Vec::new();
    for header in directory.headers() {
        let header = header?;
        let Some(stem) = header.name.strip_suffix(b".class") else { continue };
        if stem.is_empty() || stem.ends_with(b"/") {
            continue; // A class cannot have an empty name.
        }
        let shown = || inside(archive.path(), &String::from_utf8_lossy(header.name));
        let Ok(stem) = str::from_utf8(stem) else {
            problems.push(ClassPathProblem { place: shown(), kind: ProblemKind::NameNotUnicode });
            continue;
        };
        let Some((version, name)) = place(stem).filter(|(_, name)| !name.is_empty()) else { continue };
        let packed = ZipEntry::of(&header, directory);
        if let Err(refusal) = packed {
            let error = ClassPathFault::from(refusal).at(shown());
            problems.push(ClassPathProblem { place: shown(), kind: ProblemKind::Entry(error) });
        }
        let place = EntryPlace::Zip { version, packed };
        entries.push(ClassEntry { name: name.into(), stamp: archive.stamp(), root: 0, place });
    }
    entries.reverse();
    Ok(entries)
}

/// The manifest that the JVM would use: names are compared without case, and the last one wins.
fn read_manifest(
    archive: &ArchiveFile,
    directory: &CentralDirectory,
    problems: &mut Vec<ClassPathProblem>,
) -> Result<Manifest, ClassPathFault> {
    let mut found = None;
    for header in directory.headers() {
        let header = header?;
        if header.name.eq_ignore_ascii_case(MANIFEST) {
            found = Some(header);
        }
    }
    let Some(header) = found else { return Ok(Manifest::default()) };
    let mut bytes = Vec::new();
    let read = ZipEntry::of(&header, directory)
        .map_err(ClassPathFault::from)
        .and_then(|p| p.read(archive, &mut bytes));
    match read {
        Ok(()) => Ok(Manifest::parse(&bytes)),
        Err(fault) => {
            let place = inside(archive.path(), &String::from_utf8_lossy(header.name));
            problems.push(ClassPathProblem { kind: ProblemKind::Manifest(fault.at(&place)), place });
            Ok(Manifest::default())
        }
    }
}

fn inside(path: &Path, name: &str) -> String {
    format!("{}!/{name}", path.display())
}
