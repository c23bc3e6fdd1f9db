//! What the JVM calls: load, init, death, and every class file before it becomes a class.

use crate::boundary::spans;
use crate::inputs::{self, natives};
use crate::instrument::framework_hooks;
use crate::instrument::helper_classes::{BRIDGE, bridge_class};
use crate::instrument::jdk_calls::ClassCalls;
use crate::instrument::{self, RewrittenClass, WatchMode};
use crate::own_code::OwnCode;
use crate::process;
use crate::recorder::{self, Recorder, guarded};
use crate::threads;
use crate::vm::{
    CLASS_FILE_LOAD_HOOK, CLASS_PREPARE, EventCallbacks, JavaEnv, JavaObject, JavaVm, JniEnv, JvmtiEnv,
    JvmtiError, VIRTUAL_THREAD_END, VIRTUAL_THREAD_START, VM_DEATH, VM_INIT,
};
use crate::watched_roots::WatchedRoots;
use std::ffi::{CStr, c_char, c_int, c_uchar, c_void};
use std::os::unix::net::UnixStream;
use std::sync::OnceLock;
use std::time::Duration;
use tamis_classfile::read::attribute::AttributeKind;
use tamis_classfile::{ClassFile, Member, ParseError, access, mutf8};
use tamis_wire::{AgentMessage, CliMessage, Hello, Input, MessageReceiver, MessageSender, Plan, VERSION};

/// How long the CLI may take to answer before we stand aside: it may have to read a large class path for the first time.
const ANSWER: Duration = Duration::from_secs(15);

/// How long it may not listen. It reads ahead of what it thinks about.
const PATIENCE: Duration = Duration::from_secs(5);

/// `can_generate_all_class_hook_events`
const ALL_CLASS_HOOKS: usize = 26;

/// `can_get_thread_cpu_time`
const THREAD_CPU_TIME: usize = 23;

/// Classes that are loaded when the JVM has started; more make a JVM that checks references complain.
const LOADED: i32 = 4096;

/// `can_retransform_classes`
const RETRANSFORM: usize = 37;

/// `can_support_virtual_threads`, from JDK 21 on
const VIRTUAL_THREADS: usize = 44;

/// The socket named in our options.
static SOCKET: OnceLock<String> = OnceLock::new();

/// The environment that notes what others do to classes.
static SECOND: OnceLock<JvmtiEnv> = OnceLock::new();

/// Where the classes lie that the plan names.
static PLACES: OnceLock<WatchedRoots> = OnceLock::new();

/// The properties that identify JVM and class path.
const PROPERTIES: [&str; 20] = [
    "java.class.path",
    "java.home",
    "java.specification.version",
    "java.version",
    "java.vm.name",
    "java.vm.vendor",
    "java.vm.version",
    "jdk.module.path",
    // The first patches of modules; builds that test a module patch one.
    "jdk.module.patch.0",
    "jdk.module.patch.1",
    "jdk.module.patch.2",
    "jdk.module.patch.3",
    // What code may rely on without asking.
    "file.encoding",
    "java.io.tmpdir",
    "os.arch",
    "os.name",
    "os.version",
    "user.country",
    "user.language",
    "user.timezone",
];

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
    // The JDK's own classes come next, hundreds of them, none of which is ours to change: with the hook the JVM would find
    // each one's file, for a millisecond or two. So the hook waits for VMInit, unless the JVM might use an AOT cache: then it
    // would never be called. An early start is one of the two things for which a JVM refuses such a cache.
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

/// An environment that may retransform is called when others do. The first may not: so its probes are part of the class that
/// others retransform, and are never lost.
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
        let connected = jni.define_boot_class(BRIDGE, &bridge_class()).and_then(|_| connect(jvmti));
        match connected {
            Some((connected, class_path)) => {
                recorder::begin(connected);
                let hooked = jvmti.enable(CLASS_FILE_LOAD_HOOK);
                // Without it no field is told of, and what code may write counts.
                let _ = jvmti.enable(CLASS_PREPARE);
                let noting = SECOND.get().map(|second| second.enable(CLASS_FILE_LOAD_HOOK));
                if hooked.is_err() || noting != Some(Ok(())) {
                    spans::skip_nothing();
                    recorder::with(|recorder| {
                        recorder.gap_for_all("the JVM does not tell of its classes".to_owned());
                    });
                }
                tell_earlier_classes(jvmti, jni);
                natives::start(jvmti, jni, SOCKET.get().map_or("", String::as_str), class_path);
            }
            None => {
                // Those that an older JVM does not know, it was never told to enable.
                for event in [CLASS_FILE_LOAD_HOOK, VIRTUAL_THREAD_START, VIRTUAL_THREAD_END] {
                    let _ = jvmti.disable(event);
                }
            }
        }
    });
}

