//! Execution history of a JVM, and the dependencies that a test inherits from it.
//!
//! A test depends on more than the code that it entered: static initialisers that ran for an earlier test,
//! objects that an earlier test made, values that an earlier test left in a static field. A [`History`] knows
//! what the JVM has done, and [`History::closure_of`] completes the footprint of a test with it.

mod call_graph;
mod closure;
mod field_fillers;
mod field_writers;
mod fixture;
pub(crate) mod initialised_classes;
mod leftover_state;
mod library_graph;
mod method_index;
mod method_traits;
mod part_unions;
mod quiet_fields;
mod restored_fields;

use closure::ClosureBuilder;
use field_writers::FieldWriters;
pub use library_graph::LibraryGraph;
use method_index::MethodIndex;
use part_unions::{PartUnion, PartUnions};
pub use quiet_fields::FieldState;
use quiet_fields::QuietFields;
use rustc_hash::FxHashMap;
use std::cell::OnceCell;
use std::collections::BTreeSet;
use tamis_classfile::access;
use tamis_program::bitset::{BitSet, SparseBitSet};
use tamis_program::snapshot::{ClassId, FoundMethod, MethodId, Snapshot};

/// Everything that a part used.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Footprint {
    /// Methods entered, by [`History::number`].
    pub methods: SparseBitSet<u32>,
    /// Classes of which something was used, but not known more exactly.
    pub classes: SparseBitSet<ClassId>,
    /// Classes whose static initialisers count, besides the classes that the methods touch.
    pub touched: SparseBitSet<ClassId>,
    /// Other dependencies, by the caller's numbers: library classes, files, properties.
    pub others: SparseBitSet<u32>,
    /// Leftovers for later parts, by the caller's numbers.
    pub leaves: SparseBitSet<u32>,
    /// Possible leftovers of earlier parts that it uses without a question of its own, by the caller's
    /// numbers.
    pub finds: SparseBitSet<u32>,
    /// Static fields that it sets by reflection, by [`History::field`].
    pub sets: SparseBitSet<u32>,
    /// Static fields whose value differs from before, among the fields that are compared.
    pub left: SparseBitSet<u32>,
    /// Static fields that reach something else than before, as far as it was compared when test classes ended.
    pub changed: SparseBitSet<u32>,
    /// Blocks entered, by the caller's numbers; of methods whose blocks have probes.
    pub blocks: SparseBitSet<u32>,
}

impl Footprint {
    /// Adds another footprint.
    pub fn add(&mut self, other: &Footprint) {
        self.methods.unite(&other.methods);
        self.classes.unite(&other.classes);
        self.touched.unite(&other.touched);
        self.others.unite(&other.others);
        self.leaves.unite(&other.leaves);
        self.finds.unite(&other.finds);
        self.sets.unite(&other.sets);
        self.left.unite(&other.left);
        self.changed.unite(&other.changed);
        self.blocks.unite(&other.blocks);
    }
}

/// A completed footprint: everything that was used, and everything that this depends on.
#[derive(Clone, Debug, Default)]
pub struct Closure {
    /// As in [`Footprint`].
    pub methods: BitSet<u32>,
    /// As in [`Footprint`].
    pub classes: BitSet<ClassId>,
    /// As in [`Footprint`].
    pub touched: BitSet<ClassId>,
    /// As in [`Footprint`].
    pub others: BitSet<u32>,
    /// As in [`Footprint`].
    pub finds: BitSet<u32>,
    /// Whether it may have met objects that it did not make: through static fields, or as its code shows.
    pub meets_others: bool,
    /// As in [`Footprint`].
    pub blocks: BitSet<u32>,
    /// Methods of which is not known which blocks ran.
    pub whole: BitSet<u32>,
}

