//! JVMTI: classes, methods, threads, stacks, events.

use super::{EventCallbacks, JavaObject, JavaVm, JvmField, JvmMethod, JvmtiEnv, JvmtiError};
use std::ffi::{CStr, CString, c_char, c_int, c_uchar, c_void};
use std::ptr;

/// `jvmtiFrameInfo`
#[derive(Clone, Copy)]
#[repr(C)]
pub(crate) struct FrameInfo {
    pub(crate) method: JvmMethod,
    location: i64,
}

impl FrameInfo {
    pub(crate) fn is_native(&self) -> bool {
        self.location == -1
    }
}

/// `jvmtiThreadInfo`
#[repr(C)]
struct ThreadInfo {
    name: *mut c_char,
    priority: c_int,
    is_daemon: u8,
    group: JavaObject,
    loader: JavaObject,
}

/// `jvmtiThreadGroupInfo`
#[repr(C)]
struct GroupInfo {
    parent: JavaObject,
    name: *mut c_char,
    priority: c_int,
    is_daemon: u8,
}

fn checked(code: c_int) -> Result<(), JvmtiError> {
    if code == 0 { Ok(()) } else { Err(JvmtiError(code)) }
}

impl JvmtiEnv {
    /// The environment that a callback was given.
    ///
    /// # Safety
    /// `env` is a `jvmtiEnv*` of this JVM.
    pub(crate) unsafe fn from_raw(env: *mut c_void) -> JvmtiEnv {
        JvmtiEnv(env.cast())
    }

    /// Asks the JVM for a new environment.
    ///
    /// # Safety
    /// `vm` is the `JavaVM*` that `Agent_OnLoad` was given.
    pub(crate) unsafe fn get(vm: JavaVm) -> Option<JvmtiEnv> {
        const VERSION_1_2: c_int = 0x3001_0200;
        let get_env = slot!(vm, 6, fn(JavaVm, *mut *mut c_void, c_int) -> c_int);
        let mut env = ptr::null_mut();
        // SAFETY: `vm` is valid by the caller's promise, and `env` is ours.
        let code = unsafe { get_env(vm, &mut env, VERSION_1_2) };
        (code == 0 && !env.is_null()).then(|| JvmtiEnv(env.cast()))
    }

    /// Capabilities by the bit numbers of `jvmtiCapabilities`.
    pub(crate) fn add_capabilities(self, bits: &[usize]) -> Result<(), JvmtiError> {
        let mut capabilities = [0u32; 4];
        for bit in bits {
            if let Some(word) = capabilities.get_mut(bit / 32) {
                *word |= 1 << (bit % 32);
            }
        }
        let add = slot!(self.0, 141, fn(JvmtiEnv, *const u32) -> c_int);
        // SAFETY: the struct is 16 bytes of bit fields, which this is.
        checked(unsafe { add(self, capabilities.as_ptr()) })
    }

    pub(crate) fn set_callbacks(self, callbacks: &EventCallbacks) -> Result<(), JvmtiError> {
        let set = slot!(self.0, 121, fn(JvmtiEnv, *const EventCallbacks, c_int) -> c_int);
        // SAFETY: the JVM copies as many bytes as the last argument says.
        checked(unsafe { set(self, callbacks, size_of::<EventCallbacks>() as c_int) })
    }

    pub(crate) fn enable(self, event: c_int) -> Result<(), JvmtiError> {
        self.notify(1, event)
    }

    pub(crate) fn disable(self, event: c_int) -> Result<(), JvmtiError> {
        self.notify(0, event)
    }

    fn notify(self, mode: c_int, event: c_int) -> Result<(), JvmtiError> {
        // The last parameter is a C ellipsis that no event uses. On the ABIs we build for, a call without it is the same.
        let set = slot!(self.0, 1, fn(JvmtiEnv, c_int, c_int, JavaObject) -> c_int);
        // SAFETY: a null thread means all threads.
        checked(unsafe { set(self, mode, event, ptr::null_mut()) })
    }

