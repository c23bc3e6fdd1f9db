//! Notes the inputs of calls that `instrument::jdk_calls` inserted `note` for.

use super::is_on_class_path;
use super::natives::{attributes, query_frames, reflection};
use crate::instrument::jdk_calls::JdkQuery;
use crate::recorder;
use crate::state::defaults;
use crate::vm::{JavaEnv, JavaObject};
use tamis_catalog::jdk::properties::OF_LIBRARIES;
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
    if asked == JdkQuery::AttributeName {
        return query_frames::name_next(&jni.string(key).unwrap_or_default());
    }
    if let JdkQuery::Attribute(attribute) = asked {
        for what in attributes::inputs(jni, key, attribute) {
            recorder::with(|recorder| recorder.note_here(jni.quiet(), what, is_on_class_path));
        }
        return;
    }
    if let Some(what) = input(asked, jni, key) {
        recorder::with(|recorder| recorder.note_here(jni.quiet(), what, is_on_class_path));
    }
}

/// The input that a call reads; `None` for the JDK's own classes.
fn input(asked: JdkQuery, jni: JavaEnv, key: JavaObject) -> Option<Input> {
    let machine = |what: &str| Input::Machine(what.to_owned());
    Some(match asked {
        JdkQuery::Environment => Input::Environment(jni.string(key)),
        JdkQuery::Variables => Input::Environment(Some("*".to_owned())),
        JdkQuery::Property => Input::Property(jni.string(key)),
        JdkQuery::NamedProperties => Input::Property(Some("**".to_owned())),
        JdkQuery::Properties => Input::Property(Some("*".to_owned())),
        JdkQuery::LibraryPropertySet => {
            Input::PropertySet(Some(jni.string(key).filter(|name| !OF_LIBRARIES.has(name))?))
        }
        JdkQuery::PropertySet => Input::PropertySet(jni.string(key)),
        JdkQuery::Bundle => Input::Bundle(jni.string(key)),
        JdkQuery::Processors => machine("processors"),
        JdkQuery::Memory => machine("memory"),
        JdkQuery::Host => machine("host"),
        JdkQuery::Stack => Input::Stack,
        JdkQuery::LoggedStack => Input::LoggedStack,
        JdkQuery::Structure => Input::Reflected(reflection::name(jni, key)?),
        JdkQuery::Named => Input::Named(jni.string(key)?.replace('.', "/")),
        JdkQuery::PackageAnnotations => Input::Reflected(reflection::package_info(jni, key)?),
        JdkQuery::FieldSet => Input::FieldSet(reflection::static_field(jni, key)?),
        JdkQuery::Default(_) | JdkQuery::Attribute(_) | JdkQuery::AttributeName => return None,
    })
}
