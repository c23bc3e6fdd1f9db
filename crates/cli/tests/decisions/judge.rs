//! Checks whether the tests that ran are those that a case declares, and whether the declaration is true.

use crate::case::{Case, Declared, Verdict};
use crate::ran::{Ran, Tests};
use serde_json::Value;
use std::collections::BTreeSet;

/// The observations of a case on one JDK.
pub(crate) struct Seen {
    /// All tests before the edit, while they were recorded.
    pub(crate) before: Tests,
    /// All tests after the edit, without tamis.
    pub(crate) after: Tests,
    /// The tests that ran after the edit with tamis.
    pub(crate) ran: Tests,
    /// The report of tamis.
    pub(crate) said: Value,
}

impl Seen {
    /// Declarations that are not true of the program, independent of tamis.
    pub(crate) fn untrue(&self, case: &Case) -> Vec<String> {
        let mut wrong = Vec::new();
        for (test, ran) in self.before.iter().filter(|(_, ran)| !ran.passed()) {
            if !case.failing.iter().any(|failing| covers(failing, test)) {
                wrong.push(format!("{test} {} before: {:?}", ran.outcome, ran.printed));
            }
        }
        for failing in &case.failing {
            if !self.before.iter().any(|(test, ran)| covers(failing, test) && !ran.passed()) {
                wrong.push(format!("{failing} does not fail before"));
            }
        }
        for test in self.after.keys() {
            let count = case.declared.iter().filter(|declared| covers(&declared.test, test)).count();
            if count != 1 {
                wrong.push(format!("{count} lines declare {test}"));
            }
        }
        for declared in &case.declared {
            let tests: Vec<&String> = self.tests(declared).collect();
            if tests.is_empty() {
                wrong.push(format!("there is no test {}", declared.test));
            }
            let changes = tests.iter().any(|test| self.changes(test));
            match declared.verdict {
                Verdict::Run if !changes => {
                    wrong.push(format!("{} must run, and does the same as before", declared.test))
                }
                Verdict::Skip | Verdict::Needless if changes => {
                    let show = |tests: &Tests| {
                        tests.iter().map(|(name, ran)| format!("{name} {ran:?}")).collect::<Vec<_>>()
                    };
                    wrong.push(format!(
                        "{} does something else than before: {:?} -> {:?}",
                        declared.test,
                        show(&self.before),
                        show(&self.after)
                    ));
                }
                Verdict::Run | Verdict::Skip | Verdict::Needless => {}
            }
        }
        wrong
    }

    pub(crate) fn tests<'a>(&'a self, declared: &'a Declared) -> impl Iterator<Item = &'a String> {
        self.after.keys().filter(|test| covers(&declared.test, test))
    }

    /// Whether a test behaves differently now. A test that did not pass has nothing to compare with.
    fn changes(&self, test: &str) -> bool {
        let did = |tests: &Tests| tests.get(test).cloned();
        let before: Option<Ran> = did(&self.before).filter(Ran::passed);
        before.is_none() || before != did(&self.after)
    }

    /// Differences between what tamis did and the declarations.
    pub(crate) fn mistaken(&self, case: &Case) -> Vec<String> {
        let mut wrong = Vec::new();
        for declared in &case.declared {
            for test in self.tests(declared) {
                match (declared.verdict, self.ran.contains_key(test)) {
                    (Verdict::Run, false) => wrong.push(format!("MISS: {test} must run and was skipped")),
                    (Verdict::Skip, true) => {
                        wrong.push(format!("needless: {test} ran: {}", self.reason(test)));
                    }
                    (Verdict::Needless, false) => {
                        wrong.push(format!("{test} is skipped now; declare it so"));
                    }
                    _ => {}
                }
            }
            if let (Some(reason), Some(test)) = (&declared.reason, self.tests(declared).next())
                && !self.gives(test, reason)
            {
                wrong.push(format!("{test} does not run because of `{reason}`: {}", self.reason(test)));
            }
        }
        for (test, ran) in &self.ran {
            if self.after.get(test) != Some(ran) {
                wrong.push(format!("{test} does {ran:?} with tamis, {:?} without", self.after.get(test)));
            }
        }
        // Frameworks report the failure of a class as if it were a test.
        for test in self.after.keys().filter(|test| test.contains('#')) {
            let said = self.entry(test).map(|entry| entry["decision"] == "run");
            if said != Some(self.ran.contains_key(test)) {
                wrong.push(format!("{test}: run.json says {:?}", self.entry(test)));
            }
        }
        wrong
    }