    /// A copy of `bytes` in memory that the JVM takes ownership of.
    pub(crate) fn allocate(self, bytes: &[u8]) -> Result<*mut c_uchar, JvmtiError> {
        let allocate = slot!(self.0, 45, fn(JvmtiEnv, i64, *mut *mut c_uchar) -> c_int);
        let mut memory = ptr::null_mut();
        // SAFETY: `memory` is ours to be written.
        checked(unsafe { allocate(self, bytes.len() as i64, &mut memory) })?;
        // SAFETY: the JVM allocated that many bytes.
        unsafe { ptr::copy_nonoverlapping(bytes.as_ptr(), memory, bytes.len()) };
        Ok(memory)
    }

    /// Name and descriptor of a method.
    pub(crate) fn method_name(self, method: JvmMethod) -> Result<(String, String), JvmtiError> {
        type Text = *mut *mut c_char;
        let get = slot!(self.0, 63, fn(JvmtiEnv, JvmMethod, Text, Text, Text) -> c_int);
        let (mut name, mut descriptor) = (ptr::null_mut(), ptr::null_mut());
        // SAFETY: both texts are ours to be written; the null pointer omits the generic signature.
        checked(unsafe { get(self, method, &mut name, &mut descriptor, ptr::null_mut()) })?;
        Ok((self.take_text(name), self.take_text(descriptor)))
    }

    /// The class that declares a method: a local reference.
    pub(crate) fn declaring_class(self, method: JvmMethod) -> Result<JavaObject, JvmtiError> {
        let get = slot!(self.0, 64, fn(JvmtiEnv, JvmMethod, *mut JavaObject) -> c_int);
        let mut class = ptr::null_mut();
        // SAFETY: `class` is ours to be written.
        checked(unsafe { get(self, method, &mut class) })?;
        Ok(class)
    }

    /// `Ljava/lang/String;`
    pub(crate) fn class_signature(self, class: JavaObject) -> Option<String> {
        let get = slot!(self.0, 47, fn(JvmtiEnv, JavaObject, *mut *mut c_char, *mut *mut c_char) -> c_int);
        let mut signature = ptr::null_mut();
        // SAFETY: `class` is a class; the text is ours to be written; the null pointer omits the generic signature.
        checked(unsafe { get(self, class, &mut signature, ptr::null_mut()) }).ok()?;
        Some(self.take_text(signature))
    }

    /// The loader of a class: a local reference, null for the boot loader.
    pub(crate) fn class_loader(self, class: JavaObject) -> Option<JavaObject> {
        let get = slot!(self.0, 56, fn(JvmtiEnv, JavaObject, *mut JavaObject) -> c_int);
        let mut loader = ptr::null_mut();
        // SAFETY: `class` is a class; `loader` is ours to be written.
        checked(unsafe { get(self, class, &mut loader) }).ok()?;
        Some(loader)
    }

    /// The fields that a class declares; none before the class is prepared.
    pub(crate) fn fields(self, class: JavaObject) -> Vec<JvmField> {
        let get = slot!(self.0, 52, fn(JvmtiEnv, JavaObject, *mut c_int, *mut *mut JvmField) -> c_int);
        let (mut count, mut fields) = (0, ptr::null_mut());
        // SAFETY: `class` is a class; both results are ours to be written.
        let code = unsafe { get(self, class, &mut count, &mut fields) };
        if code != 0 || fields.is_null() {
            return Vec::new();
        }
        // SAFETY: on success the JVM allocated an array of that length, which is freed once, below.
        let copy =
            unsafe { std::slice::from_raw_parts(fields, usize::try_from(count).unwrap_or(0)) }.to_vec();
        self.free(fields.cast());
        copy
    }

    /// Name and descriptor of a field.
    pub(crate) fn field_name(self, class: JavaObject, field: JvmField) -> Option<(String, String)> {
        type Text = *mut *mut c_char;
        let get = slot!(self.0, 59, fn(JvmtiEnv, JavaObject, JvmField, Text, Text, Text) -> c_int);
        let (mut name, mut descriptor) = (ptr::null_mut(), ptr::null_mut());
        // SAFETY: the field is one of this class; both texts are ours to be written; the null pointer omits the generic one.
        checked(unsafe { get(self, class, field, &mut name, &mut descriptor, ptr::null_mut()) }).ok()?;
        Some((self.take_text(name), self.take_text(descriptor)))
    }

    /// The flags of a field.
    pub(crate) fn field_modifiers(self, class: JavaObject, field: JvmField) -> Option<c_int> {
        let get = slot!(self.0, 61, fn(JvmtiEnv, JavaObject, JvmField, *mut c_int) -> c_int);
        let mut flags = 0;
        // SAFETY: the field is one of this class; `flags` is ours to be written.
        checked(unsafe { get(self, class, field, &mut flags) }).ok()?;
        Some(flags)
    }

