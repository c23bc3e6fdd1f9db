//! What a probe stands for, in terms of the snapshot.

use super::JvmRecorder;
use super::span_tracker::RawFootprint;
use crate::facts::FactKind;
use crate::history::Footprint;
use tamis_program::bitset::BitSet;
use tamis_program::snapshot::ClassId;
use tamis_wire::{ClassLoaded, content};

/// By probe.
#[derive(Default)]
pub(super) struct ProbeTable(Vec<ProbeMeaning>);

/// What was used if a probe was hit.
#[derive(Clone, Default)]
enum ProbeMeaning {
    /// Nothing that counts.
    #[default]
    Nothing,
    /// By the number that the history has for it.
    Method(u32),
    Class(ClassId),
    /// Questions by number.
    Others(Box<[u32]>),
    /// Of a class that was made at run time: questions by number, and the number that stands for its making.
    Made(Box<[u32]>, u32),
}

/// What a charge comes to.
#[derive(Clone, Default)]
pub(super) struct ResolvedFootprint {
    pub(super) used: Footprint,
    /// Why nothing can be said of it.
    pub(super) always: Vec<String>,
    /// Files that were written, and files that were used otherwise.
    pub(super) written: Vec<String>,
    pub(super) read: Vec<String>,
    /// Files that were not there.
    pub(super) missing: Vec<String>,
    /// Numbers of classes that it had made or changed.
    pub(super) made: Vec<u32>,
    /// Whether tests are missing that it should stand for.
    pub(super) partial: bool,
}

impl ProbeTable {
    /// The method that has a probe of its own.
    pub(super) fn method(&self, probe: u32) -> Option<u32> {
        match self.0.get(probe as usize) {
            Some(ProbeMeaning::Method(number)) => Some(*number),
            _ => None,
        }
    }

    /// The questions that a probe stands for.
    pub(super) fn others(&self, probe: u32) -> &[u32] {
        match self.0.get(probe as usize) {
            Some(ProbeMeaning::Others(numbers)) => numbers,
            _ => &[],
        }
    }
}

impl JvmRecorder<'_> {
    /// A class was loaded.
    pub(super) fn class(&mut self, class: &ClassLoaded) {
        let snapshot = self.world.snapshot();
        let count = class.methods.len().max(1);
        let project = snapshot.find(&class.name).filter(|id| snapshot.is_project(*id));
        if let Some(id) = project {
            self.note_extension(id, class);
        }
        let hits: Vec<ProbeMeaning> = match project {
            Some(id) if class.methods.is_empty() || !self.is_file(class) => {
                vec![ProbeMeaning::Class(id); count]
            }
            Some(id) => class
                .methods
                .iter()
                .map(|(name, descriptor)| {
                    snapshot.declared(id, name, descriptor).map_or(ProbeMeaning::Class(id), |method| {
                        ProbeMeaning::Method(self.history.number(method))
                    })
                })
                .collect(),
            None => vec![self.outside_class(class); count],
        };
        let first = class.first_probe as usize;
        let table = &mut self.probes.0;
        if table.len() < first + hits.len() {
            table.resize_with(first + hits.len(), ProbeMeaning::default);
        }
        for (place, hit) in table.iter_mut().skip(first).zip(hits) {
            *place = hit;
        }
    }

    /// Whether a class of the project is what its file holds. A loader may change a class on the way; then all of the file
    /// counts.
    fn is_file(&mut self, class: &ClassLoaded) -> bool {
        match self.world.class_file(&class.name) {
            None => false,
            Some(Ok(bytes)) => content(&bytes) == class.content,
            Some(Err(error)) => {
                self.spans.gaps.push(format!("{error}; it changed while the tests ran"));
                false
            }
        }
    }

    /// A class that is not the project's: a library's, or one made at run time from others.
    fn outside_class(&mut self, class: &ClassLoaded) -> ProbeMeaning {
        if let Some(number) =
            self.libraries.classes.number(self.world, &mut self.facts.questions, &class.name)
        {
            return ProbeMeaning::Others(Box::new([number]));
        }
        if self.world.is_library(&class.name) {
            return ProbeMeaning::Nothing; // A framework's: it counts for every test.
        }
        let mut numbers = Vec::new();
        for above in &class.supers {
            self.structure(above, &mut numbers);
        }
        match self.made(class) {
            Some(made) => ProbeMeaning::Made(numbers.into(), made),
            None if numbers.is_empty() => ProbeMeaning::Nothing,
            None => ProbeMeaning::Others(numbers.into()),
        }
    }

    /// What something made from a class relies on.
    pub(super) fn structure(&mut self, name: &str, numbers: &mut Vec<u32>) {
        let snapshot = self.world.snapshot();
        match snapshot.find(name).filter(|id| snapshot.is_project(*id)) {
            Some(id) => {
                for about in [FactKind::Shape, FactKind::Supers, FactKind::External] {
                    numbers.push(self.facts.ask_class(about, id));
                }
                let above: Vec<String> = snapshot
                    .supertypes(id)
                    .0
                    .into_iter()
                    .filter(|id| snapshot.is_project(*id))
                    .map(|id| snapshot.class(id).name().to_owned())
                    .collect();
                for name in above {
                    if let Some(id) = snapshot.find(&name) {
                        numbers.push(self.facts.ask_class(FactKind::Shape, id));
                    }
                }
            }
            None => {
                numbers.extend(self.libraries.classes.number(self.world, &mut self.facts.questions, name))
            }
        }
    }

    /// What charges come to, one after the other.
    pub(super) fn resolve_footprint(&mut self, charges: &[&RawFootprint]) -> ResolvedFootprint {
        let (mut methods, mut classes) = (BitSet::default(), BitSet::default());
        let (mut others, mut finds): (BitSet<u32>, BitSet<u32>) = Default::default();
        for charge in charges {
            for probe in charge.probes.iter() {
                match self.probes.0.get(probe as usize) {
                    Some(ProbeMeaning::Method(number)) => _ = methods.insert(*number),
                    Some(ProbeMeaning::Class(class)) => _ = classes.insert(*class),
                    Some(ProbeMeaning::Others(numbers)) => others.extend(numbers.iter().copied()),
                    Some(ProbeMeaning::Made(numbers, made)) => {
                        others.extend(numbers.iter().copied());
                        finds.insert(*made);
                    }
                    Some(ProbeMeaning::Nothing) | None => {}
                }
            }
        }
        let used = Footprint {
            methods: methods.pack(),
            classes: classes.pack(),
            others: others.pack(),
            finds: finds.pack(),
            ..Footprint::default()
        };
        let mut came = ResolvedFootprint { used, ..ResolvedFootprint::default() };
        for charge in charges {
            came.always.extend(charge.gaps.iter().cloned());
            came.made.extend(&charge.made);
        }
        let notes: Vec<u32> = charges.iter().flat_map(|charge| charge.notes.iter().copied()).collect();
        self.resolve_inputs(&notes, &mut came);
        self.find_made(&mut came);
        self.find_containers(&mut came);
        came
    }
}
