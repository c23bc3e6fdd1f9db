//! What is true now of the program that a JVM would run, and of what lies around it: answers to questions of every kind.

use super::frameworks::FrameworkArchives;
use super::launch::{is_of_session, is_volatile};
use super::root::ProjectRoot;
use super::snapshot::{JdkChoice, LoadOptions, LoadedProgram, load};
use super::test_classes;
use crate::error::CommandError;
use rustc_hash::FxHashMap;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::net::{IpAddr, ToSocketAddrs};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::sync::mpsc;
use std::thread;
use std::time::{Duration, SystemTime};
use tamis_classfile::read::annotation::{AnnotationEvent, annotations};
use tamis_classfile::read::attribute::{AttributeKind, Attributes};
use tamis_classfile::{ClassFile, ConstantPool, access, mutf8};
use tamis_program::digest::{CanonicalOutput, Digest, DigestEncoder, EncodingTag};
use tamis_program::snapshot::Snapshot;
use tamis_select::facts::{Answer, CodeFacts, FactKind, Question};
use tamis_store::launches::Launch;

/// The names of what holds for a whole JVM, and so for each of its tests.
pub(super) const JVM: [&str; 5] = ["jdk", "flags", "settings", "defaults", "framework"];

/// Behind the name of a class: what its file declares, in order.
pub(super) const IN_ORDER: &str = "#order";

/// Properties that make a JDK the one it is.
const JDK: [&str; 7] = [
    "java.version",
    "java.vm.name",
    "java.vm.vendor",
    "java.vm.version",
    "os.arch",
    "os.name",
    "java.specification.version",
];

/// What the JDK goes by where nobody says otherwise.
const DEFAULTS: [&str; 4] = ["file.encoding", "user.country", "user.language", "user.timezone"];
const DEFAULT_VARIABLES: [&str; 5] = ["LANG", "LC_ALL", "LC_CTYPE", "LC_MESSAGES", "TZ"];

/// Properties that hold class paths: what lies there counts.
pub(super) const CLASS_PATHS: [&str; 4] =
    ["java.class.path", "surefire.real.class.path", "surefire.test.class.path", "sun.java.command"];

/// A program and what lies around it.
pub struct ProjectWorld {
    /// How the JVM is started.
    pub launch: Launch,
    /// Its code.
    pub loaded: LoadedProgram,
    root: ProjectRoot,
    frameworks: FrameworkArchives,
}

impl ProjectWorld {
    /// Reads what a JVM that is started so would run. `index` is where to keep what was digested.
    pub fn open(launch: Launch, root: &ProjectRoot, index: PathBuf) -> Result<ProjectWorld, CommandError> {
        let watched: BTreeSet<&String> = launch.watched.iter().collect();
        let (own, libraries): (Vec<&String>, Vec<&String>) =
            launch.class_path.iter().partition(|entry| watched.contains(entry));
        let paths = |entries: Vec<&String>| entries.into_iter().map(PathBuf::from).collect::<Vec<_>>();
        let release = launch
            .properties
            .get("java.specification.version")
            .and_then(|version| version.strip_prefix("1.").unwrap_or(version).parse().ok());
        let jdk = launch
            .properties
            .get("java.home")
            .map_or(JdkChoice::None, |home| JdkChoice::At(PathBuf::from(home)));
        let options =
            LoadOptions { release, class_path: paths(libraries), jdk, lenient: true, index: Some(index) };
        let loaded = load(&paths(own), &options)?;
        let frameworks = FrameworkArchives::find(&loaded.libraries);
        Ok(ProjectWorld { launch, loaded, root: root.clone(), frameworks })
    }

    /// Its code.
    pub fn snapshot(&self) -> &Snapshot {
        &self.loaded.snapshot
    }

    /// Whether a library class belongs to a test framework or a build's runner.
    pub fn is_framework(&self, class: &str) -> bool {
        self.frameworks.hold(&self.loaded.libraries, class)
    }

    /// Whether a class is found in a library.
    pub fn is_library(&self, class: &str) -> bool {
        self.loaded.libraries.find(class).is_some()
    }

