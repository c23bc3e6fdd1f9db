//! What instrumented code calls: the native methods of `java.lang.TamisBridge`.
//!
//! HotSpot looks for the natives of boot classes in agent libraries too, so exporting them under their JNI names is enough;
//! registering them would make the JVM print a warning.

use crate::events::guarded;
use crate::frameworks::Signal;
use crate::recorder::recorder;
use crate::vm::{Jni, Object};
use std::ffi::c_void;
use tamis_trace::{Outcome, SpanKind, TestId};

/// `static native void event(int signal, Object first, Object second)`
#[unsafe(no_mangle)]
pub(crate) unsafe extern "system" fn Java_java_lang_TamisBridge_event(
    env: *mut c_void,
    _class: Object,
    signal: i32,
    first: Object,
    second: Object,
) {
    // SAFETY: the JVM passes the current thread's environment.
    let jni = unsafe { Jni::from_raw(env) };
    guarded(|| {
        if let Some(signal) = Signal::from_number(signal) {
            // Names are asked for before the recorder is taken: asking may load classes, and that needs the recorder.
            jni.with_locals(|| handle(jni, signal, first, second));
        }
    });
}

/// `static native boolean skip(int signal, Object first)`
#[unsafe(no_mangle)]
pub(crate) unsafe extern "system" fn Java_java_lang_TamisBridge_skip(
    _env: *mut c_void,
    _class: Object,
    _signal: i32,
    _first: Object,
) -> u8 {
    0
}

/// `static native void init(int class, boolean begin)`
#[unsafe(no_mangle)]
pub(crate) unsafe extern "system" fn Java_java_lang_TamisBridge_init(
    env: *mut c_void,
    _class: Object,
    class: i32,
    begin: u8,
) {
    // SAFETY: the JVM passes the current thread's environment.
    let jni = unsafe { Jni::from_raw(env) };
    guarded(|| {
        if let (Some(recorder), Ok(class)) = (recorder().as_mut(), u32::try_from(class)) {
            recorder.init(jni, class, begin != 0);
        }
    });
}

fn handle(jni: Jni, signal: Signal, first: Object, second: Object) {
    match signal {
        Signal::Junit4Started => started(jni, describe(jni, first), SpanKind::Test),
        Signal::Junit4Finished => finished(jni, describe(jni, first), None),
        Signal::Junit4Failed | Signal::Junit4Aborted => {
            let outcome = if signal == Signal::Junit4Failed { Outcome::Failed } else { Outcome::Aborted };
            let described = jni.call(first, "getDescription", "()Lorg/junit/runner/Description;");
            if let (Some(named), Some(recorder)) =
                (described.and_then(|description| describe(jni, description)), recorder().as_mut())
            {
                recorder.will_end(&named.0, outcome);
            }
        }
        Signal::Junit4Ignored => {
            let named = describe(jni, first);
            started(jni, named.clone(), SpanKind::Test);
            finished(jni, named, Some(Outcome::Ignored));
        }
        Signal::RunnerStarted => {
            let described = jni.call(first, "getDescription", "()Lorg/junit/runner/Description;");
            started(jni, described.and_then(|description| describe(jni, description)), SpanKind::Class);
        }
        Signal::RunnerFinished => {
            let described = jni.call(first, "getDescription", "()Lorg/junit/runner/Description;");
            finished(jni, described.and_then(|description| describe(jni, description)), None);
        }
        Signal::PlatformStarted => {
            let named = describe_node(jni, first);
            let kind = match &named {
                Some((_, test)) if test.method.is_none() && !test.class.is_empty() => SpanKind::Class,
                Some((_, test)) if test.method.is_some() => SpanKind::Test,
                _ => SpanKind::Container,
            };
            started(jni, named, kind);
        }
        Signal::PlatformFinished => {
            let status = jni
                .call(second, "getStatus", "()Lorg/junit/platform/engine/TestExecutionResult$Status;")
                .and_then(|status| jni.call(status, "name", "()Ljava/lang/String;"))
                .and_then(|name| jni.string(name));
            let outcome = match status.as_deref() {
                Some("SUCCESSFUL") => Outcome::Passed,
                Some("FAILED") => Outcome::Failed,
                Some("ABORTED") => Outcome::Aborted,
                _ => Outcome::Unknown,
            };
            finished(jni, describe_node(jni, first), Some(outcome));
        }
        Signal::PlatformSkipped => {
            let named = describe_node(jni, first);
            started(jni, named.clone(), SpanKind::Test);
            finished(jni, named, Some(Outcome::Ignored));
        }
    }
}

type Named = (String, TestId);

fn started(jni: Jni, named: Option<Named>, kind: SpanKind) {
    if let (Some((key, test)), Some(recorder)) = (named, recorder().as_mut()) {
        recorder.start(jni, key, kind, test);
    }
}

fn finished(jni: Jni, named: Option<Named>, outcome: Option<Outcome>) {
    if let (Some((key, _)), Some(recorder)) = (named, recorder().as_mut()) {
        recorder.finish(jni, &key, outcome);
    }
}

/// A JUnit 4 `Description`: its display name, class and method.
fn describe(jni: Jni, description: Object) -> Option<Named> {
    let text = |name: &str| {
        jni.call(description, name, "()Ljava/lang/String;").and_then(|string| jni.string(string))
    };
    let key = text("getDisplayName")?;
    let class = text("getClassName").unwrap_or_default();
    // A parameterised test is `name[0]`: all its invocations are one test.
    let method = text("getMethodName").map(|name| name.split('[').next().unwrap_or_default().to_owned());
    Some((key, TestId { class, method: method.filter(|method| !method.is_empty()) }))
}

/// A JUnit Platform `TestDescriptor`: its unique id, and the class and method it comes from.
fn describe_node(jni: Jni, node: Object) -> Option<Named> {
    let id = jni.call(node, "getUniqueId", "()Lorg/junit/platform/engine/UniqueId;")?;
    let key = jni.call(id, "toString", "()Ljava/lang/String;").and_then(|string| jni.string(string))?;
    let source = jni
        .call(node, "getSource", "()Ljava/util/Optional;")
        .filter(|optional| jni.call_boolean(*optional, "isPresent") == Some(true))
        .and_then(|optional| jni.call(optional, "get", "()Ljava/lang/Object;"));
    let text = |name: &str| {
        source
            .and_then(|source| jni.call(source, name, "()Ljava/lang/String;"))
            .and_then(|string| jni.string(string))
    };
    Some((key, TestId { class: text("getClassName").unwrap_or_default(), method: text("getMethodName") }))
}
