//! The tests and test classes of a JVM: which of them are open, how they ended, and what was observed meanwhile.
//!
//! Knows nothing of programs: observations are probes, inputs and gaps by number.

use crate::reason::AlwaysReason;
use std::collections::{BTreeMap, BTreeSet};
use tamis_program::bitset::SparseBitSet;
use tamis_wire::{Gap, Outcome, ProbeRuns, Span, SpanFinished, SpanHits, SpanKind, TestId};

/// Observations as the agent sent them.
#[derive(Clone, Default)]
pub(super) struct RawFootprint {
    pub(super) probes: SparseBitSet<u32>,
    /// Inputs by number, in the order of their first use.
    pub(super) notes: Vec<u32>,
    /// Things that the agent could not see.
    pub(super) gaps: Vec<String>,
    /// Classes that were generated meanwhile, by number.
    pub(super) made: Vec<u32>,
}

impl RawFootprint {
    pub(super) fn add(&mut self, probes: &[u32], notes: &[u32]) {
        self.probes.extend(probes.iter().copied());
        for note in notes {
            if !self.notes.contains(note) {
                self.notes.push(*note);
            }
        }
    }

    pub(super) fn add_all(&mut self, other: &RawFootprint) {
        self.probes.unite(&other.probes);
        self.add(&[], &other.notes);
        self.gaps.extend(other.gaps.iter().cloned());
        self.made.extend(&other.made);
    }

    /// How much was observed. A footprint never shrinks, so an equal size is an equal footprint.
    fn size(&self) -> usize {
        self.probes.len() + self.notes.len() + self.gaps.len()
    }
}

/// A span that has begun.
struct SpanState {
    kind: SpanKind,
    test: TestId,
    /// The test classes around it, with its own.
    around: BTreeSet<String>,
}

/// A class of tests.
#[derive(Default)]
pub(super) struct ClassRecording {
    /// The number of its open spans.
    pub(super) open: usize,
    /// Classes whose set-up is also a part of its tests.
    pub(super) around: BTreeSet<String>,
    /// Observations that its tests share.
    pub(super) shared: RawFootprint,
    /// The number of shared inputs that came before its first test. The others came between its tests or in tear-down.
    pub(super) set_up: Option<usize>,
    /// Static fields that reach something else than when it began; which of its parts changed them is not known.
    pub(super) changed: BTreeSet<u32>,
    /// Static fields that its set-up, its tear-down or one of its tests changed.
    pub(super) changed_around: BTreeSet<u32>,
    pub(super) tests: BTreeMap<String, TestRecording>,
    pub(super) outcome: Option<Outcome>,
    pub(super) microseconds: u64,
    /// Its size when its traces were last committed.
    pub(super) committed: usize,
}

/// One test of a class, with all of its invocations.
#[derive(Default)]
pub(super) struct TestRecording {
    pub(super) charge: RawFootprint,
    /// Static fields that it, or what ran just before it, changed.
    pub(super) changed: BTreeSet<u32>,
    pub(super) outcome: Option<Outcome>,
    pub(super) microseconds: u64,
    pub(super) running: usize,
}

/// The consequences of the end of a span.
#[derive(Default)]
pub(super) struct SpanEnd {
    /// The test that ended, or the class whose set-up or tear-down failed.
    pub(super) ended: Option<TestId>,
    /// The class whose last span has ended.
    pub(super) completed_class: Option<String>,
}

/// All spans of a JVM.
#[derive(Default)]
pub(super) struct SpanTracker {
    spans: BTreeMap<u32, SpanState>,
    /// The spans that are open: a few, however many there have been.
    open: BTreeSet<u32>,
    pub(super) classes: BTreeMap<String, ClassRecording>,
    /// Observations while no test or class was open.
    pub(super) outside: RawFootprint,
    /// Classes of tests that were skipped.
    pub(super) skipped: BTreeSet<String>,
    /// Probes of code that counts as run by every test.
    assumed: Vec<u32>,
    /// Reasons that concern the whole JVM.
    pub(super) gaps: Vec<AlwaysReason>,
}

