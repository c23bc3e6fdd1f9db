//! JNI functions that run Java code or load classes.
//!
//! Methods of frameworks are called by name. No method is cached from one call to the next, because two loaders may each
//! have a class of the same name.

use super::{JavaEnv, JavaObject, JniEnv, JvmField};
use std::ffi::{CStr, CString, c_char, c_int, c_void};
use std::ops::Deref;
use std::ptr;

/// `JNINativeMethod`
#[repr(C)]
struct NativeMethod {
    name: *const c_char,
    descriptor: *const c_char,
    function: *const c_void,
}

impl Deref for JavaEnv {
    type Target = JniEnv;

    fn deref(&self) -> &JniEnv {
        &self.0
    }
}

impl JavaEnv {
    /// The environment that a callback or native method was given.
    ///
    /// # Safety
    /// `env` is the current thread's `JNIEnv*`.
    pub(crate) unsafe fn from_raw(env: *mut c_void) -> JavaEnv {
        // SAFETY: by the caller's promise.
        JavaEnv(unsafe { JniEnv::from_raw(env) })
    }

    /// The environment for code that may hold a lock.
    pub(crate) fn quiet(self) -> JniEnv {
        self.0
    }

    /// Calls a method without parameters that returns an object; `None` for null and for exceptions.
    pub(crate) fn call(self, object: JavaObject, name: &str, descriptor: &str) -> Option<JavaObject> {
        self.call_with(object, name, descriptor, ptr::null_mut())
    }

    /// Calls a method with one parameter, an object, that returns an object; `None` for null and for exceptions.
    pub(crate) fn call_with(
        self,
        object: JavaObject,
        name: &str,
        descriptor: &str,
        argument: JavaObject,
    ) -> Option<JavaObject> {
        let method = self.method(object, name, descriptor)?;
        let call = slot!(self.0.0, 36, fn(JniEnv, JavaObject, JavaObject, *const JavaObject) -> JavaObject);
        // SAFETY: the method is one of the object's and returns an object by its descriptor. It has at most one parameter, an
        // object, for which this `jvalue` is the argument.
        self.result(unsafe { call(self.0, object, method, &argument) })
    }

    /// The text returned by a method without parameters.
    pub(crate) fn call_string(self, object: JavaObject, name: &str) -> Option<String> {
        self.call(object, name, "()Ljava/lang/String;").and_then(|string| self.string(string))
    }

    /// Calls a method without parameters that returns a boolean; `None` for exceptions.
    pub(crate) fn call_boolean(self, object: JavaObject, name: &str) -> Option<bool> {
        let method = self.method(object, name, "()Z")?;
        let call = slot!(self.0.0, 39, fn(JniEnv, JavaObject, JavaObject, *const c_void) -> u8);
        // SAFETY: as in `call_with`.
        let answer = unsafe { call(self.0, object, method, ptr::null()) };
        (!self.clear_exception()).then_some(answer != 0)
    }

    /// Calls a method without parameters that returns an int; `None` for exceptions.
    pub(crate) fn call_int(self, object: JavaObject, name: &str) -> Option<i32> {
        let method = self.method(object, name, "()I")?;
        let call = slot!(self.0.0, 51, fn(JniEnv, JavaObject, JavaObject, *const c_void) -> i32);
        // SAFETY: as in `call_with`.
        let answer = unsafe { call(self.0, object, method, ptr::null()) };
        (!self.clear_exception()).then_some(answer)
    }

    /// Calls a method without parameters that returns nothing; false for exceptions.
    pub(crate) fn call_void(self, object: JavaObject, name: &str) -> bool {
        let Some(method) = self.method(object, name, "()V") else { return false };
        let call = slot!(self.0.0, 63, fn(JniEnv, JavaObject, JavaObject, *const c_void) -> ());
        // SAFETY: as in `call_with`.
        unsafe { call(self.0, object, method, ptr::null()) };
        !self.clear_exception()
    }

