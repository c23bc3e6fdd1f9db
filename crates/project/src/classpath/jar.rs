//! Lists the classes of a jar or jmod, and reads its manifest.

use super::entry::{Entry, Place};
use super::error::Fault;
use super::file::Archive;
use super::manifest::Manifest;
use super::problem::{Problem, ProblemKind};
use super::zip::{Directory, Packed};
use std::path::Path;

const MANIFEST: &[u8] = b"META-INF/MANIFEST.MF";
const VERSIONS: &str = "META-INF/versions/";

/// An open jar, listed.
pub(super) struct Jar {
    pub(super) archive: Archive,
    pub(super) manifest: Manifest,
    /// All classes, including those hidden by others of this jar.
    pub(super) entries: Vec<Entry>,
    pub(super) problems: Vec<Problem>,
}

impl Jar {
    /// Lists a jar from the view of a JVM of this feature version; `None` for a JVM without versioned
    /// entries.
    pub(super) fn open(archive: Archive, release: Option<u32>) -> Result<Jar, Fault> {
        let directory = Directory::read(&archive)?;
        let mut problems = Vec::new();
        let manifest = read_manifest(&archive, &directory, &mut problems)?;
        let release = release.filter(|_| manifest.multi_release);
        let entries = list(&archive, &directory, &mut problems, |name| {
            let Some(versioned) = name.strip_prefix(VERSIONS) else { return Some((0, name)) };
            let (version, name) = versioned.split_once('/')?;
            Some((applicable(version, release?)?, name)).filter(|_| !name.starts_with("META-INF/"))
        })?;
        Ok(Jar { archive, manifest, entries, problems })
    }

    /// Lists a jmod. Its classes are below `classes/`; its manifest has no relevant attributes.
    pub(super) fn open_jmod(archive: Archive) -> Result<Jar, Fault> {
        let directory = Directory::read(&archive)?;
        let mut problems = Vec::new();
        let entries =
            list(&archive, &directory, &mut problems, |name| Some((0, name.strip_prefix("classes/")?)))?;
        Ok(Jar { archive, manifest: Manifest::default(), entries, problems })
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
    archive: &Archive,
    directory: &Directory,
    problems: &mut Vec<Problem>,
    place: impl Fn(&str) -> Option<(u16, &str)>,
) -> Result<Vec<Entry>, Fault> {
    let mut entries = Vec::new();
    for header in directory.headers() {
        let header = header?;
        let Some(stem) = header.name.strip_suffix(b".class") else { continue };
        if stem.is_empty() || stem.ends_with(b"/") {
            continue; // A class cannot have an empty name.
        }
        let shown = || inside(archive.path(), &String::from_utf8_lossy(header.name));
        let Ok(stem) = str::from_utf8(stem) else {
            problems.push(Problem { place: shown(), kind: ProblemKind::NameNotUnicode });
            continue;
        };
        let Some((version, name)) = place(stem).filter(|(_, name)| !name.is_empty()) else { continue };
        let packed = Packed::of(&header, directory);
        if let Err(refusal) = packed {
            let error = Fault::from(refusal).at(shown());
            problems.push(Problem { place: shown(), kind: ProblemKind::Entry(error) });
        }
        let place = Place::Zip { version, packed };
        entries.push(Entry { name: name.into(), stamp: archive.stamp(), root: 0, place });
    }
    entries.reverse();
    Ok(entries)
}

/// The manifest that the JVM would use: names are compared without case, and the last one wins.
fn read_manifest(
    archive: &Archive,
    directory: &Directory,
    problems: &mut Vec<Problem>,
) -> Result<Manifest, Fault> {
    let mut found = None;
    for header in directory.headers() {
        let header = header?;
        if header.name.eq_ignore_ascii_case(MANIFEST) {
            found = Some(header);
        }
    }
    let Some(header) = found else { return Ok(Manifest::default()) };
    let mut bytes = Vec::new();
    let read = Packed::of(&header, directory).map_err(Fault::from).and_then(|p| p.read(archive, &mut bytes));
    match read {
        Ok(()) => Ok(Manifest::parse(&bytes)),
        Err(fault) => {
            let place = inside(archive.path(), &String::from_utf8_lossy(header.name));
            problems.push(Problem { kind: ProblemKind::Manifest(fault.at(&place)), place });
            Ok(Manifest::default())
        }
    }
}

fn inside(path: &Path, name: &str) -> String {
    format!("{}!/{name}", path.display())
}
