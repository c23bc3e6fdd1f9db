//! The native methods of `java.lang.TamisBridge`, which instrumented code calls.
//!
//! HotSpot looks for the natives of boot classes in agent libraries too, so exporting them under their JNI names is enough.
//! Registering them would make the JVM print a warning.

use crate::boundary::frameworks;
use crate::inputs::{jdk_calls, spring};
use crate::instrument::frameworks::FrameworkSignal;
use crate::recorder::{self, guarded};
use crate::vm::{JavaEnv, JavaObject, JniEnv};
use std::ffi::c_void;

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

/// Whether the method with the hook must return at once.
fn handle(jni: JavaEnv, signal: i32, first: JavaObject, second: JavaObject) -> bool {
    match FrameworkSignal::from_number(signal) {
        Some(signal) if recorder::is_on() => {
            !jni.with_locals(|| spring::handle(jni, signal, first)).unwrap_or(false)
                && frameworks::handle(jni, signal, first, second)
        }
        _ => false,
    }
}
