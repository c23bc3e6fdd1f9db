//! What instrumented code calls: the native methods of `java.lang.TamisBridge`.
//!
//! HotSpot looks for the natives of boot classes in agent libraries too, so exporting them under their JNI names is enough;
//! registering them would make the JVM print a warning.

use crate::boundary::frameworks::{junit3, junit4, platform, testng};
use crate::boundary::spans;
use crate::inputs::jdk_calls;
use crate::instrument::framework_hooks::FrameworkSignal;
use crate::recorder::{self, guarded};
use crate::vm::{JavaEnv, JavaObject, JniEnv};
use std::ffi::c_void;
use tamis_wire::Outcome;

/// `static native void event(int signal, Object first, Object second)`
#[unsafe(no_mangle)]
pub(crate) unsafe extern "system" fn Java_java_lang_TamisBridge_event(
    env: *mut c_void,
    _class: JavaObject,
    signal: i32,
    first: JavaObject,
    second: JavaObject,
) {
    // SAFETY: the JVM passes the current thread's environment.
    let jni = unsafe { JavaEnv::from_raw(env) };
    guarded(|| {
        handle(jni, signal, first, second);
    });
}

/// `static native boolean skip(int signal, Object first, Object second)`
#[unsafe(no_mangle)]
pub(crate) unsafe extern "system" fn Java_java_lang_TamisBridge_skip(
    env: *mut c_void,
    _class: JavaObject,
    signal: i32,
    first: JavaObject,
    second: JavaObject,
) -> u8 {
    // SAFETY: the JVM passes the current thread's environment.
    let jni = unsafe { JavaEnv::from_raw(env) };
    let mut skip = false;
    guarded(|| skip = handle(jni, signal, first, second));
    u8::from(skip)
}

/// `static native void init(int class, boolean begin)`
#[unsafe(no_mangle)]
pub(crate) unsafe extern "system" fn Java_java_lang_TamisBridge_init(
    env: *mut c_void,
    _class: JavaObject,
    class: i32,
    begin: u8,
) {
    // SAFETY: the JVM passes the current thread's environment.
    let jni = unsafe { JniEnv::from_raw(env) };
    guarded(|| {
        if let Ok(class) = u32::try_from(class) {
            recorder::with(|recorder| recorder.init(jni, class, begin != 0));
        }
    });
}

/// `static native void note(Object key, int asked)`
#[unsafe(no_mangle)]
pub(crate) unsafe extern "system" fn Java_java_lang_TamisBridge_note(
    env: *mut c_void,
    _class: JavaObject,
    key: JavaObject,
    asked: i32,
) {
    // SAFETY: the JVM passes the current thread's environment.
    let jni = unsafe { JavaEnv::from_raw(env) };
    guarded(|| jdk_calls::note(jni, key, asked));
}

/// What a framework says, and whether the method that says it shall return at once.
fn handle(jni: JavaEnv, signal: i32, first: JavaObject, second: JavaObject) -> bool {
    let (Some(signal), true) = (FrameworkSignal::from_number(signal), recorder::is_on()) else {
        return false;
    };
    // Frameworks are asked for names before any lock is taken: asking may load classes, and that needs the recorder.
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
            FrameworkSignal::Junit3Failed => junit3::failed(jni, first),
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
            FrameworkSignal::PlatformPrepared => {
                let descriptor = "Lorg/junit/platform/engine/TestDescriptor;";
                if let Some(node) = jni.field_of(first, "testDescriptor", descriptor) {
                    platform::started(jni, node);
                }
            }
            FrameworkSignal::PlatformStarted => platform::started(jni, first),
            FrameworkSignal::PlatformFinished => platform::finished(jni, first, second),
            FrameworkSignal::PlatformSkipped => platform::skipped(jni, first),
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
