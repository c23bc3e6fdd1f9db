//! Runs of one test that differ although nothing did.
//!
//! A test that does the same thing twice asks the same questions, until one of them is answered otherwise. So two runs
//! that agree on every question that both asked, and yet did not ask the same, differ by chance: a race, a random
//! number, the order of tests in the JVM. Either could happen again, so the test relies on what both asked.
//! Pure: no files, no clock.

use std::cmp::Ordering;
use tamis_select::facts::{Fact, Question};

/// The facts of two passing runs of one test together, if the runs differ by chance: if no question has two answers.
/// Both must be sorted, and so is the union. It has all facts of both: uniting never makes a trace hold more often.
pub fn unite<Q: Ord + Clone, A: Eq + Clone>(earlier: &[(Q, A)], new: &[(Q, A)]) -> Option<Vec<(Q, A)>> {
    let mut union = Vec::with_capacity(earlier.len().max(new.len()));
    let (mut earlier, mut new) = (earlier.iter().peekable(), new.iter().peekable());
    loop {
        let next = match (earlier.peek(), new.peek()) {
            (None, None) => return Some(union),
            (Some(_), None) => earlier.next(),
            (None, Some(_)) => new.next(),
            (Some((ours, answer)), Some((theirs, other))) => match ours.cmp(theirs) {
                Ordering::Less => earlier.next(),
                Ordering::Greater => new.next(),
                Ordering::Equal if answer != other => return None,
                Ordering::Equal => {
                    earlier.next();
                    new.next()
                }
            },
        };
        let (question, answer) = next?;
        if union.last().is_some_and(|(last, before)| last == question && before != answer) {
            return None; // One of the two contradicts itself.
        }
        union.push((question.clone(), answer.clone()));
    }
}

/// Which questions of an earlier trace to answer again for a run that did not ask them and differs from it by chance.
/// Their answers of now belong to the facts of that run: if they are those of then the two are one trace, and if not
/// the run is a trace of its own that still knows what the test may ask.
pub fn questions_to_repeat<'f>(earlier: &'f [Fact], new: &[Fact]) -> Vec<&'f Question> {
    fn pairs(facts: &[Fact]) -> Vec<(&Question, Option<&tamis_program::digest::Digest>)> {
        let mut pairs: Vec<_> = facts.iter().map(|fact| (&fact.question, fact.answer.as_ref())).collect();
        pairs.sort_unstable();
        pairs
    }
    let (earlier, new) = (pairs(earlier), pairs(new));
    match unite(&earlier, &new) {
        Some(_) => {
            let asked =
                |question: &Question| new.binary_search_by(|(other, _)| (*other).cmp(question)).is_ok();
            earlier.iter().map(|(question, _)| *question).filter(|question| !asked(question)).collect()
        }
        None => Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::{questions_to_repeat, unite};
    use proptest::prelude::*;
    use tamis_program::digest::Digest;
    use tamis_select::facts::{Fact, FactKind, Question};

    #[test]
    fn runs_that_agree_are_united() {
        assert_eq!(
            unite(&[(1, 'a'), (2, 'b')], &[(1, 'a'), (3, 'c')]),
            Some(vec![(1, 'a'), (2, 'b'), (3, 'c')])
        );
    }

    #[test]
    fn a_run_that_asked_less_adds_nothing() {
        assert_eq!(unite(&[(1, 'a'), (2, 'b')], &[(2, 'b')]), Some(vec![(1, 'a'), (2, 'b')]));
    }

    #[test]
    fn runs_that_had_another_answer_are_two_traces() {
        assert_eq!(unite(&[(1, 'a'), (2, 'b')], &[(1, 'a'), (2, 'x'), (3, 'c')]), None);
    }

    #[test]
    fn a_run_that_contradicts_itself_is_not_united() {
        assert_eq!(unite(&[(1, 'a')], &[(2, 'b'), (2, 'c')]), None);
        assert_eq!(unite(&[(2, 'b'), (2, 'c')], &[]), None);
    }

    fn fact(name: &str, answer: &str) -> Fact {
        Fact { question: Question::new(FactKind::Body, name), answer: Some(Digest::of(answer.as_bytes())) }
    }

    #[test]
    fn what_a_run_by_chance_did_not_ask_is_asked_again() {
        let earlier = [fact("f", "1"), fact("g", "1")];
        let ask = |new: &[Fact]| {
            questions_to_repeat(&earlier, new).iter().map(|q| q.subject.to_string()).collect::<Vec<_>>()
        };
        assert_eq!(ask(&[fact("h", "1"), fact("f", "1")]), ["g"]);
        assert!(ask(&[fact("f", "2"), fact("h", "1")]).is_empty(), "f explains why g was not asked");
        assert!(ask(&earlier).is_empty());
    }

    fn sorted(mut pairs: Vec<(u8, bool)>) -> Vec<(u8, bool)> {
        pairs.sort_unstable();
        pairs.dedup();
        pairs
    }

    proptest! {
        #[test]
        fn a_union_has_all_of_both_and_each_question_once(
            earlier in prop::collection::vec((0..30u8, prop::bool::weighted(0.9)), 0..20),
            new in prop::collection::vec((0..30u8, prop::bool::weighted(0.9)), 0..20),
        ) {
            let (earlier, new) = (sorted(earlier), sorted(new));
            let all = sorted([&earlier[..], &new].concat());
            let agree = all.windows(2).all(|pair| pair[0].0 != pair[1].0);
            prop_assert_eq!(unite(&earlier, &new), agree.then_some(all));
            prop_assert_eq!(unite(&new, &earlier), unite(&earlier, &new));
        }
    }
}
