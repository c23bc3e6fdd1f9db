//! Static graph of a program: what a test may reach, found without running it.
//!
//! Nodes are methods. A call leads to the method that it resolves to, and a virtual call also to the methods found on
//! subclasses. Creating an object leads to the methods that external code may call on it. Reading a static field leads to
//! the methods that write it, because an earlier test may have run them. What the graph cannot follow is a gap, and a test
//! that reaches a gap always runs.
//!
//! The graph is built once and then only read, so that the closures of many tests are found in parallel. Neither depends
//! on the number of threads.

mod class_reach;
mod member_reach;
mod method_edges;
mod parallel;
mod path;
mod roots;
mod static_tests;
mod virtual_targets;

pub use roots::TestRoots;
pub use static_tests::StaticTests;

use crate::history::Closure;
use crate::world::World;
use method_edges::{LibraryNames, MethodEdges};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeSet;
use tamis_catalog::jdk::packages;
use tamis_classfile::access;
use tamis_program::bitset::{Indexed, SparseBitSet};
use tamis_program::record::UnfollowedApi;
use tamis_program::snapshot::{ClassId, MethodId, Snapshot};
use virtual_targets::VirtualTargets;

/// How a static technique finds what a test may reach.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ReachKind {
    /// Classes that classes name.
    Classes,
    /// Methods; a virtual call may reach every subclass.
    Hierarchy,
    /// Methods; a virtual call may reach the classes of which objects are made.
    Instantiated,
}

/// Something that a static graph cannot follow.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum StaticGap {
    /// A method of the JDK.
    Api(UnfollowedApi),
    /// This class of a library.
    Library(String),
    /// This class, whose file cannot be read.
    Unreadable(String),
}

/// What a test may reach.
#[derive(Clone, Debug, Default)]
pub struct StaticReach {
    /// The methods and classes, as if the test had used them.
    pub used: Closure,
    /// What could not be followed.
    pub gaps: BTreeSet<StaticGap>,
    /// Names of classes that were looked for and are neither in the program nor in a library.
    pub absent: BTreeSet<String>,
}

/// The graph of a program.
pub struct StaticGraph<'s> {
    snapshot: &'s Snapshot,
    kind: ReachKind,
    /// By class: the number of its first method. The numbers are those of [`crate::history::History::number`].
    firsts: Vec<u32>,
    methods: Vec<MethodEdges>,
    virtuals: VirtualTargets,
    /// By class: the methods that external code may call on its objects.
    callbacks: Vec<SparseBitSet<u32>>,
    /// By class: its static initialiser.
    initialisers: Vec<Option<u32>>,
    /// By field: the methods that write it or may change its object.
    writers: FxHashMap<u32, Vec<u32>>,
    /// By class: what it names, for [`ReachKind::Classes`].
    named: Vec<class_reach::NamedClasses>,
    /// Names among these of classes that are nowhere.
    absent: FxHashSet<Box<str>>,
    libraries: LibraryNames,
    /// Methods that frameworks may call for every test.
    services: Vec<MethodId>,
}