    /// The identity hash code of an object.
    pub(crate) fn identity(self, object: JavaObject) -> Option<i32> {
        let get = slot!(self.0, 57, fn(JvmtiEnv, JavaObject, *mut i32) -> c_int);
        let mut hash = 0;
        // SAFETY: `object` is a valid reference; `hash` is ours to be written.
        (!object.is_null() && checked(unsafe { get(self, object, &mut hash) }).is_ok()).then_some(hash)
    }

    /// The methods on this thread's stack, innermost first, at most `N`.
    pub(crate) fn stack<const N: usize>(self) -> Vec<JvmMethod> {
        let get =
            slot!(self.0, 103, fn(JvmtiEnv, JavaObject, c_int, c_int, *mut FrameInfo, *mut c_int) -> c_int);
        let mut frames = [FrameInfo { method: ptr::null_mut(), location: 0 }; N];
        let mut count = 0;
        // SAFETY: a null thread is the current one; there is room for N frames.
        let code = unsafe { get(self, ptr::null_mut(), 0, N as c_int, frames.as_mut_ptr(), &mut count) };
        let count = if code == 0 { count as usize } else { 0 };
        frames.iter().take(count).map(|frame| frame.method).collect()
    }

    /// Whether this JVM offers a capability.
    pub(crate) fn could_have(self, bit: usize) -> bool {
        let mut capabilities = [0u32; 4];
        let get = slot!(self.0, 139, fn(JvmtiEnv, *mut u32) -> c_int);
        // SAFETY: as in `add_capabilities`.
        let known = unsafe { get(self, capabilities.as_mut_ptr()) } == 0;
        known && capabilities.get(bit / 32).is_some_and(|word| word & (1 << (bit % 32)) != 0)
    }

    /// All platform threads that have been started and live, as local references.
    pub(crate) fn all_threads(self) -> Result<Vec<JavaObject>, JvmtiError> {
        self.objects(slot!(self.0, 3, fn(JvmtiEnv, *mut c_int, *mut *mut JavaObject) -> c_int))
    }

    /// All classes that are loaded, as local references.
    pub(crate) fn loaded_classes(self) -> Result<Vec<JavaObject>, JvmtiError> {
        self.objects(slot!(self.0, 77, fn(JvmtiEnv, *mut c_int, *mut *mut JavaObject) -> c_int))
    }

    fn objects(
        self,
        get: unsafe extern "system" fn(JvmtiEnv, *mut c_int, *mut *mut JavaObject) -> c_int,
    ) -> Result<Vec<JavaObject>, JvmtiError> {
        let (mut count, mut objects) = (0, ptr::null_mut());
        // SAFETY: both are ours to be written.
        checked(unsafe { get(self, &mut count, &mut objects) })?;
        if objects.is_null() {
            return Ok(Vec::new());
        }
        // SAFETY: on success the JVM allocated an array of that length, which is freed once, below.
        let copy =
            unsafe { std::slice::from_raw_parts(objects, usize::try_from(count).unwrap_or(0)) }.to_vec();
        self.free(objects.cast());
        Ok(copy)
    }

    /// This thread: a local reference.
    pub(crate) fn current_thread(self) -> Option<JavaObject> {
        let get = slot!(self.0, 17, fn(JvmtiEnv, *mut JavaObject) -> c_int);
        let mut thread = ptr::null_mut();
        // SAFETY: `thread` is ours to be written.
        checked(unsafe { get(self, &mut thread) }).ok()?;
        (!thread.is_null()).then_some(thread)
    }

    /// Whether a thread was started and has ended.
    pub(crate) fn has_ended(self, thread: JavaObject) -> bool {
        const TERMINATED: c_int = 2;
        let get = slot!(self.0, 16, fn(JvmtiEnv, JavaObject, *mut c_int) -> c_int);
        let mut state = 0;
        // SAFETY: `state` is ours to be written.
        unsafe { get(self, thread, &mut state) == 0 && state & TERMINATED != 0 }
    }

