//! JUnit Platform: nodes of the test plan, of any engine.
//!
//! A node is identified by its unique id. If an ancestor names the test class, that class is used: in some versions the source of
//! an inherited method names the class that declares it, and not the class that runs.

use super::junit4;
use crate::boundary::failure;
use crate::boundary::spans::{self, EventSource, SpanStart};
use crate::recorder;
use crate::skip_switch;
use crate::vm::{JavaEnv, JavaObject};
use std::sync::atomic::{AtomicBool, Ordering};
use tamis_catalog::frameworks::vintage;
use tamis_catalog::is_class;
use tamis_wire::{Outcome, SpanKind, TestId};

/// The properties of a `TestDescriptor`.
struct DescriptorNode {
    key: String,
    /// The class and the method that its source names.
    class: Option<String>,
    method: Option<String>,
}

/// Whether the event that lists all tests has occurred.
static PLANNED: AtomicBool = AtomicBool::new(false);

/// The task of a node prepares to run it.
pub(crate) fn prepared(jni: JavaEnv, task: JavaObject) {
    if let Some(node) = jni.field_of(task, "testDescriptor", "Lorg/junit/platform/engine/TestDescriptor;") {
        started(jni, node);
    }
}

/// A node is prepared, or begins to run.
pub(crate) fn started(jni: JavaEnv, node: JavaObject) {
    let Some(read) = read(jni, node) else { return };
    let is_engine = !read.key.contains('/');
    if is_engine && !PLANNED.swap(true, Ordering::Relaxed) {
        skip_switch::turn_off();
        recorder::with(|recorder| {
            recorder
                .gap("the JUnit Platform makes its plan in a way not known: nothing is skipped".to_owned());
        });
    }
    let leaf = jni.call_boolean(node, "isTest") == Some(true);
    let key = read.key.clone();
    let kind = match (&read.class, &read.method) {
        _ if leaf => SpanKind::Test,
        (_, Some(_)) => SpanKind::Test,
        (Some(_), None) => SpanKind::Class,
        (None, None) => SpanKind::Container,
    };
    let test = if is_engine { TestId::default() } else { own(read, &spans::above(&key)) };
    spans::begin(
        jni.quiet(),
        SpanStart { source: EventSource::Platform, key, runner: None, kind, test, leaf, certain: true },
    );
}

pub(crate) fn finished(jni: JavaEnv, node: JavaObject, result: JavaObject) {
    let status = jni
        .call(result, "getStatus", "()Lorg/junit/platform/engine/TestExecutionResult$Status;")
        .and_then(|status| jni.call_string(status, "name"));
    let outcome = match status.as_deref() {
        Some("SUCCESSFUL") => Outcome::Passed,
        Some("FAILED") => Outcome::Failed,
        Some("ABORTED") => Outcome::Aborted,
        _ => Outcome::Unknown,
    };
    if let Some(key) = key(jni, node) {
        let error = optional(jni, result, "getThrowable").filter(|_| outcome == Outcome::Failed);
        if let Some(failure) = error.and_then(|error| failure::read(jni, error)) {
            spans::failed_with(jni.quiet(), EventSource::Platform, Some(&key), failure);
        }
        spans::end(jni.quiet(), EventSource::Platform, &key, Some(outcome));
    }
}

/// The framework skips a disabled test.
pub(crate) fn skipped(jni: JavaEnv, node: JavaObject) {
    started(jni, node);
    if let Some(key) = key(jni, node) {
        spans::end(jni.quiet(), EventSource::Platform, &key, Some(Outcome::Ignored));
    }
}

/// All tests are known and none has run. `found` is the result of discovery, or the nodes of the engines.
pub(crate) fn planned(jni: JavaEnv, found: JavaObject) {
    PLANNED.store(true, Ordering::Relaxed);
    if !spans::may_skip(jni.quiet(), EventSource::Platform) {
        return;
    }
    let engines = ["getEngineTestDescriptors", "getEngineDescriptors"]
        .into_iter()
        .find_map(|name| jni.call(found, name, "()Ljava/util/Collection;"))
        .unwrap_or(found);
    let mut skipped = Vec::new();
    jni.each(engines, |engine| -> Option<()> {
        sweep_children(jni, engine, &TestId::default(), &mut skipped);
        None
    });
    spans::report_skipped(skipped);
}

