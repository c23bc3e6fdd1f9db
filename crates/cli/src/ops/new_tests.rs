//! Test classes, and test methods of known ones, that nothing is recorded of, found by what is in them.
//!
//! For listing only. A run never relies on it: whatever is not known runs.

use super::decide::{RunCause, TestDecision, TestVerdict};
use super::test_classes::{ANNOTATIONS, SUPERCLASSES, is_test};
use super::world::ProjectWorld;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use tamis_classfile::read::annotation::{AnnotationEvent, annotations};
use tamis_classfile::read::attribute::AttributeKind;
use tamis_classfile::{ClassFile, Member, access};
use tamis_program::snapshot::{ClassId, Snapshot};
use tamis_project::classpath::ClassPath;
use tamis_select::decide::RunReason;
use tamis_store::traces::TestKey;

/// Adds the test classes of a world that are not among those decided about, and new methods of those that are. They lie where
/// others do.
pub(super) fn add(world: &ProjectWorld, module: &str, tests: &mut Vec<TestDecision>) {
    let path = &world.loaded.class_path;
    let heard: BTreeSet<String> = tests.iter().map(|test| test.key.class.replace('.', "/")).collect();
    let roots: BTreeSet<usize> =
        heard.iter().filter_map(|class| path.find(class)).map(|entry| entry.root()).collect();
    let snapshot = world.snapshot();
    let mut added = Vec::new();
    for entry in path.classes().iter().filter(|entry| roots.contains(&entry.root())) {
        let Some(id) = snapshot.find(&entry.name) else { continue };
        if !heard.contains(&*entry.name) {
            added.extend(is_test(snapshot, id).then(|| new(module, &entry.name, None)));
            continue;
        }
        let class = entry.name.replace('/', ".");
        let known: BTreeSet<&str> = tests
            .iter()
            .filter(|test| test.key.class == class)
            .flat_map(|test| test.key.method.iter().chain(&test.methods))
            .map(String::as_str)
            .collect();
        // Runners that know no methods: a class is one test.
        if !known.is_empty() {
            let methods = test_methods(snapshot, path, id);
            let unknown = methods.into_iter().filter(|method| !known.contains(method.as_str()));
            added.extend(unknown.map(|method| new(module, &entry.name, Some(method))));
        }
    }
    tests.extend(added);
    tests.sort_by(|a, b| a.key.cmp(&b.key));
}

/// The test classes of a directory of class files.
pub(super) fn in_directory(module: &str, snapshot: &Snapshot) -> Vec<TestDecision> {
    let found = snapshot.project().filter(|id| is_test(snapshot, *id));
    found.map(|id| new(module, snapshot.class(id).name(), None)).collect()
}

/// Directories where builds put the classes of tests.
pub(super) fn directories(root: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut todo = vec![(root.to_owned(), 0)];
    while let Some((folder, depth)) = todo.pop() {
        let Ok(entries) = std::fs::read_dir(&folder) else { continue };
        for entry in entries.flatten().filter(|entry| entry.file_type().is_ok_and(|kind| kind.is_dir())) {
            let (name, path) = (entry.file_name(), entry.path());
            if name == "test-classes" || path.ends_with("build/classes/java/test") {
                found.push(path);
            } else if depth < 6 && !name.as_encoded_bytes().starts_with(b".") && name != "node_modules" {
                todo.push((path, depth + 1));
            }
        }
    }
    found.sort();
    found
}

fn new(module: &str, class: &str, method: Option<String>) -> TestDecision {
    TestDecision {
        key: TestKey { module: module.to_owned(), class: class.replace('/', "."), method },
        tests: 1,
        methods: Vec::new(),
        whole: None,
        verdict: TestVerdict::Run(RunCause::without_facts(RunReason::New)),
        microseconds: 0,
    }
}

/// The test methods that a class has, its own and those that it inherits within the project.
fn test_methods(snapshot: &Snapshot, path: &ClassPath, id: ClassId) -> BTreeSet<String> {
    let (above, missing) = snapshot.supertypes(id);
    let is_junit3 =
        above.iter().map(|id| snapshot.class(*id).name()).chain(missing).any(|name| name == SUPERCLASSES[0]);
    let mut found = BTreeSet::new();
    let mut bytes = Vec::new();
    for class in above.into_iter().filter(|above| snapshot.is_project(*above)).chain([id]) {
        let Some(entry) = path.find(snapshot.class(class).name()) else { continue };
        if path.read(entry, &mut bytes).is_err() {
            continue;
        }
        let Ok(file) = ClassFile::parse(&bytes) else { continue };
        for method in file.methods.iter().filter(|method| method.access & access::ABSTRACT == 0) {
            let Ok(name) = file.pool.text(method.name) else { continue };
            let named = is_junit3
                && name.starts_with("test")
                && method.access & access::PUBLIC != 0
                && file.pool.text(method.descriptor).is_ok_and(|descriptor| descriptor == "()V");
            if named || is_annotated(&file, &method) {
                found.insert(name.into_owned());
            }
        }
    }
    found
}

fn is_annotated(file: &ClassFile<'_>, method: &Member<'_>) -> bool {
    let Ok(Some(list)) = method.attributes.find(&file.pool, AttributeKind::RuntimeVisibleAnnotations) else {
        return false;
    };
    let mut is_test = false;
    let _ = annotations(&mut list.cursor(), &mut |event| {
        if let AnnotationEvent::Annotation(name, _) = event
            && let Ok(name) = file.pool.text(name)
        {
            let name = name.strip_prefix('L').and_then(|name| name.strip_suffix(';'));
            is_test |= name.is_some_and(|name| ANNOTATIONS.contains(&name));
        }
    });
    is_test
}
