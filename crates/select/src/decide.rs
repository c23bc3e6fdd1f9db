//! Which tests may be skipped: `skip(t) ⇔ some recorded passing trace of t still holds`.
//!
//! Facts are numbered by the caller and asked once each, however many traces share them. Every answer carries its cause.

use std::fmt;

/// What is remembered of a test, or of a class of tests.
#[derive(Clone, Copy, Debug)]
pub struct TestHistory<'r> {
    /// How many passing traces it has; the most recently matched is the first.
    pub traces: usize,
    /// How it ended the last time.
    pub last: LastOutcome,
    /// Whether the same facts have had different verdicts.
    pub flaky: bool,
    /// Why it must run whatever its traces say.
    pub always: Option<&'r str>,
}

/// How a test ended the last time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum LastOutcome {
    /// It has never been heard of.
    Never,
    /// It passed.
    Passed,
    /// It failed.
    Failed,
    /// An assumption did not hold, or it was disabled.
    NotRun,
    /// It began and did not end.
    Broken,
}

/// Whether a test runs, and why.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Decision {
    /// It runs.
    Run(RunReason),
    /// It may be skipped.
    Skip(SkipEvidence),
}

/// That one of a test's traces holds. Only [`decide`] makes it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SkipEvidence {
    trace: usize,
}

impl SkipEvidence {
    /// The place of the trace that holds.
    pub fn trace(self) -> usize {
        self.trace
    }
}

/// Why a test runs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RunReason {
    /// Nothing is recorded of it.
    New,
    /// It failed the last time.
    Failed,
    /// It was not run to its end the last time.
    Broken,
    /// It was disabled, or an assumption did not hold.
    NotRun,
    /// The same facts have had different verdicts.
    Flaky,
    /// It uses something that is not understood.
    Always(String),
    /// These facts of the trace that came nearest do not hold.
    Changed {
        /// The trace, by its place.
        trace: usize,
        /// Its facts that do not hold, by number.
        facts: Vec<u32>,
    },
    /// It was asked for.
    Asked,
}

impl fmt::Display for RunReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            RunReason::New => write!(f, "nothing is recorded of it"),
            RunReason::Failed => write!(f, "it failed the last time"),
            RunReason::Broken => write!(f, "it did not end the last time"),
            RunReason::NotRun => write!(f, "it was disabled or aborted the last time"),
            RunReason::Flaky => write!(f, "it has passed and failed with nothing changed"),
            RunReason::Always(why) => write!(f, "it always runs: {why}"),
            RunReason::Changed { facts, .. } => write!(f, "{} facts it relied on changed", facts.len()),
            RunReason::Asked => write!(f, "it was asked for"),
        }
    }
}

/// Decides about a test. `broken` gives the facts of a trace that do not hold now, by number.
pub fn decide(remembered: &TestHistory<'_>, broken: impl FnMut(usize) -> Vec<u32>) -> Decision {
    let reason = match remembered.last {
        LastOutcome::Never => RunReason::New,
        LastOutcome::Failed => RunReason::Failed,
        LastOutcome::Broken => RunReason::Broken,
        LastOutcome::NotRun => RunReason::NotRun,
        LastOutcome::Passed => match (remembered.always, remembered.flaky) {
            (Some(why), _) => RunReason::Always(why.to_owned()),
            (None, true) => RunReason::Flaky,
            (None, false) => return by_traces(remembered.traces, broken),
        },
    };
    Decision::Run(reason)
}

fn by_traces(traces: usize, mut broken: impl FnMut(usize) -> Vec<u32>) -> Decision {
    let mut nearest: Option<(usize, Vec<u32>)> = None;
    for trace in 0..traces {
        let facts = broken(trace);
        if facts.is_empty() {
            return Decision::Skip(SkipEvidence { trace });
        }
        if nearest.as_ref().is_none_or(|(_, fewest)| facts.len() < fewest.len()) {
            nearest = Some((trace, facts));
        }
    }
    Decision::Run(nearest.map_or(RunReason::New, |(trace, facts)| RunReason::Changed { trace, facts }))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn decided(
        traces: &[&[u32]],
        last: LastOutcome,
        flaky: bool,
        always: Option<&str>,
        changed: &[u32],
    ) -> Decision {
        decide(&TestHistory { traces: traces.len(), last, flaky, always }, |trace| {
            traces[trace].iter().copied().filter(|fact| changed.contains(fact)).collect()
        })
    }

    #[test]
    fn a_test_is_skipped_if_any_passing_trace_holds() {
        let traces: [&[u32]; 3] = [&[1, 2, 3], &[1, 4], &[1, 5, 6]];
        assert_eq!(
            decided(&traces, LastOutcome::Passed, false, None, &[]),
            Decision::Skip(SkipEvidence { trace: 0 })
        );
        assert_eq!(
            decided(&traces, LastOutcome::Passed, false, None, &[2]),
            Decision::Skip(SkipEvidence { trace: 1 })
        );
        assert_eq!(
            decided(&traces, LastOutcome::Passed, false, None, &[2, 4]),
            Decision::Skip(SkipEvidence { trace: 2 })
        );
        let nearest = RunReason::Changed { trace: 1, facts: vec![4] };
        assert_eq!(
            decided(&traces, LastOutcome::Passed, false, None, &[2, 3, 4, 5, 6]),
            Decision::Run(nearest)
        );
    }

    #[test]
    fn whatever_is_not_a_clean_pass_runs() {
        let traces: [&[u32]; 1] = [&[1]];
        for (last, reason) in [
            (LastOutcome::Never, RunReason::New),
            (LastOutcome::Failed, RunReason::Failed),
            (LastOutcome::Broken, RunReason::Broken),
            (LastOutcome::NotRun, RunReason::NotRun),
        ] {
            assert_eq!(decided(&traces, last, false, None, &[]), Decision::Run(reason));
        }
        assert_eq!(decided(&traces, LastOutcome::Passed, true, None, &[]), Decision::Run(RunReason::Flaky));
        let why = Decision::Run(RunReason::Always("a process".to_owned()));
        assert_eq!(decided(&traces, LastOutcome::Passed, true, Some("a process"), &[]), why);
        assert_eq!(decided(&[], LastOutcome::Passed, false, None, &[]), Decision::Run(RunReason::New));
    }

    #[test]
    fn a_trace_without_facts_holds() {
        assert_eq!(
            decided(&[&[]], LastOutcome::Passed, false, None, &[1]),
            Decision::Skip(SkipEvidence { trace: 0 })
        );
    }
}
