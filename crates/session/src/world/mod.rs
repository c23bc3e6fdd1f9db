//! The program that a JVM runs, and its surroundings, read from the disk.
//!
//! Each kind of answer has a file of its own. `select` decides which questions count.

mod environment;
mod files;
mod jvm;
mod libraries;
mod machine;
mod module_content;
mod scans;
#[cfg(test)]
mod tests;

use crate::error::SessionError;
use crate::load::changed_since::{is_kernel_setting, is_late};
use crate::load::framework_archives::FrameworkArchives;
use crate::load::{JdkChoice, LoadOptions, LoadedProgram, load};
use files::{attribute_of, content, exists, listing};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use std::time::SystemTime;
use tamis_catalog::frameworks::platform;
use tamis_catalog::jdk::properties;
use tamis_program::digest::Digest;
use tamis_program::snapshot::Snapshot;
use tamis_project::classpath::ClassPath;
use tamis_project::launch::Launch;
use tamis_project::root::ProjectRoot;
use tamis_select::facts::{Answer, FactKind, Question};
use tamis_select::rules::SelectionRules;
use tamis_select::world::World;
use tamis_wire::FileAttribute;

/// A program and its surroundings.
pub struct ProjectWorld {
    /// How the JVM is started.
    pub launch: Launch,
    /// The program's code.
    pub loaded: LoadedProgram,
    root: ProjectRoot,
    frameworks: FrameworkArchives,
    rules: SelectionRules,
    /// The archives of other agents, once they were needed.
    agents: OnceLock<Option<ClassPath>>,
}

impl ProjectWorld {
    /// Reads the program of a JVM that is started like this. `index` is the file of the index.
    pub fn open(launch: Launch, root: &ProjectRoot, index: PathBuf) -> Result<ProjectWorld, SessionError> {
        let watched: BTreeSet<&String> = launch.watched.iter().collect();
        let (own, libraries): (Vec<&String>, Vec<&String>) =
            launch.class_path.iter().partition(|entry| watched.contains(entry));
        let paths = |entries: Vec<&String>| entries.into_iter().map(PathBuf::from).collect::<Vec<_>>();
        let release = launch
            .properties
            .get(properties::RELEASE)
            .and_then(|version| version.strip_prefix("1.").unwrap_or(version).parse().ok());
        let jdk = launch
            .properties
            .get(properties::HOME)
            .map_or(JdkChoice::None, |home| JdkChoice::At(PathBuf::from(home)));
        let options =
            LoadOptions { release, class_path: paths(libraries), jdk, lenient: true, index: Some(index) };
        let loaded = load(&paths(own), &options)?;
        let frameworks = FrameworkArchives::find(&loaded.libraries);
        let (rules, agents) = (SelectionRules::default(), OnceLock::new());
        Ok(ProjectWorld { launch, loaded, root: root.clone(), frameworks, rules, agents })
    }

    /// The same with the user's rules.
    pub fn with_rules(self, rules: &SelectionRules) -> ProjectWorld {
        ProjectWorld { rules: rules.clone(), ..self }
    }
}

impl World for ProjectWorld {
    fn module(&self) -> &str {
        &self.launch.module
    }

    fn snapshot(&self) -> &Snapshot {
        &self.loaded.snapshot
    }

    fn rules(&self) -> &SelectionRules {
        &self.rules
    }

