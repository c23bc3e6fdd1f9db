//! What ran, in terms of a snapshot: of one test, and of a whole JVM so far.
//!
//! A test relies on more than it ran itself: on static initialisers that ran for an earlier test, on objects that an
//! earlier one built, on values that an earlier one computed and left in a static field. A [`History`] knows what the JVM
//! has done, and [`History::all_of`] adds what a test owes to it.

mod call_graph;
mod closure;
mod field_writers;
mod fixture;
mod initialised_classes;
mod leftover_state;
mod method_index;
mod parts;
mod restored_fields;

use closure::ClosureBuilder;
use field_writers::FieldWriters;
use method_index::MethodIndex;
use parts::HistoryParts;
use rustc_hash::FxHashMap;
use std::cell::OnceCell;
use std::collections::BTreeSet;
use std::sync::Arc;
use tamis_classfile::access;
use tamis_program::bitset::{BitSet, SparseBitSet};
use tamis_program::snapshot::{ClassId, FoundMethod, MethodId, Snapshot};

/// What was used.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Footprint {
    /// Methods entered, by [`History::number`].
    pub methods: SparseBitSet<u32>,
    /// Classes of which something was used that is not known more exactly.
    pub classes: SparseBitSet<ClassId>,
    /// Classes whose static initialisers count, besides those that the methods touch.
    pub touched: SparseBitSet<ClassId>,
    /// Other things, by the caller's numbers: library classes, files, properties.
    pub others: SparseBitSet<u32>,
    /// What it leaves for others who ask for it, by the caller's numbers.
    pub leaves: SparseBitSet<u32>,
    /// What others may have left for it that it did not ask for by a number of its own.
    pub finds: SparseBitSet<u32>,
    /// Static fields that it sets by reflection, by [`History::field`].
    pub sets: SparseBitSet<u32>,
    /// Static fields that hold something else than before, of those that are compared.
    pub left: SparseBitSet<u32>,
}

impl Footprint {
    /// Adds what another one used.
    pub fn add(&mut self, other: &Footprint) {
        self.methods.unite(&other.methods);
        self.classes.unite(&other.classes);
        self.touched.unite(&other.touched);
        self.others.unite(&other.others);
        self.leaves.unite(&other.leaves);
        self.finds.unite(&other.finds);
        self.sets.unite(&other.sets);
        self.left.unite(&other.left);
    }
}

/// What was used, and all that this relies on.
#[derive(Clone, Debug, Default)]
pub struct Closure {
    /// As in [`Used`].
    pub methods: BitSet<u32>,
    /// As in [`Used`].
    pub classes: BitSet<ClassId>,
    /// As in [`Used`].
    pub touched: BitSet<ClassId>,
    /// As in [`Used`].
    pub others: BitSet<u32>,
    /// As in [`Used`].
    pub finds: BitSet<u32>,
    /// Whether it may have met objects that it did not make: through static fields, or as is seen from what it ran.
    pub meets_others: bool,
}

impl Closure {
    fn add(&mut self, used: &Footprint) {
        self.methods.add(&used.methods);
        self.classes.add(&used.classes);
        self.touched.add(&used.touched);
        self.others.add(&used.others);
        self.finds.add(&used.finds);
    }

    fn unite(&mut self, other: &Closure) {
        self.methods.unite(&other.methods);
        self.classes.unite(&other.classes);
        self.touched.unite(&other.touched);
        self.others.unite(&other.others);
        self.finds.unite(&other.finds);
    }
}

/// How far dependencies are followed from what a test used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ClosureKind {
    /// Only what the test used.
    Entered,
    /// With the static initialisers of the classes that it touched, whenever they ran.
    Initialisers,
    /// With the work of earlier tests whose leftovers it may have met.
    LeftoverState,
}

/// What is known of the things that the caller has numbered: library classes, and what their static initialisers did.
pub trait LibraryGraph {
    /// The classes that a method names.
    fn named_by(&mut self, method: MethodId) -> Arc<[u32]>;
    /// The classes that a class names.
    fn named_in(&mut self, class: u32) -> Arc<[u32]>;
    /// The classes whose initialisers have run.
    fn initialised(&self) -> &BitSet<u32>;
    /// What ran in a class's initialiser, if it has run.
    fn init(&self, class: u32) -> Option<&Footprint>;
    /// Whether something of these is of a library that a class of the project is made for: one that it inherits from.
    fn is_made_for(&mut self, class: ClassId, others: &BitSet<u32>) -> bool;
}