impl SpanTracker {
    /// A span has begun. Returns its test if it is one.
    pub(super) fn start(&mut self, span: Span) -> Option<TestId> {
        let Span { number, kind, test, name: _, parent } = span;
        let mut around: BTreeSet<String> = BTreeSet::new();
        for open in self.open_spans().filter(|open| open.kind == SpanKind::Class) {
            // With parallel tests several classes are open. Those around this one have its name or enclose it by name.
            if is_around(&open.test.class, &test.class) {
                around.insert(open.test.class.clone());
            }
        }
        // Suites and other containers of a framework: their set-up is also a part of its tests.
        if let Some(above) = parent.and_then(|parent| self.spans.get(&parent)) {
            around.extend(above.around.iter().cloned());
            if above.kind == SpanKind::Class {
                around.insert(above.test.class.clone());
            }
        }
        if kind != SpanKind::Container {
            let assumed = &self.assumed;
            let class = self.classes.entry(test.class.clone()).or_default();
            class.around.extend(around.iter().cloned());
            class.shared.add(assumed, &[]);
            match (kind, &test.method) {
                (SpanKind::Test, method) => {
                    let name = method.clone().unwrap_or_default();
                    class.tests.entry(name).or_default().running += 1;
                }
                _ => class.open += 1,
            }
            around.insert(test.class.clone());
        }
        if kind == SpanKind::Test {
            for name in &around {
                if let Some(class) = self.classes.get_mut(name) {
                    class.set_up.get_or_insert(class.shared.notes.len());
                }
            }
        }
        let started = (kind == SpanKind::Test).then(|| test.clone());
        self.open.insert(number);
        self.spans.insert(number, SpanState { kind, test, around });
        started
    }

    /// The test or class of a span.
    pub(super) fn test_of(&self, number: u32) -> Option<&TestId> {
        self.spans.get(&number).map(|span| &span.test)
    }

    fn open_spans(&self) -> impl Iterator<Item = &SpanState> {
        self.open.iter().filter_map(|number| self.spans.get(number))
    }

    /// A span has ended.
    pub(super) fn finish(&mut self, finished: &SpanFinished) -> SpanEnd {
        if !self.open.remove(&finished.number) {
            return SpanEnd::default();
        }
        let Some(open) = self.spans.get(&finished.number) else { return SpanEnd::default() };
        let (kind, id) = (open.kind, open.test.clone());
        let Some(class) = self.classes.get_mut(&id.class) else { return SpanEnd::default() };
        let worse = |before: Option<Outcome>| {
            Some(before.map_or(finished.outcome, |before| before.worse(finished.outcome)))
        };
        match kind {
            SpanKind::Test => {
                if let Some(test) = class.tests.get_mut(id.method.as_deref().unwrap_or_default()) {
                    test.running = test.running.saturating_sub(1);
                    test.microseconds += finished.microseconds;
                    test.outcome = worse(test.outcome);
                }
                // A test that no class span encloses stands for its class.
                let completed_class = (class.open == 0).then(|| id.class.clone());
                SpanEnd { ended: Some(id), completed_class }
            }
            SpanKind::Class => {
                class.open = class.open.saturating_sub(1);
                class.microseconds += finished.microseconds;
                class.outcome = worse(class.outcome);
                let is_over = class.open == 0 && class.tests.values().all(|test| test.running == 0);
                let completed_class = is_over.then(|| id.class.clone());
                // Class-level set-up or tear-down failed; per-test fixtures are reported with their test.
                SpanEnd { ended: (finished.outcome == Outcome::Failed).then_some(id), completed_class }
            }
            SpanKind::Container => SpanEnd::default(),
        }
    }

    /// Probes and inputs were used while some spans were open.
    pub(super) fn add_hits(&mut self, hits: &SpanHits) {
        let SpanHits { spans, probes: ProbeRuns(probes), notes } = hits;
        let mut of_tests: BTreeSet<String> = BTreeSet::new();
        let mut any = false;
        let open: Vec<(SpanKind, TestId, BTreeSet<String>)> = spans
            .iter()
            .filter_map(|number| self.spans.get(number))
            .map(|open| (open.kind, open.test.clone(), open.around.clone()))
            .collect();
        for (kind, test, around) in &open {
            if *kind == SpanKind::Test
                && let Some(class) = self.classes.get_mut(&test.class)
                && let Some(charged) = class.tests.get_mut(test.method.as_deref().unwrap_or_default())
            {
                charged.charge.add(probes, notes);
                of_tests.extend(around.iter().cloned());
                any = true;
            }
        }
        for (kind, test, _) in &open {
            if *kind == SpanKind::Class
                && !of_tests.contains(&test.class)
                && let Some(class) = self.classes.get_mut(&test.class)
            {
                class.shared.add(probes, notes);
                any = true;
            }
        }
        if !any {
            self.outside.add(probes, notes);
        }
    }