impl Closure {
    fn add(&mut self, used: &Footprint) {
        self.methods.add(&used.methods);
        self.classes.add(&used.classes);
        self.touched.add(&used.touched);
        self.others.add(&used.others);
        self.finds.add(&used.finds);
        self.blocks.add(&used.blocks);
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

/// Footprint of a static initialiser.
#[derive(Default)]
struct InitFootprint {
    used: Footprint,
    /// The classes whose constructors ran in it.
    made: SparseBitSet<ClassId>,
    /// Whether code of a library ran in it, which may keep an object.
    has_library: bool,
}

/// Methods that were entered and classes that were instantiated, with their supertypes.
#[derive(Default)]
struct OpenWork {
    methods: BitSet<u32>,
    made: BitSet<ClassId>,
}

impl OpenWork {
    fn add(&mut self, other: &OpenWork) {
        self.methods.unite(&other.methods);
        self.made.unite(&other.made);
    }
}

/// The work of a JVM so far, part by part.
pub struct History<'s> {
    snapshot: &'s Snapshot,
    methods: MethodIndex<'s>,
    /// Footprints of static initialisers, without the initialisers nested in them.
    inits: FxHashMap<ClassId, InitFootprint>,
    /// The static fields that initialisers read, among the fields in which a test may leave something.
    init_reads: FxHashMap<ClassId, BitSet<u32>>,
    /// Classes that were instantiated.
    built: BitSet<ClassId>,
    /// By class, what the parts used that instantiated it or a subclass.
    makers: PartUnions<ClassId>,
    /// By method, the instantiated classes that inherit it.
    heirs: FxHashMap<u32, Vec<ClassId>>,
    /// Classes whose structure was inspected.
    reflected: BitSet<ClassId>,
    /// All methods entered.
    ever: BitSet<u32>,
    /// By method, the other dependencies of the parts that entered it.
    others: Vec<BitSet<u32>>,
    /// Work in static initialisers since the last part ended: it counts as work of the next part, too.
    initialising: OpenWork,
    written: FieldWriters,
    quiet: QuietFields,
    /// By method, the inputs that were asked for while it ran, by the caller's numbers.
    asked_under: FxHashMap<u32, BitSet<u32>>,
    inherited: Vec<OnceCell<Box<[MethodId]>>>,
    shown: Vec<OnceCell<Box<[ClassId]>>>,
}

impl<'s> History<'s> {
    /// The history of a JVM that has done nothing yet.
    pub fn new(snapshot: &'s Snapshot) -> History<'s> {
        History {
            snapshot,
            methods: MethodIndex::new(snapshot),
            inits: FxHashMap::default(),
            init_reads: FxHashMap::default(),
            built: BitSet::default(),
            makers: PartUnions::default(),
            heirs: FxHashMap::default(),
            reflected: BitSet::default(),
            ever: BitSet::default(),
            others: Vec::new(),
            initialising: OpenWork::default(),
            written: FieldWriters::default(),
            quiet: QuietFields::default(),
            asked_under: FxHashMap::default(),
            inherited: snapshot.all().map(|_| OnceCell::new()).collect(),
            shown: snapshot.all().map(|_| OnceCell::new()).collect(),
        }
    }

    /// Adds a run of the static initialiser of `class`, and whether code of a library ran in it.
    pub fn initialised(&mut self, class: ClassId, used: &Footprint, has_library: bool) {
        let work = self.note(used);
        self.initialising.add(&work);
        let constructors = used.methods.iter().filter(|method| self.methods.traits(*method).is_constructor());
        let made: SparseBitSet<ClassId> = constructors.map(|method| self.methods.id(method).class).collect();
        let mut methods: BitSet<u32> = BitSet::default();
        methods.add(&used.methods);
        let read = self.methods.read_by(&methods);
        if !read.is_empty() {
            self.init_reads.entry(class).or_default().unite(&read);
        }
        let init = self.inits.entry(class).or_default();
        init.used.add(used);
        init.made.unite(&made);
        init.has_library |= has_library;
    }

    /// Adds a report of the JVM about a static field: whether its value is compared when parts begin and end,
    /// and for a constant the class of its object, empty if that object cannot keep anything.
    pub fn field_seen(&mut self, class: ClassId, name: &str, is_compared: bool, holds: Option<&str>) {
        let record = self.snapshot.class(class);
        let mut named = record.fields.iter().filter(|field| record.str(field.name) == name);
        // Compilers give each field a name of its own; other generators may not.
        let (Some(field), None) = (named.next(), named.next()) else { return };
        let id = (class, field.name);
        if let Some(holds) = holds {
            self.methods.holds(id, holds);
        }
        let number = self.methods.field(id);
        self.note_compared(number, is_compared);
    }

    /// Adds an input that was asked for while a method ran. The method may keep the answer for later callers.
    pub fn asked_under(&mut self, method: u32, other: u32) {
        self.asked_under.entry(method).or_default().insert(other);
    }

    /// Adds a look at the structure of `class`. Caches answer the next time, so it counts for all later
    /// parts.
    pub fn reflected(&mut self, class: ClassId) {
        self.reflected.insert(class);
    }

    /// Adds a part that has ended: a test, or the work between tests.
    pub fn record_part(&mut self, used: Footprint) {
        _ = self.end_part(&used);
    }

    /// The parts that follow are the tests of one class.
    pub fn begin_class(&mut self) {
        self.written.open = BitSet::default();
    }

    /// Adds the work around the tests of the class that has begun. Later parts that depend on one of its tests
    /// depend on this work too: it made the objects and the set-up that the tests used.
    pub fn record_fixture_part(&mut self, used: Footprint) {
        let tests = self.written.open.clone();
        let fixture = self.end_part(&used);
        self.close_class(&tests, &fixture);
        self.written.open = BitSet::default();
    }

    /// Adds a part to the unions of everything through which a later part may depend on it.
    fn end_part(&mut self, used: &Footprint) -> PartUnion {
        let mut union = PartUnion::of(used);
        union.unite(&self.sources_of(used));
        let mut work = self.note(used);
        work.add(&std::mem::take(&mut self.initialising));
        let own = PartUnion::of(used);
        for class in work.made.iter() {
            self.makers.add(class, &own);
        }
        for method in work.methods.iter() {
            if self.others.len() <= method as usize {
                self.others.resize_with(method as usize + 1, BitSet::default);
            }
            if let Some(others) = self.others.get_mut(method as usize) {
                others.unite(&own.all.others);
            }
        }
        self.note_fillers(used, &work.methods);
        self.note_written(used, &work.methods, &union);
        union
    }

    /// Notes methods that are entered and classes that are instantiated.
    fn note(&mut self, used: &Footprint) -> OpenWork {
        let mut methods: BitSet<u32> = BitSet::default();
        methods.add(&used.methods);
        for method in methods.iter() {
            if self.ever.insert(method) {
                self.note_writer(method);
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
        let made = self.methods.made_by(&methods);
        let made = made.iter().flat_map(|class| self.snapshot.above(class).iter().copied().chain([class]));
        OpenWork { made: made.collect(), methods }
    }

    /// Whether a method was ever entered.
    pub fn was_entered(&self, method: MethodId) -> bool {
        self.ever.contains(self.number(method))
    }

    /// Classes whose objects may have been met: classes that it instantiated itself, and if it may have met
    /// other objects, all classes that the JVM has instantiated. A class that code names can be instantiated
    /// without one of its constructors.
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

    /// The classes whose structure was inspected.
    pub fn all_reflected(&self) -> &BitSet<ClassId> {
        &self.reflected
    }

    /// The number of a method: unique, and dense from 0.
    pub fn number(&self, method: MethodId) -> u32 {
        self.methods.number(method)
    }

    /// The number of a static field.
    pub fn field(&self, class: ClassId, name: &str) -> Option<u32> {
        let record = self.snapshot.class(class);
        let field = record.fields.iter().find(|field| record.str(field.name) == name)?;
        Some(self.methods.field((class, field.name)))
    }

    /// A static field as `a/B.name`.
    pub fn field_name(&self, field: u32) -> String {
        self.methods.field_name(field)
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

    /// The classes that running a method initialises or finds initialised: its own, the classes whose static
    /// members and constructors it names, and their superclasses.
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

    /// The instantiated classes that inherit a method.
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

    /// The classes that reflection reaches from a class: its supertypes, the types of its members, and
    /// others.
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

    /// Whether a method's code names a static field of the project in which a test may leave something.
    pub fn is_stateful(&self, method: u32) -> bool {
        self.methods.traits(method).is_stateful()
    }

    /// Completes the footprint of a test with the initialisers of all touched classes, the making of objects
    /// that it did not make, and the work that methods sharing static state with it did for earlier tests.
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
            gathered.all.meets_others |= !foreign.is_empty() || self.is_any_open(&gathered.all.methods);
            self.follow_leftover_state(&mut gathered, &foreign, outside);
            self.add_written(&mut gathered.all, &own);
            // Code added for earlier tests ran on their objects, which this test did not make, so the
            // makers of these are not added. Initialisers of libraries count for every test.
            if !self.follow_all(&mut gathered, outside) {
                return gathered.all;
            }
        }
    }

    /// Adds the initialisers of all touched classes, of the project and of libraries. Returns whether those
    /// of libraries added code of the project.
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

    /// Classes whose methods ran on objects that were not made by these methods.
    fn foreign(&self, methods: &BitSet<u32>) -> BitSet<ClassId> {
        self.methods.run_on(methods).without(&self.methods.made_with_above(methods))
    }

    /// Adds the parts that instantiated these classes.
    fn add_makers(&self, all: &mut Closure, foreign: &BitSet<ClassId>) {
        let makers: BitSet<u32> = foreign.iter().filter_map(|class| self.makers.number(&class)).collect();
        if !makers.is_empty() {
            all.unite(&self.makers.together(&makers).all);
        }
    }
}
