//! Reflection: classes whose members, annotations or other structure are read.
//!
//! `java.lang.Class` caches the results, so only the first listing in a JVM is seen here; the CLI charges it to every later test
//! that uses the class. Classes of the boot loader belong to the JDK and are not noted. Method handles are noted if the program
//! looked them up, and not if the JVM links a lambda or a constant, which follow from code.

use super::callers;
use super::{natives, note};
use crate::recorder;
use crate::vm::{JVMTI, JavaEnv, JavaObject, JvmField};
use std::ffi::c_void;
use std::ptr;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicPtr, Ordering};
use tamis_classfile::access::STATIC;
use tamis_wire::Input;

const CLASS: &str = "java/lang/Class";
const HANDLES: &str = "java/lang/invoke/MethodHandleNatives";

/// Field ids as numbers: the class of a `MemberName`, `Method`, `Constructor` and `Field`, and the modifiers of a `Field`. And a
/// global reference to the class `Package`.
struct OwnerFields {
    member: usize,
    method: usize,
    constructor: usize,
    field: usize,
    modifiers: usize,
    package: usize,
}

static OWNERS: OnceLock<OwnerFields> = OnceLock::new();

pub(super) fn start(jni: JavaEnv) {
    let field = |class: &str, name: &str, descriptor: &str| {
        let class = jni.find_class(class)?;
        let field = jni.field(class, name, descriptor);
        jni.forget(class);
        field.map(|field| field as usize)
    };
    let number = |class: &str| field(class, "clazz", "Ljava/lang/Class;").unwrap_or_default();
    let _ = OWNERS.set(OwnerFields {
        member: number("java/lang/invoke/MemberName"),
        method: number("java/lang/reflect/Method"),
        constructor: number("java/lang/reflect/Constructor"),
        field: number("java/lang/reflect/Field"),
        modifiers: field("java/lang/reflect/Field", "modifiers", "I").unwrap_or_default(),
        package: jni
            .find_class("java/lang/Package")
            .and_then(|class| jni.global(class))
            .map_or(0, |it| it as usize),
    });
}

/// The class that holds the annotations of a package, if an annotated element is one: `a/b/package-info`.
pub(crate) fn package_info(jni: JavaEnv, element: JavaObject) -> Option<String> {
    let package = OWNERS.get().map(|owners| owners.package as JavaObject).filter(|class| !class.is_null())?;
    if !jni.is_instance(element, package) {
        return None;
    }
    Some(format!("{}/package-info", jni.call_string(element, "getName")?.replace('.', "/")))
}

/// The static field that a `Field` stands for, `a/B.name`. Others are not noted: libraries set thousands of them.
pub(crate) fn static_field(jni: JavaEnv, field: JavaObject) -> Option<String> {
    let owners = OWNERS.get().filter(|owners| owners.modifiers != 0 && !field.is_null())?;
    if jni.int_in(field, owners.modifiers as JvmField) & i32::from(STATIC) == 0 {
        return None;
    }
    let class = jni.object_in(field, owners.field as JvmField)?;
    Some(format!("{}.{}", name(jni, class)?, jni.call_string(field, "getName")?))
}