    /// The name of a file that lies in a directory of the class path: `a/b.txt`.
    pub fn resource<'p>(&self, path: &'p str) -> Option<&'p str> {
        self.launch.watched.iter().find_map(|root| path.strip_prefix(root.as_str())?.strip_prefix('/'))
    }

    /// Where the project begins.
    pub fn root(&self) -> &ProjectRoot {
        &self.root
    }

    /// An environment variable as the JVM has it.
    fn variable(&self, name: &str) -> Option<String> {
        match self.launch.environment.get(name) {
            Some(set) => set.clone(),
            None => std::env::var_os(name).map(|value| value.to_string_lossy().into_owned()),
        }
    }

    fn variables(&self) -> BTreeMap<String, String> {
        let ours = std::env::vars_os().map(|(name, _)| name.to_string_lossy().into_owned());
        let names: BTreeSet<String> = ours.chain(self.launch.environment.keys().cloned()).collect();
        names
            .into_iter()
            .filter(|name| !is_volatile(name))
            .filter_map(|name| self.variable(&name).map(|value| (name, value)))
            .collect()
    }

    fn property(&self, name: &str) -> Option<String> {
        if CLASS_PATHS.contains(&name) {
            return Some(self.launch.class_path.join(":"));
        }
        self.launch.properties.get(name).cloned()
    }

    fn of_jvm(&self, name: &str) -> Answer {
        let mut out = DigestEncoder::default();
        out.start(EncodingTag::Key);
        let mut text = |text: &str| out.bytes(self.root.relative(text).as_bytes());
        match name {
            "jdk" => JDK.iter().for_each(|name| text(&self.property(name).unwrap_or_default())),
            "flags" => self.launch.flags.iter().for_each(|flag| {
                text(flag);
                let directory = Path::new(&self.launch.directory);
                for file in flag_files(flag) {
                    text(&format!("{:?}", content(&directory.join(self.root.absolute(file)))));
                }
            }),
            "settings" => self.launch.runner_settings.iter().for_each(|(name, value)| {
                text(name);
                text(value);
            }),
            "defaults" => {
                DEFAULTS.iter().for_each(|name| text(&self.property(name).unwrap_or_default()));
                DEFAULT_VARIABLES.iter().for_each(|name| text(&self.variable(name).unwrap_or_default()));
                // Where no zone is named, the machine's.
                text(&format!("{:?}", content(Path::new("/etc/localtime"))));
            }
            "framework" => return self.frameworks.digest(),
            // Nobody sees what is looked for there, before any directory or without one.
            "archives" => {
                self.leading_archives().for_each(|entry| text(&format!("{:?}", content(entry))));
            }
            "suites" => return test_classes::answer(self),
            "given" => text(self.launch.requested_tests.as_deref()?),
            _ => return None,
        }
        Some(out.finish())
    }
}

/// Adds the types of annotations in the order in which they stand; what they say is part of the shape.
fn annotations_in_order(pool: &ConstantPool<'_>, attributes: &Attributes<'_>, out: &mut DigestEncoder) {
    if let Ok(Some(list)) = attributes.find(pool, AttributeKind::RuntimeVisibleAnnotations) {
        let _ = annotations(&mut list.cursor(), &mut |event| {
            if let AnnotationEvent::Annotation(name, _) = event {
                out.bytes(pool.utf8(name).unwrap_or_default());
            }
        });
    }
}

/// A world that is asked: answers are kept, since thousands of tests ask the same.
pub(super) struct AnswerCache<'w> {
    world: &'w ProjectWorld,
    /// Questions about code.
    pub code: CodeFacts<'w>,
    given: FxHashMap<Question, Answer>,
}

impl<'w> AnswerCache<'w> {
    /// Of this world.
    pub(super) fn new(world: &'w ProjectWorld) -> AnswerCache<'w> {
        AnswerCache { world, code: CodeFacts::new(world.snapshot()), given: FxHashMap::default() }
    }

    /// Whether a class is found in a library.
    pub(super) fn is_library(&self, class: &str) -> bool {
        self.world.is_library(class)
    }

    /// Gets ready to answer these: what lies in archives is read in one go.
    pub(super) fn expect<'q>(&mut self, questions: impl Iterator<Item = &'q Question>) {
        let names: BTreeSet<&str> = questions
            .filter(|question| question.kind == FactKind::Resource && !self.given.contains_key(*question))
            .map(|question| &*question.subject)
            .collect();
        if names.is_empty() {
            return;
        }
        for (name, answer) in self.world.resources(&names) {
            self.given.insert(Question::new(FactKind::Resource, name), answer);
        }
    }

