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
use tamis_catalog::builds::build_info;
use tamis_catalog::jdk::packages;
use tamis_catalog::libraries;

/// The kind of a method on the stack.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum CallerKind {
    /// Code of the program or of a library.
    Program,
    /// Code of a library that reads class files for their declarations.
    Declarations,
    /// Code through which that reads, or is asked to.
    Helper,
    /// Code of a library that looks for components.
    ComponentScan,
    /// Code of a library that looks at all methods of the classes that are found.
    MethodScan,
    /// Methods of the JDK between a program that calls `MethodHandles.Lookup` or `Unsafe`, also by reflection, and the native.
    Between,
    /// Called by the JVM to link a call site, a method handle or a constant; or called by reflection, to create a handle of a
    /// member that it has listed before.
    Link,
    /// Code of a library that reads what the build notes about itself, for those who ask later.
    BuildInfo,
    /// Code of the JDK that finds out its limits.
    Limits,
    /// A method of the JDK that makes up the name of a new file.
    NewName,
    /// Any other method of the JDK.
    Jdk,
}

impl CallerKind {
    /// Whether it is code of the program or of a library.
    fn is_program(self) -> bool {
        match self {
            CallerKind::Program
            | CallerKind::Declarations
            | CallerKind::Helper
            | CallerKind::ComponentScan
            | CallerKind::MethodScan
            | CallerKind::BuildInfo => true,
            CallerKind::Between
            | CallerKind::Link
            | CallerKind::NewName
            | CallerKind::Limits
            | CallerKind::Jdk => false,
        }
    }
}

/// Numbers of frames to read, since each takes time: those between a scan and the reading of a class; all that the JDK may have between the caller and the native; those that are
/// enough most of the time; those that are enough if the JDK itself calls.
const SCAN_DEPTH: usize = 48;
const DEPTH: usize = 32;
const MOSTLY: usize = 8;
const NEAREST: usize = 3;

/// Whether this JVM has loaded code that reads declarations.
static IS_READER: AtomicBool = AtomicBool::new(false);

/// A class with this name is loaded.
pub(crate) fn loaded(class: &str) {
    if libraries::reads_declarations(class) {
        IS_READER.store(true, Ordering::Relaxed);
    }
}

/// Purpose for which a class file is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ReadPurpose {
    /// Its declarations, in their order.
    Declarations,
    /// Whether the class is a component.
    Components,
}

/// Purpose for which this thread reads a class file, if not for all of it.
pub(super) fn read_purpose() -> Option<ReadPurpose> {
    let environment = ENVIRONMENT.get();
    if !IS_READER.load(Ordering::Relaxed) || environment.is_null() {
        return None;
    }
    // SAFETY: `noting` received it from the JVM, on this thread.
    let jni = unsafe { JniEnv::from_raw(environment) };
    let stack = JVMTI.get()?.stack::<SCAN_DEPTH>();
    purpose(stack.into_iter().map(|method| frame(jni, method)))
}

/// The purpose by the frames of a stack, the innermost first. The first code outside of the reader that asked for the class is
/// known to look for components, and no code further out looks at methods.
fn purpose(frames: impl Iterator<Item = CallerKind>) -> Option<ReadPurpose> {
    let (mut is_reader, mut is_other, mut asked) = (false, false, None);
    for frame in frames {
        match frame {
            CallerKind::Declarations => is_reader = true,
            CallerKind::MethodScan => is_other = true,
            CallerKind::Program | CallerKind::ComponentScan | CallerKind::BuildInfo if !is_reader => {
                is_other = true
            }
            CallerKind::Program | CallerKind::ComponentScan | CallerKind::BuildInfo => {
                asked.get_or_insert(frame);
            }
            CallerKind::Helper
            | CallerKind::Between
            | CallerKind::Link
            | CallerKind::NewName
            | CallerKind::Limits
            | CallerKind::Jdk => {}
        }
    }
    let is_scan = !is_other && asked == Some(CallerKind::ComponentScan);
    is_reader.then_some(if is_scan { ReadPurpose::Components } else { ReadPurpose::Declarations })
}

static KNOWN: Mutex<Option<HashMap<usize, CallerKind>>> = Mutex::new(None);

/// Whether the program calls, through any methods of the JDK but those that link.
pub(super) fn is_program(jni: JniEnv) -> bool {
    let decides = |frame: &CallerKind| *frame == CallerKind::Link || frame.is_program();
    let found = first::<MOSTLY>(jni, decides).or_else(|| first::<DEPTH>(jni, decides));
    found.is_some_and(CallerKind::is_program)
}

/// Whether the program calls directly, through [`CallerKind::Between`] only.
pub(super) fn is_program_itself(jni: JniEnv) -> bool {
    let decides = |frame: &CallerKind| *frame != CallerKind::Between;
    let found = first::<NEAREST>(jni, decides).or_else(|| first::<MOSTLY>(jni, decides));
    let found = found.or_else(|| first::<DEPTH>(jni, decides));
    found.is_some_and(CallerKind::is_program)
}

/// Whether the JDK finds out its limits.
pub(super) fn is_for_limits() -> bool {
    let environment = ENVIRONMENT.get();
    if environment.is_null() {
        return false;
    }
    // SAFETY: `noting` received it from the JVM, on this thread.
    let jni = unsafe { JniEnv::from_raw(environment) };
    first::<DEPTH>(jni, |frame| *frame == CallerKind::Limits).is_some()
}

/// Whether a library reads what the build notes about itself, for those who ask later.
pub(super) fn is_for_build_info() -> bool {
    let environment = ENVIRONMENT.get();
    if environment.is_null() {
        return false;
    }
    // SAFETY: `noting` received it from the JVM, on this thread.
    let jni = unsafe { JniEnv::from_raw(environment) };
    first::<DEPTH>(jni, |frame| *frame == CallerKind::BuildInfo).is_some()
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
        return Some(if class.strip_suffix(';') == Some(build_info::READER) {
            CallerKind::BuildInfo
        } else if libraries::reads_declarations(class) {
            CallerKind::Declarations
        } else if libraries::helps_readers(class) {
            CallerKind::Helper
        } else if libraries::scans_methods(class) {
            CallerKind::MethodScan
        } else if libraries::scans_for_components(class) {
            CallerKind::ComponentScan
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
    } else if packages::LIMITS.has_type(&class) {
        CallerKind::Limits
    } else if packages::BETWEEN.has_type(&class) {
        CallerKind::Between
    } else {
        CallerKind::Jdk
    })
}

#[cfg(test)]
mod tests {
    use super::CallerKind::{ComponentScan, Declarations, Helper, Jdk, MethodScan, Program};
    use super::*;

    #[test]
    fn a_class_is_read_for_components_if_only_a_scan_asks_for_it() {
        let purpose = |frames: &[CallerKind]| purpose(frames.iter().copied());
        let components = Some(ReadPurpose::Components);
        let declarations = Some(ReadPurpose::Declarations);
        assert_eq!(purpose(&[Jdk, Helper, Declarations, Helper, ComponentScan, Program]), components);
        assert_eq!(purpose(&[Jdk, Declarations, Program, ComponentScan]), declarations);
        assert_eq!(purpose(&[Jdk, Program, Declarations, ComponentScan]), declarations);
        assert_eq!(purpose(&[Jdk, Declarations, ComponentScan, MethodScan]), declarations);
        assert_eq!(purpose(&[Jdk, Declarations]), declarations);
        assert_eq!(purpose(&[Jdk, Program, ComponentScan]), None);
    }
}
