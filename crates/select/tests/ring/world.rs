//! A world that answers from a table: the classes and files of one side of a case.

use crate::outside::OutsideClasses;
use crate::script::{ClassTable, PROJECT, supers_of};
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::rc::Rc;
use std::time::SystemTime;
use tamis_program::digest::{ClassSource, Digest, Digester, family_name};
use tamis_program::record::ClassRecord;
use tamis_program::snapshot::Snapshot;
use tamis_select::facts::{Answer, FactKind, Question};
use tamis_select::world::World;

/// Where the classes of the program lie, below the project's directory; the first is searched first.
pub(crate) const ROOTS: [&str; 2] = ["target/over", "target/classes"];

/// The table.
pub(crate) struct Surroundings {
    pub(crate) classes: ClassTable,
    pub(crate) outside: Rc<OutsideClasses>,
    /// By library class, the number of its archive.
    pub(crate) archives: BTreeMap<String, usize>,
    /// Files by their names in facts: below the project's directory, or absolute.
    pub(crate) files: BTreeMap<String, Vec<u8>>,
    pub(crate) properties: BTreeMap<String, String>,
    pub(crate) environment: BTreeMap<String, String>,
    /// The options of the JVM and its test framework: one text, compared as a whole.
    pub(crate) start: String,
}

impl Surroundings {
    /// The supertypes of the project's classes, from libraries, the test framework and the JDK.
    fn supertypes(&self) -> BTreeMap<String, Vec<u8>> {
        let ClassTable { project, libraries } = &self.classes;
        let mut found: BTreeMap<String, Vec<u8>> = BTreeMap::new();
        let mut wanted: Vec<String> = project.values().flat_map(|bytes| supers_of(bytes)).collect();
        while let Some(name) = wanted.pop() {
            if project.contains_key(&name) || found.contains_key(&name) {
                continue;
            }
            let library = libraries.get(&name).cloned();
            if let Some(bytes) = library.or_else(|| self.outside.read(&name)) {
                wanted.extend(supers_of(&bytes));
                found.insert(name, bytes);
            }
        }
        found
    }
}

/// A program and its surroundings.
pub(crate) struct TableWorld {
    given: Surroundings,
    snapshot: Snapshot,
}

impl TableWorld {
    pub(crate) fn new(given: Surroundings) -> TableWorld {
        let project = records(&given.classes.project, true);
        let outside = records(&given.supertypes(), false);
        TableWorld { snapshot: Snapshot::new(project, outside), given }
    }

    pub(crate) fn classes(&self) -> &ClassTable {
        &self.given.classes
    }

    fn file(&self, name: &str) -> Option<&[u8]> {
        self.given.files.get(name).map(Vec::as_slice)
    }

    fn is_folder(&self, name: &str) -> bool {
        let below = |file: &String| file.strip_prefix(name).is_some_and(|rest| rest.starts_with('/'));
        name == "." || self.given.files.keys().any(below)
    }

    fn of_resource(&self, name: &str) -> Answer {
        let found: Vec<&[u8]> =
            ROOTS.iter().filter_map(|root| self.file(&format!("{root}/{name}"))).collect();
        (!found.is_empty()).then(|| Digest::of(&found.concat()))
    }

    fn of_file(&self, kind: FactKind, name: &str) -> Answer {
        match (self.file(name), kind) {
            (Some(bytes), FactKind::File) => Some(Digest::of(bytes)),
            (Some(bytes), FactKind::Exists) => Some(Digest::of(format!("file {}", bytes.len()).as_bytes())),
            (None, _) if self.is_folder(name) => {
                let inside =
                    self.given.files.keys().filter_map(|file| file.strip_prefix(name)?.strip_prefix('/'));
                let names: BTreeSet<&str> = inside.filter_map(|rest| rest.split('/').next()).collect();
                let text = match kind {
                    FactKind::Listing => names.into_iter().collect::<Vec<_>>().join("\n"),
                    _ => "directory".to_owned(),
                };
                Some(Digest::of(text.as_bytes()))
            }
            _ => None,
        }
    }
}

/// The records of classes, family by family; those from outside are digested alone, because only their inheritance counts.
fn records(classes: &BTreeMap<String, Vec<u8>>, together: bool) -> Vec<ClassRecord> {
    let mut families: BTreeMap<&str, Vec<ClassSource<'_>>> = BTreeMap::new();
    for (name, bytes) in classes {
        let family = if together { family_name(name) } else { name };
        families.entry(family).or_default().push(ClassSource { name, bytes });
    }
    let mut digester = Digester::default();
    families.values().flat_map(|family| digester.family(family)).collect()
}

