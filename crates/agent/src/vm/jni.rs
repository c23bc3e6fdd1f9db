//! JNI functions that read objects and keep references. None of them runs Java code or loads a class.

use super::{JVMTI, JavaObject, JniEnv, JvmField};
use std::ffi::{CStr, CString, c_char, c_int, c_void};
use std::ptr;

impl JniEnv {
    /// The environment that a callback or native method was given.
    ///
    /// # Safety
    /// `env` is the current thread's `JNIEnv*`.
    pub(crate) unsafe fn from_raw(env: *mut c_void) -> JniEnv {
        JniEnv(env.cast())
    }

    /// The superclass of a class: a local reference.
    pub(crate) fn superclass(self, class: JavaObject) -> Option<JavaObject> {
        let get = slot!(self.0, 10, fn(JniEnv, JavaObject) -> JavaObject);
        // SAFETY: `class` is a class.
        let superclass = unsafe { get(self, class) };
        (!superclass.is_null()).then_some(superclass)
    }

    /// Whether an object is an instance of a class.
    pub(crate) fn is_instance(self, object: JavaObject, class: JavaObject) -> bool {
        let is = slot!(self.0, 32, fn(JniEnv, JavaObject, JavaObject) -> u8);
        // SAFETY: `class` is a class; a null object would be of any.
        !object.is_null() && unsafe { is(self, object, class) != 0 }
    }

    /// The class of an object: a local reference.
    pub(crate) fn class_of(self, object: JavaObject) -> Option<JavaObject> {
        let class_of = slot!(self.0, 31, fn(JniEnv, JavaObject) -> JavaObject);
        // SAFETY: `object` is a valid reference.
        (!object.is_null()).then(|| unsafe { class_of(self, object) })
    }

    /// An instance field of a class, which must be initialised: otherwise JNI would initialise it.
    pub(crate) fn field(self, class: JavaObject, name: &str, descriptor: &str) -> Option<JvmField> {
        let get = slot!(self.0, 94, fn(JniEnv, JavaObject, *const c_char, *const c_char) -> JvmField);
        let (name, descriptor) = (CString::new(name).ok()?, CString::new(descriptor).ok()?);
        // SAFETY: `class` is a class; the strings live through the call.
        self.result(unsafe { get(self, class, name.as_ptr(), descriptor.as_ptr()) })
    }

    /// The object in a field: a local reference.
    pub(crate) fn object_in(self, object: JavaObject, field: JvmField) -> Option<JavaObject> {
        if object.is_null() || field.is_null() {
            return None;
        }
        let get = slot!(self.0, 95, fn(JniEnv, JavaObject, JvmField) -> JavaObject);
        // SAFETY: the field is one of the object's class, by the caller's descriptor.
        let value = unsafe { get(self, object, field) };
        (!value.is_null()).then_some(value)
    }

    /// The number in a `long` field.
    pub(crate) fn long_in(self, object: JavaObject, field: JvmField) -> i64 {
        let get = slot!(self.0, 101, fn(JniEnv, JavaObject, JvmField) -> i64);
        // SAFETY: the field is one of the object's class, and a long, by the caller's descriptor.
        if object.is_null() || field.is_null() { 0 } else { unsafe { get(self, object, field) } }
    }

    /// The number in an `int` field.
    pub(crate) fn int_in(self, object: JavaObject, field: JvmField) -> i32 {
        let get = slot!(self.0, 100, fn(JniEnv, JavaObject, JvmField) -> i32);
        // SAFETY: the field is one of the object's class, and an int, by the caller's descriptor.
        unsafe { get(self, object, field) }
    }

    /// The value of a static field of this type: the bits of a number, or else a local reference that may be null.
    pub(crate) fn static_value(
        self,
        class: JavaObject,
        field: JvmField,
        descriptor: u8,
    ) -> Result<u64, JavaObject> {
        // SAFETY, of all: the field is a static one of this class, and of this type by its descriptor.
        macro_rules! get {
            ($slot:expr, $type:ty) => {{
                let get = slot!(self.0, $slot, fn(JniEnv, JavaObject, JvmField) -> $type);
                // SAFETY: as above.
                unsafe { get(self, class, field) }
            }};
        }
        Ok(match descriptor {
            b'Z' | b'B' => u64::from(get!(if descriptor == b'Z' { 146 } else { 147 }, u8)),
            b'C' | b'S' => u64::from(get!(if descriptor == b'C' { 148 } else { 149 }, u16)),
            b'I' => u64::from(get!(150, u32)),
            b'J' => get!(151, u64),
            b'F' => u64::from(get!(152, f32).to_bits()),
            b'D' => get!(153, f64).to_bits(),
            _ => return Err(get!(145, JavaObject)),
        })
    }

