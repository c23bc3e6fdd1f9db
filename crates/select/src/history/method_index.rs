//! Properties of each method that do not depend on the caller, computed once and kept as bits.
//!
//! The tests of a JVM enter the same few thousand methods thousands of times. Methods therefore have numbers
//! here, and questions about sets of methods are answered from caches.

use super::LibraryGraph;
use super::call_graph::CallGraph;
use super::field_writers::{FieldId, NamedFields};
use super::fixture;
use super::initialised_classes::touched;
use super::method_traits::TraitBits;
use rustc_hash::FxHashMap;
use std::cell::{Cell, OnceCell, RefCell};
use tamis_classfile::access;
use tamis_program::bitset::{BitSet, ClosureCache, SparseBitSet};
use tamis_program::record::{FixtureKind, MethodOrigin, ReferenceKind, StaticReference};
use tamis_program::snapshot::{ClassId, MethodId, Snapshot};

/// Methods of `Object` that classes override.
const OBJECTS: [(&str, &str); 5] = [
    ("equals", "(Ljava/lang/Object;)Z"),
    ("hashCode", "()I"),
    ("toString", "()Ljava/lang/String;"),
    ("clone", "()Ljava/lang/Object;"),
    ("finalize", "()V"),
];

/// Everything known about a method but its traits.
pub(crate) struct IndexedMethod {
    /// The project's classes that its code names.
    pub(crate) mentions: Box<[ClassId]>,
    /// Classes that it names as such: in literals, casts and the like.
    pub(super) classes: Box<[ClassId]>,
    /// Methods that it may call directly, by number.
    pub(super) calls: Box<[u32]>,
    /// The calls among these that are handed to other code: lambdas and method references.
    pub(super) lambda_calls: Box<[u32]>,
    /// Methods that it may call through types of the JDK.
    pub(super) outside_calls: Box<[u32]>,
    /// The classes that it instantiates: its own, if it is a constructor, and the project's interfaces that
    /// it instantiates as lambdas.
    pub(super) makes: Box<[ClassId]>,
    /// The static fields that it names and in which a test may leave something, by number.
    pub(super) named: NamedFields,
}

/// The methods of a snapshot, by number.
pub(super) struct MethodIndex<'s> {
    snapshot: &'s Snapshot,
    calls: CallGraph<'s>,
    firsts: Vec<u32>,
    ids: Vec<MethodId>,
    known: Vec<OnceCell<Box<IndexedMethod>>>,
    /// Kept apart from `known`: callers that need nothing else do not pay for the rest.
    touched: Vec<OnceCell<Box<[ClassId]>>>,
    traits: Vec<Cell<TraitBits>>,
    keeping: Vec<OnceCell<bool>>,
    fields: RefCell<FxHashMap<FieldId, u32>>,
    by_number: RefCell<Vec<FieldId>>,
    /// Final fields, by number.
    finals: RefCell<BitSet<u32>>,
    follows: FollowCache,
}

/// Remembered consequences of sets of methods, or of classes.
#[derive(Default)]
struct FollowCache {
    touched: ClosureCache<u32, ClassId>,
    made: ClosureCache<u32, ClassId>,
    named: ClosureCache<u32, ClassId>,
    made_with_above: ClosureCache<u32, ClassId>,
    run_on: ClosureCache<u32, ClassId>,
    classes: ClosureCache<u32, ClassId>,
    naming: ClosureCache<u32, u32>,
    named_in: ClosureCache<u32, u32>,
    read: ClosureCache<u32, u32>,
    altering: ClosureCache<u32, ClassId>,
    loads: ClosureCache<u32, u32>,
    stores: ClosureCache<u32, u32>,
    near: ClosureCache<u32, u32>,
    filling: ClosureCache<u32, u32>,
    calls: ClosureCache<u32, u32>,
    lambda_calls: ClosureCache<u32, u32>,
    handing: ClosureCache<u32, u32>,
    keeping: ClosureCache<ClassId, ClassId>,
    instance: ClosureCache<ClassId, u32>,
    callbacks: ClosureCache<ClassId, u32>,
    all_callbacks: ClosureCache<ClassId, u32>,
    annotating: ClosureCache<ClassId, ClassId>,
}

