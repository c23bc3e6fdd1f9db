//! The rule of selection: a test can be skipped if one of its recorded passing traces holds.
//!
//! `skip(t) ⇔ ∃ trace ∈ passing(t): every fact of the trace holds now`. Facts are numbers here, so the rule
//! knows neither programs nor stores.

/// The result of comparing all traces of a test with the present.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum NearestTrace {
    /// This trace holds.
    Holds(usize),
    /// No trace holds; this one has the fewest broken facts.
    Broken {
        /// The index of the trace.
        trace: usize,
        /// Its broken facts, by number.
        facts: Vec<u32>,
    },
    /// There is no trace.
    None,
}

/// Compares traces, the most recently matched first. `broken` returns the facts of a trace that do not hold,
/// by number.
pub(crate) fn nearest_trace(traces: usize, mut broken: impl FnMut(usize) -> Vec<u32>) -> NearestTrace {
    let mut nearest = NearestTrace::None;
    for trace in 0..traces {
        let facts = broken(trace);
        if facts.is_empty() {
            return NearestTrace::Holds(trace);
        }
        let is_nearer = match &nearest {
            NearestTrace::Broken { facts: fewest, .. } => facts.len() < fewest.len(),
            NearestTrace::Holds(_) | NearestTrace::None => true,
        };
        if is_nearer {
            nearest = NearestTrace::Broken { trace, facts };
        }
    }
    nearest
}

#[cfg(test)]
mod tests {
    use super::{NearestTrace, nearest_trace};

    fn nearest(traces: &[&[u32]], changed: &[u32]) -> NearestTrace {
        nearest_trace(traces.len(), |trace| {
            traces[trace].iter().copied().filter(|fact| changed.contains(fact)).collect()
        })
    }

    #[test]
    fn a_test_is_skipped_if_any_trace_holds() {
        let traces: [&[u32]; 3] = [&[1, 2, 3], &[1, 4], &[1, 5, 6]];
        assert_eq!(nearest(&traces, &[]), NearestTrace::Holds(0));
        assert_eq!(nearest(&traces, &[2]), NearestTrace::Holds(1));
        assert_eq!(nearest(&traces, &[2, 4]), NearestTrace::Holds(2));
    }

    #[test]
    fn the_trace_with_the_fewest_broken_facts_is_compared() {
        let traces: [&[u32]; 3] = [&[1, 2, 3], &[1, 4], &[1, 5, 6]];
        let nearer = NearestTrace::Broken { trace: 1, facts: vec![4] };
        assert_eq!(nearest(&traces, &[2, 3, 4, 5, 6]), nearer);
        assert_eq!(nearest(&[], &[]), NearestTrace::None);
    }
}
