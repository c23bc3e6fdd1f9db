//! What is true of a method whoever runs it, found out once.
//!
//! Methods have numbers here, and what is asked of every method of every test is a bit: a JVM's tests enter the same few
//! thousand methods thousands of times.

use super::calls::Calls;
use super::touched::touched;
use super::written::Named;
use crate::record::Origin;
use crate::snapshot::{ClassId, MethodId, Snapshot};
use crate::sorted::Sorted;
use std::cell::{Cell, OnceCell};
use tamis_classfile::access;

/// What is known of a method.
pub(crate) struct Method {
    pub(super) is_initialiser: bool,
    /// The project's classes that its code names.
    pub(crate) mentions: Box<[ClassId]>,
    /// Methods that it may call directly, by number.
    pub(super) calls: Box<[u32]>,
    /// Those of them that the compiler made: lambdas.
    pub(super) lambda_calls: Box<[u32]>,
    /// The classes of which it makes objects: its own, if it is a constructor, and the project's interfaces of which it makes
    /// objects that have no class, lambdas.
    pub(super) makes: Box<[ClassId]>,
    /// The static fields that it names and that tests may leave something in.
    pub(super) named: Named,
}

/// What is asked of every method, as bits.
#[derive(Clone, Copy, Default)]
pub(super) struct Traits(u8);

impl Traits {
    const KNOWN: u8 = 1;
    const CONSTRUCTOR: u8 = 2;
    const NEEDS_OBJECT: u8 = 4;
    const STATEFUL: u8 = 8;
    const NEAR: u8 = 16;
    const FILLS_OWN: u8 = 32;
    const MAKES: u8 = 64;
    const IS_STATIC: u8 = 128;

    fn of(parts: &[(bool, u8)]) -> Traits {
        Traits(parts.iter().filter(|(has, _)| *has).fold(Traits::KNOWN, |all, (_, bit)| all | bit))
    }

    fn has(self, bit: u8) -> bool {
        self.0 & bit != 0
    }

    pub(super) fn is_constructor(self) -> bool {
        self.has(Traits::CONSTRUCTOR)
    }

    pub(super) fn is_static(self) -> bool {
        self.has(Traits::IS_STATIC)
    }

    /// Whether somebody wrote it, and it runs on an object.
    pub(super) fn needs_object(self) -> bool {
        self.has(Traits::NEEDS_OBJECT)
    }

    /// Whether it names a static field that tests may leave something in.
    pub(super) fn is_stateful(self) -> bool {
        self.has(Traits::STATEFUL)
    }

    /// Whether it does, or calls one that does.
    pub(super) fn is_near(self) -> bool {
        self.has(Traits::NEAR)
    }

    /// Whether such a field is its own class's and holds no object of the project: those have methods.
    pub(super) fn fills_own(self) -> bool {
        self.has(Traits::FILLS_OWN)
    }

    /// Whether it makes objects of its own class or of interfaces.
    pub(super) fn makes(self) -> bool {
        self.has(Traits::MAKES)
    }
}

/// The methods of a snapshot, by number.
pub(super) struct Methods<'s> {
    snapshot: &'s Snapshot,
    calls: Calls<'s>,
    firsts: Vec<u32>,
    ids: Vec<MethodId>,
    known: Vec<OnceCell<Box<Method>>>,
    /// Apart from the rest: who wants nothing else is spared finding it.
    touched: Vec<OnceCell<Box<[ClassId]>>>,
    traits: Vec<Cell<Traits>>,
    keeping: Vec<OnceCell<bool>>,
}

impl<'s> Methods<'s> {
    pub(super) fn new(snapshot: &'s Snapshot) -> Methods<'s> {
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
        Methods { snapshot, calls: Calls::new(snapshot), firsts, ids, known, touched, traits, keeping }
    }

    /// Its number, small and its own.
    pub(super) fn number(&self, method: MethodId) -> u32 {
        self.firsts.get(method.class.index()).map_or(0, |first| first + method.method)
    }

    /// The method of a number.
    pub(super) fn id(&self, number: u32) -> MethodId {
        // Numbers are made here, as ids are by the snapshot.
        *self.ids.get(number as usize).expect("number of a method")
    }

    pub(super) fn of(&self, number: u32) -> &Method {
        let place = self.known.get(number as usize).expect("number of a method");
        place.get_or_init(|| Box::new(self.find(self.id(number))))
    }

    /// Classes that running it initialises or finds initialised.
    pub(super) fn touched(&self, number: u32) -> &[ClassId] {
        let place = self.touched.get(number as usize).expect("number of a method");
        place.get_or_init(|| touched(self.snapshot, self.id(number)))
    }

    pub(super) fn traits(&self, number: u32) -> Traits {
        let place = self.traits.get(number as usize).expect("number of a method");
        if !place.get().has(Traits::KNOWN) {
            place.set(self.find_traits(number));
        }
        place.get()
    }

    /// Whether objects of a class can be given something to keep after they were made.
    pub(super) fn can_keep(&self, class: ClassId) -> bool {
        match self.keeping.get(class.index()) {
            Some(place) => *place.get_or_init(|| self.calls.can_keep(class)),
            None => self.calls.can_keep(class),
        }
    }

    fn find_traits(&self, number: u32) -> Traits {
        let (known, id) = (self.of(number), self.id(number));
        let record = self.snapshot.method(id);
        let is_stateful = |number: u32| self.calls.is_stateful(self.id(number));
        let own = is_stateful(number);
        let is_static = record.is(access::STATIC);
        Traits::of(&[
            (self.is_constructor(id), Traits::CONSTRUCTOR),
            (!is_static && record.origin == Origin::Written, Traits::NEEDS_OBJECT),
            (own, Traits::STATEFUL),
            (own || known.calls.iter().any(|call| is_stateful(*call)), Traits::NEAR),
            (own && self.calls.fills_own(id), Traits::FILLS_OWN),
            (!known.makes.is_empty(), Traits::MAKES),
            (is_static, Traits::IS_STATIC),
        ])
    }

    fn is_constructor(&self, method: MethodId) -> bool {
        self.snapshot.class(method.class).str(self.snapshot.method(method).name) == "<init>"
    }

    fn find(&self, method: MethodId) -> Method {
        let snapshot = self.snapshot;
        let class = snapshot.class(method.class);
        let owners = class.references_of(method.method as usize).map(|reference| class.str(reference.owner));
        let owners = owners.filter_map(|name| snapshot.find(name));
        let mentions: Sorted<ClassId> = owners.filter(|class| snapshot.is_project(*class)).collect();
        let calls = self.calls.of(method);
        let is_made = |call: &&MethodId| snapshot.method(**call).origin == Origin::Made;
        let own = self.is_constructor(method).then_some(method.class);
        Method {
            is_initialiser: class.str(snapshot.method(method).name) == "<clinit>",
            mentions: mentions.iter().collect(),
            lambda_calls: calls.iter().filter(is_made).map(|call| self.number(*call)).collect(),
            calls: calls.iter().map(|call| self.number(*call)).collect(),
            makes: own.into_iter().chain(self.calls.lambdas(method)).collect(),
            named: self.calls.named(method),
        }
    }
}