/// What a static initialiser did.
#[derive(Default)]
struct InitFootprint {
    used: Footprint,
    /// The classes whose constructors ran in it.
    made: SparseBitSet<ClassId>,
}

/// What a JVM has done so far.
pub struct History<'s> {
    snapshot: &'s Snapshot,
    methods: MethodIndex<'s>,
    /// What ran inside static initialisers, those of other classes left out.
    inits: FxHashMap<ClassId, InitFootprint>,
    /// The static fields that were read inside static initialisers, of those that tests may leave something in.
    init_reads: Vec<(ClassId, BitSet<u32>)>,
    /// Classes of which objects were made.
    built: BitSet<ClassId>,
    /// By class, the numbers of the parts in which objects of it or of subclasses were made.
    makers: FxHashMap<ClassId, BitSet>,
    /// By method, the classes of which objects were made and that inherit it.
    heirs: FxHashMap<u32, Vec<ClassId>>,
    /// Classes whose structure was looked at.
    reflected: BitSet<ClassId>,
    /// All methods entered, and by number the parts in which they were.
    ever: BitSet<u32>,
    entered: Vec<BitSet>,
    nowhere: BitSet,
    parts: HistoryParts,
    written: FieldWriters,
    /// By method, what was asked for while it ran, by the caller's numbers.
    asked_under: FxHashMap<u32, BitSet<u32>>,
    inherited: Vec<OnceCell<Box<[MethodId]>>>,
    shown: Vec<OnceCell<Box<[ClassId]>>>,
}

