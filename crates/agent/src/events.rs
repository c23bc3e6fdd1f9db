//! What the JVM calls: load, init, death, and every class file before it becomes a class.

use crate::boundaries;
use crate::frameworks;
use crate::holder::{BRIDGE, bridge_class};
use crate::instrument::{self, Watch};
use crate::natives;
use crate::process;
use crate::recorder::{Recorder, recorder};
use crate::vm::{CLASS_FILE_LOAD_HOOK, Callbacks, JavaVm, Jni, Jvmti, Object, VM_DEATH, VM_INIT};
use std::ffi::{CStr, c_char, c_int, c_uchar, c_void};
use std::os::unix::net::UnixStream;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::OnceLock;
use std::time::Duration;
use tamis_classfile::{ClassFile, ParseError, mutf8};
use tamis_trace::{Hello, Plan, Receiver, Said, Sender, Told, VERSION};

/// How long the CLI may take to answer before we stand aside.
const PATIENCE: Duration = Duration::from_secs(10);

/// `can_generate_all_class_hook_events`
const ALL_CLASS_HOOKS: usize = 26;

/// The socket named in our options.
static SOCKET: OnceLock<String> = OnceLock::new();

/// The properties that identify JVM and class path.
const PROPERTIES: [&str; 8] = [
    "java.class.path",
    "java.home",
    "java.specification.version",
    "java.version",
    "java.vm.name",
    "java.vm.vendor",
    "java.vm.version",
    "jdk.module.path",
];

/// A panic of ours voids the recording; it never reaches the JVM.
pub(crate) fn guarded(work: impl FnOnce()) {
    let _inside = natives::Inside::enter();
    if catch_unwind(AssertUnwindSafe(work)).is_err() {
        *recorder() = None;
    }
}

/// The JVM loads us. 0 even when something fails: any other number would stop the user's JVM.
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
        // A panic message would go to the host's standard error.
        std::panic::set_hook(Box::new(|_| {}));
        // SAFETY: the JVM passes our options as a C string.
        let socket = unsafe { CStr::from_ptr(options) }.to_string_lossy().into_owned();
        let _ = SOCKET.set(socket);
        // SAFETY: the JVM passes its own JavaVM.
        if let Some(jvmti) = unsafe { Jvmti::get(vm as JavaVm) } {
            // Enabled here and not at VMInit: with an AOT cache the hook would otherwise never be called.
            let _ = enable(jvmti);
        }
    });
    0
}

fn enable(jvmti: Jvmti) -> Result<(), crate::vm::JvmtiError> {
    jvmti.add_capabilities(&[ALL_CLASS_HOOKS])?;
    jvmti.set_callbacks(&Callbacks {
        vm_init: Some(on_vm_init),
        vm_death: Some(on_vm_death),
        thread: [std::ptr::null(); 2],
        class_file_load_hook: Some(on_class_file_load),
        others: [std::ptr::null(); 12],
        native_method_bind: Some(natives::on_native_method_bind),
        rest: [std::ptr::null(); 19],
    })?;
    for event in [VM_INIT, VM_DEATH, CLASS_FILE_LOAD_HOOK] {
        jvmti.enable(event)?;
    }
    natives::enable(jvmti);
    Ok(())
}

unsafe extern "system" fn on_vm_init(jvmti: *mut c_void, jni: *mut c_void, _thread: Object) {
    // SAFETY: the JVM passes valid environments, alive until this callback returns; we keep no copy.
    let (jvmti, jni) = unsafe { (Jvmti::from_raw(jvmti), Jni::from_raw(jni)) };
    guarded(|| {
        let connected = jni.define_boot_class(BRIDGE, &bridge_class()).and_then(|_| connect(jvmti));
        match connected {
            Some(connected) => {
                *recorder() = Some(connected);
                natives::start(jvmti, jni, SOCKET.get().map_or("", String::as_str));
            }
            None => {
                let _ = jvmti.disable(CLASS_FILE_LOAD_HOOK);
            }
        }
    });
}

