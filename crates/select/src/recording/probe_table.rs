//! Translates probes into methods, classes and questions.

use super::JvmRecorder;
use super::span_tracker::RawFootprint;
use crate::facts::FactKind;
use crate::history::Footprint;
use crate::reason::AlwaysReason;
use tamis_classfile::ClassFile;
use tamis_classfile::flow::ControlFlow;
use tamis_program::bitset::BitSet;
use tamis_program::snapshot::ClassId;
use tamis_wire::{ClassLoaded, content};

/// The meanings, by probe.
#[derive(Default)]
pub(super) struct ProbeTable(Vec<ProbeMeaning>);

/// The meaning of a hit.
#[derive(Clone, Default)]
enum ProbeMeaning {
    /// Does not count.
    #[default]
    Nothing,
    /// By its number in the history.
    Method(u32),
    Class(ClassId),
    /// A block, by its number in the flows.
    Block(u32),
    /// Questions by number.
    Others(Box<[u32]>),
    /// A class generated at run time: questions by number, and the number that represents its generation.
    Made(Box<[u32]>, u32),
}

/// A footprint in terms of the snapshot.
#[derive(Clone, Default)]
pub(super) struct ResolvedFootprint {
    pub(super) used: Footprint,
    /// Why no trace is possible.
    pub(super) always: Vec<AlwaysReason>,
    /// Files that were written.
    pub(super) written: Vec<String>,
    /// Files that were used in other ways.
    pub(super) read: Vec<String>,
    /// Files that did not exist.
    pub(super) missing: Vec<String>,
    /// Numbers of the classes that it had generated or changed.
    pub(super) made: Vec<u32>,
    /// The contexts that it was given, by the markers of their work.
    pub(super) contexts: Vec<u32>,
    /// Questions that it came to ask while a library ran, which may keep the answers.
    pub(super) by_libraries: Vec<u32>,
    /// Whether tests are missing that it should represent.
    pub(super) partial: bool,
}

impl ProbeTable {
    /// The method with a probe of its own.
    pub(super) fn method(&self, probe: u32) -> Option<u32> {
        match self.0.get(probe as usize) {
            Some(ProbeMeaning::Method(number)) => Some(*number),
            _ => None,
        }
    }

    /// The questions of a probe.
    pub(super) fn others(&self, probe: u32) -> &[u32] {
        match self.0.get(probe as usize) {
            Some(ProbeMeaning::Others(numbers)) => numbers,
            _ => &[],
        }
    }
}

impl JvmRecorder<'_> {
    /// Adds the probes of a loaded class.
    pub(super) fn class(&mut self, class: &ClassLoaded) {
        let snapshot = self.world.snapshot();
        let count = class.methods.len().max(1);
        let project = snapshot.find(&class.name).filter(|id| snapshot.is_project(*id));
        if let Some(id) = project {
            self.note_extension(id, class);
        }
        let mut hits: Vec<ProbeMeaning> = match project {
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
        if let Some(id) = project {
            hits.extend(self.block_meanings(id, class, &hits));
        }
        let first = class.first_probe as usize;
        let table = &mut self.probes.0;
        if table.len() < first + hits.len() {
            table.resize_with(first + hits.len(), ProbeMeaning::default);
        }
        for (place, hit) in table.iter_mut().skip(first).zip(hits) {
            *place = hit;
        }
    }

    /// The meanings of probes in blocks, which follow those of the methods. If a method has no probe of its own to us, its class
    /// counts as a whole, and its blocks do not matter.
    fn block_meanings(
        &mut self,
        id: ClassId,
        class: &ClassLoaded,
        methods: &[ProbeMeaning],
    ) -> Vec<ProbeMeaning> {
        let mut found = Vec::new();
        if class.blocks.is_empty() {
            return found;
        }
        let name = self.world.snapshot().class(id).name();
        let bytes = self.world.class_file(name).and_then(Result::ok).unwrap_or_default();
        let file = ClassFile::parse(&bytes).ok();
        for (index, (count, method)) in class.blocks.iter().zip(methods).enumerate() {
            let member = file.as_ref().and_then(|file| Some((file, file.methods.iter().nth(index)?)));
            let flow = member.and_then(|(file, member)| ControlFlow::comparable(file, &member));
            let flow = flow.filter(|flow| flow.probed_blocks().count() == *count as usize);
            match (method, flow) {
                (ProbeMeaning::Method(number), Some(flow)) if *count > 0 => {
                    let first = self.flows.add(*number, flow);
                    found.extend((first..first + count).map(ProbeMeaning::Block));
                }
                _ => found.resize(found.len() + *count as usize, ProbeMeaning::Nothing),
            }
        }
        found
    }

    /// Whether a loaded class of the project equals its file. A loader may change a class; then the complete
    /// file counts.
    fn is_file(&mut self, class: &ClassLoaded) -> bool {
        match self.world.class_file(&class.name) {
            None => false,
            Some(Ok(bytes)) => content(&bytes) == class.content,
            Some(Err(error)) => {
                self.spans.gaps.push(AlwaysReason::ClassFileUnreadable(error));
                false
            }
        }
    }

    /// The meaning of a class outside the project: a library's, or one generated at run time.
    fn outside_class(&mut self, class: &ClassLoaded) -> ProbeMeaning {
        if let Some(number) =
            self.libraries.classes.number(self.world, &mut self.facts.questions, &class.name)
        {
            return ProbeMeaning::Others(Box::new([number]));
        }
        if self.world.is_library(&class.name) {
            return ProbeMeaning::Nothing; // A framework's: it counts for every test.
        }
        if self.world.is_agent(&class.name) {
            return ProbeMeaning::Nothing; // Its archive is a fact of every test.
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

    /// Adds the questions on which a class generated from this one depends.
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

    /// Resolves raw footprints into one.
    pub(super) fn resolve_footprint(&mut self, charges: &[&RawFootprint]) -> ResolvedFootprint {
        let (mut methods, mut classes) = (BitSet::default(), BitSet::default());
        let (mut others, mut finds): (BitSet<u32>, BitSet<u32>) = Default::default();
        let mut blocks: BitSet<u32> = BitSet::default();
        for charge in charges {
            for probe in charge.probes.iter() {
                match self.probes.0.get(probe as usize) {
                    Some(ProbeMeaning::Method(number)) => _ = methods.insert(*number),
                    Some(ProbeMeaning::Class(class)) => _ = classes.insert(*class),
                    Some(ProbeMeaning::Block(number)) => _ = blocks.insert(*number),
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
            blocks: blocks.pack(),
            ..Footprint::default()
        };
        let mut came = ResolvedFootprint { used, ..ResolvedFootprint::default() };
        for charge in charges {
            came.always.extend(charge.gaps.iter().cloned().map(AlwaysReason::Gap));
            came.made.extend(&charge.made);
        }
        let notes: Vec<u32> = charges.iter().flat_map(|charge| charge.notes.iter().copied()).collect();
        self.resolve_inputs(&notes, &mut came);
        self.find_made(&mut came);
        self.find_containers(&mut came);
        came
    }

    /// Resolves the work inside a static initialiser or on a context. What cannot be seen counts for all that depend on it.
    pub(super) fn resolve_shared(&mut self, charge: &RawFootprint, nested: &[String]) -> ResolvedFootprint {
        let mut came = self.resolve_footprint(&[charge]);
        for reason in std::mem::take(&mut came.always) {
            let number = self.facts.unseen(reason);
            came.used.others.insert(number);
        }
        for name in nested {
            self.touch(name, &mut came.used);
        }
        came
    }
}