impl<'s> MethodIndex<'s> {
    pub(super) fn new(snapshot: &'s Snapshot) -> MethodIndex<'s> {
        let mut firsts = vec![0];
        let mut ids = Vec::new();
        for class in snapshot.all() {
            let count = snapshot.class(class).methods.len() as u32;
            ids.extend((0..count).map(|method| MethodId { class, method }));
            firsts.push(ids.len() as u32);
        }
        let known = ids.iter().map(|_| OnceCell::new()).collect();
        let touched = ids.iter().map(|_| OnceCell::new()).collect();
        let traits = vec![Cell::default(); ids.len()];
        let keeping = firsts.iter().map(|_| OnceCell::new()).collect();
        MethodIndex {
            snapshot,
            calls: CallGraph::new(snapshot),
            firsts,
            ids,
            known,
            touched,
            traits,
            keeping,
            fields: RefCell::default(),
            by_number: RefCell::default(),
            finals: RefCell::default(),
            follows: FollowCache::default(),
        }
    }

    /// Adds the classes that methods of a set touch.
    pub(super) fn touched_by(
        &self,
        from: &BitSet<u32>,
        followed: &mut BitSet<u32>,
        into: &mut BitSet<ClassId>,
    ) {
        let touch = |method, into: &mut BitSet<ClassId>| into.extend(self.touched(method).iter().copied());
        self.follows.touched.follow(from, followed, into, touch);
    }

    /// The classes that methods of a set instantiate.
    pub(super) fn made_by(&self, methods: &BitSet<u32>) -> BitSet<ClassId> {
        self.follows.made.all(methods, |method, into| into.extend(self.makes(method)))
    }

    /// The classes that methods of a set name as such: in literals, casts and the like.
    pub(super) fn named_by(&self, methods: &BitSet<u32>) -> BitSet<ClassId> {
        self.follows.named.all(methods, |method, into| into.extend(self.of(method).classes.iter().copied()))
    }

    /// The classes that methods of a set instantiate, and their supertypes.
    pub(super) fn made_with_above(&self, methods: &BitSet<u32>) -> BitSet<ClassId> {
        self.follows.made_with_above.all(methods, |method, into| {
            for class in self.makes(method) {
                into.insert(class);
                into.extend(self.snapshot.above(class).iter().copied());
            }
        })
    }

    /// The classes on whose objects the methods of a set run, those from source code.
    pub(super) fn run_on(&self, methods: &BitSet<u32>) -> BitSet<ClassId> {
        self.follows.run_on.all(methods, |method, into| {
            into.extend(self.traits(method).needs_object().then(|| self.id(method).class));
        })
    }

    /// The classes that methods of a set are in.
    pub(super) fn classes_of(&self, methods: &BitSet<u32>) -> BitSet<ClassId> {
        self.follows.classes.all(methods, |method, into| _ = into.insert(self.id(method).class))
    }

    /// Adds the library classes that the methods of a set name.
    pub(super) fn naming(
        &self,
        from: &BitSet<u32>,
        followed: &mut BitSet<u32>,
        into: &mut BitSet<u32>,
        outside: &mut dyn LibraryGraph,
    ) {
        let naming =
            |method, into: &mut BitSet<u32>| into.extend(outside.named_by(self.id(method)).iter().copied());
        self.follows.naming.follow(from, followed, into, naming);
    }

    /// Adds the library classes that other library classes name.
    pub(super) fn named_in(
        &self,
        from: &BitSet<u32>,
        followed: &mut BitSet<u32>,
        into: &mut BitSet<u32>,
        outside: &mut dyn LibraryGraph,
    ) {
        let named = |class, into: &mut BitSet<u32>| into.extend(outside.named_in(class).iter().copied());
        self.follows.named_in.follow(from, followed, into, named);
    }

    /// The methods that name a static field in which a test may leave something, or call a method that does.
    pub(super) fn near(&self, methods: &BitSet<u32>) -> BitSet<u32> {
        self.with(&self.follows.near, methods, TraitBits::reaches_state)
    }

    /// The methods that name such a field of their own class that does not hold an object of the project, or
    /// that assign one.
    pub(super) fn filling(&self, methods: &BitSet<u32>) -> BitSet<u32> {
        self.with(&self.follows.filling, methods, |traits| traits.fills_own() || traits.assigns())
    }

    fn with(
        &self,
        known: &ClosureCache<u32, u32>,
        methods: &BitSet<u32>,
        is_one: impl Fn(TraitBits) -> bool,
    ) -> BitSet<u32> {
        known.all(methods, |method, into| into.extend(is_one(self.traits(method)).then_some(method)))
    }

    /// The fields of this kind that the methods read, by number.
    pub(super) fn read_by(&self, methods: &BitSet<u32>) -> BitSet<u32> {
        self.follows.read.all(methods, |method, into| into.extend(self.of(method).named.read.iter().copied()))
    }

    /// Adds the methods that methods of a set may call directly.
    pub(super) fn called_by(&self, from: &BitSet<u32>, followed: &mut BitSet<u32>, into: &mut BitSet<u32>) {
        let call = |method, into: &mut BitSet<u32>| {
            let known = self.of(method);
            into.extend(known.calls.iter().chain(&known.outside_calls).copied());
        };
        self.follows.calls.follow(from, followed, into, call);
    }

    /// The calls among these that are handed to other code: lambdas and method references.
    pub(super) fn lambdas_of(&self, methods: &BitSet<u32>) -> BitSet<u32> {
        let lambdas =
            |method, into: &mut BitSet<u32>| into.extend(self.of(method).lambda_calls.iter().copied());
        self.follows.lambda_calls.all(methods, lambdas)
    }

    /// The methods that hand lambdas or method references over.
    pub(super) fn handing(&self, methods: &BitSet<u32>) -> BitSet<u32> {
        let hands = |method: u32| !self.of(method).lambda_calls.is_empty();
        self.follows.handing.all(methods, |method, into| into.extend(hands(method).then_some(method)))
    }

    /// The classes whose objects can be given something to keep after their construction.
    pub(super) fn keeping(&self, classes: &BitSet<ClassId>) -> BitSet<ClassId> {
        self.follows.keeping.all(classes, |class, into| into.extend(self.can_keep(class).then_some(class)))
    }

    /// The instance methods of the classes, constructors excluded.
    pub(super) fn instance_methods(&self, classes: &BitSet<ClassId>) -> BitSet<u32> {
        self.follows.instance.all(classes, |class, into| {
            let own = self.declared(class);
            let is_instance = |method: &u32| {
                let traits = self.traits(*method);
                !traits.is_static() && !traits.is_constructor()
            };
            into.extend(own.filter(is_instance));
        })
    }

    /// Methods of the classes that libraries may call: they override a method of a library, or have
    /// annotations. Methods of `Object` are left out.
    pub(super) fn callbacks(&self, classes: &BitSet<ClassId>) -> BitSet<u32> {
        let known = &self.follows.callbacks;
        known.all(classes, |class, into| self.add_callbacks(class, |method| !self.is_objects(method), into))
    }

    /// The same, with the methods of `Object`.
    pub(super) fn all_callbacks(&self, classes: &BitSet<ClassId>) -> BitSet<u32> {
        self.follows.all_callbacks.all(classes, |class, into| self.add_callbacks(class, |_| true, into))
    }

    /// The project's classes that annotations of the classes and of their packages name. Several subtypes of
    /// the annotated class are left out: they list the kinds of data that may be read, and are instantiated
    /// whenever data is read.
    pub(super) fn annotating(&self, classes: &BitSet<ClassId>) -> BitSet<ClassId> {
        let snapshot = self.snapshot;
        let named = |class: ClassId| {
            let record = snapshot.class(class);
            let named = record.references.iter().filter(|it| it.kind == ReferenceKind::Annotated);
            let named = named.filter_map(|it| snapshot.find(record.str(it.owner)));
            named.filter(move |named| snapshot.is_project(*named) && *named != class).collect::<Vec<_>>()
        };
        self.follows.annotating.all(classes, |class, into| {
            let (kinds, others): (Vec<ClassId>, Vec<ClassId>) =
                named(class).into_iter().partition(|named| snapshot.above(*named).contains(&class));
            into.extend(others.into_iter().chain(kinds.first().copied().filter(|_| kinds.len() == 1)));
            let package = snapshot.class(class).name().rsplit_once('/').map_or("", |(package, _)| package);
            let info = snapshot.find(&format!("{package}/package-info"));
            into.extend(info.into_iter().flat_map(named));
        })
    }

    fn add_callbacks(&self, class: ClassId, counts: impl Fn(MethodId) -> bool, into: &mut BitSet<u32>) {
        let overriding = self.snapshot.external_overrides(class);
        let overriding = overriding.into_iter().filter(|method| counts(*method));
        into.extend(overriding.map(|method| self.number(method)));
        let is_annotated = |method: &u32| {
            let record = self.snapshot.method(self.id(*method));
            record.annotations.is_some() && !record.is(access::STATIC)
        };
        into.extend(self.declared(class).filter(is_annotated));
    }

    /// Whether a method is one of `Object`. These are called everywhere, and libraries do not keep their
    /// results, except the names of an enum's constants.
    fn is_objects(&self, method: MethodId) -> bool {
        let record = self.snapshot.class(method.class);
        let found = self.snapshot.method(method);
        if record.access & access::ENUM != 0 && record.str(found.name) == "toString" {
            return false;
        }
        OBJECTS.contains(&(record.str(found.name), record.str(found.descriptor)))
    }

    /// The constructors of a class.
    pub(super) fn constructors(&self, class: ClassId) -> impl Iterator<Item = u32> + '_ {
        self.declared(class).filter(|method| self.traits(*method).is_constructor())
    }