/// Says hello and waits for the plan.
fn connect(jvmti: Jvmti) -> Option<Recorder> {
    let stream = UnixStream::connect(SOCKET.get()?).ok()?;
    stream.set_read_timeout(Some(PATIENCE)).ok()?;
    stream.set_write_timeout(Some(PATIENCE)).ok()?;
    let mut sender = Sender::new(stream.try_clone().ok()?);
    let directory = std::env::current_dir().map(|directory| directory.to_string_lossy().into_owned());
    let property = |name: &str| Some((name.to_owned(), jvmti.property(name)?));
    let hello = Hello {
        version: VERSION,
        pid: std::process::id(),
        ancestors: process::ancestors(),
        directory: directory.unwrap_or_default(),
        command: process::command_line(),
        options: process::options(),
        properties: PROPERTIES.into_iter().filter_map(property).collect(),
    };
    sender.send(&Said::Hello(hello)).ok()?;
    let Told::Plan(Plan { version, watch, skip }) = Receiver::new(stream).receive().ok()??;
    boundaries::plan(skip);
    (version == VERSION).then(|| Recorder::new(sender, watch))
}

unsafe extern "system" fn on_vm_death(_jvmti: *mut c_void, jni: *mut c_void) {
    // SAFETY: as in `on_vm_init`.
    let jni = unsafe { Jni::from_raw(jni) };
    guarded(|| {
        if let Some(mut recorder) = recorder().take() {
            recorder.end(jni);
        }
    });
}

unsafe extern "system" fn on_class_file_load(
    jvmti: *mut c_void,
    jni: *mut c_void,
    redefined: Object,
    loader: Object,
    name: *const c_char,
    _domain: Object,
    length: c_int,
    bytes: *const c_uchar,
    new_length: *mut c_int,
    new_bytes: *mut *mut c_uchar,
) {
    // The boot loader's classes are the JDK's; a class being redefined has had its probes.
    if loader.is_null() || name.is_null() || !redefined.is_null() || jni.is_null() || length <= 0 {
        return;
    }
    // SAFETY: as in `on_vm_init`.
    let (jvmti, jni) = unsafe { (Jvmti::from_raw(jvmti), Jni::from_raw(jni)) };
    guarded(|| {
        // SAFETY: the JVM passes the class's bytes and its name, both alive until we return.
        let (bytes, name) =
            unsafe { (std::slice::from_raw_parts(bytes, length as usize), CStr::from_ptr(name).to_bytes()) };
        if let Some(rewritten) = rewrite(jni, name, bytes)
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

/// The class with our probes and calls; `None` leaves it as it is.
fn rewrite(jni: Jni, name: &[u8], bytes: &[u8]) -> Option<Vec<u8>> {
    let text = mutf8::decode(name);
    natives::held::defined(&text);
    let class = match ClassFile::parse(bytes) {
        Ok(class) => class,
        Err(error) => {
            recorder().as_mut()?.gap(format!("{text}: {error}"));
            return None;
        }
    };
    let mut methods = Vec::new();
    for method in class.methods.iter() {
        let text = |index| class.pool.text(index).map(|text| text.into_owned());
        methods.push((text(method.name).ok()?, text(method.descriptor).ok()?));
    }
    let hooks = frameworks::hooks(&text, &methods);
    let content = tamis_trace::content(bytes);
    let supers = class.super_name().transpose().into_iter().chain(class.interface_names());
    let supers =
        supers.map(|name| Ok(mutf8::decode(name?).into_owned())).collect::<Result<Vec<_>, ParseError>>();
    let supers = supers.ok()?;
    let watch = {
        let mut recorder = recorder();
        let recorder = recorder.as_mut()?;
        if recorder.is_watched(&text) {
            let first = recorder.assign(jni, &text, content, supers, methods)?;
            Watch::Methods { first, class: recorder.number(&text) }
        } else {
            Watch::Class { probe: recorder.assign(jni, &text, content, supers, Vec::new())? }
        }
    };
    match instrument::rewrite(&class, watch, &hooks) {
        Ok(rewritten) => {
            let rewritten = rewritten?;
            for method in rewritten.unhooked {
                boundaries::skip_nothing();
                recorder()
                    .as_mut()?
                    .gap(format!("{text}.{method} is not there: boundaries are unknown, nothing is skipped"));
            }
            for method in rewritten.left {
                recorder().as_mut()?.gap(format!("{text}.{method}: too long to be watched"));
            }
            Some(rewritten.bytes)
        }
        Err(error) => {
            recorder().as_mut()?.gap(format!("{text}: {error}"));
            None
        }
    }
}