    /// The kinds of facts that do not hold for a test.
    pub(crate) fn broken(&self, test: &str) -> Vec<&str> {
        self.entry(test).map(facts).unwrap_or_default().into_iter().map(|(fact, _)| fact).collect()
    }

    fn entry(&self, test: &str) -> Option<&Value> {
        entry(&self.said, test)
    }

    fn reason(&self, test: &str) -> String {
        let Some(entry) = self.entry(test) else { return "it is not in run.json".to_owned() };
        let facts = facts(entry).into_iter().map(|(fact, entity)| format!("{fact}: {entity}"));
        format!("{} {}", entry["reason"]["kind"], facts.collect::<Vec<_>>().join(", "))
    }

    fn gives(&self, test: &str, reason: &str) -> bool {
        let Some(entry) = self.entry(test) else { return false };
        match reason.split_once(':').map(|(kind, entity)| (kind, entity.trim())) {
            None => entry["reason"]["kind"] == reason,
            Some((kind, entity)) => facts(entry)
                .into_iter()
                .any(|(fact, found)| (kind == "changed" || kind == fact) && found == entity),
        }
    }
}

/// The entry of a test: its own, or that of its class.
fn entry<'v>(said: &'v Value, test: &str) -> Option<&'v Value> {
    let (class, method) = test.split_once('#').unwrap_or((test, ""));
    let entries = said["tests"].as_array()?;
    let own = |entry: &&Value| entry["class"] == class && entry["method"] == method;
    let whole = |entry: &&Value| entry["class"] == class && entry["method"].is_null();
    entries.iter().find(own).or_else(|| entries.iter().find(whole))
}

/// The facts that do not hold.
fn facts(entry: &Value) -> Vec<(&str, &str)> {
    entry["reason"]["facts"]
        .as_array()
        .into_iter()
        .flatten()
        .filter_map(|fact| Some((fact["fact"].as_str()?, fact["entity"].as_str()?)))
        .collect()
}

/// Tests of `all` that would run although they passed and nothing has changed since. There should be none,
/// unless they always run.
pub(crate) fn run_again(said: &Value, all: &Tests, failed: &BTreeSet<String>) -> Vec<String> {
    all.keys()
        .filter(|test| !failed.iter().any(|failed| covers(failed, test)))
        .filter_map(|test| match entry(said, test) {
            None => Some(format!("{test} is not heard of")),
            Some(entry) if entry["decision"] == "run" && entry["reason"]["kind"] != "always" => {
                // A class that is selected as one unit runs for one of its tests.
                let class = test.split_once('#').map_or(test.as_str(), |(class, _)| class);
                let whole = entry["method"].is_null() && failed.iter().any(|other| covers(class, other));
                (!whole).then(|| format!("{test} would run: {}", entry["reason"]))
            }
            Some(_) => None,
        })
        .collect()
}

/// Tests that ran, but that `tamis select` had not listed just before: a list that is handed on must be
/// complete.
pub(crate) fn unlisted(selected: &Value, ran: &Tests) -> Vec<String> {
    let runs = |entry: &Value| entry["decision"] == "run";
    let is_listed = |test: &&String| {
        // A class whose tear-down fails is reported under its name alone, beside its tests.
        let mut all = selected["tests"].as_array().into_iter().flatten();
        entry(selected, test).is_some_and(runs) || all.any(|entry| entry["class"] == ***test && runs(entry))
    };
    let unlisted = ran.keys().filter(|test| !is_listed(test));
    unlisted.map(|test| format!("{test} ran, and select did not name it")).collect()
}

/// Whether a declared name means a test.
pub(crate) fn covers(declared: &str, test: &str) -> bool {
    declared == test || test.strip_prefix(declared).is_some_and(|rest| rest.starts_with('#'))
}
