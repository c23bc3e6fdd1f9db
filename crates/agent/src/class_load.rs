//! Rewrites classes before the JVM defines them: probes, calls into test frameworks, calls before those of the JDK.
//!
//! A class that cannot be rewritten stays as it is and is reported as a gap.

use crate::inputs;
use crate::instrument::block_probes::BlockProbes;
use crate::instrument::class_calls::ClassCalls;
use crate::instrument::{self, RewrittenClass, WatchMode, frameworks};
use crate::recorder;
use crate::skip_switch;
use crate::vm::{JavaEnv, JavaObject, JvmtiEnv};
use crate::watched_roots::WatchedRoots;
use std::path::PathBuf;
use std::sync::OnceLock;
use tamis_catalog::jdk::properties;
use tamis_classfile::read::attribute::AttributeKind;
use tamis_classfile::{ClassFile, Member, ParseError, access, mutf8};
use tamis_wire::ProbeDetail;

/// Local references for the classes that are loaded before the agent; with more, a JVM that checks references complains.
const LOADED: i32 = 4096;

/// The directories and jars of the plan.
static ROOTS: OnceLock<WatchedRoots> = OnceLock::new();

/// The detail of the probes in these.
static DETAIL: OnceLock<ProbeDetail> = OnceLock::new();

/// Sets the directories and jars whose classes are watched method by method, and what probes tell about a method.
pub(crate) fn start(jvmti: JvmtiEnv, watch: Vec<String>, detail: ProbeDetail) {
    let _ = DETAIL.set(detail);
    let java_home = jvmti.property(properties::HOME).unwrap_or_default();
    let _ = ROOTS.set(WatchedRoots::new(watch, PathBuf::from(java_home)));
}

/// The directories and jars of the plan; `None` before it has arrived.
pub(crate) fn roots() -> Option<&'static WatchedRoots> {
    ROOTS.get()
}

/// Reports the classes that are loaded already and have no probes: a system class loader, a security manager, agents that
/// were loaded before this one. Every test is assumed to use them.
pub(crate) fn report_earlier_classes(jvmti: JvmtiEnv, jni: JavaEnv) {
    let Some(roots) = roots() else { return };
    let classes = jni.with_room_for(LOADED, || {
        let mut names = Vec::new();
        for class in jvmti.loaded_classes().unwrap_or_default() {
            let loader = jvmti.class_loader(class);
            if loader.is_some_and(|loader| !loader.is_null()) {
                names.extend(jvmti.class_signature(class));
            }
        }
        names
    });
    for signature in classes.unwrap_or_default() {
        let Some(name) = signature.strip_prefix('L').and_then(|name| name.strip_suffix(';')) else {
            continue;
        };
        // A name with a dot is a hidden class and cannot be that of a file.
        if roots.is_jdk(name.as_bytes(), name, false) || name.contains('.') {
            continue;
        }
        let file = roots.file(name).and_then(|file| std::fs::read(file).ok());
        let content = file.as_deref().map_or(0, tamis_wire::content);
        inputs::class_loaded(name);
        let Some(known) = recorder::assign(jni, name, content, &[], &[], &[]) else { continue };
        recorder::with(|recorder| {
            recorder.assume(vec![known.first]);
            if file.is_some() {
                recorder.gap_for_all(format!("{name} was loaded before the agent: what it ran is unknown"));
            }
        });
    }
}

