//! Commits traces: turns the footprints of a class's tests into facts.

use super::JvmRecorder;
use super::granularity::named_enums;
use super::inputs::is_default;
use super::library_classes::LibraryAnswers;
use super::probe_table::ResolvedFootprint;
use super::results::{ClassResult, TestResult};
use super::span_tracker::{ClassRecording, RawFootprint, is_around};
use crate::decide::{has_method, test_class};
use crate::facts::FactKind;
use crate::history::Footprint;
use crate::reason::{AlwaysReason, WholeReason};
use crate::stored::{StoredTest, TestKey};
use crate::technique::TestRun;
use crate::test_classes;
use crate::world::JVM_FACTS;
use std::collections::{BTreeMap, BTreeSet};
use tamis_catalog::builds::holds_class_path;
use tamis_catalog::jdk::properties::MODULE_PATH;
use tamis_classfile::access;
use tamis_program::bitset::BitSet;
use tamis_program::names::ClassName;
use tamis_program::snapshot::{ClassId, MethodId};
use tamis_wire::{Input, Outcome, TestId};

impl JvmRecorder<'_> {
    /// Commits the traces of a class whose tests have ended.
    pub(super) fn commit(&mut self, name: &str) {
        // Before it is taken out: it is one of the classes around itself.
        let Some(known) = self.spans.classes.get(name).map(|class| self.spans.size_of(class)) else { return };
        let Some(mut class) = self.spans.classes.remove(name) else { return };
        if let Some(keeper) = self.run.writer
            && let Some(lesson) = self.class_result(name, &class)
        {
            class.committed = known;
            keeper.add_class(lesson, &self.facts.table);
        }
        self.spans.classes.insert(name.to_owned(), class);
    }

    /// The result of a class for the store. `None` while the class is a library's, whose tests other suites
    /// may still run.
    fn class_result(&mut self, name: &str, class: &ClassRecording) -> Option<ClassResult> {
        self.facts.forget_files();
        let is_librarys = self.is_librarys(name);
        if is_librarys && self.suites.is_some() {
            return self.library_class_result(name, class);
        }
        let mut shared = self.outside_footprint();
        let mut tear_down = RawFootprint::default();
        let around = class
            .around
            .iter()
            .filter(|around| *around != name)
            .filter_map(|name| self.spans.classes.get(name));
        for class in around.chain([class]) {
            // In order: what is written when all is over was no test's own when it read it.
            let (before, after) =
                class.shared.notes.split_at(class.set_up.unwrap_or(usize::MAX).min(class.shared.notes.len()));
            shared.add_all(&RawFootprint { notes: before.to_vec(), ..class.shared.clone() });
            tear_down.add(&[], after);
        }
        let around = self.shapes_around(name, class);
        self.history.begin_class();
        let mut came: BTreeMap<String, ResolvedFootprint> = BTreeMap::new();
        let mut made: Vec<Footprint> = Vec::new();
        let mut parts: Vec<Footprint> = Vec::new();
        let mut brief: BTreeMap<String, (Footprint, Vec<String>, Vec<String>)> = BTreeMap::new();
        for (method, test) in &class.tests {
            let mut all = self.resolve_footprint(&[&shared, &test.charge, &tear_down]);
            all.used.others.extend(around.iter().copied());
            let mut own = self.resolve_footprint(&[&test.charge]);
            made.extend(self.leave_made(&mut own));
            made.extend(self.kept_by_contexts(&own));
            parts.push(own.used);
            brief.insert(method.clone(), (all.used.clone(), own.written, own.read));
            came.insert(method.clone(), all);
        }
        let mut set_up = self.resolve_footprint(&[&shared, &tear_down]);
        made.extend(self.leave_made(&mut set_up));
        made.extend(self.kept_by_contexts(&set_up));
        parts.append(&mut self.libraries.context_parts);
        parts.push(set_up.used);
        self.note_changed(class, &mut parts);
        let set_up = parts.pop().unwrap_or_default();
        // A class that is committed again has done more since, and all of it is history: some frameworks open it once
        // to look for its tests, and once more to run them.
        parts.into_iter().for_each(|part| self.history.record_part(part));
        self.history.record_fixture_part(set_up);
        // Nothing runs around these.
        made.into_iter().for_each(|made| self.history.record_part(made));
        if is_librarys {
            return None;
        }
        let whole = self.class_granularity_reason(name, class, &brief);
        let mut lesson = self.new_class_result(name, whole.clone());
        lesson.left = self.fields_left(class);
        // Set-up and tear-down of a class are part of its tests, and of those of the classes nested in it.
        let around = class.around.iter().filter_map(|name| self.spans.classes.get(name)).chain([class]);
        let class_outcome = around.filter_map(|class| class.outcome).reduce(Outcome::worse);
        let failed = class_outcome
            .filter(|outcome| matches!(outcome, Outcome::Failed | Outcome::Unknown | Outcome::Aborted));
        if let Some(outcome) = failed {
            lesson.ended.extend(
                self.tests_blocked_by(&lesson.class, class).into_iter().map(|key| ended_as(key, outcome, 0)),
            );
        }
        match whole {
            Some(_) => {
                let mut union: Option<ResolvedFootprint> = None;
                for (method, test) in &class.tests {
                    let own = came.remove(method);
                    match (&mut union, own) {
                        (Some(union), Some(own)) => union.add(own),
                        (None, own) => union = own,
                        (Some(_), None) => {}
                    }
                    let ended = test.outcome.unwrap_or(Outcome::Unknown);
                    if let Some(union) = union
                        .as_mut()
                        .filter(|union| !self.entered_its_method(name, method, ended, &union.used))
                    {
                        union.always.push(AlwaysReason::NotEntered(method.clone()));
                    }
                }
                if let Some(union) = union {
                    self.end_as_whole(&mut lesson, class, union, class_outcome);
                }
            }
            None => {
                for (method, test) in &class.tests {
                    let Some(mut came) = came.remove(method) else { continue };
                    if !self.entered_its_method(
                        name,
                        method,
                        test.outcome.unwrap_or(Outcome::Unknown),
                        &came.used,
                    ) {
                        came.always.push(AlwaysReason::NotEntered(method.clone()));
                    }
                    let outcome = match failed {
                        Some(failed) => Some(failed.worse(test.outcome.unwrap_or(Outcome::Unknown))),
                        None => test.outcome,
                    };
                    let key = key_of(&lesson.class, method);
                    lesson.ended.push(self.ended(key, came, outcome, test.microseconds));
                }
            }
        }
        Some(lesson)
    }

    /// Notes which parts of a class changed static fields. The last part is the work around the tests.
    fn note_changed(&self, class: &ClassRecording, parts: &mut [Footprint]) {
        let Some((around, tests)) = parts.split_last_mut() else { return };
        for (part, test) in tests.iter_mut().zip(class.tests.values()) {
            self.history.note_changed(&test.changed, &mut [part, around]);
        }
        self.history.note_changed(&class.changed_around, &mut [around]);
        let mut all: Vec<&mut Footprint> = tests.iter_mut().chain([around]).collect();
        self.history.note_changed(&class.changed, &mut all);
    }

    /// The static fields in which the tests of a class left something.
    fn fields_left(&self, class: &ClassRecording) -> Vec<String> {
        let changed = class.changed.iter().chain(&class.changed_around);
        let seen = changed.map(|field| self.history.field_name(*field));
        let charges = class.tests.values().map(|test| &test.charge).chain([&class.shared]);
        let left = charges.flat_map(|charge| &charge.notes).filter_map(|note| match self.inputs.get(*note) {
            Some(Input::FieldLeft(field)) => Some(field.clone()),
            _ => None,
        });
        seen.chain(left).collect::<BTreeSet<String>>().into_iter().collect()
    }

    /// The result of a class that has ended, still without tests.
    pub(super) fn new_class_result(&self, name: &str, whole: Option<WholeReason>) -> ClassResult {
        let class = TestKey { module: self.module(), class: name.to_owned(), method: None };
        let known = self.run.stored.tests.binary_search_by(|test| test.key.cmp(&class)).ok();
        let was_whole =
            known.and_then(|at| self.run.stored.tests.get(at)).is_some_and(|test| test.whole.is_some());
        ClassResult { class, whole, was_whole, left: Vec::new(), ended: Vec::new() }
    }

    /// Ends the tests of a class as one: the trace belongs to the class.
    pub(super) fn end_as_whole(
        &mut self,
        lesson: &mut ClassResult,
        class: &ClassRecording,
        mut union: ResolvedFootprint,
        mut outcome: Option<Outcome>,
    ) {
        for (method, test) in &class.tests {
            let ended = test.outcome.unwrap_or(Outcome::Unknown);
            outcome = Some(outcome.map_or(ended, |before| before.worse(ended)));
            if !method.is_empty() {
                lesson.ended.push(ended_as(key_of(&lesson.class, method), ended, test.microseconds));
            }
        }
        union.partial |= !self.is_complete(&lesson.class, class);
        let microseconds = class.microseconds.max(class.tests.values().map(|test| test.microseconds).sum());
        lesson.ended.push(self.ended(lesson.class.clone(), union, outcome, microseconds));
    }

    /// Tests affected by a failure of the class itself, besides those that began in it: its known tests that
    /// did not begin, and the tests of classes nested in it.
    fn tests_blocked_by(&self, key: &TestKey, class: &ClassRecording) -> BTreeSet<TestKey> {
        let nested = self.spans.classes.iter().filter(|(name, _)| is_around(&key.class, name));
        let began = nested.flat_map(|(name, class)| class.tests.keys().map(move |method| (name, method)));
        let began = began.map(|(name, method)| TestKey {
            class: name.clone(),
            method: Some(method.clone()).filter(|method| !method.is_empty()),
            ..key.clone()
        });
        let known = self.run.stored.tests.iter().map(|test| &test.key);
        let known = known.filter(|test| test.module == key.module && is_around(&key.class, &test.class));
        let is_own = |test: &TestKey| {
            test.class == key.class && class.tests.contains_key(test.method.as_deref().unwrap_or_default())
        };
        known.cloned().chain(began).filter(|test| !is_own(test)).collect()
    }

    /// Whether a test that is reported as passed has entered its method, if its name is a method's. A dry run
    /// passes all tests, and some tests run in another process.
    fn entered_its_method(&self, class: &str, method: &str, outcome: Outcome, used: &Footprint) -> bool {
        let snapshot = self.world.snapshot();
        let Some(test) = test_class(snapshot, &ClassName::from_dotted(class)) else { return true };
        if outcome != Outcome::Passed || !snapshot.is_project(test) {
            return true;
        }
        let mut is_there = false;
        for class in snapshot.above(test).iter().copied().chain([test]).filter(|id| snapshot.is_project(*id))
        {
            let record = snapshot.class(class);
            for (index, found) in record.methods.iter().enumerate() {
                if record.str(found.name) == method && !found.is(access::ABSTRACT) {
                    let number = self.history.number(MethodId { class, method: index as u32 });
                    if used.methods.iter().any(|it| it == number) || used.classes.iter().any(|it| it == class)
                    {
                        return true;
                    }
                    is_there = true;
                }
            }
        }
        !is_there
    }

    /// The shapes of classes around a test class (suites, and inheriting classes): their annotations
    /// configure its tests.
    fn shapes_around(&mut self, name: &str, class: &ClassRecording) -> Vec<u32> {
        let snapshot = self.world.snapshot();
        let others = class.around.iter().filter(|around| *around != name);
        let ids = others.filter_map(|around| test_class(snapshot, &ClassName::from_dotted(around)));
        let ids: Vec<ClassId> = ids.filter(|id| snapshot.is_project(*id)).collect();
        ids.into_iter().map(|id| self.facts.ask_class(FactKind::Shape, id)).collect()
    }

    /// Whether all known tests of a class ran. The trace of a whole class must have the facts of each test.
    fn is_complete(&self, key: &TestKey, class: &ClassRecording) -> bool {
        let tests = &self.run.stored.tests;
        let is_of = |test: &StoredTest| (&test.key.module, &test.key.class) == (&key.module, &key.class);
        let first =
            tests.partition_point(|test| (&test.key.module, &test.key.class) < (&key.module, &key.class));
        let known = tests.iter().skip(first).take_while(|test| is_of(test));
        let mut methods = known.filter_map(|test| test.key.method.as_deref());
        let is_there = |method: &str| has_method(self.world.snapshot(), &key.class, method);
        !self.spans.skipped.contains(&key.class)
            && methods.all(|method| class.tests.contains_key(method) || !is_there(method))
    }

    /// The footprint outside of any test. There runners inspect all test classes, and frameworks use files of
    /// their own (reports, notes), on which no test depends. If code of the project or of a library ran there
    /// too, its files count.
    pub(super) fn outside_footprint(&mut self) -> RawFootprint {
        let mut outside = self.spans.outside.clone();
        let probes = RawFootprint { notes: Vec::new(), ..outside.clone() };
        let Footprint { methods, classes, others, .. } = self.resolve_footprint(&[&probes]).used;
        let nobody = methods.is_empty() && classes.is_empty() && others.is_empty();
        for note in &outside.notes {
            if let Some(Input::Reflected(class) | Input::Named(class)) = self.inputs.get(*note)
                && !self.inputs.of_tests.contains_key(note)
            {
                let is_test = test_classes::is_test_class(self.world.snapshot(), class);
                self.inputs.of_tests.insert(*note, is_test);
            }
        }
        let is_own = |note: &u32| match self.inputs.get(*note) {
            Some(Input::Read(path) | Input::Examined(path) | Input::Missing(path) | Input::Listed(path)) => {
                nobody && self.world.resource(path).is_none()
            }
            Some(Input::Attribute(read)) => nobody && self.world.resource(&read.path).is_none(),
            // When it was written is not known here; what changed since the JVM began is no test's input
            // anyway.
            Some(Input::Written(_)) => true,
            Some(Input::Property(Some(name))) => nobody && holds_class_path(name),
            // Surefire sets what the build was given: no test has set that itself, and who reads it relies on
            // it.
            Some(Input::PropertySet(_)) => true,
            // Its own, or that of a test inside of a container that ends after it: told as the test's.
            Some(Input::FieldLeft(field)) => is_default(field),
            // The history knows which test had a class inspected.
            Some(Input::Reflected(_) | Input::Named(_)) => {
                nobody || self.inputs.of_tests.get(note) == Some(&true)
            }
            _ => false,
        };
        outside.notes.retain(|note| !is_own(note));
        outside
    }

    fn ended(
        &mut self,
        key: TestKey,
        came: ResolvedFootprint,
        outcome: Option<Outcome>,
        microseconds: u64,
    ) -> TestResult {
        let outcome = outcome.unwrap_or(Outcome::Unknown);
        let id = TestId { class: key.class.clone(), method: key.method.clone() };
        let held = self.evidence.get(&id).map(|held| held.digest);
        let mut always = came.always.clone();
        always.extend(self.spans.gaps.iter().cloned());
        let mut facts = BitSet::default();
        let leaves_trace =
            matches!(outcome, Outcome::Passed | Outcome::Ignored) && always.is_empty() && !came.partial;
        if leaves_trace || self.run.writer.is_some_and(|writer| writer.wants_all_facts()) {
            facts = self.extract_facts(&key, came.used, &mut always);
        }
        always.dedup();
        always.truncate(3);
        TestResult { key, outcome, microseconds, facts, always, held }
    }

    /// The facts of a passing test, by number.
    fn extract_facts(
        &mut self,
        key: &TestKey,
        mut used: Footprint,
        always: &mut Vec<AlwaysReason>,
    ) -> BitSet<u32> {
        let (world, class) = (self.world, key.class.as_str());
        let snapshot = world.snapshot();
        let internal = ClassName::from_dotted(class);
        let test: Option<ClassId> = test_class(snapshot, &internal).filter(|id| snapshot.is_project(*id));
        if test.is_none() && !self.is_librarys(class) {
            always.push(AlwaysReason::ClassNotFound(class.to_owned()));
            return BitSet::default();
        }
        if let Some(kind) = self.run.technique.reach() {
            return match test {
                Some(test) => self.static_facts(key, test, kind, always),
                None => BitSet::default(),
            };
        }
        if test.is_none() {
            if let Some(reason) = self.why_unknown(class) {
                always.push(reason);
                return BitSet::default();
            }
            let number = self.libraries.classes.number(world, &mut self.facts.questions, &internal);
            used.others.extend(number);
        }
        used.touched.extend(named_enums(world, &internal));
        let mut outside = LibraryAnswers {
            libraries: &mut self.libraries.classes,
            world,
            asked: &mut self.facts.questions,
        };
        let all = self.history.closure_of(self.run.technique.closure(), &used, &mut outside);
        always.extend(self.facts.reasons_unseen(&all.others));
        let mut own = all.others.clone();
        own.unite(&self.settings_behind(&all.others));
        for name in JVM_FACTS {
            own.insert(self.facts.ask(FactKind::Jvm, name));
        }
        // An archive that is searched before all directories answers for them, and no file shows that it
        // does.
        if world.has_leading_archive() {
            own.insert(self.facts.ask(FactKind::Jvm, "archives"));
        }
        own.insert(self.facts.ask(FactKind::Class, "module-info"));
        // The declarations of other modules, too, say what is there for this one.
        if world.property(MODULE_PATH).is_some_and(|path| !path.is_empty()) {
            own.insert(self.facts.ask(FactKind::Resource, "module-info.class"));
        }
        let mut met = self.history.built(&all);
        met.unite(&self.history.classes_of(&all.methods));
        own.unite(&self.libraries.classes.above(world, &mut self.facts.questions, &met));
        let seen = TestRun {
            snapshot,
            code: &self.facts.answers.code,
            history: &self.history,
            flows: &self.flows,
            questions: &mut self.facts.questions,
            used: &all,
            test,
        };
        own.unite(&self.extractor.questions(seen));
        self.facts.keep_kinds(self.run.technique.baseline(), &mut own);
        always.extend(self.facts.answer_all(&own));
        self.facts.unite_with_earlier(self.run.stored, key, &mut own);
        own
    }
}

impl ResolvedFootprint {
    pub(super) fn add(&mut self, other: ResolvedFootprint) {
        self.used.add(&other.used);
        self.always.extend(other.always);
        self.written.extend(other.written);
        self.read.extend(other.read);
    }
}

/// The key of a test of a class. If its framework reports no methods, the class is one test.
fn key_of(class: &TestKey, method: &str) -> TestKey {
    TestKey { method: Some(method.to_owned()).filter(|method| !method.is_empty()), ..class.clone() }
}

/// The end of a test that leaves no trace.
fn ended_as(key: TestKey, outcome: Outcome, microseconds: u64) -> TestResult {
    TestResult { key, outcome, microseconds, facts: BitSet::default(), always: Vec::new(), held: None }
}
