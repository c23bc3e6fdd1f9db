//! The program as it is now: all classes, their inheritance, and the targets of references and calls.
//!
//! Classes are *project* (digested to be compared) or *external* (of a library or the JDK, needed for
//! inheritance). A supertype that is neither is missing. Missing supertypes are part of the result of a
//! look-up.

mod exposed;
mod external;
mod link;
mod lookup;
mod resolve;

pub use link::BodyLinker;
pub use lookup::{FoundMethod, LookupResult, MethodId};
pub use resolve::FieldAt;

use crate::bitset::Indexed;
use crate::digest::family_name;
use crate::record::ClassRecord;
use exposed::ExposedNames;
use hashbrown::HashTable;
use rustc_hash::{FxHashSet, FxHasher};
use std::hash::Hasher;
use std::sync::OnceLock;

/// A class of a snapshot.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ClassId(u32);

impl ClassId {
    /// Its index among the classes of its snapshot.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

impl Indexed for ClassId {
    fn number(self) -> usize {
        self.index()
    }

    fn of(number: usize) -> ClassId {
        ClassId(number as u32)
    }
}

/// Cached supertypes by class.
type SupertypeCache = Box<[OnceLock<Box<[ClassId]>>]>;

/// All classes of a program at one time.
pub struct Snapshot {
    /// Project classes sorted by name, then external ones.
    classes: Vec<ClassRecord>,
    project: u32,
    by_name: HashTable<u32>,
    children: OnceLock<SubclassTable>,
    exposed: OnceLock<ExposedNames>,
    above: OnceLock<SupertypeCache>,
}

impl Snapshot {
    /// Builds the snapshot. If two records have the same name, the first one wins, project before external.
    pub fn new(mut project: Vec<ClassRecord>, external: Vec<ClassRecord>) -> Snapshot {
        project.sort_by(|a, b| a.name().cmp(b.name()));
        project.dedup_by(|later, first| later.name() == first.name());
        let count = project.len() as u32;
        let mut classes = project;
        classes.extend(external);
        let mut snapshot = Snapshot {
            by_name: HashTable::with_capacity(classes.len() + 1),
            classes,
            project: count,
            children: OnceLock::new(),
            exposed: OnceLock::new(),
            above: OnceLock::new(),
        };
        snapshot.index_all();
        if snapshot.find("java/lang/Object").is_none() {
            snapshot.classes.push(external::object());
            snapshot.index_all();
        }
        snapshot
    }

    /// The class with this name: `a/B$C`.
    pub fn find(&self, name: &str) -> Option<ClassId> {
        self.by_name
            .find(hash(name), |index| self.at(*index).is_some_and(|class| class.name() == name))
            .map(|i| ClassId(*i))
    }

    /// The record of a class.
    pub fn class(&self, id: ClassId) -> &ClassRecord {
        // Only this snapshot creates its ids; using an id of another one is a bug.
        self.classes.get(id.0 as usize).expect("class id of this snapshot")
    }

    /// All classes, the project's first.
    pub fn all(&self) -> impl ExactSizeIterator<Item = ClassId> + use<> {
        (0..self.classes.len() as u32).map(ClassId)
    }

    /// Whether a class belongs to the project.
    pub fn is_project(&self, id: ClassId) -> bool {
        id.0 < self.project
    }

    /// The project's classes, sorted by name.
    pub fn project(&self) -> impl ExactSizeIterator<Item = ClassId> + use<> {
        (0..self.project).map(ClassId)
    }

    /// The project's classes nested in the same top-level class as this one, including itself.
    pub fn family_of(&self, id: ClassId) -> impl Iterator<Item = ClassId> + '_ {
        let family = family_name(self.class(id).name());
        let project = self.classes.get(..self.project as usize).unwrap_or_default();
        let first = project.partition_point(|class| class.name() < family) as u32;
        // Sorted by name, the family is contiguous except for names that continue without `$`.
        (first..self.project)
            .map(ClassId)
            .take_while(move |class| self.class(*class).name().starts_with(family))
            .filter(move |class| family_name(self.class(*class).name()) == family)
    }

