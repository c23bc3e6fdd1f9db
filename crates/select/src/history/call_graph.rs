//! Static call graph: which methods of the project a method's code may call, and which shared state it names.

use super::field_writers::{FieldId, NamedFields};
use rustc_hash::FxHashMap;
use std::cell::RefCell;
use std::collections::BTreeSet;
use tamis_catalog::jdk::types;
use tamis_catalog::libraries::is_logger;
use tamis_classfile::access;
use tamis_program::bitset::BitSet;
use tamis_program::record::{MethodOrigin, ReferenceKind};
use tamis_program::snapshot::{ClassId, FieldAt, FoundMethod, MethodId, Snapshot};

/// Maximum depth for following fields from class to class.
const DEEPEST: usize = 32;

/// A static field that code names and in which a test may leave something.
struct StaticState<'s> {
    kind: ReferenceKind,
    field: FieldId,
    descriptor: &'s str,
    /// A constant that holds a library's logger. Most classes have one, and loggers rarely carry state
    /// between tests.
    is_logger: bool,
    /// A constant that is one of the JDK's atomic variables.
    is_variable: bool,
}

/// The object in a constant, as the JVM reported it.
#[derive(Clone, Copy, PartialEq, Eq)]
enum HeldObject {
    /// Nothing that could change.
    Nothing,
    /// An object of this class of the project.
    Class(ClassId),
    Unknown,
}

pub(super) struct CallGraph<'s> {
    snapshot: &'s Snapshot,
    /// The project's methods by name and descriptor, those that calls choose by the receiver's class.
    by_name: FxHashMap<(&'s str, &'s str), Vec<MethodId>>,
    /// Whether objects of a class are immutable, as far as it is computed.
    values: RefCell<FxHashMap<ClassId, bool>>,
    /// Whether a method modifies its object, as far as it is computed.
    altering: RefCell<FxHashMap<MethodId, bool>>,
    /// The objects in constants, as the JVM reported them.
    held: RefCell<FxHashMap<FieldId, HeldObject>>,
}

