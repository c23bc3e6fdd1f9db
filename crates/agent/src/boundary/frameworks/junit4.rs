//! JUnit 4, from 4.0: runners, their children, and events of the notifier.
//!
//! Names are read from descriptions. Since 4.0 a display name is `method(class)` for a test and the class name for a class. The
//! accessors for the parts are more recent, and one of them initialises the class.

use crate::boundary::failure;
use crate::boundary::spans::{self, EventSource, SpanStart};
use crate::vm::{self, JavaEnv, JavaObject};
use tamis_catalog::frameworks::junit4 as known;
use tamis_catalog::is_class;
use tamis_wire::{Outcome, SpanKind, TestId};

const DESCRIPTION: &str = "()Lorg/junit/runner/Description;";

/// A runner is about to run; whether to skip it, because all its tests are skipped.
pub(crate) fn runner(jni: JavaEnv, runner: JavaObject) -> bool {
    let Some(description) = jni.call(runner, "getDescription", DESCRIPTION) else { return false };
    let (Some(key), identity) = (name(jni, description), vm::identity(runner)) else { return false };
    let class = test_class(jni, runner).or_else(|| {
        // A list of classes is named `All`, `null` or `classes`.
        let is_class = key.contains('.') || first_class(jni, description).as_ref() == Some(&key);
        (is_class && is_class_name(&key)).then(|| key.clone())
    });
    if spans::may_skip(jni.quiet(), EventSource::Junit) {
        let mut skipped = Vec::new();
        if is_all_skipped(jni, description, &mut skipped) == Some(true) {
            // Whole classes are skipped by any runner. Single tests are skipped only if the runner has no others.
            let is_sure = |by: &TestId| by.method.is_none() || Some(&by.class) == class.as_ref();
            if skipped.iter().all(|by| by.method.is_none())
                || (skipped.iter().all(is_sure) && runs_what_it_describes(jni, runner))
            {
                spans::report_skipped(skipped);
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

/// A child of a runner is about to run; whether to skip it. Up to 4.12 the constructor of a test runs before the event of the
/// notifier, so the test begins here.
pub(crate) fn child(
    jni: JavaEnv,
    runner: JavaObject,
    child: JavaObject,
    describe: &str,
    parameters: &str,
) -> bool {
    // The class name is compared first: a missing method costs an exception.
    let is_method = jni
        .class_name(child)
        .is_some_and(|class| known::CHILDREN.iter().any(|known| is_class(known, &class)));
    if !is_method && jni.has_method(child, "run", "(Lorg/junit/runner/notification/RunNotifier;)V") {
        // A runner, which has its own hook.
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
        spans::report_skipped(vec![by]);
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

/// The runner of a class is about to be built, which computes parameters and looks up members. `by` is the builder.
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
    let error = jni.call(failure, "getException", "()Ljava/lang/Throwable;");
    let read = error.filter(|_| outcome == Outcome::Failed).and_then(|error| failure::read(jni, error));
    let report = || {
        if let Some(read) = read {
            spans::failed_with(jni.quiet(), EventSource::Junit, Some(&key), read);
        }
    };
    if spans::will_end(jni.quiet(), EventSource::Junit, &key, outcome) {
        report();
    } else {
        // No open test can have failed.
        begin(jni, key.clone(), None, SpanKind::Test, test, true);
        report();
        spans::end(jni.quiet(), EventSource::Junit, &key, Some(outcome));
    }
}

/// A test or a whole class is ignored.
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

/// Whether all tests of a description are skipped; collects the entries of the plan that skip them. A description without tests
/// is not skipped, because its runner may fail.
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

/// Whether a runner runs only the tests that it describes: JUnit's own runners, and subclasses of `ParentRunner`.
pub(super) fn runs_what_it_describes(jni: JavaEnv, runner: JavaObject) -> bool {
    jni.class_name(runner).is_some_and(|class| known::is_own_runner(&class))
        || test_class(jni, runner).is_some()
}

/// The class that a `ParentRunner` runs. Its name may differ: `Parameterized` creates runners named `[0]`.
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
    fn a_display_name_is_split_into_class_and_method() {
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
