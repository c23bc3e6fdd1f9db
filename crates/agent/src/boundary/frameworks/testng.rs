//! TestNG 6 and 7: suites, set-up of classes, and test methods with all their invocations.
//!
//! TestNG mixes the methods of different classes, so a class has a span around each of its methods. Shared set-up and tear-down
//! run before the first and after the last of them.

use crate::boundary::failure;
use crate::boundary::spans::{self, EventSource, SpanStart};
use crate::recorder;
use crate::skip_switch;
use crate::threads::stacks;
use crate::vm::{self, JVMTI, JavaEnv, JavaObject};
use tamis_catalog::frameworks::testng as known;
use tamis_wire::{Outcome, SpanKind, TestFailure, TestId};

const METHODS: &str = "[Lorg/testng/ITestNGMethod;";
const SUITE: &str = "TestNG";

pub(crate) fn suite_started(jni: JavaEnv, suite: JavaObject) {
    begin(jni, SUITE.to_owned(), vm::identity(suite), SpanKind::Container, TestId::default());
}

pub(crate) fn suite_finished(jni: JavaEnv, suite: JavaObject) {
    if let Some(identity) = vm::identity(suite) {
        spans::end_by(jni.quiet(), EventSource::Testng, identity, SpanKind::Container);
    }
}

pub(crate) fn class_started(jni: JavaEnv, class: JavaObject) {
    if let Some(class) = class_name(jni, class) {
        begin(jni, class.clone(), None, SpanKind::Class, TestId { class, method: None });
    }
}

pub(crate) fn class_finished(jni: JavaEnv, class: JavaObject) {
    if let Some(class) = class_name(jni, class) {
        spans::end(jni.quiet(), EventSource::Testng, &class, None);
    }
}

/// A set-up or tear-down method has run. If it fails, the innermost boundary fails.
pub(crate) fn configured(jni: JavaEnv, result: JavaObject) {
    const FAILURE: i32 = 2;
    const SKIP: i32 = 3;
    let outcome = match jni.call_int(result, "getStatus") {
        Some(FAILURE) => Outcome::Failed,
        Some(SKIP) => Outcome::Aborted,
        _ => return,
    };
    if outcome == Outcome::Failed
        && let Some(failure) = error_of(jni, result)
    {
        spans::failed_with(jni.quiet(), EventSource::Testng, None, failure);
    }
    spans::innermost_will_end(jni.quiet(), EventSource::Testng, outcome);
}

pub(crate) fn started(jni: JavaEnv, method: JavaObject) {
    if let Some(test) = test_id(jni, method) {
        begin(jni, key(&test), None, SpanKind::Test, test);
    }
}

pub(crate) fn finished(jni: JavaEnv, results: JavaObject, method: JavaObject) {
    let Some(test) = test_id(jni, method) else { return };
    let mut any = false;
    jni.each(results, |result| -> Option<()> {
        any = true;
        let outcome = match jni.call_int(result, "getStatus") {
            // 4: failed, but within the success percentage.
            Some(1 | 4) => Outcome::Passed,
            Some(2) => Outcome::Failed,
            Some(3) => Outcome::Aborted,
            _ => Outcome::Unknown,
        };
        if outcome == Outcome::Failed
            && let Some(failure) = error_of(jni, result)
        {
            spans::failed_with(jni.quiet(), EventSource::Testng, Some(&key(&test)), failure);
        }
        spans::will_end(jni.quiet(), EventSource::Testng, &key(&test), outcome);
        None
    });
    spans::end(jni.quiet(), EventSource::Testng, &key(&test), (!any).then_some(Outcome::Ignored));
}

/// The error of a result.
fn error_of(jni: JavaEnv, result: JavaObject) -> Option<TestFailure> {
    failure::read(jni, jni.call(result, "getThrowable", "()Ljava/lang/Throwable;")?)
}

/// A test method, with the properties that decide whether it can be skipped.
struct TestNgMethod {
    skip: Option<TestId>,
    name: String,
    groups: Vec<String>,
    needs_methods: Vec<String>,
    needs_groups: Vec<String>,
}