    /// The value of an instance field: as [`Self::static_value`].
    pub(crate) fn value_in(
        self,
        object: JavaObject,
        field: JvmField,
        descriptor: u8,
    ) -> Result<u64, JavaObject> {
        // SAFETY, of all: the field is one of the object's class, and of this type by its descriptor.
        macro_rules! get {
            ($slot:expr, $type:ty) => {{
                let get = slot!(self.0, $slot, fn(JniEnv, JavaObject, JvmField) -> $type);
                // SAFETY: as above.
                unsafe { get(self, object, field) }
            }};
        }
        Ok(match descriptor {
            b'Z' | b'B' => u64::from(get!(if descriptor == b'Z' { 96 } else { 97 }, u8)),
            b'C' | b'S' => u64::from(get!(if descriptor == b'C' { 98 } else { 99 }, u16)),
            b'I' => u64::from(get!(100, u32)),
            b'J' => get!(101, u64),
            b'F' => u64::from(get!(102, f32).to_bits()),
            b'D' => get!(103, f64).to_bits(),
            _ => return Err(self.object_in(object, field).unwrap_or(ptr::null_mut())),
        })
    }

    /// A local reference to the same object; `None` if the object is gone.
    pub(crate) fn local(self, reference: JavaObject) -> Option<JavaObject> {
        let new = slot!(self.0, 25, fn(JniEnv, JavaObject) -> JavaObject);
        // SAFETY: a valid reference, which may be weak and cleared.
        let local = unsafe { new(self, reference) };
        (!local.is_null()).then_some(local)
    }

    /// Deletes a local reference, which may be null.
    pub(crate) fn forget(self, local: JavaObject) {
        let delete = slot!(self.0, 23, fn(JniEnv, JavaObject) -> ());
        if !local.is_null() {
            // SAFETY: a local reference of this thread, not used any more. Allowed while an exception is pending.
            unsafe { delete(self, local) };
        }
    }

    /// The bytes of a `byte[]`; `None` for null.
    pub(crate) fn bytes(self, array: JavaObject, start: c_int, length: Option<c_int>) -> Option<Vec<u8>> {
        if array.is_null() {
            return None;
        }
        let length_of = slot!(self.0, 171, fn(JniEnv, JavaObject) -> c_int);
        let region = slot!(self.0, 200, fn(JniEnv, JavaObject, c_int, c_int, *mut u8) -> ());
        // SAFETY: `array` is a byte[].
        let whole = unsafe { length_of(self, array) };
        let length = length.unwrap_or(whole - start);
        if start < 0 || length < 0 || start > whole - length {
            return None;
        }
        let mut bytes = vec![0; length as usize];
        // SAFETY: the region lies in the array, as checked, and `bytes` has room for it.
        unsafe { region(self, array, start, length, bytes.as_mut_ptr()) };
        (!self.clear_exception()).then_some(bytes)
    }

    /// Whether an exception is pending. It stays so.
    pub(crate) fn threw(self) -> bool {
        let check = slot!(self.0, 228, fn(JniEnv) -> u8);
        // SAFETY: may be called at any time.
        unsafe { check(self) != 0 }
    }

    /// A reference that stays valid.
    pub(crate) fn global(self, object: JavaObject) -> Option<JavaObject> {
        let new = slot!(self.0, 21, fn(JniEnv, JavaObject) -> JavaObject);
        // SAFETY: `object` is a valid reference.
        self.result(unsafe { new(self, object) })
    }

    /// A reference that stays valid as long as the object lives.
    pub(crate) fn weak(self, object: JavaObject) -> Option<JavaObject> {
        let new = slot!(self.0, 226, fn(JniEnv, JavaObject) -> JavaObject);
        // SAFETY: `object` is a valid reference.
        self.result(unsafe { new(self, object) })
    }

