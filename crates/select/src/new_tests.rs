//! Finds test classes and test methods without a recorded run, by their annotations, superclasses and names.
//!
//! For listing only: a run does not rely on it, because unknown tests always run.

use crate::decide::{Decision, RunReason, TestDecision};
use crate::stored::TestKey;
use crate::test_classes::is_test;
use crate::world::World;
use std::collections::BTreeSet;
use tamis_catalog::frameworks;
use tamis_classfile::read::annotation::{AnnotationEvent, annotations};
use tamis_classfile::read::attribute::AttributeKind;
use tamis_classfile::{ClassFile, Member, access};
use tamis_program::names::{ClassName, dotted};
use tamis_program::snapshot::{ClassId, Snapshot};

/// Adds test classes that are not decided yet, and new methods of classes that are. Only directories and
/// archives with recorded tests are searched.
pub fn add(world: &dyn World, module: &str, tests: &mut Vec<TestDecision>) {
    let heard: BTreeSet<String> =
        tests.iter().map(|test| ClassName::from_dotted(&test.key.class).into_string()).collect();
    let snapshot = world.snapshot();
    let mut added = Vec::new();
    for name in world.classes_beside(&heard) {
        let Some(id) = snapshot.find(name) else { continue };
        if !heard.contains(name) {
            added.extend(is_test(snapshot, id).then(|| new(module, name, None)));
            continue;
        }
        let class = dotted(name);
        let known: BTreeSet<&str> = tests
            .iter()
            .filter(|test| test.key.class == class)
            .flat_map(|test| test.key.method.iter().chain(&test.methods))
            .map(String::as_str)
            .collect();
        // Some runners report no methods: then a class is one test.
        if !known.is_empty() {
            let methods = test_methods(world, id);
            let unknown = methods.into_iter().filter(|method| !known.contains(method.as_str()));
            added.extend(unknown.map(|method| new(module, name, Some(method))));
        }
    }
    tests.extend(added);
    tests.sort_by(|a, b| a.key.cmp(&b.key));
}

/// The test classes of a directory of class files.
pub fn in_directory(module: &str, snapshot: &Snapshot) -> Vec<TestDecision> {
    let found = snapshot.project().filter(|id| is_test(snapshot, *id));
    found.map(|id| new(module, snapshot.class(id).name(), None)).collect()
}

fn new(module: &str, class: &str, method: Option<String>) -> TestDecision {
    TestDecision {
        key: TestKey { module: module.to_owned(), class: dotted(class), method },
        tests: 1,
        methods: Vec::new(),
        whole: None,
        decision: Decision::Run(RunReason::New),
        microseconds: 0,
    }
}

/// The test methods that a class declares or inherits within the project.
pub(crate) fn test_methods(world: &dyn World, id: ClassId) -> BTreeSet<String> {
    let snapshot = world.snapshot();
    let (above, missing) = snapshot.supertypes(id);
    let prefix =
        above.iter().map(|id| snapshot.class(*id).name()).chain(missing).find_map(frameworks::named_tests);
    let mut found = BTreeSet::new();
    for class in above.into_iter().filter(|above| snapshot.is_project(*above)).chain([id]) {
        let Some(Ok(bytes)) = world.class_file(snapshot.class(class).name()) else { continue };
        let Ok(file) = ClassFile::parse(&bytes) else { continue };
        for method in file.methods.iter().filter(|method| method.access & access::ABSTRACT == 0) {
            let Ok(name) = file.pool.text(method.name) else { continue };
            let named = prefix.is_some_and(|prefix| name.starts_with(prefix))
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
            is_test |= frameworks::is_test_annotation_type(&name);
        }
    });
    is_test
}