impl<'s> History<'s> {
    /// Of a JVM that has done nothing.
    pub fn new(snapshot: &'s Snapshot) -> History<'s> {
        History {
            snapshot,
            methods: MethodIndex::new(snapshot),
            inits: FxHashMap::default(),
            init_reads: Vec::new(),
            built: BitSet::default(),
            makers: FxHashMap::default(),
            heirs: FxHashMap::default(),
            reflected: BitSet::default(),
            ever: BitSet::default(),
            entered: Vec::new(),
            nowhere: BitSet::default(),
            parts: HistoryParts::default(),
            written: FieldWriters::default(),
            asked_under: FxHashMap::default(),
            inherited: snapshot.all().map(|_| OnceCell::new()).collect(),
            shown: snapshot.all().map(|_| OnceCell::new()).collect(),
        }
    }

    /// The static initialiser of `class` ran.
    pub fn initialised(&mut self, class: ClassId, used: &Footprint) {
        self.note(used);
        let constructors = used.methods.iter().filter(|method| self.methods.traits(*method).is_constructor());
        let made: SparseBitSet<ClassId> = constructors.map(|method| self.methods.id(method).class).collect();
        let mut methods: BitSet<u32> = BitSet::default();
        methods.add(&used.methods);
        let read = self.methods.read_by(&methods);
        if !read.is_empty() {
            self.init_reads.push((class, read));
        }
        let init = self.inits.entry(class).or_default();
        init.used.add(used);
        init.made.unite(&made);
    }

    /// What the JVM tells of a static field: whether what it holds is compared when parts begin and end, and of a constant
    /// the class of its object, empty if that can keep nothing.
    pub fn field_seen(&mut self, class: ClassId, name: &str, is_compared: bool, holds: Option<&str>) {
        let record = self.snapshot.class(class);
        let mut named = record.fields.iter().filter(|field| record.str(field.name) == name);
        // A compiler gives each a name of its own; others need not.
        let (Some(field), None) = (named.next(), named.next()) else { return };
        let id = (class, field.name);
        if let Some(holds) = holds {
            self.methods.holds(id, holds);
        }
        let number = self.methods.field(id);
        self.note_compared(number, is_compared);
    }

    /// Something was asked for while a method ran: it may keep the answer for those who come later.
    pub fn asked_under(&mut self, method: u32, other: u32) {
        self.asked_under.entry(method).or_default().insert(other);
    }

    /// The structure of `class` was looked at. Caches answer the next time, so it counts for all that come.
    pub fn reflected(&mut self, class: ClassId) {
        self.reflected.insert(class);
    }

    /// A test, or what ran between tests, has ended.
    pub fn record_part(&mut self, used: Footprint) {
        self.note_part(&used);
        self.note(&used);
        self.note_left(&used);
        self.parts.push(used);
    }

    /// How many parts there are.
    pub fn parts(&self) -> usize {
        self.parts.len()
    }

    /// What ran around the tests of a class has ended: the parts from `first` on.
    pub fn record_fixture_part(&mut self, used: Footprint, first: usize) {
        let around = self.parts.len();
        self.written.around.resize(first, None);
        self.written.around.resize(around, Some(around));
        self.record_part(used);
    }

    fn note(&mut self, used: &Footprint) {
        let part = self.parts.len();
        let mut methods: BitSet<u32> = BitSet::default();
        methods.add(&used.methods);
        for method in methods.iter() {
            if self.ever.insert(method) {
                self.note_writer(method);
            }
            if self.entered.len() <= method as usize {
                self.entered.resize_with(method as usize + 1, BitSet::default);
            }
            if let Some(parts) = self.entered.get_mut(method as usize) {
                parts.insert(part);
            }
        }
        let mut touched: BitSet<ClassId> = BitSet::default();
        touched.add(&used.touched);
        for class in self.may_be_made(&methods, &touched).iter() {
            if self.built.insert(class) {
                let inherited: Vec<u32> =
                    self.inherited(class).iter().map(|method| self.number(*method)).collect();
                inherited.iter().for_each(|method| self.heirs.entry(*method).or_default().push(class));
            }
        }
        for class in self.methods.made_by(&methods).iter() {
            for class in self.snapshot.above(class).iter().copied().chain([class]) {
                self.makers.entry(class).or_default().insert(part);
            }
        }
    }

    /// Whether a method was ever entered.
    pub fn was_entered(&self, method: MethodId) -> bool {
        self.ever.contains(self.number(method))
    }

    /// The parts that entered a method.
    fn entered(&self, method: u32) -> &BitSet {
        self.entered.get(method as usize).unwrap_or(&self.nowhere)
    }

    /// Classes whose objects may have been met: those that it made itself, and where it may have met others, all of which
    /// the JVM has made some. Of a class that code names, objects can be made without a constructor of it.
    pub fn built(&self, all: &Closure) -> BitSet<ClassId> {
        if all.meets_others {
            return self.built.clone();
        }
        self.may_be_made(&all.methods, &all.touched)
    }

    fn may_be_made(&self, methods: &BitSet<u32>, touched: &BitSet<ClassId>) -> BitSet<ClassId> {
        let is_whole = |class: &ClassId| self.snapshot.class(*class).access & access::ABSTRACT == 0;
        let mut made = self.methods.made_by(methods);
        made.extend(touched.iter().filter(is_whole));
        made.unite(&self.methods.named_by(methods));
        made
    }

    /// The classes whose structure somebody has looked at.
    pub fn all_reflected(&self) -> &BitSet<ClassId> {
        &self.reflected
    }

    /// The number of a method, small and its own.
    pub fn number(&self, method: MethodId) -> u32 {
        self.methods.number(method)
    }

    /// The number of a static field.
    pub fn field(&self, class: ClassId, name: &str) -> Option<u32> {
        let record = self.snapshot.class(class);
        let field = record.fields.iter().find(|field| record.str(field.name) == name)?;
        Some(self.methods.field((class, field.name)))
    }

    /// Whether a static field is final.
    pub fn is_constant(&self, field: u32) -> bool {
        self.methods.is_final(field)
    }

    /// The method of a number.
    pub fn id(&self, number: u32) -> MethodId {
        self.methods.id(number)
    }

    /// The project's classes that a method's code names.
    pub(crate) fn mentions(&self, method: u32) -> &[ClassId] {
        &self.methods.of(method).mentions
    }

    /// The classes that running a method initialises or finds initialised: its own, those whose static members and
    /// constructors it names, and their superclasses.
    pub fn touched(&self, method: MethodId) -> &[ClassId] {
        self.methods.touched(self.methods.number(method))
    }

    /// The same for all methods of a set.
    pub fn touched_by(&self, methods: &BitSet<u32>) -> BitSet<ClassId> {
        let mut touched = BitSet::default();
        self.methods.touched_by(methods, &mut BitSet::default(), &mut touched);
        touched
    }

    /// The classes that the methods of a set are in.
    pub fn classes_of(&self, methods: &BitSet<u32>) -> BitSet<ClassId> {
        self.methods.classes_of(methods)
    }

    /// The classes of which objects were made and that inherit a method.
    pub(crate) fn heirs(&self, method: u32) -> &[ClassId] {
        self.heirs.get(&method).map_or(&[], Vec::as_slice)
    }

    /// The methods of supertypes that a call on an object of this class finds.
    pub fn inherited(&self, receiver: ClassId) -> &[MethodId] {
        let snapshot = self.snapshot;
        let Some(place) = self.inherited.get(receiver.index()) else { return &[] };
        place.get_or_init(|| {
            let mut found = Vec::new();
            for class in snapshot.above(receiver).iter().copied().filter(|class| snapshot.is_project(*class))
            {
                let record = snapshot.class(class);
                for (index, method) in record.methods.iter().enumerate() {
                    let id = MethodId { class, method: index as u32 };
                    if method.is_virtual(record)
                        && snapshot
                            .lookup(receiver, record.str(method.name), record.str(method.descriptor))
                            .found
                            == FoundMethod::One(id)
                    {
                        found.push(id);
                    }
                }
            }
            found.into()
        })
    }

    /// The classes that one comes to by looking at a class: its supertypes, the types of its members, and others.
    pub(crate) fn shown(&self, class: ClassId) -> &[ClassId] {
        let snapshot = self.snapshot;
        let Some(place) = self.shown.get(class.index()) else { return &[] };
        place.get_or_init(|| {
            let record = snapshot.class(class);
            let fields = record.fields.iter().map(|field| record.str(field.descriptor));
            let methods = record.methods.iter().map(|method| record.str(method.descriptor));
            let types = fields.chain(methods).flat_map(|text| text.split(['(', ')', ';', '[']));
            let named = types.filter_map(|part| part.find('L').and_then(|at| part.get(at + 1..)));
            let further = record.references.iter().filter(|found| found.kind.is_shown());
            let named = named.chain(further.map(|found| record.str(found.owner)));
            let named = named.filter_map(|name| snapshot.find(name));
            let found: BTreeSet<ClassId> = named.chain(snapshot.above(class).iter().copied()).collect();
            found.into_iter().collect()
        })
    }

    /// Whether a method's code names a static field of the project that tests may leave something in.
    pub fn is_stateful(&self, method: u32) -> bool {
        self.methods.traits(method).is_stateful()
    }

    /// What a test used, with the initialisers of all classes it touched, the making of objects it did not make, and what
    /// the methods that it shares static state through did for earlier ones.
    pub fn closure_of(&self, kind: ClosureKind, used: &Footprint, outside: &mut dyn LibraryGraph) -> Closure {
        let mut gathered = ClosureBuilder::default();
        let mut foreign: BitSet<ClassId> = BitSet::default();
        gathered.all.add(used);
        match kind {
            ClosureKind::Entered => return gathered.all,
            ClosureKind::Initialisers => {
                self.follow_all(&mut gathered, outside);
                return gathered.all;
            }
            ClosureKind::LeftoverState => {}
        }
        let own = gathered.all.methods.clone();
        loop {
            loop {
                self.follow_all(&mut gathered, outside);
                let new = self.foreign(&gathered.all.methods);
                self.add_makers(&mut gathered.all, &new);
                foreign.unite(&new);
                if gathered.is_followed() {
                    break;
                }
            }
            gathered.all.meets_others |=
                !foreign.is_empty() || self.methods.is_any_stateful(&gathered.all.methods);
            self.follow_leftover_state(&mut gathered, &foreign, outside);
            self.add_written(&mut gathered.all, &own);
            // What earlier tests did instead of this one ran on their objects: nobody made those for this one. What
            // initialisers of libraries did is everybody's.
            if !self.follow_all(&mut gathered, outside) {
                return gathered.all;
            }
        }
    }

    /// Adds the initialisers of all classes that are touched, the project's and others'; whether others' brought code of the
    /// project that is new.
    fn follow_all(&self, gathered: &mut ClosureBuilder, outside: &mut dyn LibraryGraph) -> bool {
        let mut brought = false;
        while !gathered.is_followed() {
            gathered.add_initialisers(&self.methods, &self.inits);
            let before = gathered.code();
            gathered.add_outside(&self.methods, outside);
            brought |= gathered.code() > before;
        }
        brought
    }

    /// Classes of whose objects these methods ran code without having made any.
    fn foreign(&self, methods: &BitSet<u32>) -> BitSet<ClassId> {
        self.methods.run_on(methods).without(&self.methods.made_with_above(methods))
    }

    /// Adds the parts that made objects of these classes.
    fn add_makers(&self, all: &mut Closure, foreign: &BitSet<ClassId>) {
        let mut parts = BitSet::default();
        for makers in foreign.iter().filter_map(|class| self.makers.get(&class)) {
            parts.unite(makers);
        }
        if !parts.is_empty() {
            all.unite(&self.parts.together(&parts));
        }
    }
}
