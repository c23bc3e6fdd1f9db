//! The edges of each method: calls, objects that it makes, classes that it initialises, static fields, libraries.

use super::{MethodNumbers, is_jdk};
use crate::history::initialised_classes::touched;
use rustc_hash::FxHashMap;
use tamis_catalog::jdk::{is_java, unfollowed};
use tamis_classfile::access;
use tamis_program::record::{ReferenceKind, StaticReference, TextSpan, UnfollowedSet};
use tamis_program::snapshot::{ClassId, FoundMethod, MethodId, Snapshot};

/// The edges of a method, by numbers.
#[derive(Default)]
pub(super) struct MethodEdges {
    /// Methods that it calls, whatever the receiver is.
    pub(super) calls: Box<[u32]>,
    /// Virtual calls, by signature.
    pub(super) virtuals: Box<[u32]>,
    /// Classes that it initialises or finds initialised.
    pub(super) touches: Box<[ClassId]>,
    /// Classes of which it makes objects.
    pub(super) makes: Box<[ClassId]>,
    /// Static fields of the project that it reads.
    pub(super) reads: Box<[u32]>,
    /// Static fields that it writes or whose objects it may change.
    pub(super) writes: Vec<u32>,
    /// Classes outside of the program that it names.
    pub(super) libraries: Box<[u32]>,
    /// Methods of the JDK that cannot be followed.
    pub(super) unfollowed: UnfollowedSet,
}

/// A field that is static: its class and its name there.
type StaticField = (ClassId, TextSpan);

/// A virtual call: the class that it names, and the method.
pub(super) type CallSignature<'s> = (ClassId, &'s str, &'s str);

/// The edges of a method before they have numbers.
#[derive(Default)]
pub(super) struct ScannedMethod<'s> {
    calls: Vec<u32>,
    virtuals: Vec<CallSignature<'s>>,
    touches: Box<[ClassId]>,
    makes: Vec<ClassId>,
    reads: Vec<StaticField>,
    writes: Vec<StaticField>,
    libraries: Vec<&'s str>,
    unfollowed: UnfollowedSet,
}

/// Names of classes outside of the program, and which of them cannot be followed.
#[derive(Default)]
pub(super) struct LibraryNames {
    names: Vec<LibraryName>,
}

struct LibraryName {
    name: String,
    /// It is in a library whose code is not followed.
    is_unknown: bool,
    /// It is nowhere.
    is_absent: bool,
}

impl LibraryNames {
    /// The name, if it is that of a class in a library whose code is not followed.
    pub(super) fn unknown(&self, number: u32) -> Option<&str> {
        self.names.get(number as usize).filter(|known| known.is_unknown).map(|known| known.name.as_str())
    }

    /// The name, if there is no such class.
    pub(super) fn absent(&self, number: u32) -> Option<&str> {
        self.names.get(number as usize).filter(|known| known.is_absent).map(|known| known.name.as_str())
    }
}

/// Reads the references of a method.
pub(super) fn scan<'s>(
    snapshot: &'s Snapshot,
    numbers: &MethodNumbers<'_>,
    id: MethodId,
) -> ScannedMethod<'s> {
    let mut found = ScannedMethod::default();
    if !snapshot.is_project(id.class) {
        return found;
    }
    let record = snapshot.class(id.class);
    found.unfollowed = snapshot.method(id).conduct.unfollowed;
    found.touches = touched(snapshot, id);
    for reference in record.references_of(id.method as usize) {
        let owner_name = record.str(reference.owner);
        let Some(owner) = snapshot.find(owner_name).filter(|owner| snapshot.is_project(*owner)) else {
            if !is_java(owner_name) {
                found.libraries.push(owner_name);
            }
            continue;
        };
        let (name, descriptor) = (record.str(reference.name), record.str(reference.descriptor));
        match reference.kind {
            ReferenceKind::Virtual => {
                found.virtuals.push((owner, name, descriptor));
                found.resolve(snapshot, numbers, owner, reference.kind, (name, descriptor));
            }
            ReferenceKind::Static | ReferenceKind::Special | ReferenceKind::Made => {
                found.resolve(snapshot, numbers, owner, reference.kind, (name, descriptor));
            }
            ReferenceKind::New => found.makes.push(owner),
            ReferenceKind::Field => {
                found.reads.extend(static_field(snapshot, owner, reference, name, descriptor))
            }
            ReferenceKind::Written | ReferenceKind::Altered => {
                found.writes.extend(static_field(snapshot, owner, reference, name, descriptor));
            }
            // A handed method has another reference of its own kind.
            ReferenceKind::Handed
            | ReferenceKind::Class
            | ReferenceKind::Shown
            | ReferenceKind::Annotated => {}
        }
    }
    found
}

