//! JUnit 4, from 4.0: runners, their children, and what they tell the notifier.
//!
//! Everything is read from descriptions. Their display names have been `method(class)` for tests and the class for classes
//! since 4.0; the accessors for the parts are younger, and one of them initialises the class.

use crate::boundary::spans::{self, EventSource, SpanStart};
use crate::vm::{self, JavaEnv, JavaObject};
use tamis_wire::{Outcome, SpanKind, TestId};

const DESCRIPTION: &str = "()Lorg/junit/runner/Description;";

/// What most runners have for children. Asked by name first: a method that is not there costs an exception.
const METHODS: [&str; 2] = ["org.junit.runners.model.FrameworkMethod", "java.lang.reflect.Method"];

/// A runner is about to run; whether it shall not, because all its tests are to be skipped.
pub(crate) fn runner(jni: JavaEnv, runner: JavaObject) -> bool {
    let Some(description) = jni.call(runner, "getDescription", DESCRIPTION) else { return false };
    let (Some(key), identity) = (name(jni, description), vm::identity(runner)) else { return false };
    let class = test_class(jni, runner).or_else(|| {
        // A list of classes calls itself `All`, `null` or `classes`.
        let is_class = key.contains('.') || first_class(jni, description).as_ref() == Some(&key);
        (is_class && is_class_name(&key)).then(|| key.clone())
    });
    if spans::may_skip(jni.quiet(), EventSource::Junit) {
        let mut skipped = Vec::new();
        if is_all_skipped(jni, description, &mut skipped) == Some(true) {
            // Whole classes go with whatever runs them. Of single tests one must be sure that there are no others.
            let is_sure = |by: &TestId| by.method.is_none() || Some(&by.class) == class.as_ref();
            if skipped.iter().all(|by| by.method.is_none())
                || (skipped.iter().all(is_sure) && runs_what_it_describes(jni, runner))
            {
                spans::tell_skipped(skipped);
                return true;
            }
        }
    }
    let kind = if class.is_some() { SpanKind::Class } else { SpanKind::Container };
    let test = TestId { class: class.unwrap_or_default(), method: None };
    begin(jni, key, identity, kind, test, true);
    false
}

pub(crate) fn runner_finished(jni: JavaEnv, runner: JavaObject) {
    if let Some(identity) = vm::identity(runner) {
        spans::end_by(jni.quiet(), EventSource::Junit, identity, SpanKind::Class);
        spans::end_by(jni.quiet(), EventSource::Junit, identity, SpanKind::Container);
    }
}

/// A child of a runner is about to run; whether it shall not. Constructors of tests run before the notifier hears of them
/// until 4.12, so the test begins here.
pub(crate) fn child(
    jni: JavaEnv,
    runner: JavaObject,
    child: JavaObject,
    describe: &str,
    parameters: &str,
) -> bool {
    let is_method = jni.class_name(child).is_some_and(|class| METHODS.contains(&class.as_str()));
    if !is_method && jni.has_method(child, "run", "(Lorg/junit/runner/notification/RunNotifier;)V") {
        // A runner, which speaks for itself.
        return false;
    }
    let descriptor = format!("{parameters}Lorg/junit/runner/Description;");
    let Some(description) = jni.call_with(runner, describe, &descriptor, child) else { return false };
    if jni.call_boolean(description, "isTest") != Some(true) {
        return false;
    }
    let Some((key, test)) = described(jni, description) else { return false };
    if spans::may_skip(jni.quiet(), EventSource::Junit)
        && let Some(by) = spans::skipped_by(&test)
    {
        spans::tell_skipped(vec![by]);
        return true;
    }
    begin(jni, key, vm::identity(runner), SpanKind::Test, test, false);
    false
}

pub(crate) fn child_finished(jni: JavaEnv, runner: JavaObject) {
    if let Some(identity) = vm::identity(runner) {
        spans::end_by(jni.quiet(), EventSource::Junit, identity, SpanKind::Test);
    }
}

/// The runner of a class is being made: parameters are computed then, members looked up. `by` is who makes it.
pub(crate) fn building(jni: JavaEnv, by: JavaObject, class: JavaObject) {
    if let Some(class) = jni.call_string(class, "getName") {
        let test = TestId { class: class.clone(), method: None };
        begin(jni, class, vm::identity(by), SpanKind::Class, test, true);
    }
}

pub(crate) fn built(jni: JavaEnv, by: JavaObject) {
    if let Some(identity) = vm::identity(by) {
        spans::end_by(jni.quiet(), EventSource::Junit, identity, SpanKind::Class);
    }
}

pub(crate) fn started(jni: JavaEnv, description: JavaObject) {
    if let Some((key, test)) = described(jni, description) {
        begin(jni, key, None, SpanKind::Test, test, true);
    }
}

pub(crate) fn finished(jni: JavaEnv, description: JavaObject) {
    if let Some(key) = name(jni, description) {
        spans::end(jni.quiet(), EventSource::Junit, &key, None);
    }
}