/// All classes of a test are known and none has run. Skipped methods are removed from the list of their class, from which TestNG
/// derives everything else.
pub(crate) fn found(jni: JavaEnv, classes: JavaObject) {
    if !spans::may_skip(jni.quiet(), EventSource::Testng) {
        return;
    }
    let mut all: Vec<Vec<TestNgMethod>> = Vec::new();
    jni.each(classes, |class| -> Option<()> {
        all.push(methods(jni, class));
        None
    });
    keep_what_others_need(&mut all);
    let (mut skipped, mut at) = (Vec::new(), 0);
    jni.each(classes, |class| -> Option<()> {
        let methods = all.get(at)?;
        at += 1;
        let kept: Vec<usize> =
            (0..methods.len()).filter(|i| methods.get(*i).is_some_and(|m| m.skip.is_none())).collect();
        if kept.len() < methods.len()
            && let Some(array) = jni.field_of(class, "m_testMethods", METHODS)
            && let Some(fewer) = jni.pick(array, &kept)
            && jni.set_field(class, "m_testMethods", METHODS, fewer)
        {
            skipped.extend(methods.iter().filter_map(|method| method.skip.clone()));
        }
        None
    });
    spans::report_skipped(skipped);
}

fn methods(jni: JavaEnv, class: JavaObject) -> Vec<TestNgMethod> {
    let mut methods = Vec::new();
    let Some(name) = class_name(jni, class) else { return methods };
    let Some(array) = jni.field_of(class, "m_testMethods", METHODS) else {
        skip_switch::turn_off();
        recorder::with(|recorder| {
            recorder
                .gap(format!("{name}: TestNG keeps its methods in a place not known: nothing is skipped"));
        });
        return methods;
    };
    jni.each_element(array, |method| -> Option<()> {
        let strings = |name: &str| {
            let mut strings = Vec::new();
            if let Some(array) = jni.call(method, name, "()[Ljava/lang/String;") {
                jni.each_element(array, |string| -> Option<()> {
                    strings.extend(jni.string(string));
                    None
                });
            }
            strings
        };
        let method_name = jni.call_string(method, "getMethodName").unwrap_or_default();
        let test = TestId { class: name.clone(), method: Some(method_name.clone()) };
        methods.push(TestNgMethod {
            skip: spans::skipped_by(&test),
            name: method_name,
            groups: strings("getGroups"),
            needs_methods: strings("getMethodsDependedUpon"),
            needs_groups: strings("getGroupsDependedUpon"),
        });
        None
    });
    methods
}

/// Keeps methods on which others depend: TestNG refuses to run a method whose dependency is missing. Dependencies are regular
/// expressions; one that is not a plain name may match any method.
fn keep_what_others_need(all: &mut [Vec<TestNgMethod>]) {
    let is_plain = |name: &str| name.chars().all(|c| c.is_alphanumeric() || "._$- ".contains(c));
    loop {
        let kept = || all.iter().flatten().filter(|method| method.skip.is_none());
        let needed: Vec<String> = kept().flat_map(|method| method.needs_methods.clone()).collect();
        let groups: Vec<String> = kept().flat_map(|method| method.needs_groups.clone()).collect();
        let is_needed = |method: &TestNgMethod| {
            let last = |name: &str| name.rsplit('.').next() == Some(method.name.as_str());
            needed.iter().any(|name| last(name) || !is_plain(name))
                || groups.iter().any(|group| {
                    method.groups.contains(group) || (!is_plain(group) && !method.groups.is_empty())
                })
        };
        let mut changed = false;
        for method in all.iter_mut().flatten() {
            if method.skip.is_some() && is_needed(method) {
                method.skip = None;
                changed = true;
            }
        }
        if !changed {
            return;
        }
    }
}

/// Whether the Platform's engine discovers tests by a dry run, whose events are not those of tests.
fn is_discovery(jni: JavaEnv) -> bool {
    let (class, method) = known::DISCOVERY;
    jni.is_set(known::DRY_RUN) && JVMTI.get().is_some_and(|jvmti| stacks::is_in(*jvmti, class, method))
}

fn begin(jni: JavaEnv, key: String, runner: Option<i32>, kind: SpanKind, test: TestId) {
    if is_discovery(jni) {
        return;
    }
    let leaf = kind == SpanKind::Test;
    spans::begin(
        jni.quiet(),
        SpanStart { source: EventSource::Testng, key, runner, kind, test, leaf, certain: true },
    );
}

fn key(test: &TestId) -> String {
    format!("{}.{}", test.class, test.method.as_deref().unwrap_or_default())
}

/// The test of a method, with the class that runs and not the class that declares the method.
fn test_id(jni: JavaEnv, method: JavaObject) -> Option<TestId> {
    let class = jni.call(method, "getTestClass", "()Lorg/testng/ITestClass;")?;
    Some(TestId { class: class_name(jni, class)?, method: jni.call_string(method, "getMethodName") })
}

fn class_name(jni: JavaEnv, class: JavaObject) -> Option<String> {
    let class = jni.call(class, "getRealClass", "()Ljava/lang/Class;")?;
    jni.call_string(class, "getName")
}
