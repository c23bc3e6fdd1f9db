//! Finds out from the stack which code calls a native method.
//!
//! Some native methods serve programs as well as the linking of the JVM. The kind of a method on the stack never changes and is
//! remembered, so that reading a stack takes a few microseconds.

use super::ENVIRONMENT;
use crate::sync::lock;
use crate::vm::{JVMTI, JniEnv, JvmMethod};
use std::collections::HashMap;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use tamis_catalog::jdk::packages;

/// The kind of a method on the stack.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum CallerKind {
    /// Code of the program or of a library.
    Program,
    /// Code of a library that reads class files for their declarations.
    Declarations,
    /// Methods of the JDK between a program that calls `MethodHandles.Lookup` or `Unsafe`, also by reflection, and the native.
    Between,
    /// Called by the JVM to link a call site, a method handle or a constant; or called by reflection, to create a handle of a
    /// member that it has listed before.
    Link,
    /// A method of the JDK that makes up the name of a new file.
    NewName,
    /// Any other method of the JDK.
    Jdk,
}

/// Numbers of frames to read, since each takes time: all that the JDK may have between the caller and the native; those that are
/// enough most of the time; those that are enough if the JDK itself calls.
const DEPTH: usize = 32;
const MOSTLY: usize = 8;
const NEAREST: usize = 3;

/// Whether this JVM has loaded code that reads declarations.
static IS_READER: AtomicBool = AtomicBool::new(false);

/// A class with this name is loaded.
pub(crate) fn loaded(class: &str) {
    if tamis_catalog::libraries::reads_declarations(class) {
        IS_READER.store(true, Ordering::Relaxed);
    }
}

/// Whether this thread reads a class file for its declarations.
pub(super) fn is_for_declarations() -> bool {
    let environment = ENVIRONMENT.get();
    if !IS_READER.load(Ordering::Relaxed) || environment.is_null() {
        return false;
    }
    // SAFETY: `noting` received it from the JVM, on this thread.
    let jni = unsafe { JniEnv::from_raw(environment) };
    first::<DEPTH>(jni, |frame| *frame == CallerKind::Declarations).is_some()
}

static KNOWN: Mutex<Option<HashMap<usize, CallerKind>>> = Mutex::new(None);

/// Whether the program calls, through any methods of the JDK but those that link.
pub(super) fn is_program(jni: JniEnv) -> bool {
    let decides = |frame: &CallerKind| {
        matches!(frame, CallerKind::Program | CallerKind::Declarations | CallerKind::Link)
    };
    let found = first::<MOSTLY>(jni, decides).or_else(|| first::<DEPTH>(jni, decides));
    matches!(found, Some(CallerKind::Program | CallerKind::Declarations))
}

/// Whether the program calls directly, through [`CallerKind::Between`] only.
pub(super) fn is_program_itself(jni: JniEnv) -> bool {
    let decides = |frame: &CallerKind| *frame != CallerKind::Between;
    let found = first::<NEAREST>(jni, decides).or_else(|| first::<MOSTLY>(jni, decides));
    let found = found.or_else(|| first::<DEPTH>(jni, decides));
    matches!(found, Some(CallerKind::Program | CallerKind::Declarations))
}

/// Whether the JDK looks for a name that no file has yet, to make a file of that name.
pub(super) fn is_for_new_name() -> bool {
    let environment = ENVIRONMENT.get();
    if environment.is_null() {
        return false;
    }
    // SAFETY: `noting` received it from the JVM, on this thread.
    let jni = unsafe { JniEnv::from_raw(environment) };
    first::<NEAREST>(jni, |frame| *frame == CallerKind::NewName).is_some()
}

/// The first of the `N` innermost frames of this thread that fulfils a condition.
fn first<const N: usize>(jni: JniEnv, condition: impl Fn(&CallerKind) -> bool) -> Option<CallerKind> {
    let stack = JVMTI.get()?.stack::<N>();
    stack.into_iter().map(|method| frame(jni, method)).find(condition)
}

fn frame(jni: JniEnv, method: JvmMethod) -> CallerKind {
    let mut known = lock(&KNOWN);
    let known = known.get_or_insert_default();
    if let Some(frame) = known.get(&(method as usize)) {
        return *frame;
    }
    let frame = look(jni, method).unwrap_or(CallerKind::Program);
    known.insert(method as usize, frame);
    frame
}

fn look(jni: JniEnv, method: JvmMethod) -> Option<CallerKind> {
    let jvmti = JVMTI.get()?;
    let class = jvmti.declaring_class(method).ok()?;
    let loader = jvmti.class_loader(class);
    let signature = jvmti.class_signature(class);
    jni.forget(class);
    if let Some(loader) = loader
        && !loader.is_null()
    {
        jni.forget(loader);
        let class = signature.as_deref().and_then(|class| class.strip_prefix('L')).unwrap_or_default();
        return Some(if tamis_catalog::libraries::reads_declarations(class) {
            CallerKind::Declarations
        } else {
            CallerKind::Program
        });
    }
    let class = signature?;
    let (name, _) = jvmti.method_name(method).ok()?;
    Some(if packages::links(&class, &name) || packages::LINKING.has_type(&class) {
        CallerKind::Link
    } else if packages::makes_up_names(&class, &name) {
        CallerKind::NewName
    } else if packages::BETWEEN.has_type(&class) {
        CallerKind::Between
    } else {
        CallerKind::Jdk
    })
}