pub(crate) fn failed(jni: JavaEnv, failure: JavaObject, outcome: Outcome) {
    let Some(description) = jni.call(failure, "getDescription", DESCRIPTION) else { return };
    let Some((key, test)) = described(jni, description) else { return };
    if !spans::will_end(jni.quiet(), EventSource::Junit, &key, outcome) {
        // Nothing is open that it could be the failure of.
        begin(jni, key.clone(), None, SpanKind::Test, test, true);
        spans::end(jni.quiet(), EventSource::Junit, &key, Some(outcome));
    }
}

/// A test, or all of a class.
pub(crate) fn ignored(jni: JavaEnv, description: JavaObject) {
    let Some((key, test)) = described(jni, description) else { return };
    if test.method.is_none() && spans::will_end(jni.quiet(), EventSource::Junit, &key, Outcome::Ignored) {
        return;
    }
    begin(jni, key.clone(), None, SpanKind::Test, test, true);
    spans::end(jni.quiet(), EventSource::Junit, &key, Some(Outcome::Ignored));
}

pub(super) fn begin(
    jni: JavaEnv,
    key: String,
    runner: Option<i32>,
    kind: SpanKind,
    test: TestId,
    certain: bool,
) {
    let leaf = kind == SpanKind::Test;
    spans::begin(
        jni.quiet(),
        SpanStart { source: EventSource::Junit, key, runner, kind, test, leaf, certain },
    );
}

/// Whether all tests of a description are to be skipped, and by what. One without tests is not: it may fail.
fn is_all_skipped(jni: JavaEnv, description: JavaObject, ids: &mut Vec<TestId>) -> Option<bool> {
    let children = jni.call(description, "getChildren", "()Ljava/util/ArrayList;")?;
    let mut any = false;
    let kept = jni.each(children, |child| {
        any = true;
        (is_all_skipped(jni, child, ids) != Some(true)).then_some(())
    });
    if any {
        return Some(kept.is_none());
    }
    let (_, test) = described(jni, description)?;
    ids.push(spans::skipped_by(&test)?);
    Some(true)
}

/// Whether a runner has no tests but those it describes: JUnit's own, and all that run children.
pub(super) fn runs_what_it_describes(jni: JavaEnv, runner: JavaObject) -> bool {
    jni.class_name(runner).is_some_and(|class| class.starts_with("org.junit."))
        || test_class(jni, runner).is_some()
}

/// The class that a `ParentRunner` runs, whatever it calls itself: `Parameterized` makes runners named `[0]`.
fn test_class(jni: JavaEnv, runner: JavaObject) -> Option<String> {
    let class = jni.call(runner, "getTestClass", "()Lorg/junit/runners/model/TestClass;")?;
    let class = jni.call(class, "getJavaClass", "()Ljava/lang/Class;")?;
    jni.call_string(class, "getName")
}

/// The class of the first test.
fn first_class(jni: JavaEnv, description: JavaObject) -> Option<String> {
    let children = jni.call(description, "getChildren", "()Ljava/util/ArrayList;")?;
    let mut first = None;
    jni.each(children, |child| {
        first = first_class(jni, child);
        Some(())
    });
    first.or_else(|| described(jni, description).map(|(_, test)| test.class))
}

fn name(jni: JavaEnv, description: JavaObject) -> Option<String> {
    jni.call_string(description, "getDisplayName")
}

fn described(jni: JavaEnv, description: JavaObject) -> Option<(String, TestId)> {
    let name = name(jni, description)?;
    let test = test_id(&name);
    Some((name, test))
}

/// `method(class)`, `method[parameters](class)`, or a class. No method of a JVM has a bracket in its name.
pub(super) fn test_id(name: &str) -> TestId {
    match name.strip_suffix(')').and_then(|rest| rest.rsplit_once('(')) {
        Some((method, class)) => {
            let method = method.split('[').next().unwrap_or_default();
            TestId { class: class.to_owned(), method: (!method.is_empty()).then(|| method.to_owned()) }
        }
        None => TestId { class: name.to_owned(), method: None },
    }
}

fn is_class_name(name: &str) -> bool {
    !name.is_empty() && !name.contains(|c: char| c.is_whitespace() || "()[]/;:".contains(c))
}

#[cfg(test)]
mod tests {
    use super::test_id;

    #[test]
    fn display_names_are_taken_apart() {
        let cases = [
            ("a(p.T)", "p.T", Some("a")),
            ("a[0](p.T$U)", "p.T$U", Some("a")),
            ("a[x (y) z](p.T)", "p.T", Some("a")),
            ("with blanks(p.T)", "p.T", Some("with blanks")),
            ("[0] 1, 2 (a)(p.T)", "p.T", None),
            ("p.T", "p.T", None),
        ];
        for (name, class, method) in cases {
            let id = test_id(name);
            assert_eq!((id.class.as_str(), id.method.as_deref()), (class, method), "{name}");
        }
    }
}
