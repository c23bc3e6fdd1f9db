//! Generated classes that have no file and that the class hook does not see: hidden classes, and anonymous ones before them.
//!
//! Lambdas and other classes that the JDK generates for itself follow from code, which has a digest. Proxies and the classes of
//! mocking and persistence libraries are ordinary classes, which the class hook sees.

use super::callers;
use super::reflection::name;
use super::{natives, note};
use crate::vm::{JavaEnv, JavaObject};
use std::cell::Cell;
use tamis_classfile::{ClassFile, mutf8};
use tamis_wire::{HiddenClass, Input};

natives! { TABLE:
    [(
        "java/lang/ClassLoader",
        "defineClass0",
        "(Ljava/lang/ClassLoader;Ljava/lang/Class;Ljava/lang/String;[BIILjava/security/ProtectionDomain;ZILjava/lang/Object;)Ljava/lang/Class;",
    )],
    fn(
        this, loader: JavaObject, host: JavaObject, class: JavaObject, bytes: JavaObject, start: i32, length: i32, domain: JavaObject,
        initialise: u8, flags: i32, data: JavaObject
    ) -> JavaObject, |jni| if flags & HIDDEN == 0 { None } else { made(jni, host, bytes, start, Some(length)) },
    |_, made, _| note(Input::Made(made));

    [
        ("sun/misc/Unsafe", "defineAnonymousClass", "(Ljava/lang/Class;[B[Ljava/lang/Object;)Ljava/lang/Class;"),
        ("jdk/internal/misc/Unsafe", "defineAnonymousClass0", "(Ljava/lang/Class;[B[Ljava/lang/Object;)Ljava/lang/Class;"),
    ],
    fn(this, host: JavaObject, bytes: JavaObject, patches: JavaObject) -> JavaObject,
    |jni| {
        IS_ANONYMOUS.set(true);
        Some(made(jni, host, bytes, 0, None))
    }, |_, made: Option<HiddenClass>, _| {
        IS_ANONYMOUS.set(false);
        if let Some(made) = made {
            note(Input::Made(made));
        }
    };
}

/// The flag of a class that is hidden. `Lookup.defineClass` defines others by the same native, which the class hook sees.
const HIDDEN: i32 = 2;

thread_local! {
    static IS_ANONYMOUS: Cell<bool> = const { Cell::new(false) };
}

/// Whether a class without a name in the class hook is an anonymous one that this thread defines. Up to JDK 14 the hook sees
/// those, most of them lambdas. Other classes without a name are from loaders that define a class without naming it.
pub(crate) fn is_anonymous() -> bool {
    IS_ANONYMOUS.get()
}

fn made(
    jni: JavaEnv,
    host: JavaObject,
    bytes: JavaObject,
    start: i32,
    length: Option<i32>,
) -> Option<HiddenClass> {
    if !callers::is_program_itself(jni.quiet()) {
        return None;
    }
    let bytes = jni.bytes(bytes, start, length)?;
    let host = name(jni, host).unwrap_or_default();
    // The JVM also refuses a class that cannot be parsed.
    let class = ClassFile::parse(&bytes).ok()?;
    let text = |name: &[u8]| mutf8::decode(name).into_owned();
    let supers = class.super_name().transpose().into_iter().chain(class.interface_names());
    let supers = supers
        .map(|name| Ok::<_, tamis_classfile::ParseError>(text(name?)))
        .collect::<Result<_, _>>()
        .ok()?;
    Some(HiddenClass { name: text(class.name().ok()?), host, supers })
}
