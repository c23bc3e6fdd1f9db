//! Objects of frameworks, called and read by name.
//!
//! Nothing is remembered from one call to the next: two loaders may have a class each of one name.

use super::{JVMTI, JavaObject, JniEnv, JvmField};
use std::ffi::{CStr, c_char, c_void};
use std::ptr;

impl JniEnv {
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
        let call = slot!(self.0, 36, fn(JniEnv, JavaObject, JavaObject, *const JavaObject) -> JavaObject);
        // SAFETY: the method is the object's and returns an object by its descriptor; it takes as many arguments as that
        // says, at most this one, a `jvalue` that holds an object.
        self.result(unsafe { call(self, object, method, &argument) })
    }

    /// The text that a method without parameters returns.
    pub(crate) fn call_string(self, object: JavaObject, name: &str) -> Option<String> {
        self.call(object, name, "()Ljava/lang/String;").and_then(|string| self.string(string))
    }

    /// Calls a method without parameters that returns a boolean; `None` for exceptions.
    pub(crate) fn call_boolean(self, object: JavaObject, name: &str) -> Option<bool> {
        let method = self.method(object, name, "()Z")?;
        let call = slot!(self.0, 39, fn(JniEnv, JavaObject, JavaObject, *const c_void) -> u8);
        // SAFETY: as in `call_with`.
        let answer = unsafe { call(self, object, method, ptr::null()) };
        (!self.clear_exception()).then_some(answer != 0)
    }

    /// Calls a method without parameters that returns an int; `None` for exceptions.
    pub(crate) fn call_int(self, object: JavaObject, name: &str) -> Option<i32> {
        let method = self.method(object, name, "()I")?;
        let call = slot!(self.0, 51, fn(JniEnv, JavaObject, JavaObject, *const c_void) -> i32);
        // SAFETY: as in `call_with`.
        let answer = unsafe { call(self, object, method, ptr::null()) };
        (!self.clear_exception()).then_some(answer)
    }

    /// Calls a method without parameters that returns nothing; whether it did.
    pub(crate) fn call_void(self, object: JavaObject, name: &str) -> bool {
        let Some(method) = self.method(object, name, "()V") else { return false };
        let call = slot!(self.0, 63, fn(JniEnv, JavaObject, JavaObject, *const c_void) -> ());
        // SAFETY: as in `call_with`.
        unsafe { call(self, object, method, ptr::null()) };
        !self.clear_exception()
    }

    /// Whether a system property is `true` now.
    pub(crate) fn is_set(self, property: &CStr) -> bool {
        let Some(class) = self.find_class("java/lang/Boolean") else { return false };
        let find = slot!(self.0, 113, fn(JniEnv, JavaObject, *const c_char, *const c_char) -> JavaObject);
        let text = slot!(self.0, 167, fn(JniEnv, *const c_char) -> JavaObject);
        let call = slot!(self.0, 119, fn(JniEnv, JavaObject, JavaObject, *const JavaObject) -> u8);
        // SAFETY: a class, and texts that live through the calls.
        let (method, property) = unsafe {
            let method = find(self, class, c"getBoolean".as_ptr(), c"(Ljava/lang/String;)Z".as_ptr());
            (self.result(method), self.result(text(self, property.as_ptr())))
        };
        let (Some(method), Some(property)) = (method, property) else { return false };
        // SAFETY: as in `call_with`; the method is static.
        let answer = unsafe { call(self, class, method, &property) };
        !self.clear_exception() && answer != 0
    }

    /// The name of the class that an object is of.
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

    /// Puts an object into a field, which may be private; whether there is such a field.
    pub(crate) fn set_field(
        self,
        object: JavaObject,
        name: &str,
        descriptor: &str,
        value: JavaObject,
    ) -> bool {
        let set = slot!(self.0, 104, fn(JniEnv, JavaObject, JvmField, JavaObject) -> ());
        let field = self.class_of(object).and_then(|class| self.field(class, name, descriptor));
        let Some(field) = field else { return false };
        // SAFETY: the field is one of this object, and the caller's value has its type.
        unsafe { set(self, object, field, value) };
        !self.clear_exception()
    }

    /// Removes an element from a `java.util.Collection`; whether it was there.
    pub(crate) fn remove(self, collection: JavaObject, element: JavaObject) -> bool {
        let call = slot!(self.0, 39, fn(JniEnv, JavaObject, JavaObject, *const JavaObject) -> u8);
        let method = self.method(collection, "remove", "(Ljava/lang/Object;)Z");
        // SAFETY: the method takes one object and returns a boolean.
        let removed = method.is_some_and(|method| unsafe { call(self, collection, method, &element) } != 0);
        !self.clear_exception() && removed
    }

    /// The elements of a `java.util.Collection`, as far as `work` wants them: it stops at the first `Some`.
    pub(crate) fn each<R>(
        self,
        collection: JavaObject,
        work: impl FnMut(JavaObject) -> Option<R>,
    ) -> Option<R> {
        let array = self.call(collection, "toArray", "()[Ljava/lang/Object;")?;
        self.each_element(array, work)
    }

    /// The elements of an array of objects, as far as `work` wants them. Each is gone when `work` returns.
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

    fn length(self, array: JavaObject) -> i32 {
        let length = slot!(self.0, 171, fn(JniEnv, JavaObject) -> i32);
        // SAFETY: `array` is a reference to an array, which the caller has from a method or field of that type.
        if array.is_null() { 0 } else { unsafe { length(self, array) } }
    }

    /// An array of the same type with those elements only that are wanted, by index.
    pub(crate) fn pick(self, array: JavaObject, wanted: &[usize]) -> Option<JavaObject> {
        let class_of = slot!(self.0, 31, fn(JniEnv, JavaObject) -> JavaObject);
        let get = slot!(self.0, 173, fn(JniEnv, JavaObject, i32) -> JavaObject);
        let set = slot!(self.0, 174, fn(JniEnv, JavaObject, i32, JavaObject) -> ());
        let new = slot!(self.0, 172, fn(JniEnv, i32, JavaObject, JavaObject) -> JavaObject);
        // SAFETY: `array` is a reference to an array of objects.
        let class = unsafe { class_of(self, array) };
        let element = self.call(class, "getComponentType", "()Ljava/lang/Class;")?;
        let count = i32::try_from(wanted.len()).ok()?;
        // SAFETY: an array of this element type, with nulls.
        let picked = self.result(unsafe { new(self, count, element, ptr::null_mut()) })?;
        for (to, from) in wanted.iter().enumerate() {
            let copied = self.with_locals(|| {
                // SAFETY: both have these indices, and the same element type; otherwise there is an exception.
                unsafe { set(self, picked, to as i32, get(self, array, *from as i32)) };
                !self.clear_exception()
            })?;
            if !copied {
                return None;
            }
        }
        Some(picked)
    }

    pub(crate) fn has_method(self, object: JavaObject, name: &str, descriptor: &str) -> bool {
        self.method(object, name, descriptor).is_some()
    }
}