    /// Deletes a reference made by [`Self::weak`].
    pub(crate) fn forget_weak(self, weak: JavaObject) {
        let delete = slot!(self.0, 227, fn(JniEnv, JavaObject) -> ());
        // SAFETY: `weak` is a weak global reference that its owner does not use again.
        unsafe { delete(self, weak) };
    }

    /// Whether two references are to the same object.
    pub(crate) fn is_same(self, one: JavaObject, other: JavaObject) -> bool {
        let same = slot!(self.0, 24, fn(JniEnv, JavaObject, JavaObject) -> u8);
        // SAFETY: both are valid references; a weak one may have been cleared.
        unsafe { same(self, one, other) != 0 }
    }

    /// The text of a `java.lang.String`.
    pub(crate) fn string(self, string: JavaObject) -> Option<String> {
        if string.is_null() {
            return None;
        }
        let chars = slot!(self.0, 169, fn(JniEnv, JavaObject, *mut u8) -> *const c_char);
        let release = slot!(self.0, 170, fn(JniEnv, JavaObject, *const c_char) -> ());
        // SAFETY: `string` is a valid String.
        let text = unsafe { chars(self, string, ptr::null_mut()) };
        if text.is_null() {
            self.clear_exception();
            return None;
        }
        // SAFETY: modified UTF-8 has no NUL but the last.
        let decoded = tamis_classfile::mutf8::decode(unsafe { CStr::from_ptr(text) }.to_bytes()).into_owned();
        // SAFETY: released once.
        unsafe { release(self, string, text) };
        Some(decoded)
    }

    /// Runs `work`, then deletes the local references made in it.
    pub(crate) fn with_locals<R>(self, work: impl FnOnce() -> R) -> Option<R> {
        self.with_room_for(32, work)
    }

    /// As [`Self::with_locals`], for more references.
    pub(crate) fn with_room_for<R>(self, references: c_int, work: impl FnOnce() -> R) -> Option<R> {
        let push = slot!(self.0, 19, fn(JniEnv, c_int) -> c_int);
        let pop = slot!(self.0, 20, fn(JniEnv, JavaObject) -> JavaObject);
        // SAFETY: pushed here, popped below.
        if unsafe { push(self, references) } != 0 {
            self.clear_exception();
            return None;
        }
        let result = work();
        // SAFETY: as above; no reference is carried over.
        unsafe { pop(self, ptr::null_mut()) };
        Some(result)
    }

    /// Runs `work` on the elements of a `boolean[]` in place. It must not call the JVM and must be short.
    pub(crate) fn with_booleans<R>(
        self,
        array: JavaObject,
        length: usize,
        work: impl FnOnce(*mut u8, usize) -> R,
    ) -> Option<R> {
        let enter = slot!(self.0, 222, fn(JniEnv, JavaObject, *mut u8) -> *mut u8);
        let leave = slot!(self.0, 223, fn(JniEnv, JavaObject, *mut u8, c_int) -> ());
        // SAFETY: `array` is a boolean[] of at least `length` elements.
        let elements = unsafe { enter(self, array, ptr::null_mut()) };
        if elements.is_null() {
            return None;
        }
        let result = work(elements, length);
        // SAFETY: entered above.
        unsafe { leave(self, array, elements, 0) };
        Some(result)
    }

    /// Whether [`Self::with_booleans`] works on a copy that is written back as a whole, as with `-Xcheck:jni`.
    pub(crate) fn copies(self, array: JavaObject) -> bool {
        self.with_booleans(array, 0, |one, _| self.with_booleans(array, 0, |other, _| one != other))
            .flatten()
            .unwrap_or(true)
    }

    /// A copy of the first elements of a `boolean[]`.
    pub(crate) fn booleans(self, array: JavaObject, length: usize) -> Vec<u8> {
        let get = slot!(self.0, 199, fn(JniEnv, JavaObject, c_int, c_int, *mut u8) -> ());
        let mut copy = vec![0; length];
        // SAFETY: `array` is a boolean[] of at least `length` elements, and the copy has room for them.
        unsafe { get(self, array, 0, length as c_int, copy.as_mut_ptr()) };
        self.clear_exception();
        copy
    }