impl<'s> CallGraph<'s> {
    pub(super) fn new(snapshot: &'s Snapshot) -> CallGraph<'s> {
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
        CallGraph {
            snapshot,
            by_name,
            values: RefCell::default(),
            altering: RefCell::default(),
            held: RefCell::default(),
        }
    }

    /// The methods that a method may call directly.
    pub(super) fn of(&self, method: MethodId) -> Box<[MethodId]> {
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
                    // From Java 11 on, private methods are called in the same way.
                    found.extend(self.declared_from(owner, name, descriptor));
                }
                ReferenceKind::Static | ReferenceKind::Special | ReferenceKind::Made => {
                    found.extend(self.declared_from(owner, name, descriptor));
                }
                ReferenceKind::Class
                | ReferenceKind::New
                | ReferenceKind::Field
                | ReferenceKind::Written
                | ReferenceKind::Altered
                | ReferenceKind::Handed
                | ReferenceKind::Shown
                | ReferenceKind::Annotated => {}
            }
        }
        found.into_iter().filter(|target| snapshot.is_project(target.class)).collect()
    }

    /// The calls that hand a method over to be called by other code: lambdas and method references.
    pub(super) fn handed(&self, method: MethodId, calls: &[MethodId]) -> Box<[MethodId]> {
        let snapshot = self.snapshot;
        let record = snapshot.class(method.class);
        let handed: BTreeSet<(&str, &str)> = record
            .references_of(method.method as usize)
            .filter(|reference| reference.kind == ReferenceKind::Handed)
            .map(|reference| (record.str(reference.name), record.str(reference.descriptor)))
            .collect();
        let is_handed = |call: &&MethodId| {
            let (class, called) = (snapshot.class(call.class), snapshot.method(**call));
            called.origin == MethodOrigin::Made
                || handed.contains(&(class.str(called.name), class.str(called.descriptor)))
        };
        calls.iter().filter(is_handed).copied().collect()
    }

    /// Methods that a method may call through types outside the snapshot (the JDK's): the project's methods
    /// of the same name in classes that inherit from outside. Which of the JDK's types these classes
    /// implement is not known.
    pub(super) fn through_outside(&self, method: MethodId) -> Box<[MethodId]> {
        let snapshot = self.snapshot;
        let record = snapshot.class(method.class);
        let mut found: BTreeSet<MethodId> = BTreeSet::new();
        for reference in record.references_of(method.method as usize) {
            let is_outside = snapshot.find(record.str(reference.owner)).is_none();
            if reference.kind == ReferenceKind::Virtual && is_outside {
                let key = (record.str(reference.name), record.str(reference.descriptor));
                let named = self.by_name.get(&key).into_iter().flatten().copied();
                found.extend(named.filter(|target| self.is_from_outside(target.class)));
            }
        }
        found.into_iter().collect()
    }

    /// Whether a class inherits from a class that is neither the project's nor `Object`.
    fn is_from_outside(&self, class: ClassId) -> bool {
        let (known, missing) = self.snapshot.supertypes(class);
        let is_outside = |above: &ClassId| {
            !self.snapshot.is_project(*above) && self.snapshot.class(*above).name() != "java/lang/Object"
        };
        !missing.is_empty() || known.iter().any(is_outside)
    }

    /// The methods of this name that a class and its supertypes declare.
    fn declared_from(&self, class: ClassId, name: &str, descriptor: &str) -> impl Iterator<Item = MethodId> {
        let above = self.snapshot.above(class).iter().copied();
        std::iter::once(class)
            .chain(above)
            .filter_map(move |class| self.snapshot.declared(class, name, descriptor))
    }

    /// The project's interfaces that a method instantiates as lambdas, that is, without a class.
    pub(super) fn lambdas(&self, method: MethodId) -> impl Iterator<Item = ClassId> + use<'s> {
        let snapshot = self.snapshot;
        let record = snapshot.class(method.class);
        let made =
            record.references_of(method.method as usize).filter(|found| found.kind == ReferenceKind::New);
        let classes = made.filter_map(|found| snapshot.find(record.str(found.owner)));
        classes.filter(|class| snapshot.is_project(*class) && snapshot.class(*class).is_interface())
    }

    /// Whether one is a supertype of the other.
    fn are_related(&self, one: ClassId, other: ClassId) -> bool {
        one == other || self.snapshot.above(one).contains(&other) || self.snapshot.above(other).contains(&one)
    }

    /// Whether a method's code names a static field in which a test may leave something, loggers excluded.
    pub(super) fn is_stateful(&self, method: MethodId) -> bool {
        self.state_named(method).any(|state| !state.is_logger)
    }

    /// Whether such a field belongs to the method's own class and does not hold an object of the project.
    /// Objects of the project are followed by their methods.
    pub(super) fn fills_own(&self, method: MethodId) -> bool {
        let mut named = self.state_named(method).filter(|state| !state.is_logger);
        let is_projects = |state: &StaticState<'_>| {
            !state.descriptor.starts_with('[') && self.projects(state.descriptor).is_some()
        };
        named.any(|state| state.field.0 == method.class && !is_projects(&state))
    }

    /// The static fields that a method's code names and in which a test may leave something; `number` numbers
    /// them.
    pub(super) fn named(&self, method: MethodId, number: impl Fn(FieldId) -> u32) -> NamedFields {
        let record = self.snapshot.class(method.class);
        // Fields that an initialiser assigns in its own class get their first value: nothing is left in them.
        let is_initialiser = record.str(self.snapshot.method(method).name) == "<clinit>";
        let is_first = |field: FieldId| is_initialiser && field.0 == method.class;
        let (mut read, mut written, mut altered) = (Vec::new(), Vec::new(), Vec::new());
        for state in self.state_named(method) {
            match state.kind {
                ReferenceKind::Field => read.push(number(state.field)),
                _ if is_first(state.field) => {}
                ReferenceKind::Altered if !state.is_variable => altered.push(number(state.field)),
                _ => written.push(number(state.field)),
            }
        }
        altered.extend(self.altered(method).into_iter().filter(|field| !is_first(*field)).map(&number));
        written.extend(&altered);
        written.sort_unstable();
        written.dedup();
        NamedFields { read: read.into(), written: written.into(), altered: altered.into() }
    }

    /// The static fields whose objects a method may modify: it reads the field, and calls a modifying method
    /// of the object.
    fn altered(&self, method: MethodId) -> Vec<FieldId> {
        let read = self.state_named(method).filter(|state| state.kind == ReferenceKind::Field);
        let held: Vec<(FieldId, ClassId)> =
            read.filter_map(|state| Some((state.field, self.projects(state.descriptor)?))).collect();
        if held.is_empty() {
            return Vec::new();
        }
        let mut altering = self.of(method).to_vec();
        altering.retain(|called| self.alters(*called));
        let is_altered = |class: ClassId| altering.iter().any(|called| self.are_related(class, called.class));
        held.into_iter().filter(|(_, class)| is_altered(*class)).map(|(field, _)| field).collect()
    }

    /// Whether a method stores into its object after construction, or calls a method that does, on its object
    /// or on an object that this one holds.
    pub(super) fn alters(&self, method: MethodId) -> bool {
        if let Some(alters) = self.altering.borrow().get(&method) {
            return *alters;
        }
        let (mut seen, mut open) = (BTreeSet::from([method]), vec![method]);
        let mut alters = false;
        while let Some(method) = open.pop() {
            let (record, code) = (self.snapshot.class(method.class), self.snapshot.method(method));
            if code.is(access::STATIC) || record.str(code.name).starts_with('<') {
                continue;
            }
            let mut parts = vec![method.class];
            for (kind, field) in self.own_fields(method) {
                alters |= kind.is_change();
                parts.extend(self.projects(field));
            }
            if alters {
                break;
            }
            let is_own = |class: ClassId| parts.iter().any(|part| self.are_related(class, *part));
            let calls = self.of(method);
            open.extend(calls.iter().filter(|called| is_own(called.class) && seen.insert(**called)));
        }
        self.altering.borrow_mut().insert(method, alters);
        alters
    }

    /// The instance fields of its own class that a method's code names, by type.
    fn own_fields(&self, method: MethodId) -> impl Iterator<Item = (ReferenceKind, &'s str)> {
        self.fields_named(method).filter_map(move |(kind, at, descriptor)| {
            let is_own = at.field.access & access::STATIC == 0 && self.are_related(at.class, method.class);
            is_own.then_some((kind, descriptor))
        })
    }

    /// The class of the project whose objects a variable or an array of this type holds.
    fn projects(&self, descriptor: &str) -> Option<ClassId> {
        let class = descriptor.trim_start_matches('[').strip_prefix('L')?.strip_suffix(';')?;
        self.snapshot.find(class).filter(|class| self.snapshot.is_project(*class))
    }

    /// The fields that a method reads, instance fields too. Code that only sets an atomic variable does not
    /// read it.
    pub(super) fn read(&self, method: MethodId) -> Vec<FieldId> {
        let asks = self.snapshot.method(method).conduct.reads_variables;
        let fields = self.fields_named(method).filter(|(kind, _, descriptor)| {
            *kind == ReferenceKind::Field && (asks || !types::is_atomic(descriptor))
        });
        fields.map(|(_, at, _)| (at.class, at.field.name)).collect()
    }

    /// Whether a variable of this type holds an immutable object, or one that is modified only by methods of
    /// classes that are not in `altering`.
    pub(super) fn is_kept(&self, descriptor: &str, altering: &BitSet<ClassId>) -> bool {
        match self.projects(descriptor) {
            Some(class) if !descriptor.starts_with('[') => {
                !altering.iter().any(|other| self.are_related(class, other))
            }
            _ => types::is_atomic(descriptor) || !self.can_change(descriptor, 0),
        }
    }

    /// The fields that a method writes, or whose objects it modifies; instance fields too.
    pub(super) fn changed(&self, method: MethodId) -> Vec<FieldId> {
        let fields = self.fields_named(method).filter(|(kind, ..)| kind.is_change());
        fields.map(|(_, at, _)| (at.class, at.field.name)).chain(self.altered(method)).collect()
    }

    fn state_named(&self, method: MethodId) -> impl Iterator<Item = StaticState<'s>> {
        self.fields_named(method).filter_map(move |(kind, at, descriptor)| {
            let is_final = at.field.access & access::FINAL != 0;
            let counts = at.field.access & access::STATIC != 0
                && at.field.access & access::SYNTHETIC == 0
                && self.snapshot.is_project(at.class)
                && (!is_final || self.is_changing((at.class, at.field.name), descriptor));
            let is_logger = is_final && self.projects(descriptor).is_none() && is_logger(descriptor);
            let is_variable = is_final && types::is_atomic(descriptor);
            let field = (at.class, at.field.name);
            counts.then_some(StaticState { kind, field, descriptor, is_logger, is_variable })
        })
    }

    /// Whether the object in a constant can change: as the JVM reported, or else by its type.
    fn is_changing(&self, field: FieldId, descriptor: &str) -> bool {
        self.can_change(descriptor, 0)
            && match self.held.borrow().get(&field) {
                Some(HeldObject::Nothing) => false,
                Some(HeldObject::Class(class)) => self.can_keep(*class),
                Some(HeldObject::Unknown) | None => true,
            }
    }

    /// The JVM reported the object in a constant: its class, or empty if it cannot change.
    pub(super) fn holds(&self, field: FieldId, class: &str) {
        let class = match self.snapshot.find(class).filter(|class| self.snapshot.is_project(*class)) {
            Some(class) => HeldObject::Class(class),
            None if class.is_empty() || types::UNCHANGING_OBJECTS.has(class) => HeldObject::Nothing,
            None => HeldObject::Unknown,
        };
        // A class of the same name from another loader may hold another object.
        let mut held = self.held.borrow_mut();
        let known = held.entry(field).or_insert(class);
        if *known != class {
            *known = HeldObject::Unknown;
        }
    }

    /// The fields that a method's code names, with the types in the references.
    fn fields_named(
        &self,
        method: MethodId,
    ) -> impl Iterator<Item = (ReferenceKind, FieldAt<'s>, &'s str)> + use<'s> {
        let snapshot = self.snapshot;
        let record = snapshot.class(method.class);
        let references = record.references_of(method.method as usize);
        references.filter(|reference| reference.kind.is_field()).filter_map(move |reference| {
            let owner = snapshot.find(record.str(reference.owner))?;
            let (name, descriptor) = (record.str(reference.name), record.str(reference.descriptor));
            let FoundMethod::One(at) = snapshot.resolve_field(owner, name, descriptor).found else {
                return None;
            };
            Some((reference.kind, at, descriptor))
        })
    }

    /// Whether objects of a class can be given something to keep after their construction.
    pub(super) fn can_keep(&self, class: ClassId) -> bool {
        self.can_keep_at(class, 0)
    }

    fn can_keep_at(&self, class: ClassId, depth: usize) -> bool {
        let snapshot = self.snapshot;
        let (above, missing) = snapshot.supertypes(class);
        let keeps = |class: ClassId| {
            let record = snapshot.class(class);
            if !snapshot.is_project(class) {
                return !record.is_interface() && !types::KEEPING_NOTHING.has(record.name());
            }
            let mut own = record.fields.iter().filter(|field| field.access & access::STATIC == 0);
            own.any(|field| {
                field.access & access::FINAL == 0 || self.can_change(record.str(field.descriptor), depth)
            })
        };
        !missing.is_empty() || above.into_iter().chain([class]).any(keeps)
    }

    fn can_change(&self, descriptor: &str, depth: usize) -> bool {
        let Some(class) = descriptor.strip_prefix('L').and_then(|rest| rest.strip_suffix(';')) else {
            return descriptor.starts_with('['); // Otherwise a number.
        };
        let Some(id) = self.snapshot.find(class).filter(|id| self.snapshot.is_project(*id)) else {
            return !types::is_unchanging(class);
        };
        if let Some(is_value) = self.values.borrow().get(&id) {
            return !is_value;
        }
        // A class that refers back to itself is assumed mutable, wherever the walk started.
        self.values.borrow_mut().insert(id, false);
        let is_value = self.is_value(id, depth + 1);
        self.values.borrow_mut().insert(id, is_value);
        !is_value
    }

    /// Whether a variable of a project's class can hold only immutable objects: all fields of the class and
    /// of its superclasses are final and hold nothing that changes. A class that is abstract or has
    /// subclasses may stand for an unknown subclass. The only subclasses of an enum are the bodies of its
    /// constants.
    fn is_value(&self, class: ClassId, depth: usize) -> bool {
        let record = self.snapshot.class(class);
        let below = self.snapshot.subclasses(class);
        let is_enum = record.access & access::ENUM != 0;
        if depth > DEEPEST || (!is_enum && (record.access & access::ABSTRACT != 0 || !below.is_empty())) {
            return false;
        }
        below.iter().chain([&class]).all(|class| !self.can_keep_at(*class, depth))
    }
}
