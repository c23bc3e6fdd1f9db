//! Notes the inputs of calls that `instrument::jdk_calls` inserted `note` for.

use super::natives::reflection;
use crate::instrument::jdk_calls::JdkQuery;
use crate::recorder;
use crate::state::defaults;
use crate::vm::{JavaEnv, JavaObject};
use tamis_wire::Input;

/// The program is about to make such a call.
pub(crate) fn note(jni: JavaEnv, key: JavaObject, asked: i32) {
    let Some(asked) = JdkQuery::from_number(asked) else { return };
    if let JdkQuery::Default(kind) = asked {
        if recorder::with(|recorder| recorder.watches(kind)) == Some(false) {
            let located = defaults::locate(jni, kind);
            recorder::with(|recorder| recorder.watch(jni.quiet(), kind, located));
        }
        return;
    }
    if let Some(what) = input(asked, jni, key) {
        recorder::with(|recorder| recorder.note_here(jni.quiet(), what));
    }
}

/// The input that a call reads; `None` for the JDK's own classes.
fn input(asked: JdkQuery, jni: JavaEnv, key: JavaObject) -> Option<Input> {
    let machine = |what: &str| Input::Machine(what.to_owned());
    Some(match asked {
        JdkQuery::Environment => Input::Environment(jni.string(key)),
        JdkQuery::Variables => Input::Environment(Some("*".to_owned())),
        JdkQuery::Property => Input::Property(jni.string(key)),
        JdkQuery::PropertySet => Input::PropertySet(jni.string(key)),
        JdkQuery::Bundle => Input::Bundle(jni.string(key)),
        JdkQuery::Processors => machine("processors"),
        JdkQuery::Memory => machine("memory"),
        JdkQuery::Host => machine("host"),
        JdkQuery::Stack => Input::Stack,
        JdkQuery::Structure => Input::Reflected(reflection::name(jni, key)?),
        JdkQuery::Named => Input::Named(jni.string(key)?.replace('.', "/")),
        JdkQuery::FieldSet => Input::FieldSet(reflection::static_field(jni, key)?),
        JdkQuery::Default(_) => return None,
    })
}