    /// Whether a system property is `true` at present.
    pub(crate) fn is_set(self, property: &CStr) -> bool {
        let call = slot!(self.0.0, 119, fn(JniEnv, JavaObject, JavaObject, *const JavaObject) -> u8);
        let Some((class, method)) = self.asker("java/lang/Boolean", c"getBoolean", c"(Ljava/lang/String;)Z")
        else {
            return false;
        };
        let Some(property) = self.text(property) else { return false };
        // SAFETY: the method is static and one of the class. It has one parameter, a string.
        let answer = unsafe { call(self.0, class, method, &property) };
        !self.clear_exception() && answer != 0
    }

    /// A system property at present.
    pub(crate) fn property(self, name: &str) -> Option<String> {
        let call = slot!(self.0.0, 116, fn(JniEnv, JavaObject, JavaObject, *const JavaObject) -> JavaObject);
        let name = CString::new(name).ok()?;
        self.with_locals(|| {
            let descriptor = c"(Ljava/lang/String;)Ljava/lang/String;";
            let (class, method) = self.asker("java/lang/System", c"getProperty", descriptor)?;
            let name = self.text(&name)?;
            // SAFETY: as in `is_set`; the method returns an object.
            let value = self.result(unsafe { call(self.0, class, method, &name) })?;
            self.string(value)
        })
        .flatten()
    }

    /// A static method of a class of the boot loader, and the class.
    fn asker(self, class: &str, name: &CStr, descriptor: &CStr) -> Option<(JavaObject, JavaObject)> {
        let find = slot!(self.0.0, 113, fn(JniEnv, JavaObject, *const c_char, *const c_char) -> JavaObject);
        let class = self.find_class(class)?;
        // SAFETY: `class` is a class; the texts live through the call.
        let method = self.result(unsafe { find(self.0, class, name.as_ptr(), descriptor.as_ptr()) })?;
        Some((class, method))
    }

    fn text(self, text: &CStr) -> Option<JavaObject> {
        let make = slot!(self.0.0, 167, fn(JniEnv, *const c_char) -> JavaObject);
        // SAFETY: the text lives through the call.
        self.result(unsafe { make(self.0, text.as_ptr()) })
    }

    /// Sets a field, which may be private; false if there is no such field.
    pub(crate) fn set_field(
        self,
        object: JavaObject,
        name: &str,
        descriptor: &str,
        value: JavaObject,
    ) -> bool {
        let set = slot!(self.0.0, 104, fn(JniEnv, JavaObject, JvmField, JavaObject) -> ());
        let field = self.class_of(object).and_then(|class| self.field(class, name, descriptor));
        let Some(field) = field else { return false };
        // SAFETY: the field is one of this object, and the caller's value has its type.
        unsafe { set(self.0, object, field, value) };
        !self.clear_exception()
    }

    /// Removes an element from a `java.util.Collection`; false if it was not in it.
    pub(crate) fn remove(self, collection: JavaObject, element: JavaObject) -> bool {
        let call = slot!(self.0.0, 39, fn(JniEnv, JavaObject, JavaObject, *const JavaObject) -> u8);
        let method = self.method(collection, "remove", "(Ljava/lang/Object;)Z");
        // SAFETY: the method takes one object and returns a boolean.
        let removed = method.is_some_and(|method| unsafe { call(self.0, collection, method, &element) } != 0);
        !self.clear_exception() && removed
    }

    /// Runs `work` on the elements of a `java.util.Collection`, up to the first `Some`.
    pub(crate) fn each<R>(
        self,
        collection: JavaObject,
        work: impl FnMut(JavaObject) -> Option<R>,
    ) -> Option<R> {
        let array = self.call(collection, "toArray", "()[Ljava/lang/Object;")?;
        self.each_element(array, work)
    }

