//! Spring: properties that are looked up by name, notes of the build, contexts of tests.

use super::is_on_class_path;
use super::natives::held_notes;
use crate::instrument::frameworks::FrameworkSignal;
use crate::recorder;
use crate::vm::{JavaEnv, JavaObject};
use tamis_catalog::builds::build_info;
use tamis_catalog::environment::SESSION;
use tamis_catalog::jdk::properties::{OF_COMMIT, OF_PLACE};
use tamis_wire::Input;

/// Handles a call from a hook in Spring; false if it is not about an input.
pub(crate) fn handle(jni: JavaEnv, signal: FrameworkSignal, first: JavaObject) -> bool {
    match signal {
        FrameworkSignal::PropertyAsked => property_asked(jni, first),
        FrameworkSignal::BuildInfoAsked => build_info_asked(jni, first),
        FrameworkSignal::ContextAsked => context_asked(jni),
        FrameworkSignal::ContextGiven => context_given(jni, first),
        _ => return false,
    }
    true
}

/// Spring looks up a property, or a variable, in a table. Those at which it is not taken to look are noted by name, and so are those
/// that a test has set.
fn property_asked(jni: JavaEnv, name: JavaObject) {
    let Some(name) = jni.string(name) else { return };
    let set = Input::PropertySet(Some(name.clone()));
    let is_set = || recorder::with(|recorder| recorder.has_noted(&set)) == Some(true);
    if OF_COMMIT.has(&name) || OF_PLACE.has(&name) || is_set() {
        note(jni, Input::Property(Some(name)));
    } else if SESSION.has(&name) {
        note(jni, Input::Environment(Some(name)));
    }
}

/// Code asks an object for what the build has noted about itself.
fn build_info_asked(jni: JavaEnv, holder: JavaObject) {
    let class = jni.class_name(holder).unwrap_or_default();
    let asked = held_notes::all().into_iter().filter(|path| build_info::may_hold(&class, path));
    asked.for_each(|path| note(jni, Input::Read(path)));
}

/// A test asks for its context.
fn context_asked(jni: JavaEnv) {
    recorder::with(|recorder| recorder.context_asked(jni.quiet()));
}

/// A test is given its context.
fn context_given(jni: JavaEnv, context: JavaObject) {
    recorder::with(|recorder| recorder.context_given(jni.quiet(), context));
}

fn note(jni: JavaEnv, what: Input) {
    recorder::with(|recorder| recorder.note_here(jni.quiet(), what, is_on_class_path));
}
