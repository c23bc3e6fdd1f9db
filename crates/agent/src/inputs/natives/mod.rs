//! Wraps native methods of the JDK, through which programs use files, reflection, processes and libraries.
//!
//! The JDK's bytecode stays as it is. When the JVM binds a native method that a table lists by class, name and descriptor, it
//! binds our function instead, which notes the input and calls the JDK's. A native method with a name from a table and another
//! descriptor belongs to an unknown JDK: it is not wrapped, and reported as a gap.

/// Times, permissions and owners of files.
pub(super) mod attributes;
/// The code that calls, from the stack.
pub(super) mod callers;
/// `java.io` and `java.util.zip`.
mod files;
/// Notes of the build about itself.
pub(crate) mod held_notes;
/// Generated classes that are hidden.
pub(crate) mod hidden_classes;
/// Sockets that listen on this machine.
mod listeners;
/// Connections and look-ups of names.
mod network;
/// `java.nio.file`.
mod nio;
/// Paths as inputs, and the paths that are not noted.
pub(super) mod paths;
/// Processes and native libraries.
mod processes;
/// The queries of attributes, from the stack.
pub(super) mod query_frames;
/// Members, annotations, method handles.
pub(super) mod reflection;
/// Threads that tests start.
mod thread_starts;

use super::is_on_class_path;
use crate::own_code::OwnCode;
use crate::recorder;
use crate::sync::lock;
use crate::vm::{JVMTI, JavaEnv, JavaObject, JniEnv, JvmMethod, JvmtiEnv, JvmtiError, NATIVE_METHOD_BIND};
use std::cell::Cell;
use std::ffi::c_void;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicPtr, Ordering};
use tamis_wire::Input;

/// `can_generate_native_method_bind_events`
const BIND_EVENTS: usize = 30;

/// `can_generate_early_vmstart`: from JDK 9 on, methods can then be named before any Java code has run.
const EARLY_START: usize = 41;

/// A native method that is wrapped.
pub(crate) struct WrappedNative {
    /// One for each form of the method in the JDKs. No JDK has two of them.
    rows: &'static [Row],
    wrapper: *const c_void,
    /// The JDK's code.
    original: &'static AtomicPtr<c_void>,
}

// SAFETY: the pointer is to a function.
unsafe impl Sync for WrappedNative {}

/// A table of native methods. Each row: forms, signature as in C, an expression before the call, one after it.
macro_rules! natives {
    ($table:ident: $(
        $rows:expr, fn($this:ident $(, $argument:ident: $type:ty)*) -> $result:ty, $before:expr, $after:expr;
    )*) => {
        pub(super) static $table: &[$crate::inputs::natives::WrappedNative] = &[$({
            static ORIGINAL: std::sync::atomic::AtomicPtr<std::ffi::c_void> =
                std::sync::atomic::AtomicPtr::new(std::ptr::null_mut());

            #[allow(unused_variables)]
            unsafe extern "system" fn wrapper(
                env: *mut std::ffi::c_void,
                $this: $crate::vm::JavaObject,
                $($argument: $type),*
            ) -> $result {
                type OriginalNative = unsafe extern "system" fn(
                    *mut std::ffi::c_void, $crate::vm::JavaObject, $($type),*
                ) -> $result;
                let original = ORIGINAL.load(std::sync::atomic::Ordering::Relaxed);
                // SAFETY: the JDK's code for the descriptor of this row; set before the JVM could call the wrapper.
                let original = unsafe { std::mem::transmute::<*mut std::ffi::c_void, OriginalNative>(original) };
                let seen = $crate::inputs::natives::noting(env, $before);
                // SAFETY: the JVM's own arguments.
                let result = unsafe { original(env, $this, $($argument),*) };
                if let Some(seen) = seen {
                    $crate::inputs::natives::noting(env, |jni| {
                        #[allow(clippy::redundant_closure_call)]
                        ($after)(jni, seen, result);
                        Some(())
                    });
                }
                result
            }
            $crate::inputs::natives::WrappedNative {
                rows: &$rows,
                wrapper: wrapper as *const std::ffi::c_void,
                original: &ORIGINAL,
            }
        }),*];
    };
}
use natives;