impl World for TableWorld {
    fn module(&self) -> &str {
        "."
    }

    fn snapshot(&self) -> &Snapshot {
        &self.snapshot
    }

    fn answer(&self, question: &Question) -> Answer {
        let name = &*question.subject;
        let value = |value: Option<&String>| value.map(|value| Digest::of(value.as_bytes()));
        match question.kind {
            FactKind::Library => self.given.classes.libraries.get(name).map(|bytes| Digest::of(bytes)),
            FactKind::Resource => self.of_resource(name),
            FactKind::File | FactKind::Exists | FactKind::Listing => self.of_file(question.kind, name),
            FactKind::Attribute => {
                let (attribute, file) = name.split_once(' ').unwrap_or_default();
                self.file(file).map(|_| Digest::of(attribute.as_bytes()))
            }
            FactKind::Environment => value(self.given.environment.get(name)),
            FactKind::Property => value(self.given.properties.get(name)),
            FactKind::Scan => self.given.classes.project.get(name).map(|bytes| Digest::of(bytes)),
            FactKind::Machine => Some(Digest::of(b"this machine")),
            FactKind::Jvm => Some(Digest::of(self.given.start.as_bytes())),
            // The snapshot answers these.
            FactKind::Body
            | FactKind::Inherits
            | FactKind::Supers
            | FactKind::External
            | FactKind::Init
            | FactKind::Shape
            | FactKind::Class
            | FactKind::Debug
            | FactKind::Head
            | FactKind::Methods
            | FactKind::Walk => None,
        }
    }

    fn resources(&self, names: &BTreeSet<&str>) -> BTreeMap<String, Answer> {
        names.iter().map(|name| ((*name).to_owned(), self.of_resource(name))).collect()
    }

    fn is_library(&self, class: &str) -> bool {
        self.given.classes.libraries.contains_key(class) || self.is_framework(class)
    }

    fn is_framework(&self, class: &str) -> bool {
        self.given.outside.is_framework(class)
    }

    fn is_agent(&self, _: &str) -> bool {
        false
    }

    fn archive_of(&self, class: &str) -> Option<usize> {
        self.given.archives.get(class).copied()
    }

    fn class_file(&self, class: &str) -> Option<Result<Vec<u8>, String>> {
        self.given.classes.project.get(class).cloned().map(Ok)
    }

    fn library_class_file(&self, class: &str) -> Option<Vec<u8>> {
        self.given.classes.libraries.get(class).cloned()
    }

    fn class_root(&self, _: &str) -> Option<&Path> {
        Some(Path::new(PROJECT))
    }

    fn classes_beside(&self, _: &BTreeSet<String>) -> Vec<&str> {
        Vec::new()
    }

    fn resource<'p>(&self, path: &'p str) -> Option<&'p str> {
        let inside = path.strip_prefix(PROJECT)?.strip_prefix('/')?;
        ROOTS.iter().find_map(|root| inside.strip_prefix(root)?.strip_prefix('/'))
    }

    fn name_of(&self, path: &str) -> String {
        match path.strip_prefix(PROJECT) {
            Some("") => ".".to_owned(),
            Some(inside) => inside.trim_start_matches('/').to_owned(),
            None => path.to_owned(),
        }
    }

    fn is_in_project(&self, path: &str) -> bool {
        Path::new(path).starts_with(PROJECT)
    }

    fn is_directory(&self, path: &str) -> bool {
        self.is_folder(&self.name_of(path))
    }

    fn is_build_file(&self, _: &str) -> bool {
        false
    }

    fn property(&self, name: &str) -> Option<&str> {
        self.given.properties.get(name).map(String::as_str)
    }

    fn names(&self, kind: FactKind, _: &str) -> Vec<String> {
        let all =
            if kind == FactKind::Environment { &self.given.environment } else { &self.given.properties };
        all.keys().filter(|name| !name.is_empty()).cloned().collect()
    }

    fn is_framework_setting(&self, name: &str) -> bool {
        self.given.properties.keys().any(|key| key.contains(name))
    }

    fn requested_tests(&self) -> Option<&str> {
        None
    }

    fn has_leading_archive(&self) -> bool {
        false
    }

    fn changed_since(&self, _: &Question, _: SystemTime) -> Option<String> {
        None
    }
}