    /// The answer of now.
    pub(super) fn answer(&mut self, question: &Question) -> Answer {
        if let Some(given) = self.given.get(question) {
            return *given;
        }
        let answer = self.find(question);
        self.given.insert(question.clone(), answer);
        answer
    }

    /// Forgets what was answered about files: they may have changed.
    pub(super) fn forget_files(&mut self) {
        self.given.retain(|question, _| {
            !matches!(question.kind, FactKind::File | FactKind::Exists | FactKind::Listing)
        });
    }

    fn find(&mut self, question: &Question) -> Answer {
        let (world, entity) = (self.world, &*question.subject);
        match question.kind {
            FactKind::Body
            | FactKind::Inherits
            | FactKind::Supers
            | FactKind::External
            | FactKind::Init
            | FactKind::Shape
            | FactKind::Class
            | FactKind::Debug => self.code.answer(question),
            FactKind::Library => world.library(entity),
            FactKind::Resource => world.resources(&BTreeSet::from([entity])).remove(entity).flatten(),
            FactKind::File => content(&world.root.file(entity)),
            FactKind::Exists => exists(&world.root.file(entity)),
            FactKind::Listing => listing(&world.root.file(entity)),
            FactKind::Environment if entity.is_empty() => Some(all(world.variables().iter(), &world.root)),
            // A library that takes them all is not taken to look at those that differ from one log-in or job to the next.
            FactKind::Environment if entity == "*" => {
                let variables = world.variables();
                Some(all(variables.iter().filter(|(name, _)| !is_of_session(name)), &world.root))
            }
            FactKind::Environment => world.variable(entity).map(|value| value_digest(&value, &world.root)),
            FactKind::Property if entity.is_empty() => {
                let counts = |(name, _): &(&String, &String)| !CLASS_PATHS.contains(&name.as_str());
                Some(all(world.launch.properties.iter().filter(counts), &world.root))
            }
            FactKind::Property => world.property(entity).map(|value| value_digest(&value, &world.root)),
            FactKind::Machine => machine(entity),
            FactKind::Jvm => world.of_jvm(entity),
        }
    }
}

impl ProjectWorld {
    /// The content of a class, wherever on the class path it is found first.
    /// A class, with all that it inherits from other libraries' classes: what is found there is its own.
    /// What a class file declares, in the order in which it stands there: reflection shows another one.
    fn declared_in_order(&self, class: &str) -> Answer {
        let path = &self.loaded.class_path;
        let mut bytes = Vec::new();
        path.read(path.find(class)?, &mut bytes).ok()?;
        let file = ClassFile::parse(&bytes).ok()?;
        let mut out = DigestEncoder::default();
        out.start(EncodingTag::Order);
        let own = file.name().ok()?;
        for member in file.fields.iter().chain(file.methods.iter()) {
            if member.access & access::SYNTHETIC == 0 {
                out.bytes(file.pool.utf8(member.name).ok()?);
                out.bytes(file.pool.utf8(member.descriptor).ok()?);
                annotations_in_order(&file.pool, &member.attributes, &mut out);
            }
        }
        annotations_in_order(&file.pool, &file.attributes, &mut out);
        if let Ok(Some(inner)) = file.attributes.find(&file.pool, AttributeKind::InnerClasses) {
            for [inner, outer, _, _] in inner.rows::<4>().into_iter().flat_map(|rows| rows.iter()) {
                if file.pool.class(outer).is_ok_and(|outer| outer == own) {
                    out.bytes(file.pool.class(inner).unwrap_or_default());
                }
            }
        }
        Some(out.finish())
    }