/// Class, name and descriptor.
type Row = (&'static str, &'static str, &'static str);

/// All rows of all tables.
fn rows() -> impl Iterator<Item = (&'static WrappedNative, &'static Row)> + Clone {
    let natives = [
        files::TABLE,
        nio::TABLE,
        attributes::TABLE,
        reflection::TABLE,
        processes::TABLE,
        hidden_classes::TABLE,
        thread_starts::TABLE,
        network::TABLE,
    ];
    natives.into_iter().flatten().flat_map(|native| native.rows.iter().map(move |row| (native, row)))
}

/// Whether inputs are noted: after the JVM has started and the CLI has answered.
static TAKING: AtomicBool = AtomicBool::new(false);

/// Native methods bound before methods could be named, as on JDK 8 before its start. Method and native code.
static EARLY: Mutex<Vec<(usize, usize)>> = Mutex::new(Vec::new());

/// Gaps: native methods with a name from a table and an unknown descriptor.
static UNKNOWN: Mutex<Vec<String>> = Mutex::new(Vec::new());
static IS_UNKNOWN: AtomicBool = AtomicBool::new(false);

thread_local! {
    /// The `JNIEnv*` of this thread, from its first wrapped call on; it never changes.
    static ENVIRONMENT: Cell<*mut c_void> = const { Cell::new(std::ptr::null_mut()) };
}

/// Called when the agent is loaded. Returns false if the JVM offers an early start and refuses it. Without the events of this
/// module no input but code is seen; `start` reports that.
pub(crate) fn enable(jvmti: JvmtiEnv) -> bool {
    // JDK 8 does not have it.
    let early = !jvmti.could_have(EARLY_START) || jvmti.add_capabilities(&[EARLY_START]).is_ok();
    let enabled = jvmti.add_capabilities(&[BIND_EVENTS]).and_then(|()| jvmti.enable(NATIVE_METHOD_BIND));
    if enabled.is_err() {
        unknown("files, reflection and processes: the JVM does not tell of its natives".to_owned());
    }
    early
}

/// Called when the JVM has started: from now on inputs are noted, unless `notes` is false.
pub(crate) fn start(jvmti: JvmtiEnv, jni: JavaEnv, socket: &str, class_path: Vec<String>, notes: bool) {
    let _ = JVMTI.set(jvmti);
    if !notes {
        return;
    }
    paths::start(jvmti, jni, socket, class_path);
    reflection::start(jni);
    let early = std::mem::take(&mut *lock(&EARLY));
    for (method, code) in early {
        let (method, code) = (method as JvmMethod, code as *mut c_void);
        let Ok(class) = jvmti.declaring_class(method) else { continue };
        if let Some((native, (_, name, descriptor))) = find(jvmti, jni, method).ok().flatten() {
            native.original.store(code, Ordering::Relaxed);
            // JDK 8 accepts a second registration silently; later JDKs would print a warning.
            if !jni.register(class, name, descriptor, native.wrapper) {
                unknown(format!("{name}{descriptor} could not be wrapped"));
            }
        }
        jni.forget(class);
    }
    report_unknown();
    TAKING.store(true, Ordering::Release);
}

/// The JVM is about to bind a native method.
pub(crate) unsafe extern "system" fn on_native_method_bind(
    jvmti: *mut c_void,
    jni: *mut c_void,
    _thread: JavaObject,
    method: JvmMethod,
    code: *mut c_void,
    instead: *mut *mut c_void,
) {
    // SAFETY: the JVM passes valid environments, alive until this callback returns.
    let (jvmti, jni) = unsafe { (JvmtiEnv::from_raw(jvmti), JavaEnv::from_raw(jni)) };
    let _inside = OwnCode::enter();
    let bound = catch_unwind(AssertUnwindSafe(|| match find(jvmti, jni, method) {
        // Our own function, registered by `start`.
        Ok(Some((native, _))) if native.wrapper == code => None,
        Ok(found) => found,
        Err(_) => {
            let mut early = lock(&EARLY);
            early.push((method as usize, code as usize));
            None
        }
    }));
    if let Ok(Some((native, _))) = bound {
        native.original.store(code, Ordering::Relaxed);
        // SAFETY: the JVM's to be written.
        unsafe { *instead = native.wrapper.cast_mut() };
    }
}

/// The row of a method; an error while methods cannot be named yet.
fn find(
    jvmti: JvmtiEnv,
    jni: JavaEnv,
    method: JvmMethod,
) -> Result<Option<(&'static WrappedNative, &'static Row)>, JvmtiError> {
    let (name, descriptor) = jvmti.method_name(method)?;
    let mut rows = rows().filter(|(_, row)| row.1 == name).peekable();
    if rows.peek().is_none() {
        return Ok(None);
    }
    let class = jvmti.declaring_class(method)?;
    let signature = jvmti.class_signature(class).unwrap_or_default();
    jni.forget(class);
    let class = signature.strip_prefix('L').and_then(|name| name.strip_suffix(';')).unwrap_or(&signature);
    let mut of_class = rows.filter(|(_, row)| row.0 == class).peekable();
    let known = of_class.peek().is_some();
    let found = of_class.find(|(_, row)| row.2 == descriptor);
    if found.is_none() && known {
        unknown(format!("{class}.{name}{descriptor}: a native of a JDK that is not known"));
    }
    Ok(found)
}

/// Stores a gap until it can be reported: a native method may be bound while the recorder is locked.
fn unknown(what: String) {
    lock(&UNKNOWN).push(what);
    IS_UNKNOWN.store(true, Ordering::Release);
}

fn report_unknown() {
    if IS_UNKNOWN.swap(false, Ordering::AcqRel) {
        let unknown = std::mem::take(&mut *lock(&UNKNOWN));
        unknown.into_iter().for_each(gap);
    }
}

/// Runs `work` before or after a call of the JDK's code, unless this thread runs our own code.
fn noting<T>(env: *mut c_void, work: impl FnOnce(JavaEnv) -> Option<T>) -> Option<T> {
    if !TAKING.load(Ordering::Acquire) || OwnCode::is_running() {
        return None;
    }
    // SAFETY: the JVM passes the current thread's environment to native methods.
    let jni = unsafe { JavaEnv::from_raw(env) };
    ENVIRONMENT.set(env);
    recorder::guarded(|| work(jni)).unwrap_or_else(|| {
        TAKING.store(false, Ordering::Release);
        None
    })
}

fn note(what: Input) {
    report_unknown();
    let environment = ENVIRONMENT.get();
    recorder::with(|recorder| {
        if environment.is_null() {
            recorder.note(what);
        } else {
            // SAFETY: `noting` received it from the JVM, on this thread.
            recorder.note_here(unsafe { JniEnv::from_raw(environment) }, what, is_on_class_path);
        }
    });
}

fn gap(what: String) {
    recorder::with(|recorder| recorder.gap(what));
}
