//! Facts and sets of facts as they are known by content, whatever numbers they bear.

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

/// The digest of a set, from those of its facts, each once. The same facts, in any order and any store, have the same: their
/// digests are added up. Who can choose facts could find two sets of one digest; but nothing is believed because of it, it
/// only finds a set, which is then compared.
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

/// The checksum beside a stored fact: by it a fact is found, and one that was edited or damaged is not believed.
pub(super) fn fact_checksum(about: i64, entity: &str, answer: Option<&[u8]>, buffer: &mut Vec<u8>) -> i64 {
    buffer.clear();
    buffer.extend_from_slice(&about.to_le_bytes());
    // With its length, and that of the answer, no text can be taken for an answer.
    buffer.extend_from_slice(&(entity.len() as u64 * 2 + u64::from(answer.is_some())).to_le_bytes());
    buffer.extend_from_slice(answer.unwrap_or_default());
    buffer.extend_from_slice(entity.as_bytes());
    checksum(buffer).cast_signed()
}

/// The checksum beside a stored set.
pub(super) fn set_checksum(digest: &[u8; 16], facts: &[u8]) -> i64 {
    (checksum(facts) ^ checksum(digest)).cast_signed()
}

/// The checksum beside a trace: it is of this test, by this technique, and has this set.
pub(super) fn trace_checksum(test: &TestKey, technique: &str, set: &Digest, buffer: &mut Vec<u8>) -> i64 {
    buffer.clear();
    buffer.extend_from_slice(set.as_bytes());
    for text in [&*test.module, &*test.class, test.method.as_deref().unwrap_or_default(), technique] {
        buffer.extend_from_slice(&(text.len() as u64).to_le_bytes());
        buffer.extend_from_slice(text.as_bytes());
    }
    checksum(buffer).cast_signed()
}

/// An answer from its stored bytes; `None` if they are no digest.
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
    fn order_and_repetition_do_not_count_and_all_else_does() {
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
    fn an_answer_is_not_a_part_of_a_name() {
        let sum = |entity, answer| fact_checksum(1, entity, answer, &mut Vec::new());
        assert_ne!(sum("0123456789abcdefx", None), sum("x", Some(b"0123456789abcdef")));
        assert_ne!(sum("x", None), sum("x", Some(b"")));
    }
}
