//! What ran, in terms of a snapshot: of one test, and of a whole JVM so far.
//!
//! A test relies on more than it ran itself: on static initialisers that ran for an earlier test, on objects that an
//! earlier one built, on values that an earlier one computed and left in a static field. A [`History`] knows what the JVM
//! has done, and [`History::all_of`] adds what a test owes to it.

mod calls;
mod gathered;
mod left_behind;
mod methods;
mod touched;
mod written;

use crate::marks::{Grown, Marks};
use crate::snapshot::{ClassId, Found, MethodId, Snapshot};
use crate::sorted::Sorted;
use gathered::Gathered;
pub(crate) use methods::Method;
use methods::Methods;
use rustc_hash::{FxHashMap, FxHashSet};
use std::cell::OnceCell;
use std::sync::Arc;
use written::Written;

/// What was used.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Used {
    /// Methods entered.
    pub methods: Sorted<MethodId>,
    /// Classes of which something was used that is not known more exactly.
    pub classes: Sorted<ClassId>,
    /// Classes whose static initialisers count, besides those that the methods touch.
    pub touched: Sorted<ClassId>,
    /// Other things, by the caller's numbers: library classes, files, properties.
    pub others: Sorted<u32>,
    /// What it leaves for others who ask for it, by the caller's numbers.
    pub leaves: Sorted<u32>,
    /// Whether it may have met objects that it did not make: through static fields, or as is seen from what it ran.
    pub meets_others: bool,
}

impl Used {
    /// Adds what another one used; whether any of it was new.
    pub fn add(&mut self, other: &Used) -> bool {
        self.meets_others |= other.meets_others;
        self.leaves.unite(&other.leaves);
        let methods = self.methods.unite(&other.methods);
        let classes = self.classes.unite(&other.classes);
        let touched = self.touched.unite(&other.touched);
        self.others.unite(&other.others) || touched || classes || methods
    }
}

/// What is known of the things that the caller has numbered: library classes, and what their static initialisers did.
pub trait Outside {
    /// The classes that a method names; the method has a small number of its own, too.
    fn named_by(&mut self, number: u32, method: MethodId) -> Arc<[u32]>;
    /// The classes that a class names.
    fn named_in(&mut self, class: u32) -> Arc<[u32]>;
    /// What ran in a class's initialiser, if it has run.
    fn init(&self, class: u32) -> Option<&Used>;
}

/// What a JVM has done so far.
pub struct History<'s> {
    snapshot: &'s Snapshot,
    /// What ran inside static initialisers, those of other classes left out.
    inits: FxHashMap<ClassId, Used>,
    /// Classes whose constructors were entered, and the numbers of the parts in which they were.
    built: FxHashMap<ClassId, Marks>,
    /// Classes whose structure was looked at.
    reflected: FxHashSet<ClassId>,
    /// All methods entered, by number, and the numbers of the parts in which they were.
    entered: Vec<Marks>,
    /// The same for methods that were never entered.
    nowhere: Marks,
    parts: Vec<Used>,
    /// The same sets of others are met again and again: by part, the first part that had this one.
    same_others: Vec<usize>,
    by_others: FxHashMap<Sorted<u32>, usize>,
    written: Written,
    methods: Methods<'s>,
    inherited: Vec<OnceCell<Box<[MethodId]>>>,
    shown: Vec<OnceCell<Box<[ClassId]>>>,
}

