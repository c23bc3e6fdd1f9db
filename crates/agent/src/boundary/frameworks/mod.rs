//! Reads the objects that test frameworks pass to the hooks, one file per framework.

mod junit3;
mod junit4;
mod platform;
mod testng;

use super::spans;
use crate::instrument::frameworks::FrameworkSignal;
use crate::vm::{JavaEnv, JavaObject};
use tamis_wire::Outcome;

/// Handles a call from a hook; whether the method with the hook must return at once.
pub(crate) fn handle(jni: JavaEnv, signal: FrameworkSignal, first: JavaObject, second: JavaObject) -> bool {
    // Methods of frameworks are called before any lock is taken: they may load classes, which needs the recorder.
    let answer = jni.with_locals(|| {
        match signal {
            FrameworkSignal::Junit3Suite => return junit3::suite(jni, first),
            FrameworkSignal::Junit3Test => return junit3::test(jni, first),
            FrameworkSignal::RunnerStarted => return junit4::runner(jni, first),
            FrameworkSignal::ChildStarted => {
                return junit4::child(jni, first, second, "describeChild", "(Ljava/lang/Object;)");
            }
            FrameworkSignal::MethodStarted => {
                return junit4::child(
                    jni,
                    first,
                    second,
                    "methodDescription",
                    "(Ljava/lang/reflect/Method;)",
                );
            }
            FrameworkSignal::Junit3Started => junit3::started(jni, first),
            FrameworkSignal::Junit3Finished => junit3::finished(jni, first),
            FrameworkSignal::Junit3Failed => junit3::failed(jni, first, second),
            FrameworkSignal::Junit3SuiteFinished => junit3::suite_finished(jni, first),
            FrameworkSignal::Junit4Started => junit4::started(jni, first),
            FrameworkSignal::Junit4Finished => junit4::finished(jni, first),
            FrameworkSignal::Junit4Failed => junit4::failed(jni, first, Outcome::Failed),
            FrameworkSignal::Junit4Aborted => junit4::failed(jni, first, Outcome::Aborted),
            FrameworkSignal::Junit4Ignored => junit4::ignored(jni, first),
            FrameworkSignal::RunnerBuilding => junit4::building(jni, first, first),
            FrameworkSignal::ClassRequested => {
                if let Some(class) = jni.field_of(first, "fTestClass", "Ljava/lang/Class;") {
                    junit4::building(jni, first, class);
                }
            }
            FrameworkSignal::RunnerBuilt => junit4::built(jni, first),
            FrameworkSignal::RunnerFinished => junit4::runner_finished(jni, first),
            FrameworkSignal::ChildFinished => junit4::child_finished(jni, first),
            FrameworkSignal::PlatformPlanned => platform::planned(jni, first),
            FrameworkSignal::PlatformPrepared => platform::prepared(jni, first),
            FrameworkSignal::PlatformStarted => platform::started(jni, first),
            FrameworkSignal::PlatformFinished => platform::finished(jni, first, second),
            FrameworkSignal::PlatformSkipped => platform::skipped(jni, first),
            // Not about where tests begin and end: the bridge gives these to the inputs.
            FrameworkSignal::PropertyAsked
            | FrameworkSignal::BuildInfoAsked
            | FrameworkSignal::ContextAsked
            | FrameworkSignal::ContextGiven => {}
            FrameworkSignal::RunStarted => spans::run_started(),
            FrameworkSignal::RunFinished => spans::run_finished(),
            FrameworkSignal::TestngFound => testng::found(jni, first),
            FrameworkSignal::TestngSuiteStarted => testng::suite_started(jni, first),
            FrameworkSignal::TestngSuiteFinished => testng::suite_finished(jni, first),
            FrameworkSignal::TestngClassStarted => testng::class_started(jni, first),
            FrameworkSignal::TestngClassFinished => testng::class_finished(jni, first),
            FrameworkSignal::TestngConfigured => testng::configured(jni, first),
            FrameworkSignal::TestngStarted => testng::started(jni, first),
            FrameworkSignal::TestngFinished => testng::finished(jni, first, second),
        }
        false
    });
    answer.unwrap_or(false)
}
