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

pub(super) struct Calls<'s> {
    snapshot: &'s Snapshot,
    /// The project's methods by name and descriptor, those that calls choose by the receiver's class.
    by_name: FxHashMap<(&'s str, &'s str), Vec<MethodId>>,
    calls: FxHashMap<MethodId, Box<[MethodId]>>,
    stateful: FxHashMap<MethodId, bool>,
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
        Calls { snapshot, by_name, calls: FxHashMap::default(), stateful: FxHashMap::default() }
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

    /// Whether a method's code names a static field that tests may leave something in.
    pub(super) fn is_stateful(&mut self, method: MethodId) -> bool {
        if let Some(known) = self.stateful.get(&method) {
            return *known;
        }
        let answer = self.names_state(method);
        self.stateful.insert(method, answer);
        answer
    }

    fn names_state(&self, method: MethodId) -> bool {
        let snapshot = self.snapshot;
        let record = snapshot.class(method.class);
        record.references_of(method.method as usize).any(|reference| {
            if reference.kind != ReferenceKind::Field {
                return false;
            }
            let Some(owner) = snapshot.find(record.str(reference.owner)) else { return false };
            let (name, descriptor) = (record.str(reference.name), record.str(reference.descriptor));
            let Found::One(at) = snapshot.resolve_field(owner, name, descriptor).found else { return false };
            at.field.access & access::STATIC != 0
                && snapshot.is_project(at.class)
                && (at.field.access & access::FINAL == 0 || self.can_change(descriptor))
        })
    }

    fn can_change(&self, descriptor: &str) -> bool {
        let Some(class) = descriptor.strip_prefix('L').and_then(|rest| rest.strip_suffix(';')) else {
            return descriptor.starts_with('['); // Else a number.
        };
        let is_enum =
            self.snapshot.find(class).is_some_and(|id| self.snapshot.class(id).access & access::ENUM != 0);
        // Loggers keep nothing that code asks for.
        !is_enum
            && !UNCHANGING.contains(&descriptor)
            && !class.ends_with("Logger")
            && !class.ends_with("/Log")
            && !class.starts_with("java/time/")
    }
}