natives! { TABLE:
    [(CLASS, "getDeclaredMethods0", "(Z)[Ljava/lang/reflect/Method;")],
    fn(class, public: u8) -> JavaObject, |jni| name(jni, class), |_, class, _| reflected(class);

    [(CLASS, "getDeclaredFields0", "(Z)[Ljava/lang/reflect/Field;")],
    fn(class, public: u8) -> JavaObject, |jni| name(jni, class), |_, class, _| reflected(class);

    [(CLASS, "getDeclaredConstructors0", "(Z)[Ljava/lang/reflect/Constructor;")],
    fn(class, public: u8) -> JavaObject, |jni| name(jni, class), |_, class, _| reflected(class);

    [(CLASS, "getDeclaredClasses0", "()[Ljava/lang/Class;")],
    fn(class) -> JavaObject, |jni| name(jni, class), |_, class, _| reflected(class);

    [(CLASS, "getDeclaringClass0", "()Ljava/lang/Class;")],
    fn(class) -> JavaObject, |jni| unlinked(jni, class), |_, class, _| reflected(class);

    [(CLASS, "getEnclosingMethod0", "()[Ljava/lang/Object;")],
    fn(class) -> JavaObject, |jni| unlinked(jni, class), |_, class, _| reflected(class);

    [(CLASS, "getSimpleBinaryName0", "()Ljava/lang/String;")],
    fn(class) -> JavaObject, |jni| unlinked(jni, class), |_, class, _| reflected(class);

    [(CLASS, "getInterfaces0", "()[Ljava/lang/Class;")],
    fn(class) -> JavaObject, |jni| name(jni, class), |_, class, _| reflected(class);

    [(CLASS, "getGenericSignature0", "()Ljava/lang/String;")],
    fn(class) -> JavaObject, |jni| name(jni, class), |_, class, _| reflected(class);

    [(CLASS, "getRawAnnotations", "()[B")],
    fn(class) -> JavaObject, |jni| name(jni, class), |_, class, _| reflected(class);

    [(CLASS, "getRawTypeAnnotations", "()[B")],
    fn(class) -> JavaObject, |jni| name(jni, class), |_, class, _| reflected(class);

    [(CLASS, "getRecordComponents0", "()[Ljava/lang/reflect/RecordComponent;")],
    fn(class) -> JavaObject, |jni| name(jni, class), |_, class, _| reflected(class);

    [(CLASS, "getPermittedSubclasses0", "()[Ljava/lang/Class;")],
    fn(class) -> JavaObject, |jni| name(jni, class), |_, class, _| reflected(class);

    [(CLASS, "getNestMembers0", "()[Ljava/lang/Class;")],
    fn(class) -> JavaObject, |jni| name(jni, class), |_, class, _| reflected(class);

    [(CLASS, "getNestHost0", "()Ljava/lang/Class;")],
    fn(class) -> JavaObject, |jni| name(jni, class), |_, class, _| reflected(class);

    [("java/lang/reflect/Executable", "getParameters0", "()[Ljava/lang/reflect/Parameter;")],
    fn(member) -> JavaObject, |jni| owner(jni, member), |_, class, _| reflected(class);

    [("java/lang/reflect/Executable", "getTypeAnnotationBytes0", "()[B")],
    fn(member) -> JavaObject, |jni| owner(jni, member), |_, class, _| reflected(class);

    [("java/lang/reflect/Field", "getTypeAnnotationBytes0", "()[B")],
    fn(member) -> JavaObject, |jni| owned(jni, member, OWNERS.get()?.field), |_, class, _| reflected(class);

    [("java/io/ObjectStreamClass", "hasStaticInitializer", "(Ljava/lang/Class;)Z")],
    fn(this, class: JavaObject) -> u8, |jni| name(jni, class), |_, class, _| reflected(class);

    [
        ("sun/misc/Unsafe", "allocateInstance", "(Ljava/lang/Class;)Ljava/lang/Object;"),
        ("jdk/internal/misc/Unsafe", "allocateInstance", "(Ljava/lang/Class;)Ljava/lang/Object;"),
    ],
    fn(this, class: JavaObject) -> JavaObject, |jni| instantiated(jni, class), |_, class, _| reflected(class);

    [("jdk/internal/misc/Unsafe", "objectFieldOffset1", "(Ljava/lang/Class;Ljava/lang/String;)J")],
    fn(this, class: JavaObject, field: JavaObject) -> i64, |jni| name(jni, class), |_, class, _| reflected(class);

    [(CLASS, "forName0", "(Ljava/lang/String;ZLjava/lang/ClassLoader;Ljava/lang/Class;)Ljava/lang/Class;")],
    fn(this, class: JavaObject, initialise: u8, loader: JavaObject, caller: JavaObject) -> JavaObject,
    |_| Some(()), |jni: JavaEnv, (), found| {
        if let (false, Some(class)) = (jni.threw(), name(jni, found)) {
            note(Input::Named(class));
        }
    };

    [(HANDLES, "resolve", "(Ljava/lang/invoke/MemberName;Ljava/lang/Class;)Ljava/lang/invoke/MemberName;")],
    fn(this, member: JavaObject, caller: JavaObject) -> JavaObject,
    |jni| HandleLookup::new(jni, member, caller), |jni, seen: HandleLookup, found| seen.end(jni, found);

    [(HANDLES, "resolve", "(Ljava/lang/invoke/MemberName;Ljava/lang/Class;Z)Ljava/lang/invoke/MemberName;")],
    fn(this, member: JavaObject, caller: JavaObject, speculative: u8) -> JavaObject,
    |jni| HandleLookup::new(jni, member, caller), |jni, seen: HandleLookup, found| seen.end(jni, found);

    [(HANDLES, "resolve", "(Ljava/lang/invoke/MemberName;Ljava/lang/Class;IZ)Ljava/lang/invoke/MemberName;")],
    fn(this, member: JavaObject, caller: JavaObject, modes: i32, speculative: u8) -> JavaObject,
    |jni| HandleLookup::new(jni, member, caller), |jni, seen: HandleLookup, found| seen.end(jni, found);
}

