//! Tests whose class is in a library, such as guava-testlib's or those of a specification.
//!
//! Such a class runs in many ways, with objects from the project's suites, and which suite supplied which
//! object is not known. So its trace is made when the JVM has ended, with the set-up of all classes that ran
//! there. It is made only if all suites of the project ran there undisturbed; otherwise it would represent
//! only some of them. The requested tests are a fact of it.

use super::JvmRecorder;
use super::probe_table::ResolvedFootprint;
use super::results::ClassResult;
use super::span_tracker::{ClassRecording, RawFootprint};
use crate::decide::test_class;
use crate::facts::FactKind;
use crate::reason::{AlwaysReason, UnseenSuites, WholeReason};
use crate::test_classes;
use tamis_program::names::{ClassName, dotted};
use tamis_program::snapshot::{ClassId, MethodId};
use tamis_wire::Outcome;

/// The footprint of all classes of a JVM around their tests.
pub(super) struct SuiteContext {
    came: ResolvedFootprint,
    /// The worst outcome, if it is bad.
    outcome: Option<Outcome>,
    /// Why not all ways were observed in which a library's test may run.
    missing: Option<UnseenSuites>,
}

impl JvmRecorder<'_> {
    /// Whether a test class is in a library.
    pub(super) fn is_librarys(&self, name: &str) -> bool {
        let (snapshot, internal) = (self.world.snapshot(), ClassName::from_dotted(name));
        test_class(snapshot, &internal).is_none_or(|id| !snapshot.is_project(id))
            && self.world.is_library(&internal)
    }

    /// Collects the footprint around the tests of an ended JVM, if one of its tests is a library's.
    pub(super) fn gather_around(&mut self) {
        if self.run.writer.is_none() || !self.spans.classes.keys().any(|name| self.is_librarys(name)) {
            return;
        }
        let mut all = self.outside_footprint();
        self.spans.classes.values().for_each(|class| all.add_all(&class.shared));
        let outcomes = self.spans.classes.values().filter_map(|class| class.outcome);
        let outcome = outcomes.filter(|it| matches!(it, Outcome::Failed | Outcome::Unknown));
        let outcome = outcome.reduce(Outcome::worse);
        let mut came = self.resolve_footprint(&[&all]);
        for question in ["suites", "given"] {
            came.used.others.insert(self.facts.ask(FactKind::Jvm, question));
        }
        let missing = self.missing();
        self.suites = Some(SuiteContext { came, outcome, missing });
    }

    /// The result of a library's test class; `None` while other suites may still run it.
    pub(super) fn library_class_result(&mut self, name: &str, class: &ClassRecording) -> Option<ClassResult> {
        let (around, outcome) = self.suites.as_ref().map(|around| (around.came.clone(), around.outcome))?;
        let mut own: RawFootprint = class.shared.clone();
        class.tests.values().for_each(|test| own.add_all(&test.charge));
        let mut came = self.resolve_footprint(&[&own]);
        came.add(around);
        let mut lesson = self.new_class_result(name, Some(WholeReason::InLibrary));
        self.end_as_whole(&mut lesson, class, came, outcome);
        Some(lesson)
    }

    /// Why such a class always runs.
    pub(super) fn why_unknown(&self, class: &str) -> Option<AlwaysReason> {
        let cause = self.suites.as_ref()?.missing.clone()?;
        Some(AlwaysReason::UnseenSuites { class: class.to_owned(), cause })
    }

    fn missing(&self) -> Option<UnseenSuites> {
        if self.world.requested_tests().is_none() {
            return Some(UnseenSuites::RequestUnknown);
        }
        let tests = self.spans.classes.values().flat_map(|class| class.tests.values());
        let is_bad = |outcome| matches!(outcome, None | Some(Outcome::Failed | Outcome::Unknown));
        if tests.map(|test| test.outcome).any(is_bad) {
            return Some(UnseenSuites::TestFailed);
        }
        let snapshot = self.world.snapshot();
        let has_run = |suite: &ClassId| {
            let record = snapshot.class(*suite);
            let name = dotted(record.name());
            let is_met = self.spans.classes.contains_key(&name) || self.spans.skipped.contains(&name);
            let made = record.methods.iter().position(|method| test_classes::is_suite_method(record, method));
            let made = made.map(|at| MethodId { class: *suite, method: at as u32 });
            is_met && made.is_none_or(|method| self.history.was_entered(method))
        };
        let suite = test_classes::suites(snapshot).find(|suite| !has_run(suite))?;
        let suite = dotted(snapshot.class(suite).name());
        Some(UnseenSuites::NotRun(suite))
    }
}
