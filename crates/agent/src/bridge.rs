//! What instrumented code calls: the native methods of `java.lang.TamisBridge`.
//!
//! HotSpot looks for the natives of boot classes in agent libraries too, so exporting them under their JNI names is enough;
//! registering them would make the JVM print a warning.

use crate::boundaries;
use crate::events::guarded;
use crate::frameworks::{Signal, junit3, junit4, platform, testng};
use crate::recorder::recorder;
use crate::vm::{Jni, Object};
use std::ffi::c_void;
use tamis_trace::Outcome;

/// `static native void event(int signal, Object first, Object second)`
#[unsafe(no_mangle)]
pub(crate) unsafe extern "system" fn Java_java_lang_TamisBridge_event(
    env: *mut c_void,
    _class: Object,
    signal: i32,
    first: Object,
    second: Object,
) {
    // SAFETY: the JVM passes the current thread's environment.
    let jni = unsafe { Jni::from_raw(env) };
    guarded(|| {
        handle(jni, signal, first, second);
    });
}

/// `static native boolean skip(int signal, Object first, Object second)`
#[unsafe(no_mangle)]
pub(crate) unsafe extern "system" fn Java_java_lang_TamisBridge_skip(
    env: *mut c_void,
    _class: Object,
    signal: i32,
    first: Object,
    second: Object,
) -> u8 {
    // SAFETY: the JVM passes the current thread's environment.
    let jni = unsafe { Jni::from_raw(env) };
    let mut skip = false;
    guarded(|| skip = handle(jni, signal, first, second));
    u8::from(skip)
}

/// `static native void init(int class, boolean begin)`
#[unsafe(no_mangle)]
pub(crate) unsafe extern "system" fn Java_java_lang_TamisBridge_init(
    env: *mut c_void,
    _class: Object,
    class: i32,
    begin: u8,
) {
    // SAFETY: the JVM passes the current thread's environment.
    let jni = unsafe { Jni::from_raw(env) };
    guarded(|| {
        if let (Some(recorder), Ok(class)) = (recorder().as_mut(), u32::try_from(class)) {
            recorder.init(jni, class, begin != 0);
        }
    });
}

/// What a framework says, and whether the method that says it shall return at once.
fn handle(jni: Jni, signal: i32, first: Object, second: Object) -> bool {
    let (Some(signal), true) = (Signal::from_number(signal), recorder().is_some()) else { return false };
    // Frameworks are asked for names before any lock is taken: asking may load classes, and that needs the recorder.
    let answer = jni.with_locals(|| {
        match signal {
            Signal::Junit3Suite => return junit3::suite(jni, first),
            Signal::Junit3Test => return junit3::test(jni, first),
            Signal::RunnerStarted => return junit4::runner(jni, first),
            Signal::ChildStarted => {
                return junit4::child(jni, first, second, "describeChild", "(Ljava/lang/Object;)");
            }
            Signal::MethodStarted => {
                return junit4::child(
                    jni,
                    first,
                    second,
                    "methodDescription",
                    "(Ljava/lang/reflect/Method;)",
                );
            }
            Signal::Junit3Started => junit3::started(jni, first),
            Signal::Junit3Finished => junit3::finished(jni, first),
            Signal::Junit3Failed => junit3::failed(jni, first),
            Signal::Junit3SuiteFinished => junit3::suite_finished(jni, first),
            Signal::Junit4Started => junit4::started(jni, first),
            Signal::Junit4Finished => junit4::finished(jni, first),
            Signal::Junit4Failed => junit4::failed(jni, first, Outcome::Failed),
            Signal::Junit4Aborted => junit4::failed(jni, first, Outcome::Aborted),
            Signal::Junit4Ignored => junit4::ignored(jni, first),
            Signal::RunnerBuilding => junit4::building(jni, first, first),
            Signal::ClassRequested => {
                if let Some(class) = jni.field_of(first, "fTestClass", "Ljava/lang/Class;") {
                    junit4::building(jni, first, class);
                }
            }
            Signal::RunnerBuilt => junit4::built(jni, first),
            Signal::RunnerFinished => junit4::runner_finished(jni, first),
            Signal::ChildFinished => junit4::child_finished(jni, first),
            Signal::PlatformPlanned => platform::planned(jni, first),
            Signal::PlatformPrepared => {
                let descriptor = "Lorg/junit/platform/engine/TestDescriptor;";
                if let Some(node) = jni.field_of(first, "testDescriptor", descriptor) {
                    platform::started(jni, node);
                }
            }
            Signal::PlatformStarted => platform::started(jni, first),
            Signal::PlatformFinished => platform::finished(jni, first, second),
            Signal::PlatformSkipped => platform::skipped(jni, first),
            Signal::RunStarted => boundaries::run_started(),
            Signal::RunFinished => boundaries::run_finished(),
            Signal::TestngFound => testng::found(jni, first),
            Signal::TestngSuiteStarted => testng::suite_started(jni, first),
            Signal::TestngSuiteFinished => testng::suite_finished(jni, first),
            Signal::TestngClassStarted => testng::class_started(jni, first),
            Signal::TestngClassFinished => testng::class_finished(jni, first),
            Signal::TestngConfigured => testng::configured(jni, first),
            Signal::TestngStarted => testng::started(jni, first),
            Signal::TestngFinished => testng::finished(jni, first, second),
        }
        false
    });
    answer.unwrap_or(false)
}