impl ScannedMethod<'_> {
    /// Adds the method that a reference resolves to. Outside of the program it may be one that cannot be followed.
    fn resolve(
        &mut self,
        snapshot: &Snapshot,
        numbers: &MethodNumbers<'_>,
        owner: ClassId,
        kind: ReferenceKind,
        (name, descriptor): (&str, &str),
    ) {
        if let FoundMethod::One(method) = snapshot.resolve_method(owner, name, descriptor).found
            && snapshot.is_project(method.class)
        {
            // The receiver decides about a virtual method; a private one is called as it is.
            let found = snapshot.method(method);
            if kind != ReferenceKind::Virtual || !found.is_virtual(snapshot.class(method.class)) {
                self.calls.push(numbers.of(method));
            }
            return;
        }
        let (above, missing) = snapshot.supertypes(owner);
        let outside = above.into_iter().filter(|class| !snapshot.is_project(*class));
        let outside = outside.map(|class| snapshot.class(class).name()).chain(missing);
        for class in outside {
            if let Some(api) = unfollowed(class.as_bytes(), name.as_bytes(), descriptor.as_bytes()) {
                self.unfollowed.insert(api);
            }
        }
    }
}

/// The static field that a reference names, unless nothing can be left in it.
fn static_field(
    snapshot: &Snapshot,
    owner: ClassId,
    reference: &StaticReference,
    name: &str,
    descriptor: &str,
) -> Option<StaticField> {
    let FoundMethod::One(at) = snapshot.resolve_field(owner, name, descriptor).found else { return None };
    let is_value = descriptor.len() == 1 || descriptor == "Ljava/lang/String;";
    let is_constant = at.field.access & access::FINAL != 0 && is_value;
    let counts = at.field.access & access::STATIC != 0 && snapshot.is_project(at.class) && !is_constant;
    // The first value of a constant is part of initialising its class, which counts anyway.
    let is_first = reference.kind == ReferenceKind::Written && at.field.access & access::FINAL != 0;
    (counts && !is_first).then_some((at.class, at.field.name))
}

/// Numbers signatures, fields and names in the order of the methods.
pub(super) fn number<'s>(
    snapshot: &'s Snapshot,
    scanned: Vec<ScannedMethod<'s>>,
    is_unknown: &dyn Fn(&str) -> bool,
    is_found: &dyn Fn(&str) -> bool,
) -> (Vec<MethodEdges>, Vec<CallSignature<'s>>, LibraryNames) {
    let mut signatures = Interner::default();
    let mut fields = Interner::default();
    let mut names: Interner<&str> = Interner::default();
    let mut methods = Vec::with_capacity(scanned.len());
    for mut found in scanned {
        found.calls.sort_unstable();
        found.calls.dedup();
        methods.push(MethodEdges {
            calls: found.calls.into(),
            virtuals: signatures.numbers(found.virtuals),
            touches: found.touches,
            makes: found.makes.into(),
            reads: fields.numbers(found.reads),
            writes: fields.numbers(found.writes).into_vec(),
            libraries: names.numbers(found.libraries),
            unfollowed: found.unfollowed,
        });
    }
    let known = |name: &&str| {
        let is_external = snapshot.find(name).is_some();
        LibraryName {
            name: (*name).to_owned(),
            is_unknown: is_unknown(name),
            is_absent: !is_external && !is_jdk(name) && !is_found(name),
        }
    };
    let libraries = LibraryNames { names: names.all.iter().map(known).collect() };
    (methods, signatures.all, libraries)
}

/// Gives equal things the same number.
struct Interner<T> {
    all: Vec<T>,
    known: FxHashMap<T, u32>,
}

impl<T> Default for Interner<T> {
    fn default() -> Interner<T> {
        Interner { all: Vec::new(), known: FxHashMap::default() }
    }
}

impl<T: Copy + Eq + std::hash::Hash> Interner<T> {
    fn numbers(&mut self, things: Vec<T>) -> Box<[u32]> {
        let mut numbers: Vec<u32> = things
            .into_iter()
            .map(|thing| {
                *self.known.entry(thing).or_insert_with(|| {
                    self.all.push(thing);
                    self.all.len() as u32 - 1
                })
            })
            .collect();
        numbers.sort_unstable();
        numbers.dedup();
        numbers.into()
    }
}
