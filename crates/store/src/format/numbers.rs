//! A set of numbers in the traces' database: ascending, each encoded as its distance to the previous one.
//!
//! A distance is one less than the difference, so no number can occur twice. It is written in groups of seven
//! bits, the lowest first; all groups but the last have the eighth bit set. Most distances are below 128, so
//! most facts take one byte. Each set has exactly one encoding, so equal sets are equal bytes.

/// Larger than any number in a store. A reader keeps a table as long as its largest number.
pub(crate) const LARGEST: u32 = 1 << 26;

/// Encodes ascending, distinct numbers.
pub(crate) fn encode_numbers(numbers: &[u32]) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(numbers.len() + numbers.len() / 2);
    let mut least = 0;
    for number in numbers {
        let mut distance = number.wrapping_sub(least);
        while distance >= 0x80 {
            bytes.push(distance as u8 | 0x80);
            distance >>= 7;
        }
        bytes.push(distance as u8);
        least = number.wrapping_add(1);
    }
    bytes
}

/// Decodes the output of [`encode_numbers`] and passes each number to `take`. Returns false as soon as the
/// bytes are malformed or `take` returns false.
#[inline]
pub(crate) fn decode_numbers(bytes: &[u8], mut take: impl FnMut(u32) -> bool) -> bool {
    let mut least = 0u32;
    let mut rest = bytes.iter();
    while let Some(&first) = rest.next() {
        let mut distance = u32::from(first & 0x7f);
        let mut last = first;
        let mut shift = 7;
        while last & 0x80 != 0 {
            // Four groups are enough for LARGEST. A last group of zero is redundant.
            match rest.next() {
                Some(&next) if next != 0 && shift <= 21 => {
                    distance |= u32::from(next & 0x7f) << shift;
                    shift += 7;
                    last = next;
                }
                _ => return false,
            }
        }
        // Both are below 2^28, so the sum cannot overflow.
        let number = least + distance;
        if number > LARGEST || !take(number) {
            return false;
        }
        least = number + 1;
    }
    true
}

#[cfg(test)]
mod tests {
    use super::{LARGEST, decode_numbers, encode_numbers};
    use proptest::prelude::*;
    use std::collections::BTreeSet;

    fn decoded(bytes: &[u8]) -> Option<Vec<u32>> {
        let mut numbers = Vec::new();
        let whole = decode_numbers(bytes, |number| {
            numbers.push(number);
            true
        });
        whole.then_some(numbers)
    }

    #[test]
    fn the_bytes_are_those_of_the_documentation() {
        assert_eq!(encode_numbers(&[3, 4, 200, 20_000]), [3, 0, 0xc3, 1, 0xd7, 0x9a, 1]);
        assert_eq!(encode_numbers(&[]), [0_u8; 0]);
    }

    #[test]
    fn a_redundant_group_is_refused() {
        assert_eq!(decoded(&[3]), Some(vec![3]));
        assert_eq!(decoded(&[0x83, 0]), None);
    }

    #[test]
    fn a_group_that_does_not_end_is_refused() {
        assert_eq!(decoded(&[3, 0x80]), None);
        assert_eq!(decoded(&[0xff, 0xff, 0xff, 0xff, 0x7f]), None);
    }

    #[test]
    fn numbers_above_the_limit_are_refused() {
        assert_eq!(decoded(&encode_numbers(&[LARGEST])), Some(vec![LARGEST]));
        assert_eq!(decoded(&encode_numbers(&[LARGEST + 1])), None);
        assert_eq!(decoded(&encode_numbers(&[1, u32::MAX])), None);
        assert_eq!(decoded(&[encode_numbers(&[LARGEST]), vec![0]].concat()), None);
    }

    proptest! {
        #[test]
        fn an_encoded_set_decodes_to_itself(numbers in prop::collection::btree_set(0..=LARGEST, 0..300)) {
            let numbers: Vec<u32> = numbers.into_iter().collect();
            prop_assert_eq!(decoded(&encode_numbers(&numbers)), Some(numbers));
        }

        #[test]
        fn decoded_bytes_are_a_set_and_encode_back(bytes in prop::collection::vec(any::<u8>(), 0..300)) {
            if let Some(numbers) = decoded(&bytes) {
                let set: BTreeSet<u32> = numbers.iter().copied().collect();
                prop_assert!(set.iter().eq(&numbers), "not ascending");
                prop_assert_eq!(encode_numbers(&numbers), bytes);
            }
        }

        #[test]
        fn bytes_below_128_are_one_number_each(bytes in prop::collection::vec(0..0x80u8, 0..300)) {
            prop_assert_eq!(decoded(&bytes).map(|numbers| numbers.len()), Some(bytes.len()));
        }
    }
}