/// Tells of the classes that are there and have no probes: a system class loader, a security manager, agents that come
/// before us. Everything is taken to use them.
fn tell_earlier_classes(jvmti: JvmtiEnv, jni: JavaEnv) {
    let Some(places) = PLACES.get() else { return };
    let classes = jni.with_room_for(LOADED, || {
        let mut names = Vec::new();
        for class in jvmti.loaded_classes().unwrap_or_default() {
            let loader = jvmti.class_loader(class);
            if loader.is_some_and(|loader| !loader.is_null()) {
                names.extend(jvmti.class_signature(class));
            }
        }
        names
    });
    for signature in classes.unwrap_or_default() {
        let Some(name) = signature.strip_prefix('L').and_then(|name| name.strip_suffix(';')) else {
            continue;
        };
        // Hidden classes have names that no file could have.
        if places.is_jdk(name.as_bytes(), name, false) || name.contains('.') {
            continue;
        }
        let file = places.file(name).and_then(|file| std::fs::read(file).ok());
        let content = file.as_deref().map_or(0, tamis_wire::content);
        inputs::class_loaded(name);
        let Some(known) = recorder::assign(jni, name, content, &[], &[]) else { continue };
        recorder::with(|recorder| {
            recorder.assume(vec![known.first]);
            if file.is_some() {
                recorder.gap_for_all(format!("{name} was loaded before the agent: what it ran is unknown"));
            }
        });
    }
}

/// Says hello and waits for the plan; also gives the class path that it names.
fn connect(jvmti: JvmtiEnv) -> Option<(Recorder, Vec<String>)> {
    let stream = UnixStream::connect(SOCKET.get()?).ok()?;
    stream.set_read_timeout(Some(ANSWER)).ok()?;
    stream.set_write_timeout(Some(PATIENCE)).ok()?;
    let mut sender = MessageSender::new(stream.try_clone().ok()?);
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
    sender.send(&AgentMessage::Hello(hello)).ok()?;
    let CliMessage::Plan(Plan { version, watch, class_path, skip, prompt }) =
        MessageReceiver::new(stream).receive().ok()??;
    if version != VERSION {
        return None;
    }
    spans::plan(skip);
    let _ = PLACES.set(WatchedRoots::new(watch));
    Some((Recorder::new(sender, jvmti, prompt), class_path))
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
    let Some(places) = PLACES.get() else { return };
    if jni.is_null() || length <= 0 {
        return;
    }
    // What our own calls have the JDK make of lambdas is not known to be anonymous.
    if name.is_null() && (natives::hidden_classes::is_anonymous() || OwnCode::is_running()) {
        return;
    }
    // SAFETY: as in `on_vm_init`.
    let (jvmti, jni) = unsafe { (JvmtiEnv::from_raw(jvmti), JavaEnv::from_raw(jni)) };
    guarded(|| {
        // SAFETY: the JVM passes the class's bytes, alive until we return.
        let bytes = unsafe { std::slice::from_raw_parts(bytes, length as usize) };
        let name = if name.is_null() {
            // A loader may define a class without saying which; then only the bytes know.
            ClassFile::parse(bytes).and_then(|class| class.name()).unwrap_or_default()
        } else {
            // SAFETY: the class's name, alive as long.
            unsafe { CStr::from_ptr(name) }.to_bytes()
        };
        let text = mutf8::decode(name);
        if places.is_jdk(name, &text, loader.is_null()) {
            return;
        }
        let again = !redefined.is_null();
        if let Some(rewritten) = rewrite(jni, &text, bytes, places, domain, again)
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
        // The boot loader's classes are the JDK's.
        let Some(loader) = jvmti.class_loader(class).filter(|loader| !loader.is_null()) else { return };
        jni.forget(loader);
        recorder::with(|recorder| recorder.prepared(jni, class));
    });
}

/// Another agent, or a debugger, changes a class that is there.
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

