//! JUnit 3, alone or run by JUnit 4: suites, test cases, and results.
//!
//! A test is named as in JUnit 4, `method(class)`, so that events of both are about the same test.

use super::junit4::{begin, test_id};
use crate::boundary::failure;
use crate::boundary::spans::{self, EventSource};
use crate::vm::{self, JavaEnv, JavaObject};
use tamis_catalog::frameworks::junit3::FACADE;
use tamis_catalog::is_class;
use tamis_wire::{Outcome, SpanKind, TestId};

/// A suite is about to run; whether to skip it, because all its tests are skipped.
pub(crate) fn suite(jni: JavaEnv, suite: JavaObject) -> bool {
    if spans::may_skip(jni.quiet(), EventSource::Junit) {
        let mut skipped = Vec::new();
        if is_all_skipped(jni, suite, &mut skipped) {
            spans::report_skipped(skipped);
            return true;
        }
    }
    // A suite of the tests of a class has the name of the class; any other is a list.
    let name = jni.call_string(suite, "getName");
    let class = first_test(jni, suite, |test| jni.class_name(test));
    if let (Some(name), true) = (name, class.is_some())
        && Some(&name) == class.as_ref()
    {
        let test = TestId { class: name.clone(), method: None };
        begin(jni, name, vm::identity(suite), SpanKind::Class, test, true);
    }
    false
}

pub(crate) fn suite_finished(jni: JavaEnv, suite: JavaObject) {
    if let Some(identity) = vm::identity(suite) {
        spans::end_by(jni.quiet(), EventSource::Junit, identity, SpanKind::Class);
    }
}

/// A test case is about to run; whether to skip it.
pub(crate) fn test(jni: JavaEnv, test: JavaObject) -> bool {
    if !spans::may_skip(jni.quiet(), EventSource::Junit) {
        return false;
    }
    let by = name(jni, test).and_then(|name| spans::skipped_by(&test_id(&name)));
    let skip = by.is_some();
    spans::report_skipped(by.into_iter().collect());
    skip
}

pub(crate) fn started(jni: JavaEnv, test: JavaObject) {
    if let Some(name) = name(jni, test) {
        let id = test_id(&name);
        begin(jni, name, None, SpanKind::Test, id, true);
    }
}

pub(crate) fn finished(jni: JavaEnv, test: JavaObject) {
    if let Some(name) = name(jni, test) {
        spans::end(jni.quiet(), EventSource::Junit, &name, None);
    }
}

pub(crate) fn failed(jni: JavaEnv, test: JavaObject, error: JavaObject) {
    if let Some(name) = name(jni, test) {
        if let Some(failure) = failure::read(jni, error) {
            spans::failed_with(jni.quiet(), EventSource::Junit, Some(&name), failure);
        }
        spans::will_end(jni.quiet(), EventSource::Junit, &name, Outcome::Failed);
    }
}

/// Whether all tests of a suite are skipped; collects the entries of the plan that skip them. Decorated tests are not skipped,
/// because their decorator runs code.
fn is_all_skipped(jni: JavaEnv, suite: JavaObject, ids: &mut Vec<TestId>) -> bool {
    let mut any = false;
    let kept = each_test(jni, suite, |test| {
        any = true;
        let skip = if jni.has_method(test, "runBare", "()V") {
            let by = name(jni, test).and_then(|name| spans::skipped_by(&test_id(&name)));
            let skip = by.is_some();
            ids.extend(by);
            skip
        } else {
            is_all_skipped(jni, test, ids)
        };
        (!skip).then_some(())
    });
    any && kept.is_none()
}

fn first_test<R>(
    jni: JavaEnv,
    suite: JavaObject,
    mut work: impl FnMut(JavaObject) -> Option<R>,
) -> Option<R> {
    let mut first = None;
    each_test(jni, suite, |test| {
        first = work(test);
        Some(())
    });
    first
}

fn each_test<R>(jni: JavaEnv, suite: JavaObject, work: impl FnMut(JavaObject) -> Option<R>) -> Option<R> {
    // A Vector in every version; `tests()` is an Enumeration of it.
    let tests = jni.field_of(suite, "fTests", "Ljava/util/Vector;")?;
    jni.each(tests, work)
}

/// `testName(class)`; a `Test` that is not a test case has no name.
fn name(jni: JavaEnv, test: JavaObject) -> Option<String> {
    let class = jni.class_name(test).filter(|class| !is_class(FACADE, class))?;
    Some(format!("{}({class})", jni.call_string(test, "getName").unwrap_or_default()))
}
