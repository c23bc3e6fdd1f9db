//! Describes a fact that no longer holds as changes of code, in the notation of `tamis diff`.

use crate::facts::walk::parts as parts_of_walk;
use crate::facts::{Answer, Fact, FactKind};
use tamis_classfile::access;
use tamis_program::diff::AtomicChange;
use tamis_program::names::dotted;
use tamis_program::snapshot::{ClassId, Snapshot};

/// A change of the program, in the notation of `tamis diff`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CodeChange {
    /// The atomic change (`CIM`), or the kind of the fact where it is not about code.
    pub kind: String,
    /// The changed entity: `org.x.Parser.flatten(I)V`.
    pub entity: String,
    /// Of a look-up change: the class of the object.
    pub receiver: Option<String>,
    /// The layer that changed, where it is known.
    pub detail: Option<String>,
}

impl From<&AtomicChange> for CodeChange {
    fn from(change: &AtomicChange) -> CodeChange {
        let layers: Vec<String> = change.layers.iter().map(ToString::to_string).collect();
        CodeChange {
            kind: change.kind.to_string(),
            entity: change.entity(),
            receiver: change.receiver.as_ref().map(|name| dotted(name)),
            detail: (!layers.is_empty()).then(|| layers.join(", ")),
        }
    }
}

/// The changes behind a broken fact. Only the facts are stored, not the old code; `tamis diff` compares two
/// programs completely.
pub fn changes(snapshot: &Snapshot, fact: &Fact, now: &Answer) -> Vec<CodeChange> {
    let about = fact.question.kind;
    let name = fact.question.displayed();
    let change = |kind: &str, entity: String| CodeChange {
        kind: kind.to_owned(),
        entity,
        receiver: None,
        detail: None,
    };
    match about {
        FactKind::Body => vec![change(&body_kind(snapshot, &fact.question.subject, now.is_none()), name)],
        // Without an answer there is no such way any more; the method may exist.
        FactKind::Walk => {
            let method = parts_of_walk(&fact.question.subject).map_or("", |(method, _)| method);
            vec![change(&body_kind(snapshot, method, false), name)]
        }
        FactKind::Init => {
            let kind = match (&fact.answer, now) {
                (None, _) => "ASI",
                (_, None) => "DSI",
                _ => "CSI",
            };
            vec![change(kind, format!("{name}.<clinit>()V"))]
        }
        FactKind::Inherits => look_up(snapshot, &fact.question.subject, &name),
        FactKind::Supers | FactKind::Shape if now.is_none() => vec![change("DF", name)],
        FactKind::Supers | FactKind::Shape => vec![change("CH", name)],
        FactKind::Class if now.is_none() => vec![change("DF", name)],
        FactKind::Class if fact.answer.is_none() => vec![change("AF", name)],
        FactKind::Class => vec![change("CF", name)],
        FactKind::Head | FactKind::Methods if now.is_none() => vec![change("DF", name)],
        FactKind::Head => vec![change("CH", name)],
        FactKind::External
        | FactKind::Methods
        | FactKind::Debug
        | FactKind::Library
        | FactKind::Resource
        | FactKind::File
        | FactKind::Exists
        | FactKind::Listing
        | FactKind::Attribute
        | FactKind::Environment
        | FactKind::Property
        | FactKind::Machine
        | FactKind::Jvm
        | FactKind::Scan => vec![change(about.word(), name)],
    }
}

/// Class, name and descriptor of `a/B.f(I)V`.
fn parts(method: &str) -> Option<(&str, &str, &str)> {
    let (before, _) = method.split_once('(')?;
    let (class, name) = before.rsplit_once('.')?;
    Some((class, name, method.get(before.len()..)?))
}

fn body_kind(snapshot: &Snapshot, method: &str, gone: bool) -> String {
    let what = match parts(method) {
        Some((_, "<init>", _)) => "I",
        Some((_, "<clinit>", _)) => "SI",
        Some((class, name, descriptor)) => {
            let found = snapshot.find(class).and_then(|id| snapshot.declared(id, name, descriptor));
            let is_static = found.is_some_and(|method| snapshot.method(method).is(access::STATIC));
            if is_static { "SM" } else { "IM" }
        }
        None => "IM",
    };
    format!("{}{what}", if gone { 'D' } else { 'C' })
}

/// A look-up that finds another method. The method found before is the nearest one in the supertypes; if the
/// class now declares one, that one was added.
fn look_up(snapshot: &Snapshot, method: &str, entity: &str) -> Vec<CodeChange> {
    let Some((class, name, descriptor)) = parts(method) else { return Vec::new() };
    let mut found = Vec::new();
    let id = snapshot.find(class);
    let declares = |id: &ClassId| snapshot.declared(*id, name, descriptor).is_some();
    if id.is_some_and(|id| declares(&id)) {
        found.push(CodeChange {
            kind: "AIM".to_owned(),
            entity: entity.to_owned(),
            receiver: None,
            detail: None,
        });
    }
    let above = id.and_then(|id| snapshot.supertypes(id).0.into_iter().find(declares));
    let before = above.map_or(class, |id| snapshot.class(id).name()).replace('/', ".");
    found.push(CodeChange {
        kind: "LC".to_owned(),
        entity: format!("{before}.{name}{descriptor}"),
        receiver: Some(dotted(class)),
        detail: None,
    });
    found
}