    /// The processor time of a thread, in nanoseconds.
    pub(crate) fn cpu_time(self, thread: JavaObject) -> Result<i64, JvmtiError> {
        let get = slot!(self.0, 136, fn(JvmtiEnv, JavaObject, *mut i64) -> c_int);
        let mut nanos = 0;
        // SAFETY: `nanos` is ours to be written.
        checked(unsafe { get(self, thread, &mut nanos) }).map(|()| nanos)
    }

    /// The names of a thread and of its group; the group's is empty once the thread has ended.
    pub(crate) fn thread_names(self, thread: JavaObject) -> Result<(String, String), JvmtiError> {
        let get = slot!(self.0, 8, fn(JvmtiEnv, JavaObject, *mut ThreadInfo) -> c_int);
        let get_group = slot!(self.0, 13, fn(JvmtiEnv, JavaObject, *mut GroupInfo) -> c_int);
        let mut info = ThreadInfo {
            name: ptr::null_mut(),
            priority: 0,
            is_daemon: 0,
            group: ptr::null_mut(),
            loader: ptr::null_mut(),
        };
        // SAFETY: `info` is laid out as the header says.
        checked(unsafe { get(self, thread, &mut info) })?;
        let name = self.take_text(info.name);
        if info.group.is_null() {
            return Ok((name, String::new()));
        }
        let mut group =
            GroupInfo { parent: ptr::null_mut(), name: ptr::null_mut(), priority: 0, is_daemon: 0 };
        // SAFETY: as above.
        checked(unsafe { get_group(self, info.group, &mut group) })?;
        Ok((name, self.take_text(group.name)))
    }

    /// The methods on a thread's stack, innermost first, at most `most`.
    pub(crate) fn stack_of(self, thread: JavaObject, most: usize) -> Result<Vec<JvmMethod>, JvmtiError> {
        Ok(self.frames_of(thread, most)?.into_iter().map(|frame| frame.method).collect())
    }

    /// As [`Self::stack_of`], with the position in each method. A null thread is the current one.
    pub(crate) fn frames_of(self, thread: JavaObject, most: usize) -> Result<Vec<FrameInfo>, JvmtiError> {
        let get =
            slot!(self.0, 103, fn(JvmtiEnv, JavaObject, c_int, c_int, *mut FrameInfo, *mut c_int) -> c_int);
        let mut frames = vec![FrameInfo { method: ptr::null_mut(), location: 0 }; most];
        let mut count = 0;
        // SAFETY: the JVM writes at most `most` frames, for which there is room.
        checked(unsafe { get(self, thread, 0, most as c_int, frames.as_mut_ptr(), &mut count) })?;
        frames.truncate(usize::try_from(count).unwrap_or(0));
        Ok(frames)
    }

    fn free(self, memory: *mut c_void) {
        let deallocate = slot!(self.0, 46, fn(JvmtiEnv, *mut c_void) -> c_int);
        // SAFETY: the JVM allocated it for us, and every caller frees it once.
        unsafe { deallocate(self, memory) };
    }

    /// The contents of a text that the JVM allocated; frees it.
    fn take_text(self, text: *mut c_char) -> String {
        if text.is_null() {
            return String::new();
        }
        let deallocate = slot!(self.0, 46, fn(JvmtiEnv, *mut c_char) -> c_int);
        // SAFETY: the JVM allocated a C string in modified UTF-8; it is freed once.
        unsafe {
            let decoded = tamis_classfile::mutf8::decode(CStr::from_ptr(text).to_bytes()).into_owned();
            deallocate(self, text);
            decoded
        }
    }

    /// A system property as the JVM has it.
    pub(crate) fn property(self, name: &str) -> Option<String> {
        let get = slot!(self.0, 130, fn(JvmtiEnv, *const c_char, *mut *mut c_char) -> c_int);
        let deallocate = slot!(self.0, 46, fn(JvmtiEnv, *mut c_char) -> c_int);
        let name = CString::new(name).ok()?;
        let mut value = ptr::null_mut();
        // SAFETY: `name` is a C string; `value` is ours to be written.
        checked(unsafe { get(self, name.as_ptr(), &mut value) }).ok()?;
        if value.is_null() {
            return None;
        }
        // SAFETY: on success the JVM allocated a C string, which is freed once, below.
        let text = unsafe { CStr::from_ptr(value) }.to_string_lossy().into_owned();
        // SAFETY: as above.
        unsafe { deallocate(self, value) };
        Some(text)
    }
}
