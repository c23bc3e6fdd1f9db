//! What a library looks for by itself, and keeps: its settings, the providers of its services.
//!
//! A library that reads `logback.xml` when it is first used keeps what it found in objects of its own, and nothing of the
//! project leads there. So whoever runs code of that library relies on it, in whichever test it was read. What the library
//! looks for bears a name of its own: a class of it that was on the stack has it in a constant. A file that a test reads
//! through a library is named by the test.

use super::Recording;
use super::libraries::Libraries;
use crate::ops::world::{CLASS_PATHS, World};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::{BTreeMap, BTreeSet};
use tamis_core::marks::Marks;
use tamis_trace::Noted;

/// Where the JDK looks for providers of the services that it is asked for.
const SERVICES: &str = "META-INF/services/";

/// Builds write it anew, with the time of day. Who reads it relies on it, and nobody else.
const MANIFEST: &str = "META-INF/MANIFEST.MF";

/// A shorter constant names nothing, and a shorter one than the other is no beginning of a name.
const SHORTEST: usize = 4;
const SHORTEST_BEGINNING: usize = 5;

/// By archive.
#[derive(Default)]
pub(super) struct LookedFor {
    /// The questions about what its classes looked for.
    asked: BTreeMap<usize, Marks<u32>>,
    /// By note, the archives that it was looked for by; and the classes that were asked whether they name it.
    by: FxHashMap<u32, BTreeSet<usize>>,
    tried: FxHashSet<(u32, u32)>,
}

impl Recording<'_> {
    /// Something was noted, and came to these questions.
    pub(super) fn look_for(&mut self, note: u32, numbers: &[u32]) {
        let Some(under) = self.under.get(&note).filter(|under| !under.libraries.is_empty()) else { return };
        let Some(what) = self.notes.get(note as usize) else { return };
        if let Noted::Read(path) | Noted::Examined(path) | Noted::Missing(path) = what
            && self.is_temporary(path)
        {
            return;
        }
        let by = self.looked_for.by.entry(note).or_default();
        for class in under.libraries.iter().filter(|class| self.looked_for.tried.insert((note, **class))) {
            if is_named(self.world, &mut self.libraries, *class, what) {
                by.extend(self.libraries.archive(*class));
            }
        }
        for archive in by.iter() {
            self.looked_for.asked.entry(*archive).or_default().extend(numbers.iter().copied());
        }
    }

    /// What the libraries that are among these questions have looked for.
    pub(super) fn found_by(&self, others: &Marks<u32>) -> Marks<u32> {
        let mut found = Marks::default();
        for (archive, asked) in &self.looked_for.asked {
            if self.libraries.is_any_of(*archive, others) {
                found.unite(asked);
            }
        }
        found
    }
}

/// Whether a class says this name.
fn is_named(world: &World, libraries: &mut Libraries, class: u32, what: &Noted) -> bool {
    match what {
        Noted::Read(path) | Noted::Examined(path) | Noted::Missing(path) => {
            let name = match world.resource(path) {
                Some(resource) => resource.to_owned(),
                None => world.root().name(path),
            };
            let is_it = |constant: &String| names(constant, &name);
            name.starts_with(SERVICES)
                || (name != MANIFEST && libraries.constants(world, class).iter().any(is_it))
        }
        // The whole class path is not what a library is set up by.
        Noted::Property(Some(name)) if CLASS_PATHS.contains(&name.as_str()) => false,
        Noted::Property(Some(name)) | Noted::Environment(Some(name)) => {
            libraries.constants(world, class).contains(name)
        }
        _ => false,
    }
}

/// Whether a constant is the end of a path, or the beginning of it or of the file's name: endings are often put together.
fn names(constant: &str, path: &str) -> bool {
    let constant = constant.trim_start_matches('/');
    if constant.len() < SHORTEST {
        return false;
    }
    let file = path.rsplit('/').next().unwrap_or(path);
    let is_end = path.strip_suffix(constant).is_some_and(|rest| rest.is_empty() || rest.ends_with('/'));
    let is_folder = constant.contains('/') && path.starts_with(constant);
    let rest = file.strip_prefix(constant).filter(|_| constant.len() >= SHORTEST_BEGINNING);
    is_end || is_folder || rest.is_some_and(|rest| rest.starts_with(['.', '-', '_']))
}

#[cfg(test)]
mod tests {
    use super::names;

    #[test]
    fn a_constant_names_a_file_by_its_end_or_its_beginning() {
        for (constant, path) in [
            ("logback.xml", "logback.xml"),
            ("/logback.xml", "conf/logback.xml"),
            ("log4j2", "log4j2.xml"),
            ("log4j2", "log4j2-test.properties"),
            ("plugins/org", "plugins/org.a.B"),
        ] {
            assert!(names(constant, path), "{constant} {path}");
        }
        for (constant, path) in [
            ("logback.xml", "my-logback.xml"),
            ("xml", "a.xml"),
            (".xml", "a.xml"),
            ("data", "data.json"),
            ("input", "inputs.txt"),
            ("", "a"),
        ] {
            assert!(!names(constant, path), "{constant} {path}");
        }
    }
}