/// The class with our probes and calls; `None` leaves it as it is. `again`: the class is defined already and gets other
/// bytes.
pub(crate) fn rewrite(
    jni: JavaEnv,
    roots: &WatchedRoots,
    text: &str,
    bytes: &[u8],
    domain: JavaObject,
    again: bool,
) -> Option<Vec<u8>> {
    inputs::class_loaded(text);
    let (is_connected, is_known) =
        recorder::with(|recorder| (recorder.is_connected(), recorder.knows(text)))?;
    // Another agent made it from a class that has our probes; they are still right.
    if !is_connected || ((again || is_known) && mentions(bytes, OURS)) {
        return None;
    }
    let observes = DETAIL.get() != Some(&ProbeDetail::Nothing);
    let content = tamis_wire::content(bytes);
    let Some((class, methods, supers)) = understood(bytes) else {
        // The JVM may accept a class that we cannot read. Nothing is known about it but its name.
        let known = recorder::assign(jni, text, content, &[], &[], &[])?;
        recorder::with(|recorder| {
            recorder.assume(vec![known.first]);
            recorder.gap_for_all(format!("{text}: not understood, so what its initialiser ran is unknown"));
        });
        return None;
    };
    let hooks = frameworks::hooks(text, &methods);
    if !observes && hooks.is_empty() {
        return None;
    }
    let by_method = observes && !methods.is_empty() && roots.are_watched(jni, text, domain);
    let flows = match DETAIL.get() {
        Some(ProbeDetail::Blocks) if by_method => BlockProbes::of(&class),
        _ => BlockProbes::default(),
    };
    let by = if by_method { methods.as_slice() } else { &[] };
    let known = recorder::assign(jni, text, content, &supers, by, &flows.counts())?;
    if known.by_method && !again && class.fields.iter().any(|field| field.access & access::STATIC != 0) {
        let has_initialiser = methods.iter().any(|(name, _)| name == "<clinit>");
        recorder::with(|recorder| recorder.expect_statics(text, has_initialiser))?;
    }
    let watch = if known.by_method {
        WatchMode::Methods { first: known.first, class: known.class }
    } else if !observes || tamis_catalog::has_no_probes(text) {
        WatchMode::Initialiser { probe: known.first, class: known.class }
    } else {
        WatchMode::Class { probe: known.first, class: known.class }
    };
    let rewritten =
        instrument::rewrite(&class, watch, &hooks, &flows.after(known.first)).unwrap_or_else(|_| {
            let with_code = class.methods.iter().enumerate().filter(|(_, method)| has_code(&class, method));
            RewrittenClass {
                bytes: None,
                left: with_code.map(|(index, _)| watch.probe(index)).chain(flows.all(known.first)).collect(),
                unbracketed: methods.iter().any(|(name, _)| name == "<clinit>"),
                unnoted: if ClassCalls::of(&class, by_method).is_ok_and(|calls| calls.is_empty()) {
                    0
                } else {
                    1
                },
                unhooked: hooks.iter().filter(|hook| hook.needed).map(|hook| hook.method).collect(),
            }
        });
    if rewritten.is_partial() {
        if !rewritten.unhooked.is_empty() {
            skip_switch::turn_off();
        }
        recorder::with(|recorder| {
            recorder.assume(rewritten.left);
            for method in rewritten.unhooked {
                recorder
                    .gap(format!("{text}.{method} is not there: boundaries are unknown, nothing is skipped"));
            }
            if rewritten.unnoted > 0 {
                recorder.gap_for_all(format!("{text}: no room for notes of what it asks the JDK"));
            }
            if rewritten.unbracketed {
                recorder
                    .gap_for_all(format!("{text}.<clinit>: no room for probes, so what it ran is unknown"));
            }
        })?;
    }
    rewritten.bytes
}

/// Occurs in the constant pool of a class with our probes or calls.
const OURS: &[u8] = b"java/lang/Tamis";

fn mentions(bytes: &[u8], text: &[u8]) -> bool {
    bytes.windows(text.len()).any(|window| window == text)
}

/// A class, the names and descriptors of its methods, and its supertypes.
type ClassOutline<'a> = (ClassFile<'a>, Vec<(String, String)>, Vec<String>);

fn understood(bytes: &[u8]) -> Option<ClassOutline<'_>> {
    let class = ClassFile::parse(bytes).ok()?;
    let mut methods = Vec::with_capacity(class.methods.len());
    for method in class.methods.iter() {
        let text = |index| class.pool.text(index).map(|text| text.into_owned());
        methods.push((text(method.name).ok()?, text(method.descriptor).ok()?));
    }
    let supers = class.super_name().transpose().into_iter().chain(class.interface_names());
    let supers =
        supers.map(|name| Ok(mutf8::decode(name?).into_owned())).collect::<Result<Vec<_>, ParseError>>();
    supers.ok().map(|supers| (class, methods, supers))
}

fn has_code(class: &ClassFile<'_>, method: &Member<'_>) -> bool {
    !matches!(method.attributes.find(&class.pool, AttributeKind::Code), Ok(None))
}
