//! A footprint while it is being completed, and how much of it has been followed.

use super::method_index::MethodIndex;
use super::{Closure, InitFootprint, LibraryGraph};
use rustc_hash::FxHashMap;
use tamis_program::bitset::BitSet;
use tamis_program::snapshot::ClassId;

#[derive(Default)]
pub(super) struct ClosureBuilder {
    pub(super) all: Closure,
    /// Classes that static initialisers instantiated, and those of them whose objects a library may keep.
    pub(super) kept: BitSet<ClassId>,
    pub(super) kept_by_libraries: BitSet<ClassId>,
    /// Classes that are touched.
    met: BitSet<ClassId>,
    /// Library classes that are named.
    named: BitSet<u32>,
    followed: FollowedSets,
}

/// The parts of the closure whose consequences have been added.
#[derive(Default)]
struct FollowedSets {
    methods: BitSet<u32>,
    /// Followed to the library classes that they name.
    naming: BitSet<u32>,
    met: BitSet<ClassId>,
    others: BitSet<u32>,
}

impl ClosureBuilder {
    /// Adds the footprints (`inits`) of the initialisers of all touched classes.
    pub(super) fn add_initialisers(
        &mut self,
        methods: &MethodIndex<'_>,
        inits: &FxHashMap<ClassId, InitFootprint>,
    ) {
        loop {
            methods.touched_by(&self.all.methods, &mut self.followed.methods, &mut self.met);
            self.met.unite(&self.all.classes);
            self.met.unite(&self.all.touched);
            let new = self.met.clone().without(&self.followed.met);
            if !self.followed.met.unite(&new) {
                return;
            }
            for init in new.iter().filter_map(|class| inits.get(&class)) {
                self.kept.add(&init.made);
                if init.has_library {
                    self.kept_by_libraries.add(&init.made);
                }
                self.all.add(&init.used);
            }
        }
    }

    /// Adds what the library requires: initialisers of library classes that are used, or that used code
    /// names.
    pub(super) fn add_outside(&mut self, methods: &MethodIndex<'_>, outside: &mut dyn LibraryGraph) {
        loop {
            methods.naming(&self.all.methods, &mut self.followed.naming, &mut self.named, outside);
            let before = self.followed.others.clone();
            methods.named_in(&self.all.others, &mut self.followed.others, &mut self.named, outside);
            let mut new = self.followed.others.clone().without(&before);
            new.keep(outside.initialised());
            for init in new.iter().filter_map(|number| outside.init(number)) {
                self.all.add(init);
            }
            let mut owed = self.named.clone();
            owed.keep(outside.initialised());
            self.all.others.unite(&owed);
            if self.is_named() {
                return;
            }
        }
    }

    /// Size of the part that is code of the project: methods, used classes and touched classes.
    pub(super) fn code(&self) -> usize {
        self.all.methods.len() + self.all.classes.len() + self.all.touched.len()
    }

    /// Whether all of it has been followed.
    pub(super) fn is_followed(&self) -> bool {
        self.all.methods.is_within(&self.followed.methods)
            && self.all.classes.is_within(&self.followed.met)
            && self.all.touched.is_within(&self.followed.met)
            && self.is_named()
    }

    fn is_named(&self) -> bool {
        self.all.methods.is_within(&self.followed.naming) && self.all.others.is_within(&self.followed.others)
    }
}

impl Closure {
    /// Adds another closure. Returns whether this one grew.
    pub(super) fn unite(&mut self, other: &Closure) -> bool {
        let code = self.methods.unite(&other.methods) | self.classes.unite(&other.classes);
        let rest = self.touched.unite(&other.touched) | self.others.unite(&other.others);
        let blocks = self.blocks.unite(&other.blocks) | self.whole.unite(&other.whole);
        self.finds.unite(&other.finds) | code | rest | blocks
    }
}