    fn library(&self, class: &str) -> Answer {
        if let Some(class) = class.strip_suffix(IN_ORDER) {
            return self.declared_in_order(class);
        }
        let mut out = DigestEncoder::default();
        out.start(EncodingTag::Raw);
        let mut todo = vec![class.to_owned()];
        let mut seen: BTreeSet<String> = BTreeSet::new();
        while let Some(next) = todo.pop() {
            if !seen.insert(next.clone()) {
                continue;
            }
            let mut bytes = Vec::new();
            let paths = [&self.loaded.class_path, &self.loaded.libraries];
            let found = paths.into_iter().find_map(|path| Some((path, path.find(&next)?)));
            let Some((path, entry)) = found else {
                if next == class {
                    return None;
                }
                continue; // The JDK's.
            };
            path.read(entry, &mut bytes).ok()?;
            out.digest(&Digest::of(&bytes));
            if let Ok(file) = ClassFile::parse(&bytes) {
                let above = file.super_name().ok().flatten().into_iter();
                let above = above.chain(file.interface_names().filter_map(Result::ok));
                todo.extend(above.map(|name| mutf8::decode(name).into_owned()));
            }
        }
        Some(out.finish())
    }

    /// The archives that are searched before any directory; frameworks' are facts of their own.
    pub(super) fn leading_archives(&self) -> impl Iterator<Item = &Path> {
        let entries = self.launch.class_path.iter().map(Path::new);
        let leading = entries.take_while(|entry| !entry.is_dir()).filter(|entry| entry.is_file());
        leading.filter(|entry| !self.frameworks.is_one(&self.loaded.libraries, entry))
    }

    /// The content of resources, all that bear a name, in the order of the class path.
    fn resources(&self, names: &BTreeSet<&str>) -> BTreeMap<String, Answer> {
        let mut found: BTreeMap<String, Vec<(usize, Digest)>> =
            names.iter().map(|name| ((*name).to_owned(), Vec::new())).collect();
        let places: FxHashMap<&str, usize> =
            self.launch.class_path.iter().enumerate().map(|(at, path)| (path.as_str(), at)).collect();
        for (at, path) in
            self.launch.class_path.iter().enumerate().filter(|(_, path)| Path::new(path).is_dir())
        {
            for (name, all) in &mut found {
                all.extend(content(&Path::new(path).join(name)).map(|digest| (at, digest)));
            }
        }
        for path in [&self.loaded.class_path, &self.loaded.libraries] {
            // An archive that cannot be read now could not be read then: the JVM fails alike.
            for resource in path.resources(|name| names.contains(name)).unwrap_or_default() {
                let at = path.roots().get(resource.root).and_then(|root| places.get(root.path.to_str()?));
                if let Some(all) = found.get_mut(&resource.name) {
                    all.push((at.copied().unwrap_or(usize::MAX), Digest::of(&resource.bytes)));
                }
            }
        }
        let digest = |mut all: Vec<(usize, Digest)>| {
            all.sort_unstable();
            let mut out = DigestEncoder::default();
            out.start(EncodingTag::Any);
            all.iter().for_each(|(_, digest)| out.digest(digest));
            (!all.is_empty()).then(|| out.finish())
        };
        found.into_iter().map(|(name, all)| (name, digest(all))).collect()
    }
}

/// The files that an option brings into the JVM: agents, additions to its own classes, more options.
fn flag_files(flag: &str) -> impl Iterator<Item = &str> {
    let options = ["-javaagent:", "-agentpath:", "-Xbootclasspath/a:", "-XX:VMOptionsFile=", "-XX:Flags="];
    let files = options.iter().find_map(|option| flag.strip_prefix(option));
    files.into_iter().flat_map(|files| files.split(':')).filter_map(|file| file.split('=').next())
}

/// The content of a file; of a directory, that it is one; of what cannot be read, that it cannot.
fn content(path: &Path) -> Answer {
    let metadata = fs::metadata(path).ok()?;
    if metadata.is_dir() {
        return Some(Digest::of(b"a directory"));
    }
    if !metadata.is_file() {
        return Some(Digest::of(b"neither file nor directory"));
    }
    match fs::read(path) {
        Ok(bytes) => {
            let mut out = DigestEncoder::default();
            out.start(EncodingTag::Raw).digest(&Digest::of(&bytes));
            Some(out.finish())
        }
        // Never the same twice: what cannot be read may have changed.
        Err(error) => Some(Digest::of(format!("{error} {:?}", metadata.modified().ok()).as_bytes())),
    }
}