/// Removes the nodes below a node whose tests are all skipped, as a filter of the launcher would.
fn sweep_children(jni: JavaEnv, node: JavaObject, inherited: &TestId, skipped: &mut Vec<TestId>) {
    for list in lists(jni, node) {
        jni.each(list.children, |child| -> Option<()> {
            let mut ids = Vec::new();
            if is_all_skipped(jni, child, inherited, &mut ids) == Some(true) {
                if is_sure(jni, child, &ids) && list.remove(jni, child) {
                    skipped.append(&mut ids);
                }
            } else if let Some(known) = test_of(jni, child, inherited) {
                sweep_children(jni, child, &known, skipped);
            }
            None
        });
    }
}

/// Whether all tests of a node are skipped; collects the entries of the plan that skip them. Only tests are looked up: a
/// container is skipped if everything in it is.
fn is_all_skipped(jni: JavaEnv, node: JavaObject, inherited: &TestId, ids: &mut Vec<TestId>) -> Option<bool> {
    let known = test_of(jni, node, inherited)?;
    let (mut any, mut kept) = (false, None);
    for list in lists(jni, node) {
        kept = kept.or_else(|| {
            jni.each(list.children, |child| {
                any = true;
                (is_all_skipped(jni, child, &known, ids) != Some(true)).then_some(())
            })
        });
    }
    if any {
        return Some(kept.is_none());
    }
    // A container without children creates them when it runs: below a method they belong to the method, elsewhere unknown.
    if known.method.is_none() && jni.call_boolean(node, "isTest") != Some(true) {
        return Some(false);
    }
    ids.push(spans::skipped_by(&known)?);
    Some(true)
}

/// Whether a node runs only the tests below it. A runner of JUnit 4 may run others; then only its whole class is skipped.
fn is_sure(jni: JavaEnv, node: JavaObject, ids: &[TestId]) -> bool {
    ids.iter().all(|by| by.method.is_none())
        || !jni.class_name(node).is_some_and(|class| is_class(vintage::RUNNER, &class))
        || jni
            .field_of(node, "runner", "Lorg/junit/runner/Runner;")
            .is_some_and(|runner| junit4::runs_what_it_describes(jni, runner))
}

/// A list of children of a node.
struct ChildList {
    children: JavaObject,
    is_hidden: bool,
}

impl ChildList {
    /// Removes a child; false if the engine refuses. Vintage does so if a runner cannot exclude single tests.
    fn remove(&self, jni: JavaEnv, child: JavaObject) -> bool {
        if self.is_hidden && !jni.remove(self.children, child) {
            return false;
        }
        let class = jni.class_name(child).unwrap_or_default();
        if is_class(vintage::TEST, &class)
            && !jni.has_method(child, "tryToExcludeFromRunner", "(Lorg/junit/runner/Description;)Z")
        {
            // Before 5.1 the node would be removed, and the test would still run.
            return false;
        }
        jni.call_void(child, "removeFromHierarchy") && optional(jni, child, "getParent").is_none()
    }
}

/// The children of a node. Jupiter's class templates (5.13) move theirs to another list, to copy them for each invocation.
fn lists(jni: JavaEnv, node: JavaObject) -> impl Iterator<Item = ChildList> {
    let children = jni.call(node, "getChildren", "()Ljava/util/Set;");
    let is_bare = children.is_some_and(|children| jni.call_boolean(children, "isEmpty") == Some(true));
    let hidden = is_bare.then(|| jni.field_of(node, "childrenPrototypes", "Ljava/util/List;")).flatten();
    let list = |is_hidden| move |children| ChildList { children, is_hidden };
    children.map(list(false)).into_iter().chain(hidden.map(list(true)))
}