impl<'s> StaticGraph<'s> {
    /// Builds the graph with this many threads; 0 is one for each processor.
    pub fn new(world: &'s dyn World, kind: ReachKind, threads: usize) -> StaticGraph<'s> {
        StaticGraph::of(
            world.snapshot(),
            kind,
            threads,
            &|class| world.is_library(class) && !world.is_framework(class),
            &|class| world.is_library(class),
        )
    }

    /// The graph of a snapshot. `is_unknown` says whether a class is in a library whose code is not followed, `is_found`
    /// whether it is in any library.
    pub fn of(
        snapshot: &'s Snapshot,
        kind: ReachKind,
        threads: usize,
        is_unknown: &dyn Fn(&str) -> bool,
        is_found: &dyn Fn(&str) -> bool,
    ) -> StaticGraph<'s> {
        let mut firsts = vec![0];
        let mut ids = Vec::new();
        for class in snapshot.all() {
            let count = snapshot.class(class).methods.len() as u32;
            ids.extend((0..count).map(|method| MethodId { class, method }));
            firsts.push(ids.len() as u32);
        }
        let numbers = MethodNumbers { firsts: &firsts };
        let scanned = parallel::map(threads, &ids, |id| method_edges::scan(snapshot, &numbers, *id));
        let (mut methods, signatures, libraries) =
            method_edges::number(snapshot, scanned, is_unknown, is_found);
        let virtuals = VirtualTargets::of(snapshot, &numbers, &signatures, threads);
        let mut writers: FxHashMap<u32, Vec<u32>> = FxHashMap::default();
        for (number, edges) in methods.iter_mut().enumerate() {
            for field in std::mem::take(&mut edges.writes) {
                writers.entry(field).or_default().push(number as u32);
            }
        }
        let classes: Vec<ClassId> = snapshot.all().collect();
        let callbacks = parallel::map(threads, &classes, |class| {
            let overrides = match snapshot.is_project(*class) {
                true => snapshot.external_overrides(*class),
                false => Vec::new(),
            };
            overrides.into_iter().map(|method| numbers.of(method)).collect()
        });
        let initialiser = |class: &ClassId| {
            let found = snapshot.declared(*class, "<clinit>", "()V").filter(|_| snapshot.is_project(*class));
            found.map(|method| numbers.of(method))
        };
        let initialisers = classes.iter().map(initialiser).collect();
        let named = match kind {
            ReachKind::Classes => {
                parallel::map(threads, &classes, |class| class_reach::named(snapshot, *class))
            }
            ReachKind::Hierarchy | ReachKind::Instantiated => Vec::new(),
        };
        let is_nowhere = |name: &&str| snapshot.find(name).is_none() && !is_jdk(name) && !is_found(name);
        let outside = named.iter().flat_map(|named: &class_reach::NamedClasses| &named.absent);
        let absent = outside.map(|name| &**name).filter(is_nowhere).map(Box::from).collect();
        let services = roots::service_methods(snapshot);
        StaticGraph {
            snapshot,
            kind,
            firsts,
            methods,
            virtuals,
            callbacks,
            initialisers,
            writers,
            named,
            absent,
            libraries,
            services,
        }
    }

    /// What a test may reach.
    pub fn reach(&self, roots: &TestRoots) -> StaticReach {
        match self.kind {
            ReachKind::Classes => self.classes_from(roots),
            ReachKind::Hierarchy | ReachKind::Instantiated => self.members_from(roots),
        }
    }

    /// What each of these tests may reach, found with this many threads.
    pub fn reaches(&self, tests: &[TestRoots], threads: usize) -> Vec<StaticReach> {
        parallel::map(threads, tests, |roots| self.reach(roots))
    }

    fn number(&self, method: MethodId) -> u32 {
        MethodNumbers { firsts: &self.firsts }.of(method)
    }

    /// The method of a number.
    fn id(&self, number: u32) -> MethodId {
        let class = self.firsts.partition_point(|first| *first <= number).saturating_sub(1);
        let first = self.firsts.get(class).copied().unwrap_or_default();
        MethodId { class: ClassId::of(class), method: number.saturating_sub(first) }
    }

    /// The methods that a class declares.
    fn declared(&self, class: ClassId) -> std::ops::Range<u32> {
        let bounds = self.firsts.get(class.index()).zip(self.firsts.get(class.index() + 1));
        bounds.map_or(0..0, |(first, end)| *first..*end)
    }

    /// Adds what cannot be followed in a class that is used at all.
    fn note_class(&self, class: ClassId, reach: &mut StaticReach) {
        let record = self.snapshot.class(class);
        if record.is_opaque() {
            reach.gaps.insert(StaticGap::Unreadable(record.name().to_owned()));
            reach.used.classes.insert(class);
        }
    }

    /// Adds what cannot be followed in a method.
    fn note_gaps(&self, method: u32, reach: &mut StaticReach) {
        let Some(edges) = self.methods.get(method as usize) else { return };
        let apis = edges.unfollowed.iter().map(StaticGap::Api);
        let libraries = edges.libraries.iter().filter_map(|name| self.libraries.unknown(*name));
        reach.gaps.extend(apis.chain(libraries.map(|name| StaticGap::Library(name.to_owned()))));
        reach.absent.extend(
            edges.libraries.iter().filter_map(|name| self.libraries.absent(*name)).map(str::to_owned),
        );
        let id = self.id(method);
        if self.snapshot.method(id).is(access::NATIVE) {
            reach.gaps.insert(StaticGap::Api(UnfollowedApi::Native));
        }
    }
}

/// Whether a class outside of `java` is one of the JDK's, by its package.
fn is_jdk(name: &str) -> bool {
    packages::OWN.has(name)
}

/// Numbers of methods, dense from 0.
struct MethodNumbers<'n> {
    firsts: &'n [u32],
}

impl MethodNumbers<'_> {
    fn of(&self, method: MethodId) -> u32 {
        self.firsts.get(method.class.index()).map_or(0, |first| first + method.method)
    }
}
