//! Settings and service providers that a library looks up itself, and caches.
//!
//! A library that reads `logback.xml` on first use keeps the result in objects of its own, and no code of the
//! project leads there. So every test that runs code of that library depends on the file, whichever test
//! caused the reading. A library names its settings itself: a class on the stack has the name in a constant.
//! A file that a test reads through a library is named by the test.

use super::JvmRecorder;
use super::library_classes::LibraryClasses;
use crate::facts::FactKind;
use crate::world::{LOOKED_UP, TAKEN_BY_LIBRARY, World};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use tamis_catalog::{builds, jdk, libraries};
use tamis_program::bitset::BitSet;
use tamis_program::names::ClassName;
use tamis_wire::Input;

/// Minimum length of a constant that can name a file, and of one that can be a prefix of its name.
const SHORTEST: usize = 4;
const SHORTEST_BEGINNING: usize = 5;

/// The look-ups of all libraries, by archive.
#[derive(Default)]
pub(super) struct LibrarySettings {
    /// The questions about the things that its classes looked up.
    asked: BTreeMap<usize, BitSet<u32>>,
    /// By input, the archives that looked it up; and the classes that were already checked for its name.
    by: FxHashMap<u32, BTreeSet<usize>>,
    tried: FxHashSet<(u32, u32)>,
    /// By archive, the questions about files that were written while its code ran: these are its own notes,
    /// not settings.
    written: BTreeMap<usize, BitSet<u32>>,
    /// Folders that an archive names and has listed: their files were put there for it.
    folders: BTreeSet<(String, usize)>,
}

impl JvmRecorder<'_> {
    /// Notes the questions of an input for the libraries that looked it up.
    pub(super) fn look_for(&mut self, note: u32, numbers: &[u32]) {
        let Some(under) = self.inputs.stacks.get(&note).filter(|under| !under.libraries.is_empty()) else {
            return;
        };
        let Some(what) = self.inputs.get(note) else { return };
        if path_of(what).is_some_and(|path| self.is_temporary(path)) {
            return;
        }
        let by = self.libraries.settings.by.entry(note).or_default();
        for class in
            under.libraries.iter().filter(|class| self.libraries.settings.tried.insert((note, **class)))
        {
            if is_named(self.world, &mut self.libraries.classes, *class, what) {
                by.extend(self.libraries.classes.archive(*class));
            }
        }
        if let Input::Listed(path) = what {
            self.libraries.settings.folders.extend(by.iter().map(|archive| (path.clone(), *archive)));
        } else if let Some(path) = path_of(what) {
            for (folder, archive) in &self.libraries.settings.folders {
                let is_its = |class: &u32| self.libraries.classes.archive(*class) == Some(*archive);
                if Path::new(path).starts_with(folder) && under.libraries.iter().any(is_its) {
                    by.insert(*archive);
                }
            }
        }
        for archive in by.iter() {
            self.libraries.settings.asked.entry(*archive).or_default().extend(numbers.iter().copied());
        }
    }

    /// Notes a file that was written while classes of libraries ran.
    pub(super) fn written_by(&mut self, path: &str, libraries: &BTreeSet<u32>) {
        let name = self.world.name_of(path);
        let mut numbers: Vec<u32> = [FactKind::File, FactKind::Exists, FactKind::Listing]
            .map(|about| self.facts.ask(about, &name))
            .to_vec();
        if let Some(resource) = self.world.resource(path) {
            numbers.push(self.facts.ask(FactKind::Resource, resource));
        }
        for archive in libraries.iter().filter_map(|class| self.libraries.classes.archive(*class)) {
            self.libraries.settings.written.entry(archive).or_default().extend(numbers.iter().copied());
        }
    }

    /// The look-ups of the libraries that these questions are about.
    pub(super) fn settings_behind(&self, others: &BitSet<u32>) -> BitSet<u32> {
        let mut found = BitSet::default();
        for (archive, asked) in &self.libraries.settings.asked {
            if self.libraries.classes.is_any_of(*archive, others) {
                let written = self.libraries.settings.written.get(archive);
                found.unite(&written.map_or_else(|| asked.clone(), |written| asked.clone().without(written)));
            }
        }
        found
    }
}

fn path_of(what: &Input) -> Option<&str> {
    match what {
        Input::Read(path) | Input::Examined(path) | Input::Missing(path) | Input::Listed(path) => Some(path),
        _ => None,
    }
}