/// The test or class of a node.
fn test_of(jni: JavaEnv, node: JavaObject, inherited: &TestId) -> Option<TestId> {
    Some(own(read(jni, node)?, inherited))
}

/// The class and method of a node, or those of the node that it is in.
fn own(node: DescriptorNode, inherited: &TestId) -> TestId {
    match (node.class, node.method) {
        // Nodes below a method belong to the method.
        _ if inherited.method.is_some() => inherited.clone(),
        (class, Some(method)) => {
            let class =
                if inherited.class.is_empty() { class.unwrap_or(node.key) } else { inherited.class.clone() };
            TestId { class, method: Some(method) }
        }
        (Some(class), None) => TestId { class: inherited_name(class, &node.key, inherited), method: None },
        (None, None) if !inherited.class.is_empty() => inherited.clone(),
        // A test without a class, such as one of a feature file, is identified by its unique id.
        (None, None) => TestId { class: node.key, method: None },
    }
}

/// The name of a nested class that a test class inherits: it has the name of the inheriting class in front. Otherwise the tests of
/// all inheriting classes would be the same.
fn inherited_name(class: String, key: &str, inherited: &TestId) -> String {
    let is_nested = key.rsplit('/').next().is_some_and(|segment| segment.starts_with("[nested-class"));
    let outer = &inherited.class;
    let is_inside = class.strip_prefix(outer.as_str()).is_some_and(|rest| rest.starts_with('$'));
    match class.rsplit_once('$') {
        Some((_, inner)) if is_nested && !outer.is_empty() && !is_inside => format!("{outer}${inner}"),
        _ => class,
    }
}

fn read(jni: JavaEnv, node: JavaObject) -> Option<DescriptorNode> {
    let key = key(jni, node)?;
    let source = optional(jni, node, "getSource");
    // The class name is compared first: a missing method costs an exception.
    let kind = source.and_then(|source| jni.class_name(source)).unwrap_or_default();
    let (is_class, is_method) = (kind.ends_with("ClassSource"), kind.ends_with("MethodSource"));
    let text = |name: &str| source.and_then(|source| jni.call_string(source, name));
    Some(DescriptorNode {
        key,
        class: (is_class || is_method).then(|| text("getClassName")).flatten(),
        method: is_method.then(|| text("getMethodName")).flatten(),
    })
}

fn key(jni: JavaEnv, node: JavaObject) -> Option<String> {
    let id = jni.call(node, "getUniqueId", "()Lorg/junit/platform/engine/UniqueId;")?;
    jni.call_string(id, "toString")
}

fn optional(jni: JavaEnv, object: JavaObject, name: &str) -> Option<JavaObject> {
    jni.call(object, name, "()Ljava/util/Optional;")
        .filter(|optional| jni.call_boolean(*optional, "isPresent") == Some(true))
        .and_then(|optional| jni.call(optional, "get", "()Ljava/lang/Object;"))
}

#[cfg(test)]
mod tests {
    use super::{TestId, inherited_name};

    #[test]
    fn an_inherited_nested_class_has_the_name_of_the_inheriting_class() {
        let below = |outer: &str| TestId { class: outer.to_owned(), method: None };
        let nested = "[engine:junit-jupiter]/[class:ATest]/[nested-class:Empty]";
        let name = |class: &str, key, outer| inherited_name(class.to_owned(), key, &below(outer));
        assert_eq!(name("Contract$Empty", nested, "ATest"), "ATest$Empty");
        assert_eq!(name("ATest$Empty", nested, "ATest"), "ATest$Empty");
        assert_eq!(name("ATestMore$Empty", nested, "ATest"), "ATest$Empty");
        // A class in a suite keeps its name.
        assert_eq!(name("ATest$Inner", "[suite:All]/[class:ATest$Inner]", "All"), "ATest$Inner");
    }
}