    /// The agent could not see something. Returns it if it belongs to no known span: then it concerns the whole JVM.
    pub(super) fn add_gap(&mut self, gap: Gap) -> Option<String> {
        let mut placed = false;
        for number in &gap.spans {
            let Some(open) = self.spans.get(number) else { continue };
            let Some(class) = self.classes.get_mut(&open.test.class) else { continue };
            let charge = match (open.kind, &open.test.method) {
                (SpanKind::Test, method) => {
                    &mut class.tests.entry(method.clone().unwrap_or_default()).or_default().charge
                }
                _ => &mut class.shared,
            };
            charge.gaps.push(gap.what.clone());
            placed = true;
        }
        if placed {
            return None;
        }
        self.gaps.push(AlwaysReason::Gap(gap.what.clone()));
        Some(gap.what)
    }

    /// A static field reaches something else than when it was compared before: when a test ended (`each_test`), or a
    /// class. What is open now, or was between the two, may have changed it.
    pub(super) fn add_changed(&mut self, field: u32, each_test: bool) {
        let is_open =
            |class: &&mut ClassRecording| class.open > 0 || class.tests.values().any(|test| test.running > 0);
        for class in self.classes.values_mut().filter(is_open) {
            if !each_test {
                class.changed.insert(field);
                continue;
            }
            class.changed_around.insert(field);
            for test in class.tests.values_mut().filter(|test| test.running > 0) {
                test.changed.insert(field);
            }
        }
    }

    /// Code counts as run by every test from now on.
    pub(super) fn add_assumed(&mut self, probes: Vec<u32>) {
        for class in self.classes.values_mut().filter(|class| class.open > 0) {
            class.shared.add(&probes, &[]);
        }
        self.assumed.extend(probes);
    }

    /// A class was generated: the open tests rely on how; without one, the open classes.
    pub(super) fn add_generated(&mut self, number: u32) {
        let mut open: Vec<_> = self.open_spans().map(|open| (open.kind, open.test.clone())).collect();
        if open.iter().any(|(kind, _)| *kind == SpanKind::Test) {
            open.retain(|(kind, _)| *kind == SpanKind::Test);
        }
        // Generated outside any test: already charged to every test.
        for (kind, test) in open {
            let Some(class) = self.classes.get_mut(&test.class) else { continue };
            let charge: &mut RawFootprint = match kind {
                SpanKind::Test => &mut class.tests.entry(test.method.unwrap_or_default()).or_default().charge,
                SpanKind::Class | SpanKind::Container => &mut class.shared,
            };
            charge.made.push(number);
        }
    }

    /// The tests that have begun and not ended, with the time that their earlier invocations took.
    pub(super) fn running(&self) -> impl Iterator<Item = (TestId, u64)> {
        self.classes.iter().flat_map(|(name, class)| {
            class.tests.iter().filter(|(_, test)| test.running > 0).map(|(method, test)| {
                let method = Some(method.clone()).filter(|method| !method.is_empty());
                (TestId { class: name.clone(), method }, test.microseconds)
            })
        })
    }

    /// Marks all open classes as broken off, and returns their names.
    pub(super) fn break_off(&mut self) -> Vec<String> {
        let broken = self.classes.iter_mut().filter(|(_, class)| class.open > 0);
        broken
            .map(|(name, class)| {
                class.outcome = Some(Outcome::Unknown);
                name.clone()
            })
            .collect()
    }

    /// How much was observed of a class and of the classes around it: traces grow only if this does.
    pub(super) fn size_of(&self, class: &ClassRecording) -> usize {
        let around = class.around.iter().filter_map(|name| self.classes.get(name));
        let shared: usize = around.chain([class]).map(|class| class.shared.size()).sum();
        1 + shared + class.tests.values().map(|test| test.charge.size()).sum::<usize>()
    }
}

/// Whether one test class is another, or encloses it by name.
pub(super) fn is_around(outer: &str, inner: &str) -> bool {
    inner.strip_prefix(outer).is_some_and(|rest| rest.is_empty() || rest.starts_with('$'))
}
