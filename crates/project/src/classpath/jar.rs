//! Which classes a jar or jmod holds, and what its manifest adds.

use super::entry::{Entry, Place};
use super::error::Fault;
use super::file::Archive;
use super::manifest::Manifest;
use super::problem::{Problem, ProblemKind};
use super::zip::{Directory, Packed};
use std::path::Path;

const MANIFEST: &[u8] = b"META-INF/MANIFEST.MF";
const VERSIONS: &str = "META-INF/versions/";

/// A jar, opened and listed.
pub(super) struct Jar {
    pub(super) archive: Archive,
    pub(super) manifest: Manifest,
    /// All classes, the ones that lose against others of this jar included.
    pub(super) entries: Vec<Entry>,
    pub(super) problems: Vec<Problem>,
}

impl Jar {
    /// Lists a jar as a JVM of this feature version sees it; `None` is one that knows no versions.
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

    /// Lists a jmod: its classes lie below `classes/`, and it has no manifest of interest.
    pub(super) fn open_jmod(archive: Archive) -> Result<Jar, Fault> {
        let directory = Directory::read(&archive)?;
        let mut problems = Vec::new();
        let entries =
            list(&archive, &directory, &mut problems, |name| Some((0, name.strip_prefix("classes/")?)))?;
        Ok(Jar { archive, manifest: Manifest::default(), entries, problems })
    }
}

/// The version that a directory of `META-INF/versions` stands for, if a JVM of this release looks into it.
///
/// Canonical decimals only: the JVM asks for the directory by the number it made of the name. The
/// specification starts at 9. JDK 17, 21 and 25 look into 8 as well, JDK 11 does not (all tried).
fn applicable(version: &str, release: u32) -> Option<u16> {
    let number: u16 = version.parse().ok()?;
    let lowest = if release >= 17 { 8 } else { 9 };
    (number.to_string() == version && number >= lowest && u32::from(number) <= release).then_some(number)
}

/// Lists the classes among the entries. `place` says under which version and name one is found, if at all.
///
/// Last first: of two entries of one name the JVM takes the later (tried on JDK 8 to 25).
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
            continue; // No class has an empty name.
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

/// The manifest, found as the JVM finds it: in any case of letters, the last one.
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
