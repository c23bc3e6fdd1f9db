//! Identifies facts and sets of facts by content, independent of their numbers.

use super::TestKey;
use crate::format::checksum;
use std::collections::BTreeSet;
use tamis_program::digest::{CanonicalOutput, Digest, DigestEncoder, EncodingTag, VERSION};
use tamis_select::facts::{Answer, Fact, Question};

/// The digest of a set of facts.
pub fn digest_of(facts: &[Fact]) -> Digest {
    let mut encoder = DigestEncoder::default();
    let each: BTreeSet<Digest> = facts.iter().map(|fact| fact.digest(&mut encoder)).collect();
    set_digest(each.iter())
}

/// The digest of a set, from the digests of its facts, each once. The digests are added up, so the same facts
/// have the same digest in any order and in any store. Somebody who can choose facts could construct two sets
/// with one digest. That does no harm: the digest only finds a set, which is then compared.
pub(super) fn set_digest<'d>(facts: impl Iterator<Item = &'d Digest>) -> Digest {
    let (mut count, mut sum) = (0u64, 0u128);
    for fact in facts {
        count += 1;
        sum = sum.wrapping_add(u128::from_be_bytes(*fact.as_bytes()));
    }
    let mut encoder = DigestEncoder::default();
    encoder.start(EncodingTag::Version);
    encoder.unsigned(u64::from(VERSION));
    encoder.unsigned(count);
    encoder.digest(&Digest::from_bytes(sum.to_be_bytes()));
    encoder.finish()
}

/// The digest of a question.
pub(super) fn question_digest(question: &Question, encoder: &mut DigestEncoder) -> Digest {
    encoder.start(EncodingTag::Key);
    encoder.byte(question.kind.number());
    encoder.bytes(question.subject.as_bytes());
    encoder.finish()
}

/// The checksum beside a stored fact. It finds the fact, and shows whether the row was edited or damaged.
pub(super) fn fact_checksum(about: i64, entity: &str, answer: Option<&[u8]>, buffer: &mut Vec<u8>) -> i64 {
    buffer.clear();
    buffer.extend_from_slice(&about.to_le_bytes());
    // With the length, and whether there is an answer, no text can be confused with an answer.
    buffer.extend_from_slice(&(entity.len() as u64 * 2 + u64::from(answer.is_some())).to_le_bytes());
    buffer.extend_from_slice(answer.unwrap_or_default());
    buffer.extend_from_slice(entity.as_bytes());
    checksum(buffer).cast_signed()
}

/// The checksum beside a stored set.
pub(super) fn set_checksum(digest: &[u8; 16], facts: &[u8]) -> i64 {
    (checksum(facts) ^ checksum(digest)).cast_signed()
}

/// The checksum beside a trace, which binds the set to this test and this technique.
pub(super) fn trace_checksum(test: &TestKey, technique: &str, set: &Digest, buffer: &mut Vec<u8>) -> i64 {
    buffer.clear();
    buffer.extend_from_slice(set.as_bytes());
    for text in [&*test.module, &*test.class, test.method.as_deref().unwrap_or_default(), technique] {
        buffer.extend_from_slice(&(text.len() as u64).to_le_bytes());
        buffer.extend_from_slice(text.as_bytes());
    }
    checksum(buffer).cast_signed()
}

/// An answer from its stored bytes; `None` if they are not a digest.
pub(super) fn to_answer(bytes: Option<&[u8]>) -> Option<Answer> {
    match bytes {
        None => Some(None),
        Some(bytes) => bytes.try_into().ok().map(|bytes| Some(Digest::from_bytes(bytes))),
    }
}

#[cfg(test)]
mod tests {
    use super::{digest_of, fact_checksum};
    use tamis_program::digest::Digest;
    use tamis_select::facts::{Fact, FactKind, Question};

    fn fact(about: FactKind, entity: &str, answer: Option<&str>) -> Fact {
        Fact {
            question: Question::new(about, entity),
            answer: answer.map(|text| Digest::of(text.as_bytes())),
        }
    }

    #[test]
    fn only_order_and_repetition_leave_a_digest_unchanged() {
        let (a, b) = (fact(FactKind::Body, "a", Some("1")), fact(FactKind::Body, "b", None));
        let both = digest_of(&[a.clone(), b.clone()]);
        assert_eq!(digest_of(&[b.clone(), a.clone(), b.clone()]), both);
        for other in [
            vec![a.clone()],
            vec![a.clone(), fact(FactKind::Init, "b", None)],
            vec![a.clone(), fact(FactKind::Body, "b", Some(""))],
            vec![a.clone(), fact(FactKind::Body, "bb", None)],
            vec![],
        ] {
            assert_ne!(digest_of(&other), both, "{other:?}");
        }
    }

    #[test]
    fn names_and_answers_are_not_confused() {
        let sum = |entity, answer| fact_checksum(1, entity, answer, &mut Vec::new());
        assert_ne!(sum("0123456789abcdefx", None), sum("x", Some(b"0123456789abcdef")));
        assert_ne!(sum("x", None), sum("x", Some(b"")));
    }
}