    fn answer(&self, question: &Question) -> Answer {
        let subject = &*question.subject;
        match question.kind {
            FactKind::Library => self.library_answer(subject),
            FactKind::Resource => self.all_resources(&BTreeSet::from([subject])).remove(subject).flatten(),
            FactKind::File => content(&self.root.file(subject)),
            FactKind::Exists => exists(&self.root.file(subject)),
            FactKind::Listing => listing(&self.root.file(subject)),
            FactKind::Attribute => {
                let (attribute, path) = subject.split_once(' ')?;
                attribute_of(&self.root.file(path), FileAttribute::from_word(attribute)?)
            }
            FactKind::Environment => self.environment_answer(subject),
            FactKind::Property => self.property_answer(subject),
            FactKind::Machine => match self.rules.has(subject) {
                Some(exists) => exists.then(|| Digest::of(subject.as_bytes())),
                None => machine::machine(subject),
            },
            FactKind::Jvm => self.of_jvm(subject),
            FactKind::Scan => self.scanned(subject),
            // `AnswerCache` answers these from the snapshot.
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
        self.all_resources(names)
    }

    fn is_library(&self, class: &str) -> bool {
        self.loaded.libraries.find(class).is_some()
    }

    fn is_framework(&self, class: &str) -> bool {
        self.frameworks.hold(&self.loaded.libraries, class)
    }

    fn is_agent(&self, class: &str) -> bool {
        self.agents
            .get_or_init(|| self.open_agents())
            .as_ref()
            .is_some_and(|agents| agents.find(class).is_some())
    }

    fn archive_of(&self, class: &str) -> Option<usize> {
        self.loaded.libraries.find(class).map(|entry| entry.root())
    }

    fn class_file(&self, class: &str) -> Option<Result<Vec<u8>, String>> {
        let path = &self.loaded.class_path;
        let mut bytes = Vec::new();
        let read = path.read(path.find(class)?, &mut bytes);
        Some(read.map(|()| bytes).map_err(|error| error.to_string()))
    }

    fn library_class_file(&self, class: &str) -> Option<Vec<u8>> {
        let path = &self.loaded.libraries;
        let mut bytes = Vec::new();
        path.read(path.find(class)?, &mut bytes).ok()?;
        Some(bytes)
    }

    fn class_root(&self, class: &str) -> Option<&Path> {
        let path = &self.loaded.class_path;
        Some(&path.roots().get(path.find(class)?.root())?.path)
    }

    fn classes_beside(&self, classes: &BTreeSet<String>) -> Vec<&str> {
        let path = &self.loaded.class_path;
        let roots: BTreeSet<usize> =
            classes.iter().filter_map(|class| path.find(class)).map(|entry| entry.root()).collect();
        path.classes()
            .iter()
            .filter(|entry| roots.contains(&entry.root()))
            .map(|entry| &*entry.name)
            .collect()
    }

    fn resource<'p>(&self, path: &'p str) -> Option<&'p str> {
        self.launch.watched.iter().find_map(|root| path.strip_prefix(root.as_str())?.strip_prefix('/'))
    }

    fn name_of(&self, path: &str) -> String {
        self.root.name(path)
    }

    fn is_in_project(&self, path: &str) -> bool {
        self.root.holds(path)
    }

    fn is_directory(&self, path: &str) -> bool {
        Path::new(path).is_dir()
    }

    fn is_build_file(&self, path: &str) -> bool {
        self.launch.build_files.iter().any(|own| Path::new(path).starts_with(own))
    }

    fn property(&self, name: &str) -> Option<&str> {
        self.launch.properties.get(name).map(String::as_str)
    }

    fn names(&self, kind: FactKind, set: &str) -> Vec<String> {
        match kind {
            FactKind::Environment => self.variable_names(set),
            _ => self.property_names(set),
        }
    }

    fn is_framework_setting(&self, name: &str) -> bool {
        let mut given = self.launch.runner_settings.iter().chain(&self.launch.properties);
        let is_given = given.any(|(key, value)| key.contains(name) || value.contains(name));
        let text = || {
            let files = self.launch.watched.iter().map(|root| Path::new(root).join(platform::SETTINGS_FILE));
            files.filter_map(|file| fs::read_to_string(file).ok()).next()
        };
        is_given || text().is_some_and(|text| text.contains(name))
    }

    fn requested_tests(&self) -> Option<&str> {
        self.launch.requested_tests.as_deref()
    }

    fn has_leading_archive(&self) -> bool {
        self.leading_archives().next().is_some()
    }

    fn changed_since(&self, question: &Question, since: SystemTime) -> Option<String> {
        let late = |path: &Path| {
            if is_kernel_setting(path) {
                return None;
            }
            let metadata = fs::metadata(path).ok()?;
            if metadata.is_dir() && !matches!(question.kind, FactKind::Listing | FactKind::Attribute) {
                return None;
            }
            is_late(&metadata, since).then(|| self.root.name(&path.to_string_lossy()))
        };
        match question.kind {
            FactKind::File | FactKind::Exists | FactKind::Listing => late(&self.root.file(&question.subject)),
            FactKind::Attribute => {
                question.subject.split_once(' ').and_then(|(_, path)| late(&self.root.file(path)))
            }
            FactKind::Resource => {
                let roots = self.launch.watched.iter();
                roots.map(|folder| Path::new(folder).join(&*question.subject)).find_map(|path| late(&path))
            }
            _ => None,
        }
    }
}
