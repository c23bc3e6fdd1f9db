//! Tests whose class lies in a library: guava-testlib's, or those of a specification.
//!
//! One such class runs in many ways, with objects that the project's suites give it, and which suite gave which is not
//! known. So its trace is made when the JVM has ended, with the set-up of all classes that ran in it; and only if all suites
//! of the project were met there, or it would stand for some of them only.

use super::probes::Came;
use super::{Charge, Recording, TestClass};
use crate::ops::chosen::test_class;
use crate::ops::keeper::Lesson;
use crate::ops::suites;
use tamis_core::fact::About;
use tamis_trace::Outcome;

/// What all classes of a JVM did around their tests.
pub(super) struct Around {
    came: Came,
    /// How it ended, if not well.
    outcome: Option<Outcome>,
}

impl Recording<'_> {
    /// Whether a test class lies in a library.
    pub(super) fn is_librarys(&self, name: &str) -> bool {
        let (snapshot, internal) = (self.world.snapshot(), name.replace('.', "/"));
        test_class(snapshot, &internal).is_none_or(|id| !snapshot.is_project(id))
            && self.world.is_library(&internal)
    }

    /// The JVM has ended: gathers what was around its tests, if one of them is a library's.
    pub(super) fn gather_around(&mut self) {
        if self.shared.keeper.is_none() || !self.classes.keys().any(|name| self.is_librarys(name)) {
            return;
        }
        let mut all = self.before_tests();
        self.classes.values().for_each(|class| all.add_all(&class.shared));
        let outcomes = self.classes.values().filter_map(|class| class.outcome);
        let outcome = outcomes.filter(|it| matches!(it, Outcome::Failed | Outcome::Unknown));
        let outcome = outcome.reduce(Outcome::worse);
        let mut came = self.used(&[&all]);
        came.used.others.insert(self.ask(About::Jvm, "suites"));
        self.around = Some(Around { came, outcome });
    }

    /// What the end of a library's test class is for the store; nothing while others may run it again.
    pub(super) fn lesson_of_library(&mut self, name: &str, class: &TestClass) -> Option<Lesson> {
        let (around, outcome) = self.around.as_ref().map(|around| (around.came.clone(), around.outcome))?;
        let mut own: Charge = class.shared.clone();
        class.tests.values().for_each(|test| own.add_all(&test.charge));
        let mut came = self.used(&[&own]);
        came.add(around);
        let mut lesson = self.new_lesson(name, Some("its class lies in a library".to_owned()));
        self.end_as_whole(&mut lesson, class, came, outcome);
        Some(lesson)
    }

    /// Why such a class always runs, if not all suites were met.
    pub(super) fn unmet(&self, class: &str) -> Option<String> {
        let has_met = |suite: &str| {
            let name = suite.replace('/', ".");
            self.classes.contains_key(&name) || self.skipped.contains(&name)
        };
        let suite = suites::suites(self.world.snapshot()).find(|suite| !has_met(suite))?.replace('/', ".");
        Some(format!("{class} lies in a library, and {suite}, which may run it too, did not in this JVM"))
    }
}
