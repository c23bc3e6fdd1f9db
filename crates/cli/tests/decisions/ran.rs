//! The results of the tests of a JVM, from the output of the framework's own listeners.

use std::collections::BTreeMap;

/// The result of a test: its outcome and its output.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Ran {
    pub(crate) outcome: String,
    pub(crate) printed: Vec<String>,
}

impl Ran {
    /// Whether it passed, or was not meant to run.
    pub(crate) fn passed(&self) -> bool {
        self.outcome == "passed" || self.outcome == "ignored"
    }
}

pub(crate) type Tests = BTreeMap<String, Ran>;

/// Reads the output of a runner. Invocations of one test are combined.
pub(crate) fn read(output: &str) -> Tests {
    let mut tests = Tests::new();
    let mut current: Option<String> = None;
    for line in output.lines() {
        let told = line.find("@@ ").and_then(|at| line.get(at + 3..));
        match told.map(|told| told.split(' ').collect::<Vec<_>>()).as_deref() {
            Some(["start", name]) => current = Some((*name).to_owned()),
            Some(["end", name, outcome]) => {
                let test = tests.entry((*name).to_owned()).or_default();
                // Passed only if all passed.
                if test.outcome.is_empty() || test.outcome == "passed" {
                    test.outcome = (*outcome).to_owned();
                }
                current = None;
            }
            _ => {
                if let Some(name) = &current {
                    tests.entry(name.clone()).or_default().printed.push(line.to_owned());
                }
            }
        }
    }
    tests
}
