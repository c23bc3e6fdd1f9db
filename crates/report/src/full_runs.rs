//! How long the test JVMs of each module took when everything in it ran: `last/full.json`.
//!
//! The time that a run saves is the difference of two measured times. Recorded durations of single tests do not add up to
//! it: the first test of a class bears the set-up of the class, and the start of a container that others use.

use crate::selection::{DecisionWord, SelectionReport};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// The document.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct FullRuns {
    format: u32,
    modules: BTreeMap<String, FullRun>,
}

/// The latest run of everything in a module.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
struct FullRun {
    seconds: f64,
    tests: usize,
}

/// The time of a run.
#[derive(Clone, Debug, Default)]
pub struct JvmTimes {
    /// By module, how long its test JVMs lived, summed up.
    pub seconds: BTreeMap<String, f64>,
    /// Modules of which a known test neither ran nor was skipped: a filter of the build left it out.
    pub filtered: Vec<String>,
}

impl FullRuns {
    /// Reads the document; empty if it is not one.
    pub fn read(document: &str) -> FullRuns {
        serde_json::from_str(document).unwrap_or_default()
    }

    /// The document as text.
    pub fn text(&self) -> String {
        // Serialising numbers into memory cannot fail.
        serde_json::to_string(self).unwrap_or_default()
    }

    /// Writes into the summary of a run what it saved, as far as all its modules have run in full before; and notes the
    /// modules that ran in full now.
    pub fn compare(&mut self, run: &mut SelectionReport, times: &JvmTimes) {
        self.format = 1;
        let mut modules: BTreeMap<&str, (usize, bool)> = BTreeMap::new();
        for test in &run.tests {
            let module = modules.entry(&test.module).or_default();
            module.0 += test.tests;
            module.1 |= test.decision == DecisionWord::Skip;
        }
        let (mut saved, mut whole, mut is_known) = (0.0, 0.0, run.summary.skip > 0);
        let mut full = Vec::new();
        for (name, (tests, skips)) in modules {
            let seconds = times.seconds.get(name).copied().unwrap_or_default();
            match self.modules.get(name) {
                Some(known) => {
                    whole += known.seconds.max(seconds);
                    saved += (known.seconds - seconds).max(0.0);
                }
                None => is_known &= !skips,
            }
            let known = self.modules.get(name).map_or(0, |known| known.tests);
            if !skips && seconds > 0.0 && tests >= known && !times.filtered.iter().any(|other| other == name)
            {
                full.push((name.to_owned(), FullRun { seconds, tests }));
            }
        }
        self.modules.extend(full);
        if is_known {
            run.summary.saved_seconds = Some(millis(saved));
            run.summary.full_seconds = Some(millis(whole));
        }
    }
}

fn millis(seconds: f64) -> f64 {
    (seconds * 1000.0).round() / 1000.0
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::selection::TestEntry;

    fn run(skips: bool) -> SelectionReport {
        let mut report = SelectionReport::new("1.0", "hybrid", "auto");
        let entry =
            TestEntry { module: "m".to_owned(), class: "A".to_owned(), tests: 3, ..TestEntry::default() };
        report.tests.push(entry.clone());
        let decision = if skips { DecisionWord::Skip } else { DecisionWord::Run };
        report.tests.push(TestEntry { class: "B".to_owned(), decision, seconds: Some(9.0), ..entry });
        report.finish();
        report
    }

    fn times(seconds: f64) -> JvmTimes {
        JvmTimes { seconds: BTreeMap::from([("m".to_owned(), seconds)]), filtered: Vec::new() }
    }

    #[test]
    fn a_run_claims_what_it_saved_against_a_full_run_and_nothing_without_one() {
        let mut full = FullRuns::default();
        let mut first = run(true);
        full.compare(&mut first, &times(2.0));
        assert_eq!(first.summary.saved_seconds, None, "no full run is known");
        let mut filtered = times(1.0);
        filtered.filtered.push("m".to_owned());
        full.compare(&mut run(false), &filtered);
        full.compare(&mut run(false), &times(10.0));
        let mut second = run(true);
        full.compare(&mut second, &times(9.3));
        // The skipped class took 9 s when it started the container; now another class starts it.
        assert_eq!((second.summary.saved_seconds, second.summary.full_seconds), (Some(0.7), Some(10.0)));
        let mut slower = run(true);
        FullRuns::read(&full.text()).compare(&mut slower, &times(12.0));
        assert_eq!((slower.summary.saved_seconds, slower.summary.full_seconds), (Some(0.0), Some(12.0)));
    }
}