/// The class with our probes and calls; `None` leaves it as it is. `again` if it is there already and gets other bytes.
fn rewrite(
    jni: JavaEnv,
    text: &str,
    bytes: &[u8],
    places: &WatchedRoots,
    domain: JavaObject,
    again: bool,
) -> Option<Vec<u8>> {
    inputs::class_loaded(text);
    let (is_heard, is_known) = recorder::with(|recorder| (recorder.is_heard(), recorder.knows(text)))?;
    // Made by another agent from a class that has our probes: they are still right.
    if !is_heard || ((again || is_known) && mentions(bytes, OURS)) {
        return None;
    }
    let content = tamis_wire::content(bytes);
    let Some((class, methods, supers)) = understood(bytes) else {
        // The JVM may take what we cannot read; nothing is known of it but that it is there.
        let known = recorder::assign(jni, text, content, &[], &[])?;
        recorder::with(|recorder| {
            recorder.assume(vec![known.first]);
            recorder.gap_for_all(format!("{text}: not understood, so what its initialiser ran is unknown"));
        });
        return None;
    };
    let hooks = framework_hooks::hooks(text, &methods);
    let by_method = !methods.is_empty() && places.are_watched(jni, text, domain);
    let known = recorder::assign(jni, text, content, &supers, if by_method { &methods } else { &[] })?;
    if known.by_method && !again && class.fields.iter().any(|field| field.access & access::STATIC != 0) {
        let has_initialiser = methods.iter().any(|(name, _)| name == "<clinit>");
        recorder::with(|recorder| recorder.expect_statics(text, has_initialiser))?;
    }
    let watch = if known.by_method {
        WatchMode::Methods { first: known.first, class: known.class }
    } else if tamis_wire::is_framework(text) {
        WatchMode::Initialiser { probe: known.first, class: known.class }
    } else {
        WatchMode::Class { probe: known.first, class: known.class }
    };
    let rewritten = instrument::rewrite(&class, watch, &hooks).unwrap_or_else(|_| {
        let with_code = class.methods.iter().enumerate().filter(|(_, method)| has_code(&class, method));
        RewrittenClass {
            bytes: None,
            left: with_code.map(|(index, _)| watch.probe(index)).collect(),
            unbracketed: methods.iter().any(|(name, _)| name == "<clinit>"),
            unnoted: if ClassCalls::of(&class, by_method).is_ok_and(|calls| calls.is_empty()) {
                0
            } else {
                1
            },
            unhooked: hooks.iter().filter(|hook| hook.needed).map(|hook| hook.method).collect(),
        }
    });
    if rewritten.is_partial() {
        if !rewritten.unhooked.is_empty() {
            spans::skip_nothing();
        }
        recorder::with(|recorder| {
            recorder.assume(rewritten.left);
            for method in rewritten.unhooked {
                recorder
                    .gap(format!("{text}.{method} is not there: boundaries are unknown, nothing is skipped"));
            }
            if rewritten.unnoted > 0 {
                recorder.gap_for_all(format!("{text}: no room for notes of what it asks the JDK"));
            }
            if rewritten.unbracketed {
                recorder
                    .gap_for_all(format!("{text}.<clinit>: no room for probes, so what it ran is unknown"));
            }
        })?;
    }
    rewritten.bytes
}

/// What the constant pool of a class with our probes or calls holds.
const OURS: &[u8] = b"java/lang/Tamis";

fn mentions(bytes: &[u8], text: &[u8]) -> bool {
    bytes.windows(text.len()).any(|window| window == text)
}

/// A class, the names and descriptors of its methods, and its supertypes.
type ClassOutline<'a> = (ClassFile<'a>, Vec<(String, String)>, Vec<String>);

fn understood(bytes: &[u8]) -> Option<ClassOutline<'_>> {
    let class = ClassFile::parse(bytes).ok()?;
    let mut methods = Vec::with_capacity(class.methods.len());
    for method in class.methods.iter() {
        let text = |index| class.pool.text(index).map(|text| text.into_owned());
        methods.push((text(method.name).ok()?, text(method.descriptor).ok()?));
    }
    let supers = class.super_name().transpose().into_iter().chain(class.interface_names());
    let supers =
        supers.map(|name| Ok(mutf8::decode(name?).into_owned())).collect::<Result<Vec<_>, ParseError>>();
    supers.ok().map(|supers| (class, methods, supers))
}

fn has_code(class: &ClassFile<'_>, method: &Member<'_>) -> bool {
    !matches!(method.attributes.find(&class.pool, AttributeKind::Code), Ok(None))
}
