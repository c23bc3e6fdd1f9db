//! Which methods of the project the code of a method may call, and whether it looks at state that outlives a test.

use crate::record::ReferenceKind;
use crate::snapshot::{ClassId, Found, MethodId, Snapshot};
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;
use tamis_classfile::access;

/// Types whose objects nobody can change. A final static field of one of them holds what its class's initialiser put
/// there, and nothing that a test has left.
const UNCHANGING: [&str; 12] = [
    "Ljava/lang/String;",
    "Ljava/lang/Integer;",
    "Ljava/lang/Long;",
    "Ljava/lang/Double;",
    "Ljava/lang/Boolean;",
    "Ljava/lang/Class;",
    "Ljava/math/BigDecimal;",
    "Ljava/math/BigInteger;",
    "Ljava/nio/charset/Charset;",
    "Ljava/util/Locale;",
    "Ljava/util/UUID;",
    "Ljava/util/regex/Pattern;",
];

/// Methods of the JDK's containers that put something into them.
const FILLING: [&str; 20] = [
    "add",
    "addAll",
    "addFirst",
    "addLast",
    "append",
    "compareAndSet",
    "compute",
    "computeIfAbsent",
    "getAndSet",
    "load",
    "merge",
    "offer",
    "push",
    "put",
    "putAll",
    "putIfAbsent",
    "set",
    "setProperty",
    "updateAndGet",
    "getAndUpdate",
];

/// What a method has to do with static state that outlives a test.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum State {
    /// Nothing.
    None,
    /// It looks at an object that others may fill.
    Filled,
    /// It may leave something there, or find what was left: a field that can be set, or a container and a call that
    /// fills one.
    Kept,
}

pub(super) struct Calls<'s> {
    snapshot: &'s Snapshot,
    /// The project's methods by name and descriptor, those that calls choose by the receiver's class.
    by_name: FxHashMap<(&'s str, &'s str), Vec<MethodId>>,
    calls: FxHashMap<MethodId, Box<[MethodId]>>,
    states: FxHashMap<MethodId, State>,
}

impl<'s> Calls<'s> {
    pub(super) fn new(snapshot: &'s Snapshot) -> Calls<'s> {
        let mut by_name: FxHashMap<(&str, &str), Vec<MethodId>> = FxHashMap::default();
        for class in snapshot.project() {
            let record = snapshot.class(class);
            for (index, method) in record.methods.iter().enumerate() {
                if method.is_virtual(record) && !method.is(access::ABSTRACT) {
                    let key = (record.str(method.name), record.str(method.descriptor));
                    by_name.entry(key).or_default().push(MethodId { class, method: index as u32 });
                }
            }
        }
        Calls { snapshot, by_name, calls: FxHashMap::default(), states: FxHashMap::default() }
    }

    /// What a method may call directly.
    pub(super) fn of(&mut self, method: MethodId) -> &[MethodId] {
        if !self.calls.contains_key(&method) {
            let found = self.find(method);
            self.calls.insert(method, found);
        }
        self.calls.get(&method).map(|calls| &**calls).unwrap_or_default()
    }

    fn find(&self, method: MethodId) -> Box<[MethodId]> {
        let snapshot = self.snapshot;
        let record = snapshot.class(method.class);
        let mut found: BTreeSet<MethodId> = BTreeSet::new();
        for reference in record.references_of(method.method as usize) {
            let Some(owner) = snapshot.find(record.str(reference.owner)) else { continue };
            let (name, descriptor) = (record.str(reference.name), record.str(reference.descriptor));
            match reference.kind {
                ReferenceKind::Virtual => {
                    let named = self.by_name.get(&(name, descriptor)).into_iter().flatten().copied();
                    found.extend(named.filter(|target| self.are_related(owner, target.class)));
                }
                ReferenceKind::Static | ReferenceKind::Special | ReferenceKind::Made => {
                    let above = snapshot.supertypes(owner).0;
                    let classes = std::iter::once(owner).chain(above);
                    found.extend(classes.filter_map(|class| snapshot.declared(class, name, descriptor)));
                }
                ReferenceKind::Class | ReferenceKind::New | ReferenceKind::Field => {}
            }
        }
        found.into_iter().filter(|target| snapshot.is_project(target.class)).collect()
    }

    /// Whether one is a supertype of the other.
    fn are_related(&self, one: ClassId, other: ClassId) -> bool {
        one == other
            || self.snapshot.supertypes(one).0.contains(&other)
            || self.snapshot.supertypes(other).0.contains(&one)
    }

    /// What a method has to do with static state that outlives a test.
    pub(super) fn state(&mut self, method: MethodId) -> State {
        if let Some(known) = self.states.get(&method) {
            return *known;
        }
        let answer = self.find_state(method);
        self.states.insert(method, answer);
        answer
    }

    fn find_state(&self, method: MethodId) -> State {
        let snapshot = self.snapshot;
        let record = snapshot.class(method.class);
        let (mut looks, mut fills) = (false, false);
        for reference in record.references_of(method.method as usize) {
            let (name, descriptor) = (record.str(reference.name), record.str(reference.descriptor));
            match reference.kind {
                ReferenceKind::Virtual => {
                    fills |= FILLING.contains(&name) && record.str(reference.owner).starts_with("java/");
                }
                ReferenceKind::Field => {
                    let Some(owner) = snapshot.find(record.str(reference.owner)) else { continue };
                    let Found::One(at) = snapshot.resolve_field(owner, name, descriptor).found else {
                        continue;
                    };
                    if at.field.access & access::STATIC == 0 || !snapshot.is_project(at.class) {
                        continue;
                    }
                    if at.field.access & access::FINAL == 0 {
                        return State::Kept;
                    }
                    looks |= self.can_change(descriptor);
                }
                _ => {}
            }
        }
        match (looks, fills) {
            (true, true) => State::Kept,
            (true, false) => State::Filled,
            (false, _) => State::None,
        }
    }

    fn can_change(&self, descriptor: &str) -> bool {
        let Some(class) = descriptor.strip_prefix('L').and_then(|rest| rest.strip_suffix(';')) else {
            return descriptor.starts_with('['); // Else a number.
        };
        // Loggers keep nothing that code asks for.
        !self.is_value(class, 0)
            && !UNCHANGING.contains(&descriptor)
            && !class.ends_with("Logger")
            && !class.ends_with("/Log")
            && !class.starts_with("java/time/")
    }

    /// Whether objects of a project's class never change: enums, and classes without subclasses of which all fields are
    /// final and hold nothing that changes.
    fn is_value(&self, class: &str, depth: usize) -> bool {
        let Some(id) = self.snapshot.find(class).filter(|id| self.snapshot.is_project(*id)) else {
            return false;
        };
        let record = self.snapshot.class(id);
        if record.access & access::ENUM != 0 {
            return true;
        }
        let is_fixed =
            |descriptor: &str| match descriptor.strip_prefix('L').and_then(|rest| rest.strip_suffix(';')) {
                Some(inner) => {
                    UNCHANGING.contains(&descriptor)
                        || (depth < 4 && inner != class && self.is_value(inner, depth + 1))
                }
                None => !descriptor.starts_with('['),
            };
        record.super_name() == Some("java/lang/Object")
            && self.snapshot.subclasses(id).is_empty()
            && record.fields.iter().all(|field| {
                field.access & access::STATIC != 0
                    || (field.access & access::FINAL != 0 && is_fixed(record.str(field.descriptor)))
            })
    }
}