    /// An array of the same type with the elements at these indices.
    pub(crate) fn pick(self, array: JavaObject, wanted: &[usize]) -> Option<JavaObject> {
        let class_of = slot!(self.0.0, 31, fn(JniEnv, JavaObject) -> JavaObject);
        let get = slot!(self.0.0, 173, fn(JniEnv, JavaObject, i32) -> JavaObject);
        let set = slot!(self.0.0, 174, fn(JniEnv, JavaObject, i32, JavaObject) -> ());
        let new = slot!(self.0.0, 172, fn(JniEnv, i32, JavaObject, JavaObject) -> JavaObject);
        // SAFETY: `array` is a reference to an array of objects.
        let class = unsafe { class_of(self.0, array) };
        let element = self.call(class, "getComponentType", "()Ljava/lang/Class;")?;
        let count = i32::try_from(wanted.len()).ok()?;
        // SAFETY: `element` is the class of the elements, which are null at first.
        let picked = self.result(unsafe { new(self.0, count, element, ptr::null_mut()) })?;
        for (to, from) in wanted.iter().enumerate() {
            let copied = self.with_locals(|| {
                // SAFETY: both arrays have the element type; an index that is out of bounds throws an exception.
                unsafe { set(self.0, picked, to as i32, get(self.0, array, *from as i32)) };
                !self.clear_exception()
            })?;
            if !copied {
                return None;
            }
        }
        Some(picked)
    }

    /// Defines a class with the boot loader; `None` if the JVM refuses it.
    pub(crate) fn define_boot_class(self, name: &str, bytes: &[u8]) -> Option<JavaObject> {
        let define =
            slot!(self.0.0, 5, fn(JniEnv, *const c_char, JavaObject, *const i8, c_int) -> JavaObject);
        let name = CString::new(name).ok()?;
        let length = c_int::try_from(bytes.len()).ok()?;
        // SAFETY: name and bytes live through the call; a null loader is the boot loader.
        let class = unsafe { define(self.0, name.as_ptr(), ptr::null_mut(), bytes.as_ptr().cast(), length) };
        self.result(class)
    }

    /// The object in a static field.
    pub(crate) fn static_object(self, class: JavaObject, name: &str, descriptor: &str) -> Option<JavaObject> {
        let field = self.static_field(class, name, descriptor)?;
        self.result(self.static_value(class, field, b'L').err()?)
    }

    /// A static field of a class.
    pub(crate) fn static_field(self, class: JavaObject, name: &str, descriptor: &str) -> Option<JvmField> {
        let get = slot!(self.0.0, 144, fn(JniEnv, JavaObject, *const c_char, *const c_char) -> JvmField);
        let (name, descriptor) = (CString::new(name).ok()?, CString::new(descriptor).ok()?);
        // SAFETY: `class` is a class; the strings live through the call.
        self.result(unsafe { get(self.0, class, name.as_ptr(), descriptor.as_ptr()) })
    }

    /// A class of the boot loader: a local reference.
    pub(crate) fn find_class(self, name: &str) -> Option<JavaObject> {
        let find = slot!(self.0.0, 6, fn(JniEnv, *const c_char) -> JavaObject);
        let name = CString::new(name).ok()?;
        // SAFETY: the name lives through the call.
        self.result(unsafe { find(self.0, name.as_ptr()) })
    }

    /// Makes `function` the native code of a method.
    pub(crate) fn register(
        self,
        class: JavaObject,
        name: &str,
        descriptor: &str,
        function: *const c_void,
    ) -> bool {
        let register = slot!(self.0.0, 215, fn(JniEnv, JavaObject, *const NativeMethod, c_int) -> c_int);
        let (Ok(name), Ok(descriptor)) = (CString::new(name), CString::new(descriptor)) else { return false };
        let method = NativeMethod { name: name.as_ptr(), descriptor: descriptor.as_ptr(), function };
        // SAFETY: `class` is a class; one method, whose strings live through the call.
        let code = unsafe { register(self.0, class, &method, 1) };
        !self.clear_exception() && code == 0
    }

    fn method(self, object: JavaObject, name: &str, descriptor: &str) -> Option<JavaObject> {
        let method_id =
            slot!(self.0.0, 33, fn(JniEnv, JavaObject, *const c_char, *const c_char) -> JavaObject);
        let (name, descriptor) = (CString::new(name).ok()?, CString::new(descriptor).ok()?);
        let class = self.class_of(object)?;
        // SAFETY: `class` is a local reference; the strings live through the call.
        let method = unsafe { method_id(self.0, class, name.as_ptr(), descriptor.as_ptr()) };
        self.result(method)
    }

    pub(crate) fn has_method(self, object: JavaObject, name: &str, descriptor: &str) -> bool {
        self.method(object, name, descriptor).is_some()
    }
}