    /// Clears one element of a `boolean[]`.
    pub(crate) fn clear_boolean(self, array: JavaObject, at: usize) {
        let set = slot!(self.0, 207, fn(JniEnv, JavaObject, c_int, c_int, *const u8) -> ());
        // SAFETY: the element is inside the array; one byte is read.
        unsafe { set(self, array, at as c_int, 1, &0) };
        self.clear_exception();
    }

    /// The result of a call, unless it is null or an exception was thrown. Clears the exception.
    pub(super) fn result(self, object: JavaObject) -> Option<JavaObject> {
        (!self.clear_exception() && !object.is_null()).then_some(object)
    }

    /// Clears a pending exception; whether there was one.
    pub(super) fn clear_exception(self) -> bool {
        let check = slot!(self.0, 228, fn(JniEnv) -> u8);
        let clear = slot!(self.0, 17, fn(JniEnv) -> ());
        // SAFETY: both may be called with an exception pending.
        unsafe {
            let pending = check(self) != 0;
            if pending {
                clear(self);
            }
            pending
        }
    }

    /// The name of an object's class, with dots.
    pub(crate) fn class_name(self, object: JavaObject) -> Option<String> {
        let class = self.class_of(object)?;
        let signature = JVMTI.get()?.class_signature(class);
        self.forget(class);
        Some(signature?.strip_prefix('L')?.strip_suffix(';')?.replace('/', "."))
    }

    /// The object in a field of an object, which may be private.
    pub(crate) fn field_of(self, object: JavaObject, name: &str, descriptor: &str) -> Option<JavaObject> {
        self.object_in(object, self.field(self.class_of(object)?, name, descriptor)?)
    }

    /// Runs `work` on the elements of an array of objects, up to the first `Some`. The references made in `work` are deleted.
    pub(crate) fn each_element<R>(
        self,
        array: JavaObject,
        mut work: impl FnMut(JavaObject) -> Option<R>,
    ) -> Option<R> {
        let get = slot!(self.0, 173, fn(JniEnv, JavaObject, i32) -> JavaObject);
        for index in 0..self.length(array) {
            let found = self.with_locals(|| {
                // SAFETY: an index of this array.
                let element = self.result(unsafe { get(self, array, index) })?;
                work(element)
            })?;
            if found.is_some() {
                return found;
            }
        }
        None
    }

    /// An element of an array of objects: a local reference.
    pub(crate) fn element(self, array: JavaObject, index: i32) -> Option<JavaObject> {
        let get = slot!(self.0, 173, fn(JniEnv, JavaObject, i32) -> JavaObject);
        // SAFETY: `array` is an array of objects; the JVM checks the index.
        self.result(unsafe { get(self, array, index) })
    }

    /// Runs `work` on the first bytes of an array of numbers, in place. It must not call the JVM and must be short.
    pub(crate) fn with_bytes<R>(
        self,
        array: JavaObject,
        length: usize,
        work: impl FnOnce(&[u8]) -> R,
    ) -> Option<R> {
        const UNCHANGED: c_int = 2;
        let enter = slot!(self.0, 222, fn(JniEnv, JavaObject, *mut u8) -> *mut u8);
        let leave = slot!(self.0, 223, fn(JniEnv, JavaObject, *mut u8, c_int) -> ());
        // SAFETY: `array` is an array of numbers of at least `length` bytes.
        let bytes = unsafe { enter(self, array, ptr::null_mut()) };
        if bytes.is_null() {
            return None;
        }
        // SAFETY: the elements stay where they are until `leave`; another thread may write them, which gives another sum.
        let result = work(unsafe { std::slice::from_raw_parts(bytes, length) });
        // SAFETY: entered above.
        unsafe { leave(self, array, bytes, UNCHANGED) };
        Some(result)
    }

    /// The length of an array, 0 for null.
    pub(crate) fn length(self, array: JavaObject) -> i32 {
        let length = slot!(self.0, 171, fn(JniEnv, JavaObject) -> i32);
        // SAFETY: `array` is a reference to an array, which the caller has from a method or field of that type.
        if array.is_null() { 0 } else { unsafe { length(self, array) } }
    }
}