impl<'s> History<'s> {
    /// Of a JVM that has done nothing.
    pub fn new(snapshot: &'s Snapshot) -> History<'s> {
        let methods = Methods::new(snapshot);
        let inherited = snapshot.all().map(|_| OnceCell::new()).collect();
        let shown = snapshot.all().map(|_| OnceCell::new()).collect();
        History {
            snapshot,
            inits: FxHashMap::default(),
            built: FxHashMap::default(),
            reflected: FxHashSet::default(),
            entered: Vec::new(),
            nowhere: Marks::default(),
            parts: Vec::new(),
            same_others: Vec::new(),
            by_others: FxHashMap::default(),
            written: Written::default(),
            methods,
            inherited,
            shown,
        }
    }

    /// The static initialiser of `class` ran.
    pub fn initialised(&mut self, class: ClassId, used: &Used) {
        self.note(used);
        self.inits.entry(class).or_default().add(used);
    }

    /// The structure of `class` was looked at. Caches answer the next time, so it counts for all that come.
    pub fn reflected(&mut self, class: ClassId) {
        self.reflected.insert(class);
    }

    /// A test, or what ran between tests, has ended.
    pub fn ran(&mut self, used: Used) {
        self.note_part(&used);
        self.note(&used);
        let part = self.parts.len();
        let first = match self.by_others.get(&used.others) {
            Some(first) => *first,
            None => *self.by_others.entry(used.others.clone()).or_insert(part),
        };
        self.same_others.push(first);
        self.parts.push(used);
    }

    fn note(&mut self, used: &Used) {
        let part = self.parts.len();
        for method in &used.methods {
            let number = self.methods.number(method);
            if self.entered(number).is_empty() {
                self.note_writer(number);
            }
            if self.entered.len() <= number as usize {
                self.entered.resize_with(number as usize + 1, Marks::default);
            }
            if let Some(parts) = self.entered.get_mut(number as usize) {
                parts.insert(part);
            }
            if self.methods.traits(number).makes() {
                for class in &self.methods.of(number).makes {
                    self.built.entry(*class).or_default().insert(part);
                }
            }
        }
    }

    /// The parts that entered the method of a number.
    fn entered(&self, method: u32) -> &Marks {
        self.entered.get(method as usize).unwrap_or(&self.nowhere)
    }

    /// The classes of which these methods make objects.
    fn made_by<'m>(&'m self, methods: impl Iterator<Item = u32> + 'm) -> impl Iterator<Item = ClassId> + 'm {
        let makers = methods.filter(|method| self.methods.traits(*method).makes());
        makers.flat_map(|method| self.methods.of(method).makes.iter().copied())
    }

    /// Classes whose objects may have been met, sorted: those that it made itself, and where it may have met others, all of
    /// which the JVM has made some.
    pub fn built(&self, used: &Used) -> Vec<ClassId> {
        let mut built: Vec<ClassId> = if used.meets_others {
            self.built.keys().copied().collect()
        } else {
            self.made_by(used.methods.iter().map(|method| self.methods.number(method))).collect()
        };
        built.sort_unstable();
        built.dedup();
        built
    }

    /// Whether somebody has looked at the structure of a class.
    pub fn is_reflected(&self, class: ClassId) -> bool {
        self.reflected.contains(&class)
    }

    /// The number of a method, small and its own.
    pub fn number(&self, method: MethodId) -> u32 {
        self.methods.number(method)
    }

    /// What is true of a method whoever runs it.
    pub(crate) fn method(&self, method: MethodId) -> &Method {
        self.methods.of(self.methods.number(method))
    }

    /// The classes that running a method initialises or finds initialised: its own, those whose static members and
    /// constructors it names, and their superclasses.
    pub fn touched(&self, method: MethodId) -> &[ClassId] {
        self.methods.touched(self.methods.number(method))
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
                            == Found::One(id)
                    {
                        found.push(id);
                    }
                }
            }
            found.into()
        })
    }

    /// The classes that one comes to by looking at a class: its supertypes, and the types of its members.
    pub(crate) fn shown(&self, class: ClassId) -> &[ClassId] {
        let snapshot = self.snapshot;
        let Some(place) = self.shown.get(class.index()) else { return &[] };
        place.get_or_init(|| {
            let record = snapshot.class(class);
            let fields = record.fields.iter().map(|field| record.str(field.descriptor));
            let methods = record.methods.iter().map(|method| record.str(method.descriptor));
            let types = fields.chain(methods).flat_map(|text| text.split(['(', ')', ';', '[']));
            let named = types.filter_map(|part| part.find('L').and_then(|at| part.get(at + 1..)));
            let named = named.filter_map(|name| snapshot.find(name));
            let found: Sorted<ClassId> = named.chain(snapshot.above(class).iter().copied()).collect();
            found.iter().collect()
        })
    }

    /// Whether a method's code names a static field of the project that tests may leave something in.
    pub fn is_stateful(&self, method: MethodId) -> bool {
        self.methods.traits(self.methods.number(method)).is_stateful()
    }

    /// The methods of these numbers, sorted.
    pub fn sorted(&self, numbers: &Marks) -> Sorted<MethodId> {
        // They are numbered in their order.
        Sorted::ascending(numbers.iter().map(|number| self.methods.id(number as u32)))
    }

    /// What a test used, with the initialisers of all classes it touched, the making of objects it did not make, and what
    /// the methods that it shares static state through did for earlier ones.
    pub fn all_of(&self, used: &Used, outside: &mut dyn Outside) -> Used {
        let mut all = Gathered::default();
        let mut foreign: FxHashSet<ClassId> = FxHashSet::default();
        all.add(&self.methods, used);
        loop {
            loop {
                self.follow_all(&mut all, outside);
                let new = self.foreign(&all);
                self.add_makers(&mut all, &new);
                foreign.extend(new);
                if all.is_followed() {
                    break;
                }
            }
            all.meets_others |= !foreign.is_empty()
                || all.methods.list().iter().any(|method| self.methods.traits(*method).is_stateful());
            self.add_left_behind(&mut all, &foreign);
            self.add_written(&mut all);
            // What earlier tests did instead of this one ran on their objects: nobody made those for this one. What
            // initialisers of libraries did is everybody's.
            if !self.follow_all(&mut all, outside) {
                return all.into_used(&self.methods);
            }
        }
    }

    /// Adds the initialisers of all classes that are touched, the project's and others'; whether others' brought code of the
    /// project that is new.
    fn follow_all(&self, all: &mut Gathered, outside: &mut dyn Outside) -> bool {
        let mut brought = false;
        while !all.is_followed() {
            all.add_initialisers(&self.methods, |class| self.inits.get(&class));
            let before = all.code();
            all.add_outside(&self.methods, outside);
            brought |= all.code() > before;
        }
        brought
    }

    /// Classes of whose objects `all` ran code without having made any.
    fn foreign(&self, all: &Gathered) -> FxHashSet<ClassId> {
        let mut made: Grown<ClassId> = Grown::default();
        for class in self.made_by(all.methods.list().iter().copied()) {
            if made.insert(class) {
                made.extend(self.snapshot.above(class).iter().copied());
            }
        }
        let on_objects =
            all.methods.list().iter().filter(|method| self.methods.traits(**method).needs_object());
        on_objects.map(|method| self.methods.id(*method).class).filter(|class| !made.has(*class)).collect()
    }

    /// Adds the parts that made objects of these classes.
    fn add_makers(&self, all: &mut Gathered, foreign: &FxHashSet<ClassId>) {
        if foreign.is_empty() {
            return;
        }
        let mut parts = Marks::default();
        for (class, builders) in &self.built {
            if foreign.contains(class)
                || self.snapshot.above(*class).iter().any(|above| foreign.contains(above))
            {
                parts.unite(builders);
            }
        }
        for part in parts.iter().filter_map(|part| self.parts.get(part)) {
            all.add(&self.methods, part);
        }
    }
}
