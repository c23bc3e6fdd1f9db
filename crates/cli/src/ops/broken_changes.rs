//! What a fact that no longer holds says about the code, in the words of `tamis diff`.

use tamis_classfile::access;
use tamis_program::snapshot::{ClassId, Snapshot};
use tamis_report::selection::{ChangeEntry, entity};
use tamis_select::facts::{Answer, Fact, FactKind};

/// The changes behind a broken fact. Only the facts of recorded tests are known, not the code of then: for a complete
/// answer there is `tamis diff`.
pub(super) fn changes(snapshot: &Snapshot, fact: &Fact, now: &Answer) -> Vec<ChangeEntry> {
    let about = fact.question.kind;
    let name = entity(about.word(), &fact.question.subject);
    let change = |kind: &str, entity: String| ChangeEntry {
        kind: kind.to_owned(),
        entity,
        receiver: None,
        detail: None,
    };
    match about {
        FactKind::Body => vec![change(&body_kind(snapshot, &fact.question.subject, now.is_none()), name)],
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
        FactKind::External
        | FactKind::Debug
        | FactKind::Library
        | FactKind::Resource
        | FactKind::File
        | FactKind::Exists
        | FactKind::Listing
        | FactKind::Environment
        | FactKind::Property
        | FactKind::Machine
        | FactKind::Jvm => vec![change(about.word(), name)],
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

/// A look-up that finds another method: the one found before is the nearest above; if the class has its own now, that one
/// was added.
fn look_up(snapshot: &Snapshot, method: &str, entity: &str) -> Vec<ChangeEntry> {
    let Some((class, name, descriptor)) = parts(method) else { return Vec::new() };
    let mut found = Vec::new();
    let id = snapshot.find(class);
    let declares = |id: &ClassId| snapshot.declared(*id, name, descriptor).is_some();
    if id.is_some_and(|id| declares(&id)) {
        found.push(ChangeEntry {
            kind: "AIM".to_owned(),
            entity: entity.to_owned(),
            receiver: None,
            detail: None,
        });
    }
    let above = id.and_then(|id| snapshot.supertypes(id).0.into_iter().find(declares));
    let before = above.map_or(class, |id| snapshot.class(id).name()).replace('/', ".");
    found.push(ChangeEntry {
        kind: "LC".to_owned(),
        entity: format!("{before}.{name}{descriptor}"),
        receiver: Some(class.replace('/', ".")),
        detail: None,
    });
    found
}