/// Whether a class names an input in a constant.
fn is_named(world: &dyn World, libraries: &mut LibraryClasses, class: u32, what: &Input) -> bool {
    if let Some(path) = path_of(what) {
        let name = match world.resource(path) {
            Some(resource) => resource.to_owned(),
            None => world.name_of(path),
        };
        if name == jdk::MANIFEST {
            return false;
        }
        return name.starts_with(jdk::SERVICES)
            || libraries.constants(world, class).iter().any(|constant| {
                // A folder is listed by its name, and read with what stands behind it.
                let is_listed = matches!(what, Input::Listed(_));
                let whole = |piece: &str| names(piece.trim_end_matches('/'), &name);
                pieces(constant).any(|piece| {
                    names(piece, &name) || is_for_library(world, piece, &name) || (is_listed && whole(piece))
                })
            });
    }
    match what {
        // Neither is a library set up by the whole class path, nor by what differs from one JVM of a build to the next.
        Input::Property(Some(name))
            if [TAKEN_BY_LIBRARY, LOOKED_UP].contains(&name.as_str())
                || builds::holds_class_path(name)
                || name.starts_with(jdk::properties::TEMPORARY)
                || builds::is_own_property(name) =>
        {
            false
        }
        Input::Property(Some(name)) | Input::Environment(Some(name)) => {
            libraries.constants(world, class).contains(name)
        }
        _ => false,
    }
}

/// The constant parts of a string: compilers concatenate strings by a recipe.
fn pieces(constant: &str) -> impl Iterator<Item = &str> {
    constant.split(['\u{1}', '\u{2}']).map(|piece| {
        let of_jdk = || jdk::SCHEMES.iter().find_map(|scheme| piece.strip_prefix(scheme));
        let piece = libraries::without_prefix(piece).or_else(of_jdk).unwrap_or(piece);
        piece.trim_start_matches('/')
    })
}

/// Whether a piece of a constant is the end of a path, the beginning of the file's name, or the name of its
/// class. Programs often add the extension at run time.
fn names(piece: &str, path: &str) -> bool {
    if piece.len() < SHORTEST {
        return false;
    }
    let file = path.rsplit('/').next().unwrap_or(path);
    let is_end = path.strip_suffix(piece).is_some_and(|rest| rest.is_empty() || rest.ends_with('/'));
    let rest = file.strip_prefix(piece).filter(|_| piece.len() >= SHORTEST_BEGINNING);
    let is_beginning = rest.is_some_and(|rest| rest.starts_with(['.', '-', '_']))
        || (rest.is_some() && piece.ends_with(['.', '-', '_']));
    is_end
        || is_beginning
        || path.strip_suffix(".class").is_some_and(|path| *path == *ClassName::from_dotted(piece))
}

/// Whether a file is in a folder that a library names, and has the name of a library's class.
fn is_for_library(world: &dyn World, piece: &str, path: &str) -> bool {
    let rest = path.strip_prefix(piece).filter(|_| piece.len() >= SHORTEST && piece.ends_with('/'));
    rest.is_some_and(|rest| world.is_library(&ClassName::from_dotted(rest)))
}

#[cfg(test)]
mod tests {
    use super::{names, pieces};

    #[test]
    fn a_constant_names_a_file_by_its_end_or_its_beginning() {
        let is_it = |constant: &str, path: &str| pieces(constant).any(|piece| names(piece, path));
        for (constant, path) in [
            ("logback.xml", "logback.xml"),
            ("/logback.xml", "conf/logback.xml"),
            ("log4j2", "log4j2.xml"),
            ("log4j2", "log4j2-test.properties"),
            ("messages_", "i18n/messages_de.properties"),
            ("opt-log-\u{1}.txt", "opt-log-test.txt"),
            ("classpath:opt.txt", "opt.txt"),
            ("opt.ext.Settings", "opt/ext/Settings.class"),
        ] {
            assert!(is_it(constant, path), "{constant} {path}");
        }
        for (constant, path) in [
            ("logback.xml", "my-logback.xml"),
            ("xml", "a.xml"),
            (".xml", "a.xml"),
            ("data", "data.json"),
            ("input", "inputs.txt"),
            ("datasets/", "datasets/one.txt"),
            ("\u{1}.txt", "one.txt"),
            ("", "a"),
        ] {
            assert!(!is_it(constant, path), "{constant} {path}");
        }
    }
}
