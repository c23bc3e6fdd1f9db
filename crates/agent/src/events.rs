//! Callbacks of the JVM: load, start, death, and every class file before it becomes a class.

use crate::class_load;
use crate::connect::connect;
use crate::inputs::natives;
use crate::instrument::helper_classes::{BRIDGE, bridge_class};
use crate::own_code::OwnCode;
use crate::recorder::{self, guarded};
use crate::skip_switch;
use crate::threads;
use crate::vm::{
    CLASS_FILE_LOAD_HOOK, CLASS_PREPARE, EventCallbacks, JavaEnv, JavaObject, JavaVm, JniEnv, JvmtiEnv,
    JvmtiError, VIRTUAL_THREAD_END, VIRTUAL_THREAD_START, VM_DEATH, VM_INIT,
};
use std::ffi::{CStr, c_char, c_int, c_uchar, c_void};
use std::sync::OnceLock;
use tamis_classfile::{ClassFile, mutf8};
use tamis_wire::{Input, ProbeDetail};

/// `can_generate_all_class_hook_events`
const ALL_CLASS_HOOKS: usize = 26;

/// `can_get_thread_cpu_time`
const THREAD_CPU_TIME: usize = 23;

/// `can_retransform_classes`
const RETRANSFORM: usize = 37;

/// `can_support_virtual_threads`, from JDK 21 on
const VIRTUAL_THREADS: usize = 44;

/// The socket named in the agent's options, and the token after it.
static OPTIONS: OnceLock<(String, String)> = OnceLock::new();

/// The environment that notes changes which other agents make to classes.
static SECOND: OnceLock<JvmtiEnv> = OnceLock::new();

/// The JVM loads the agent. Returns 0 even if something fails: any other number would stop the user's JVM.
#[unsafe(no_mangle)]
pub(crate) unsafe extern "system" fn Agent_OnLoad(
    vm: *mut c_void,
    options: *const c_char,
    _reserved: *mut c_void,
) -> c_int {
    guarded(|| {
        if options.is_null() {
            return;
        }
        // Otherwise a panic message would go to the standard error of the user's JVM.
        std::panic::set_hook(Box::new(|_| {}));
        // SAFETY: the JVM passes the agent's options as a C string.
        let options = unsafe { CStr::from_ptr(options) }.to_string_lossy().into_owned();
        let (socket, token) = options.split_once(',').unwrap_or((&options, ""));
        if OPTIONS.set((socket.to_owned(), token.to_owned())).is_err() {
            return; // The JVM's options name the agent twice. The first one works.
        }
        // SAFETY: the JVM passes its own JavaVM.
        let environments = unsafe { (JvmtiEnv::get(vm as JavaVm), JvmtiEnv::get(vm as JavaVm)) };
        if let (Some(jvmti), Some(second)) = environments {
            let _ = enable(jvmti).and_then(|()| prepare_second(second));
        }
    });
    0
}

fn enable(jvmti: JvmtiEnv) -> Result<(), JvmtiError> {
    jvmti.add_capabilities(&[ALL_CLASS_HOOKS, THREAD_CPU_TIME])?;
    let mut events = vec![VM_INIT, VM_DEATH];
    // Hundreds of the JDK's own classes are loaded next, and none of them is rewritten. With the hook, the JVM would find the
    // file of each, which takes a millisecond or two. So the hook waits for VMInit, unless the JVM might use an AOT cache: then
    // the hook would never be called. An early start is one of two reasons for a JVM to refuse such a cache.
    if !natives::enable(jvmti) {
        events.push(CLASS_FILE_LOAD_HOOK);
    }
    if jvmti.could_have(VIRTUAL_THREADS) && jvmti.add_capabilities(&[VIRTUAL_THREADS]).is_ok() {
        events.extend([VIRTUAL_THREAD_START, VIRTUAL_THREAD_END]);
    }
    jvmti.set_callbacks(&EventCallbacks {
        vm_init: Some(on_vm_init),
        vm_death: Some(on_vm_death),
        class_file_load_hook: Some(on_class_file_load),
        class_prepare: Some(on_class_prepare),
        native_method_bind: Some(natives::on_native_method_bind),
        virtual_thread_start: Some(on_virtual_thread_start),
        virtual_thread_end: Some(on_virtual_thread_end),
        ..EventCallbacks::none()
    })?;
    for event in events {
        jvmti.enable(event)?;
    }
    Ok(())
}

/// An environment that may retransform is called when other agents do. The first environment may not: its probes are part of
/// the class that others retransform, and are never lost.
fn prepare_second(jvmti: JvmtiEnv) -> Result<(), JvmtiError> {
    jvmti.add_capabilities(&[RETRANSFORM])?;
    jvmti.set_callbacks(&EventCallbacks {
        class_file_load_hook: Some(on_class_file_retransform),
        ..EventCallbacks::none()
    })?;
    let _ = SECOND.set(jvmti);
    Ok(())
}