    /// The methods that a class declares.
    fn declared(&self, class: ClassId) -> std::ops::Range<u32> {
        let bounds = self.firsts.get(class.index()).zip(self.firsts.get(class.index() + 1));
        bounds.map_or(0..0, |(first, end)| *first..*end)
    }

    fn makes(&self, method: u32) -> impl Iterator<Item = ClassId> + '_ {
        let makes = self.traits(method).makes().then(|| self.of(method).makes.iter().copied());
        makes.into_iter().flatten()
    }

    /// The number of a static field.
    pub(super) fn field(&self, field: FieldId) -> u32 {
        let mut fields = self.fields.borrow_mut();
        let next = fields.len() as u32;
        *fields.entry(field).or_insert_with(|| {
            let mut all = self.snapshot.class(field.0).fields.iter();
            if all.any(|found| found.name == field.1 && found.access & access::FINAL != 0) {
                self.finals.borrow_mut().insert(next);
            }
            self.by_number.borrow_mut().push(field);
            next
        })
    }

    /// A static field as `a/B.name`.
    pub(super) fn field_name(&self, field: u32) -> String {
        let Some(id) = self.by_number.borrow().get(field as usize).copied() else { return String::new() };
        let record = self.snapshot.class(id.0);
        format!("{}.{}", record.name(), record.str(id.1))
    }

    /// Whether a static field is final. Then only its object can be written.
    pub(super) fn is_final(&self, field: u32) -> bool {
        self.finals.borrow().contains(field)
    }

    /// The classes whose objects methods of a set modify.
    pub(super) fn altering(&self, methods: &BitSet<u32>) -> BitSet<ClassId> {
        self.follows.altering.all(methods, |method, into| {
            let id = self.id(method);
            into.extend(self.calls.alters(id).then_some(id.class));
        })
    }

    /// Whether a static field with an unchanged reference also holds an unchanged value, if only objects of
    /// the classes `altering` were modified.
    pub(super) fn is_kept(&self, field: u32, altering: &BitSet<ClassId>) -> bool {
        let Some(id) = self.by_number.borrow().get(field as usize).copied() else { return false };
        let record = self.snapshot.class(id.0);
        let found = record.fields.iter().find(|found| found.name == id.1);
        found.is_some_and(|found| self.calls.is_kept(record.str(found.descriptor), altering))
    }

    /// All fields that methods of a set read, instance fields too; the field that holds an atomic variable
    /// does not count.
    pub(super) fn loads(&self, methods: &BitSet<u32>) -> BitSet<u32> {
        let load = |method, into: &mut BitSet<u32>| {
            let read = self.calls.read(self.id(method));
            into.extend(read.into_iter().map(|field| self.field(field)));
        };
        self.follows.loads.all(methods, load)
    }

    /// All fields that methods of a set write, or whose objects they modify; instance fields too.
    pub(super) fn stores(&self, methods: &BitSet<u32>) -> BitSet<u32> {
        let store = |method, into: &mut BitSet<u32>| {
            let changed = self.calls.changed(self.id(method));
            into.extend(changed.into_iter().map(|field| self.field(field)));
        };
        self.follows.stores.all(methods, store)
    }

    /// The JVM reported the object in a constant.
    pub(super) fn holds(&self, field: FieldId, class: &str) {
        self.calls.holds(field, class);
    }

    /// The number of a method: unique, and dense from 0.
    pub(super) fn number(&self, method: MethodId) -> u32 {
        self.firsts.get(method.class.index()).map_or(0, |first| first + method.method)
    }

    /// The method of a number.
    pub(super) fn id(&self, number: u32) -> MethodId {
        // Numbers come from `number`, as ids come from the snapshot.
        *self.ids.get(number as usize).expect("number of a method")
    }

    pub(super) fn of(&self, number: u32) -> &IndexedMethod {
        let place = self.known.get(number as usize).expect("number of a method");
        place.get_or_init(|| Box::new(self.find(self.id(number))))
    }

    /// The classes that running it initialises or finds initialised.
    pub(super) fn touched(&self, number: u32) -> &[ClassId] {
        let place = self.touched.get(number as usize).expect("number of a method");
        place.get_or_init(|| touched(self.snapshot, self.id(number)))
    }

    pub(super) fn traits(&self, number: u32) -> TraitBits {
        let place = self.traits.get(number as usize).expect("number of a method");
        if !place.get().has(TraitBits::KNOWN) {
            place.set(self.find_traits(number));
        }
        place.get()
    }

    /// Whether a method may leave something in static state, or in an object that it did not make if `meets_others`.
    pub(super) fn may_leave(&self, number: u32, meets_others: bool) -> bool {
        let traits = self.traits(number);
        traits.reaches_state() || traits.assigns() || (meets_others && self.calls.alters(self.id(number)))
    }

    /// Whether objects of a class can be given something to keep after their construction.
    fn can_keep(&self, class: ClassId) -> bool {
        match self.keeping.get(class.index()) {
            Some(place) => *place.get_or_init(|| self.calls.can_keep(class)),
            None => self.calls.can_keep(class),
        }
    }

    fn find_traits(&self, number: u32) -> TraitBits {
        let (known, id) = (self.of(number), self.id(number));
        let record = self.snapshot.method(id);
        let is_stateful = |number: u32| self.calls.is_stateful(self.id(number));
        let own = is_stateful(number);
        let is_static = record.is(access::STATIC);
        let class = self.snapshot.class(id.class);
        let descriptor = class.str(record.descriptor);
        let fixture = fixture::of(self.snapshot, id);
        TraitBits::of(&[
            (self.is_constructor(id), TraitBits::CONSTRUCTOR),
            (!is_static && record.origin == MethodOrigin::Written, TraitBits::NEEDS_OBJECT),
            (own, TraitBits::STATEFUL),
            (own || known.calls.iter().any(|call| is_stateful(*call)), TraitBits::NEAR),
            (own && self.calls.fills_own(id), TraitBits::FILLS_OWN),
            (!known.makes.is_empty(), TraitBits::MAKES),
            (is_static, TraitBits::IS_STATIC),
            (is_static && descriptor.starts_with("()"), TraitBits::GIVEN_NOTHING),
            (class.str(record.name) == "<clinit>", TraitBits::INITIALISER),
            (fixture == FixtureKind::Before, TraitBits::BEFORE),
            (fixture == FixtureKind::After, TraitBits::AFTER),
            (fixture::is_plain(self.snapshot, id), TraitBits::PLAIN),
            (known.named.written.len() > known.named.altered.len(), TraitBits::ASSIGNS),
        ])
    }

    fn is_constructor(&self, method: MethodId) -> bool {
        self.snapshot.class(method.class).str(self.snapshot.method(method).name) == "<init>"
    }

    fn find(&self, method: MethodId) -> IndexedMethod {
        let snapshot = self.snapshot;
        let class = snapshot.class(method.class);
        let owners = class.references_of(method.method as usize).map(|reference| class.str(reference.owner));
        let owners = owners.filter_map(|name| snapshot.find(name));
        let mentions: SparseBitSet<ClassId> = owners.filter(|class| snapshot.is_project(*class)).collect();
        let is_class = |reference: &&StaticReference| reference.kind == ReferenceKind::Class;
        let classes = class.references_of(method.method as usize).filter(is_class);
        let classes = classes.filter_map(|reference| snapshot.find(class.str(reference.owner)));
        // An object of an abstract class is an object of a subclass.
        let is_whole = |class: &ClassId| {
            snapshot.is_project(*class) && snapshot.class(*class).access & access::ABSTRACT == 0
        };
        let classes: SparseBitSet<ClassId> = classes.filter(is_whole).collect();
        let calls = self.calls.of(method);
        let own = self.is_constructor(method).then_some(method.class);
        IndexedMethod {
            mentions: mentions.iter().collect(),
            classes: classes.iter().collect(),
            lambda_calls: self.calls.handed(method, &calls).iter().map(|call| self.number(*call)).collect(),
            calls: calls.iter().map(|call| self.number(*call)).collect(),
            outside_calls: self.calls.through_outside(method).iter().map(|call| self.number(*call)).collect(),
            makes: own.into_iter().chain(self.calls.lambdas(method)).collect(),
            named: self.calls.named(method, |field| self.field(field)),
        }
    }
}