fn reflected(class: String) {
    note(Input::Reflected(class));
}

/// The name of a class, unless the boot loader defined it.
pub(crate) fn name(jni: JavaEnv, class: JavaObject) -> Option<String> {
    let jvmti = JVMTI.get()?;
    if class.is_null() {
        return None;
    }
    let loader = jvmti.class_loader(class)?;
    if loader.is_null() {
        return None;
    }
    jni.forget(loader);
    let signature = jvmti.class_signature(class)?;
    let element = signature.trim_start_matches('[').strip_prefix('L')?;
    element.strip_suffix(';').filter(|name| !is_unnamed(name)).map(str::to_owned)
}

/// Whether a class has a name that no file can have, as hidden and anonymous classes do. They are noted when they are defined. The
/// JDK's own accessors have names and loaders of their own.
fn is_unnamed(name: &str) -> bool {
    let last = name.rsplit('/').next().unwrap_or_default();
    name.contains('.')
        || last.bytes().all(|byte| byte.is_ascii_digit())
        || tamis_catalog::jdk::packages::ACCESSORS.has(name)
}

/// The class of a query that `Class.getSimpleName` makes, unless the JDK makes it to link the `toString` of a record.
fn unlinked(jni: JavaEnv, class: JavaObject) -> Option<String> {
    let class = name(jni, class)?;
    callers::is_program(jni.quiet()).then_some(class)
}

/// The class of an instance that the program creates without a constructor. The JDK does so itself for method handles of
/// constructors, which follow from code.
fn instantiated(jni: JavaEnv, class: JavaObject) -> Option<String> {
    // Method handles of the JDK's own constructors may do so a million times: their classes are remembered.
    static BOOT: [AtomicPtr<c_void>; 8] = [const { AtomicPtr::new(ptr::null_mut()) }; 8];
    let mut known =
        BOOT.iter().map(|place| place.load(Ordering::Acquire)).take_while(|known| !known.is_null());
    if known.any(|known| jni.is_same(class, known.cast())) {
        return None;
    }
    let Some(name) = name(jni, class) else {
        if is_boot(jni, class)
            && let Some(free) = BOOT.iter().find(|place| place.load(Ordering::Acquire).is_null())
            && let Some(global) = jni.global(class)
        {
            // If two threads do this at once, one reference is lost. It is to a class that is never unloaded.
            let _ =
                free.compare_exchange(ptr::null_mut(), global.cast(), Ordering::AcqRel, Ordering::Relaxed);
        }
        return None;
    };
    callers::is_program_itself(jni.quiet()).then_some(name)
}

/// Whether the boot loader defined a class.
fn is_boot(jni: JavaEnv, class: JavaObject) -> bool {
    let Some(loader) = JVMTI.get().and_then(|jvmti| jvmti.class_loader(class)) else { return false };
    jni.forget(loader);
    loader.is_null()
}

/// The class of a `Method` or `Constructor`.
fn owner(jni: JavaEnv, member: JavaObject) -> Option<String> {
    let owners = OWNERS.get()?;
    let class = jni.class_of(member)?;
    let signature = JVMTI.get()?.class_signature(class);
    jni.forget(class);
    let field = if signature? == "Ljava/lang/reflect/Method;" { owners.method } else { owners.constructor };
    owned(jni, member, field)
}

fn owned(jni: JavaEnv, member: JavaObject, field: usize) -> Option<String> {
    let class = jni.object_in(member, field as JvmField)?;
    let name = name(jni, class);
    jni.forget(class);
    name
}

/// The look-up of a member for a method handle.
struct HandleLookup {
    seen: Input,
    is_the_programs: bool,
}

impl HandleLookup {
    /// `caller` is the class with whose rights the member is looked up; null for the JDK itself. That is reflection most of the
    /// time, for every method it calls: then it has listed the class before, and the stack need not be read.
    fn new(jni: JavaEnv, member: JavaObject, caller: JavaObject) -> Option<HandleLookup> {
        let class = owned(jni, member, OWNERS.get()?.member)?;
        let seen = Input::Reflected(class);
        let is_listed =
            caller.is_null() && recorder::with(|recorder| recorder.has_noted(&seen)) == Some(true);
        let is_the_programs = !is_listed && callers::is_program(jni.quiet());
        Some(HandleLookup { seen, is_the_programs })
    }

    /// A member that is not found is noted for any caller.
    fn end(self, jni: JavaEnv, found: JavaObject) {
        if self.is_the_programs || found.is_null() || jni.threw() {
            note(self.seen);
        }
    }
}