unsafe extern "system" fn on_vm_init(jvmti: *mut c_void, jni: *mut c_void, _thread: JavaObject) {
    // SAFETY: the JVM passes valid environments, alive until this callback returns; we keep no copy.
    let (jvmti, jni) = unsafe { (JvmtiEnv::from_raw(jvmti), JavaEnv::from_raw(jni)) };
    guarded(|| {
        let (socket, token) = OPTIONS.get().map_or(("", ""), |(socket, token)| (socket, token));
        let bridge = jni.define_boot_class(BRIDGE, &bridge_class());
        let connection = bridge.and_then(|_| connect(jvmti, jni, socket, token));
        match connection {
            Some(connection) => {
                let observes = connection.detail != ProbeDetail::Nothing;
                class_load::start(jvmti, connection.watch, connection.detail);
                recorder::begin(connection.recorder);
                let hooked = jvmti.enable(CLASS_FILE_LOAD_HOOK);
                // Without this event no field is reported, and the CLI goes by the fields that code may write.
                let _ = jvmti.enable(CLASS_PREPARE);
                let noting = SECOND.get().map(|second| second.enable(CLASS_FILE_LOAD_HOOK));
                if hooked.is_err() || noting != Some(Ok(())) {
                    skip_switch::turn_off();
                    recorder::with(|recorder| {
                        recorder.gap_for_all("the JVM does not tell of its classes".to_owned());
                    });
                }
                class_load::report_earlier_classes(jvmti, jni);
                natives::start(jvmti, jni, socket, connection.class_path, observes);
            }
            None => {
                // An older JVM does not know all of these; there, none of the unknown ones was enabled.
                for event in [CLASS_FILE_LOAD_HOOK, VIRTUAL_THREAD_START, VIRTUAL_THREAD_END] {
                    let _ = jvmti.disable(event);
                }
            }
        }
    });
}

unsafe extern "system" fn on_vm_death(_jvmti: *mut c_void, jni: *mut c_void) {
    // SAFETY: as in `on_vm_init`.
    let jni = unsafe { JniEnv::from_raw(jni) };
    guarded(|| recorder::end(jni));
}

unsafe extern "system" fn on_virtual_thread_start(
    _jvmti: *mut c_void,
    _jni: *mut c_void,
    _thread: JavaObject,
) {
    threads::virtual_started();
}

unsafe extern "system" fn on_virtual_thread_end(_jvmti: *mut c_void, _jni: *mut c_void, _thread: JavaObject) {
    threads::virtual_ended();
}

unsafe extern "system" fn on_class_file_load(
    jvmti: *mut c_void,
    jni: *mut c_void,
    redefined: JavaObject,
    loader: JavaObject,
    name: *const c_char,
    domain: JavaObject,
    length: c_int,
    bytes: *const c_uchar,
    new_length: *mut c_int,
    new_bytes: *mut *mut c_uchar,
) {
    let Some(roots) = class_load::roots() else { return };
    if jni.is_null() || length <= 0 {
        return;
    }
    // The classes that the JDK makes for lambdas while it runs our own calls are not marked as anonymous.
    if name.is_null() && (natives::hidden_classes::is_anonymous() || OwnCode::is_running()) {
        return;
    }
    // SAFETY: as in `on_vm_init`.
    let (jvmti, jni) = unsafe { (JvmtiEnv::from_raw(jvmti), JavaEnv::from_raw(jni)) };
    guarded(|| {
        // SAFETY: the JVM passes the class's bytes, alive until we return.
        let bytes = unsafe { std::slice::from_raw_parts(bytes, length as usize) };
        let name = if name.is_null() {
            // A loader may define a class without its name; then only the bytes have it.
            ClassFile::parse(bytes).and_then(|class| class.name()).unwrap_or_default()
        } else {
            // SAFETY: the class's name, alive as long.
            unsafe { CStr::from_ptr(name) }.to_bytes()
        };
        let text = mutf8::decode(name);
        if roots.is_jdk(name, &text, loader.is_null()) || roots.is_jdk_in(jni, name, &text, domain) {
            return;
        }
        let again = !redefined.is_null();
        if let Some(rewritten) = class_load::rewrite(jni, roots, &text, bytes, domain, again)
            && let (Ok(memory), Ok(length)) = (jvmti.allocate(&rewritten), c_int::try_from(rewritten.len()))
        {
            // SAFETY: both are the JVM's to be written.
            unsafe {
                *new_length = length;
                *new_bytes = memory;
            }
        }
    });
}

unsafe extern "system" fn on_class_prepare(
    jvmti: *mut c_void,
    jni: *mut c_void,
    _thread: JavaObject,
    class: JavaObject,
) {
    // SAFETY: as in `on_vm_init`.
    let (jvmti, jni) = unsafe { (JvmtiEnv::from_raw(jvmti), JniEnv::from_raw(jni)) };
    guarded(|| {
        // Classes of the boot loader belong to the JDK.
        let Some(loader) = jvmti.class_loader(class).filter(|loader| !loader.is_null()) else { return };
        jni.forget(loader);
        recorder::with(|recorder| recorder.prepared(jni, class));
    });
}

/// Another agent, or a debugger, changes a class that is already defined.
unsafe extern "system" fn on_class_file_retransform(
    _jvmti: *mut c_void,
    _jni: *mut c_void,
    redefined: JavaObject,
    _loader: JavaObject,
    name: *const c_char,
    _domain: JavaObject,
    _length: c_int,
    _bytes: *const c_uchar,
    _new_length: *mut c_int,
    _new_bytes: *mut *mut c_uchar,
) {
    if redefined.is_null() || name.is_null() {
        return;
    }
    guarded(|| {
        // SAFETY: as in `on_class_file_load`.
        let name = mutf8::decode(unsafe { CStr::from_ptr(name) }.to_bytes());
        recorder::with(|recorder| recorder.note(Input::Redefined(name.into_owned())));
    });
}
