//! The JVM's function tables, JVMTI and JNI, as far as they are used.
//!
//! Only this module calls through pointers of the JVM. Slots are numbered as in `jni.h` and `jvmti.h`; from JDK 8 to 25 these
//! only filled slots that had been reserved.

use std::ffi::{c_char, c_int, c_uchar, c_void};
use std::ptr;
use std::sync::OnceLock;

/// A reference to a Java object, valid until the native method or callback that received it returns.
pub(crate) type JavaObject = *mut c_void;

/// The JVM's `JNIEnv*` of one thread, to read objects and keep references. None of its functions loads a class or runs Java
/// code (but the JDK's own, to make an exception), so that it may be used while a lock is held.
#[derive(Clone, Copy)]
#[repr(transparent)]
pub(crate) struct JniEnv(*mut *const JniTable);

/// The JVM's `JNIEnv*` of one thread, to call Java methods and to find and define classes as well: never while a lock is
/// held (see [`crate::sync`]). Code that runs under a lock gets the [`JniEnv`] only.
#[derive(Clone, Copy)]
#[repr(transparent)]
pub(crate) struct JavaEnv(JniEnv);

/// The JVM's `jvmtiEnv*`.
#[derive(Clone, Copy)]
#[repr(transparent)]
pub(crate) struct JvmtiEnv(*mut *const JvmtiTable);

/// The JVM's `JavaVM*`.
pub(crate) type JavaVm = *mut *const InvokeTable;

type JniTable = [*const c_void; 235];
type JvmtiTable = [*const c_void; 156];
type InvokeTable = [*const c_void; 8];

// SAFETY: a jvmtiEnv may be used from any thread (JVMTI, "Environments").
unsafe impl Send for JvmtiEnv {}
// SAFETY: as above; its table is never written.
unsafe impl Sync for JvmtiEnv {}

/// The environment of this agent, set when the JVM has started.
pub(crate) static JVMTI: OnceLock<JvmtiEnv> = OnceLock::new();

/// The identity hash code of an object.
pub(crate) fn identity(object: JavaObject) -> Option<i32> {
    JVMTI.get()?.identity(object)
}

/// An error number of JVMTI, never 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct JvmtiError(pub(crate) c_int);

/// Reads a slot of a table as a function of the type that the header declares for it.
macro_rules! slot {
    ($table:expr, $index:expr, fn($($argument:ty),*) -> $result:ty) => {{
        // SAFETY: the JVM's table outlives us; the slot holds a function of this type by the header of this interface.
        unsafe {
            let function: *const c_void = (**$table)[$index];
            std::mem::transmute::<*const c_void, unsafe extern "system" fn($($argument),*) -> $result>(function)
        }
    }};
}

mod java;
mod jni;
mod jvmti;

pub(crate) use jvmti::FrameInfo;

pub(crate) const VM_INIT: c_int = 50;
pub(crate) const VM_DEATH: c_int = 51;
pub(crate) const CLASS_FILE_LOAD_HOOK: c_int = 54;
pub(crate) const CLASS_PREPARE: c_int = 56;
pub(crate) const NATIVE_METHOD_BIND: c_int = 67;
pub(crate) const VIRTUAL_THREAD_START: c_int = 87;
pub(crate) const VIRTUAL_THREAD_END: c_int = 88;

/// The callbacks of the agent, at their positions in `jvmtiEventCallbacks` (events are numbered from 50).
#[repr(C)]
pub(crate) struct EventCallbacks {
    pub(crate) vm_init: Option<unsafe extern "system" fn(*mut c_void, *mut c_void, JavaObject)>,
    pub(crate) vm_death: Option<unsafe extern "system" fn(*mut c_void, *mut c_void)>,
    pub(crate) thread: [*const c_void; 2],
    pub(crate) class_file_load_hook: Option<ClassFileLoadHook>,
    pub(crate) class_load: *const c_void,
    pub(crate) class_prepare: Option<ClassEvent>,
    pub(crate) others: [*const c_void; 10],
    pub(crate) native_method_bind: Option<NativeMethodBind>,
    pub(crate) rest: [*const c_void; 19],
    pub(crate) virtual_thread_start: Option<ThreadEvent>,
    pub(crate) virtual_thread_end: Option<ThreadEvent>,
}

impl EventCallbacks {
    /// No callbacks.
    pub(crate) fn none() -> EventCallbacks {
        EventCallbacks {
            vm_init: None,
            vm_death: None,
            thread: [ptr::null(); 2],
            class_file_load_hook: None,
            class_load: ptr::null(),
            class_prepare: None,
            others: [ptr::null(); 10],
            native_method_bind: None,
            rest: [ptr::null(); 19],
            virtual_thread_start: None,
            virtual_thread_end: None,
        }
    }
}

/// Arguments: environments of JVMTI and JNI, thread, class.
pub(crate) type ClassEvent = unsafe extern "system" fn(*mut c_void, *mut c_void, JavaObject, JavaObject);

/// Arguments: environments of JVMTI and JNI, thread.
pub(crate) type ThreadEvent = unsafe extern "system" fn(*mut c_void, *mut c_void, JavaObject);

/// Arguments: environments of JVMTI and JNI (null at first), thread, method, its native code, and the code to use instead.
pub(crate) type NativeMethodBind =
    unsafe extern "system" fn(*mut c_void, *mut c_void, JavaObject, JvmMethod, *mut c_void, *mut *mut c_void);

/// A `jmethodID`.
pub(crate) type JvmMethod = *mut c_void;

/// A `jfieldID`.
pub(crate) type JvmField = *mut c_void;

pub(crate) type ClassFileLoadHook = unsafe extern "system" fn(
    *mut c_void,
    *mut c_void,
    JavaObject,
    JavaObject,
    *const c_char,
    JavaObject,
    c_int,
    *const c_uchar,
    *mut c_int,
    *mut *mut c_uchar,
);