fn exists(path: &Path) -> Answer {
    let metadata = fs::metadata(path).ok()?;
    let length = if metadata.is_file() { metadata.len() } else { 0 };
    let kind = if metadata.is_dir() { "directory" } else { "file" };
    // Of all permissions only this one travels with version control.
    let runs = metadata.is_file() && metadata.permissions().mode() & 0o100 != 0;
    let link = fs::read_link(path).unwrap_or_default();
    Some(Digest::of(format!("{kind} {length} {runs} {}", link.display()).as_bytes()))
}

fn listing(path: &Path) -> Answer {
    let entries = fs::read_dir(path).ok()?;
    let mut names: Vec<_> = entries.flatten().map(|entry| entry.file_name()).collect();
    names.sort_unstable();
    let mut out = DigestEncoder::default();
    out.start(EncodingTag::Any);
    names.iter().for_each(|name| out.bytes(name.as_encoded_bytes()));
    Some(out.finish())
}

fn value_digest(value: &str, root: &ProjectRoot) -> Digest {
    Digest::of(root.relative(value).as_bytes())
}

fn all<'a>(entries: impl Iterator<Item = (&'a String, &'a String)>, root: &ProjectRoot) -> Digest {
    let mut out = DigestEncoder::default();
    out.start(EncodingTag::Any);
    for (name, value) in entries {
        out.bytes(name.as_bytes());
        out.bytes(root.relative(value).as_bytes());
    }
    out.finish()
}

fn machine(what: &str) -> Answer {
    let text = match what {
        "processors" => std::thread::available_parallelism().map_or(0, usize::from).to_string(),
        "host" => fs::read_to_string("/proc/sys/kernel/hostname").unwrap_or_default(),
        "memory" => {
            let text = fs::read_to_string("/proc/meminfo").unwrap_or_default();
            text.lines().next().unwrap_or_default().to_owned()
        }
        _ => match what.strip_prefix("name ") {
            Some(name) => addresses(name),
            None => return None,
        },
    };
    Some(Digest::of(text.as_bytes()))
}

/// What a host's name stands for now. Nobody waits long for it: an answer that did not come is like no other.
fn addresses(name: &str) -> String {
    let (to, from) = mpsc::channel();
    let host = (name.to_owned(), 0);
    thread::spawn(move || {
        // In order: many programs take the first.
        let found: Vec<IpAddr> =
            host.to_socket_addrs().into_iter().flatten().map(|address| address.ip()).collect();
        let _ = to.send(format!("{found:?}"));
    });
    let unknown = |_| format!("{:?}", SystemTime::now());
    from.recv_timeout(NAME_TIME).unwrap_or_else(unknown)
}

/// How long to wait for a name.
const NAME_TIME: Duration = Duration::from_secs(2);

#[cfg(test)]
mod tests {
    use super::{exists, flag_files, machine};
    use std::fs;
    use std::os::unix::fs::{PermissionsExt, symlink};

    #[test]
    fn a_name_stands_for_the_same_until_it_does_not() {
        assert_eq!(machine("name localhost"), machine("name localhost"));
        assert_ne!(machine("name localhost"), machine("name nobody.invalid"));
    }

    #[test]
    fn what_can_be_executed_and_where_a_link_leads_is_seen() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        ["a", "b"].iter().for_each(|name| fs::write(at(name), "same").unwrap());
        assert_eq!(exists(&at("a")), exists(&at("b")));
        fs::set_permissions(at("b"), fs::Permissions::from_mode(0o755)).unwrap();
        assert_ne!(exists(&at("a")), exists(&at("b")));
        symlink("a", at("one")).unwrap();
        symlink("./a", at("other")).unwrap();
        assert_ne!(exists(&at("one")), exists(&at("other")));
    }

    #[test]
    fn options_name_the_files_that_they_bring() {
        let of = |flag: &'static str| flag_files(flag).collect::<Vec<_>>();
        assert_eq!(of("-Xbootclasspath/a:x.jar:y.jar"), ["x.jar", "y.jar"]);
        assert_eq!(of("-javaagent:x.jar=port=1"), ["x.jar"]);
        assert_eq!(of("-XX:VMOptionsFile=more"), ["more"]);
        assert!(of("-Xmx1g").is_empty());
    }
}
