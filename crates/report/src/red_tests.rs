//! The tests that are red, with the change that first broke each: `last/red.json`.
//!
//! A test that failed runs again whatever its facts are, so its reason of the next run names no change. This file keeps
//! the change until the test passes.

use crate::selection::{ReasonEntry, ReasonKind, SelectionReport, TestEntry};
use serde::{Deserialize, Serialize};

/// The document.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct RedTests {
    format: u32,
    /// The tests.
    tests: Vec<RedTest>,
}

/// A test that has failed since a change.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct RedTest {
    module: String,
    class: String,
    method: Option<String>,
    since: String,
    reason: ReasonEntry,
}

impl RedTests {
    /// Reads the document; empty if it is not one.
    pub fn read(document: &str) -> RedTests {
        serde_json::from_str(document).unwrap_or_default()
    }

    /// The document as text.
    pub fn text(&self) -> String {
        // Serialising strings into memory cannot fail.
        serde_json::to_string(self).unwrap_or_default()
    }

    /// Whether no test is red.
    pub fn is_empty(&self) -> bool {
        self.tests.is_empty()
    }

    /// Completes the reasons of a run that has ended at `now`, and notes which tests are red after it.
    pub fn update(&mut self, run: &mut SelectionReport, now: &str) {
        self.format = 1;
        for test in run.tests.iter_mut() {
            let Some(outcome) = &test.outcome else { continue };
            let is_red = matches!(outcome.as_str(), "failed" | "unknown" | "crashed");
            let known = self.position(&test.module, &test.class, test.method.as_deref());
            match (known, &mut test.reason) {
                (Some(at), Some(reason)) => {
                    if let Some(red) = self.tests.get(at) {
                        complete(reason, red);
                    }
                    if !is_red {
                        self.tests.remove(at);
                    }
                }
                (None, Some(reason)) if is_red && reason.kind == ReasonKind::Changed => {
                    self.tests.push(RedTest::new(test, now));
                }
                _ => {}
            }
        }
    }

    /// The change that first broke a test, and when it failed first.
    pub fn first_broken_by(
        &self,
        module: &str,
        class: &str,
        method: Option<&str>,
    ) -> Option<(&ReasonEntry, &str)> {
        let red = self.tests.get(self.position(module, class, method)?)?;
        Some((&red.reason, &red.since))
    }

    /// A class that runs as a whole is red if one of its tests is.
    fn position(&self, module: &str, class: &str, method: Option<&str>) -> Option<usize> {
        self.tests.iter().position(|red| {
            (red.module.as_str(), red.class.as_str()) == (module, class)
                && (method.is_none() || red.method.is_none() || red.method.as_deref() == method)
        })
    }
}

impl RedTest {
    fn new(test: &TestEntry, now: &str) -> RedTest {
        RedTest {
            module: test.module.clone(),
            class: test.class.clone(),
            method: test.method.clone(),
            since: now.to_owned(),
            reason: test.reason.clone().unwrap_or_else(|| ReasonEntry::new(ReasonKind::Changed)),
        }
    }
}

/// Adds the change that first broke a test to the reason why it runs again.
fn complete(reason: &mut ReasonEntry, red: &RedTest) {
    if reason.kind == ReasonKind::Failed || reason.kind == ReasonKind::Broken {
        let RedTest { since, reason: first, .. } = red;
        reason.since = Some(since.clone());
        reason.fact.clone_from(&first.fact);
        reason.entity.clone_from(&first.entity);
        reason.detail.clone_from(&first.detail);
        reason.facts.clone_from(&first.facts);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::selection::BrokenFact;

    fn run(kind: ReasonKind, outcome: &str) -> SelectionReport {
        let mut report = SelectionReport::new("1.0", "hybrid", "auto");
        let mut reason = ReasonEntry::new(kind);
        if kind == ReasonKind::Changed {
            let word = |text: &str| text.to_owned();
            reason.facts =
                vec![BrokenFact { fact: word("body"), entity: word("a.B.f()V"), detail: word("changed") }];
        }
        report.tests.push(TestEntry {
            class: "a.T".to_owned(),
            method: Some("m".to_owned()),
            reason: Some(reason),
            outcome: Some(outcome.to_owned()),
            ..TestEntry::default()
        });
        report
    }

    #[test]
    fn the_change_that_broke_a_test_is_kept_until_the_test_passes() {
        let mut red = RedTests::default();
        red.update(&mut run(ReasonKind::Changed, "failed"), "monday");
        let mut again = run(ReasonKind::Failed, "failed");
        red.update(&mut again, "tuesday");
        let reason = again.tests[0].reason.as_ref().unwrap();
        assert_eq!((reason.since.as_deref(), reason.facts.len()), (Some("monday"), 1));
        let read = RedTests::read(&red.text());
        assert_eq!(read.first_broken_by("", "a.T", Some("m")).unwrap().1, "monday");
        assert!(read.first_broken_by("", "a.T", Some("other")).is_none());
        red.update(&mut run(ReasonKind::Failed, "passed"), "friday");
        assert!(red.is_empty());
    }
}