    /// The names of supertypes that project and external classes mention and no record has. A caller may look
    /// for them elsewhere and build the snapshot again.
    pub fn missing_supertypes(&self) -> Vec<&str> {
        let mut missing: Vec<&str> = self
            .classes
            .iter()
            .flat_map(ClassRecord::super_types)
            .filter(|name| self.find(name).is_none())
            .collect();
        missing.sort_unstable();
        missing.dedup();
        missing
    }

    /// The classes whose direct supertype this is.
    pub fn subclasses(&self, id: ClassId) -> &[ClassId] {
        self.children.get_or_init(|| SubclassTable::new(self)).of(id)
    }

    /// Every supertype, nearest superclasses first, without the class itself; and the missing names.
    pub fn supertypes(&self, id: ClassId) -> (Vec<ClassId>, Vec<&str>) {
        let (mut known, mut missing) = (Vec::new(), Vec::new());
        let mut seen: FxHashSet<&str> = FxHashSet::default();
        let mut queue = vec![id];
        let mut next = 0;
        while let Some(at) = queue.get(next).copied() {
            next += 1;
            for name in self.class(at).super_types().filter(|name| seen.insert(name)) {
                match self.find(name) {
                    // A class that is its own supertype cannot be loaded; it must not cause an endless loop
                    // here.
                    Some(found) if found == id => {}
                    Some(found) => {
                        known.push(found);
                        queue.push(found);
                    }
                    None => missing.push(name),
                }
            }
        }
        (known, missing)
    }

    /// Every known supertype, in the order of [`Snapshot::supertypes`]. The result is cached.
    pub fn above(&self, id: ClassId) -> &[ClassId] {
        let table = self.above.get_or_init(|| self.classes.iter().map(|_| OnceLock::new()).collect());
        table.get(id.index()).map_or(&[], |place| place.get_or_init(|| self.supertypes(id).0.into()))
    }

    fn at(&self, index: u32) -> Option<&ClassRecord> {
        self.classes.get(index as usize)
    }

    fn index_all(&mut self) {
        let Snapshot { classes, by_name, .. } = self;
        by_name.clear();
        let name = |index: u32| classes.get(index as usize).map_or("", ClassRecord::name);
        for index in 0..classes.len() as u32 {
            let wanted = name(index);
            if by_name.find(hash(wanted), |other| name(*other) == wanted).is_none() {
                by_name.insert_unique(hash(wanted), index, |index| hash(name(*index)));
            }
        }
    }
}

fn hash(name: &str) -> u64 {
    let mut hasher = FxHasher::default();
    hasher.write(name.as_bytes());
    hasher.finish()
}

/// Direct subclasses of every class, in two flat tables.
struct SubclassTable {
    starts: Vec<u32>,
    children: Vec<ClassId>,
}

impl SubclassTable {
    fn new(snapshot: &Snapshot) -> SubclassTable {
        let count = snapshot.classes.len();
        let mut pairs = Vec::new();
        for child in (0..count as u32).map(ClassId) {
            for parent in snapshot.class(child).super_types().filter_map(|name| snapshot.find(name)) {
                pairs.push((parent, child));
            }
        }
        pairs.sort_unstable();
        pairs.dedup();
        let mut starts = vec![0; count + 1];
        for (parent, _) in &pairs {
            if let Some(start) = starts.get_mut(parent.0 as usize + 1) {
                *start += 1;
            }
        }
        let mut sum = 0;
        for start in &mut starts {
            sum += *start;
            *start = sum;
        }
        SubclassTable { starts, children: pairs.into_iter().map(|(_, child)| child).collect() }
    }

    fn of(&self, parent: ClassId) -> &[ClassId] {
        let at = |i: usize| self.starts.get(i).map_or(0, |start| *start as usize);
        let index = parent.0 as usize;
        self.children.get(at(index)..at(index + 1)).unwrap_or_default()
    }
}
