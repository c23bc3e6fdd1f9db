//! Classes that are generated or changed while tests run, and the tests that depend on how that was done.
//!
//! Libraries cache what they generate: the next test that needs a mock of the same type gets the cached class
//! and runs none of the code that made it. So a test that runs code of such a class depends on the libraries
//! used by the part that had it made, and on that whole part if code of the project may have made it. The
//! JDK's own proxies do not count.

use super::JvmRecorder;
use super::probe_table::ResolvedFootprint;
use crate::facts::{FactKind, Marker};
use crate::history::Footprint;
use tamis_catalog::jdk;
use tamis_program::bitset::BitSet;
use tamis_program::snapshot::ClassId;
use tamis_wire::{ClassLoaded, Input};

/// The generated and changed classes so far. Numbers represent them: these are compared, never asked as
/// questions.
#[derive(Default)]
pub(super) struct GeneratedClasses {
    /// Classes without a name to find them by. Their use is not seen, so every later test may use them.
    hidden: Option<u32>,
    changed: Vec<RetransformedClass>,
}

/// A class that was changed after it was loaded.
struct RetransformedClass {
    name: String,
    /// Its id, if it is the project's.
    class: Option<ClassId>,
    /// The number of its question, if it is a library's.
    library: Option<u32>,
    number: u32,
}

impl JvmRecorder<'_> {
    /// Notes a loaded class that is in no file. Returns the number that represents its generation.
    pub(super) fn made(&mut self, class: &ClassLoaded) -> Option<u32> {
        if class.supers.iter().any(|above| above == jdk::PROXY) {
            return None;
        }
        let number = self.facts.questions.marker(Marker::Generated(class.name.clone()));
        match self.libraries.loading.last_mut() {
            Some(made) => made.push(number),
            None => self.spans.add_generated(number),
        }
        Some(number)
    }

    /// Notes an input that appears for the first time, and may be a generated or changed class.
    pub(super) fn note_generated(&mut self, what: &Input) {
        match what {
            Input::Made(_) if self.libraries.generated.hidden.is_none() => {
                self.libraries.generated.hidden = Some(self.facts.questions.marker(Marker::GeneratedHidden));
            }
            Input::Redefined(name) => {
                let snapshot = self.world.snapshot();
                let class = snapshot.find(name).filter(|id| snapshot.is_project(*id));
                let library = match class {
                    Some(_) => None,
                    None => self.libraries.classes.number(self.world, &mut self.facts.questions, name),
                };
                let number = self.facts.questions.marker(Marker::Retransformed(name.clone()));
                self.libraries.generated.changed.push(RetransformedClass {
                    name: name.clone(),
                    class,
                    library,
                    number,
                });
            }
            _ => {}
        }
    }

    /// The number of the generated or changed class that an input is about.
    pub(super) fn made_by(&self, what: &Input) -> Option<u32> {
        match what {
            Input::Made(_) => self.libraries.generated.hidden,
            Input::Redefined(name) => self
                .libraries
                .generated
                .changed
                .iter()
                .find(|changed| changed.name == *name)
                .map(|changed| changed.number),
            _ => None,
        }
    }

    /// Adds the generated or changed classes that are used here, or may be.
    pub(super) fn find_made(&self, came: &mut ResolvedFootprint) {
        came.used.finds.extend(self.libraries.generated.hidden);
        if self.libraries.generated.changed.is_empty() {
            return;
        }
        let mut methods: BitSet<u32> = BitSet::default();
        methods.add(&came.used.methods);
        let mut classes = self.history.classes_of(&methods);
        classes.add(&came.used.classes);
        classes.add(&came.used.touched);
        let mut others: BitSet<u32> = BitSet::default();
        others.add(&came.used.others);
        let is_used = |changed: &&RetransformedClass| {
            changed.class.is_some_and(|class| classes.contains(class))
                || changed.library.is_some_and(|library| others.contains(library))
        };
        let found: Vec<u32> =
            self.libraries.generated.changed.iter().filter(is_used).map(|changed| changed.number).collect();
        came.used.finds.extend(found);
    }

    /// Notes the leftovers of a part that had classes generated or changed: they are added to the part's own
    /// leftovers, or returned as a separate footprint.
    pub(super) fn leave_made(&self, came: &mut ResolvedFootprint) -> Option<Footprint> {
        let made = std::mem::take(&mut came.made);
        if made.is_empty() {
            return None;
        }
        let mut methods: BitSet<u32> = BitSet::default();
        methods.add(&came.used.methods);
        let snapshot = self.world.snapshot();
        let mut entered = self.history.classes_of(&methods);
        entered.add(&came.used.classes);
        let may_make = entered.iter().any(|class| {
            let record = snapshot.class(class);
            record.references.iter().any(|found| jdk::types::CLASS_MAKERS.has(record.str(found.name)))
        });
        if may_make {
            came.used.leaves.extend(made);
            return None;
        }
        // Where the lines of the project's code are is nothing that a library makes classes of.
        let is_line = |number: &u32| {
            self.facts.questions.get(*number).is_some_and(|question| question.kind == FactKind::Debug)
        };
        let others = came.used.others.iter().filter(|number| !is_line(number)).collect();
        Some(Footprint { others, leaves: made.into_iter().collect(), ..Footprint::default() })
    }
}
