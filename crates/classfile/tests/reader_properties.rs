//! No input makes the reader panic: neither noise nor a real class file with a few changed bytes.
#![allow(clippy::unwrap_used)] // Tests may panic.

mod samples;
mod walk;

use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::Index;
use tamis_classfile::{ClassFile, mutf8};

/// One way of damaging a file.
#[derive(Clone, Debug)]
enum Damage {
    Flip(Index, u8),
    Set(Index, u8),
    /// A 16-bit number: many are counts, lengths or indexes.
    Number(Index, u16),
    Truncate(Index),
    Remove(Index, usize),
    /// Bytes copied from another place of the file.
    Splice(Index, Index, usize),
}

fn damage() -> impl Strategy<Value = Damage> {
    let at = any::<Index>;
    prop_oneof![
        4 => (at(), 0..8u8).prop_map(|(i, bit)| Damage::Flip(i, 1 << bit)),
        2 => (at(), any::<u8>()).prop_map(|(i, byte)| Damage::Set(i, byte)),
        2 => (at(), prop_oneof![Just(0), Just(1), Just(u16::MAX), any::<u16>()]).prop_map(|(i, n)| Damage::Number(i, n)),
        1 => at().prop_map(Damage::Truncate),
        1 => (at(), 1..20usize).prop_map(|(i, n)| Damage::Remove(i, n)),
        1 => (at(), at(), 1..100usize).prop_map(|(i, j, n)| Damage::Splice(i, j, n)),
    ]
}

fn spoil(bytes: &mut Vec<u8>, damage: &Damage) {
    if bytes.is_empty() {
        return;
    }
    let length = bytes.len();
    match damage {
        Damage::Flip(i, bit) => bytes[i.index(length)] ^= bit,
        Damage::Set(i, byte) => bytes[i.index(length)] = *byte,
        Damage::Number(i, n) => {
            let at = i.index(length);
            bytes.splice(at..length.min(at + 2), n.to_be_bytes());
        }
        Damage::Truncate(i) => bytes.truncate(i.index(length)),
        Damage::Remove(i, n) => drop(bytes.drain(i.index(length)..length.min(i.index(length) + n))),
        Damage::Splice(i, j, n) => {
            let from = j.index(length);
            let copied = bytes[from..length.min(from + n)].to_vec();
            bytes.splice(i.index(length)..i.index(length), copied);
        }
    }
}

/// Reads, and after success writes. Neither may panic, and the output must equal the input.
fn survive(bytes: &[u8]) {
    let Ok(class) = ClassFile::parse(bytes) else { return };
    let _ = walk::walk(&class);
    let writer = tamis_classfile::write::class::ClassWriter::new(&class);
    assert_eq!(writer.clone().finish().as_deref(), Ok(bytes));
    if let Ok(written) = writer.finish_encoding_all() {
        assert!(written == bytes, "encoded again, the class differs");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(10_000))]

    #[test]
    fn random_bytes_are_refused_without_a_panic(bytes in vec(any::<u8>(), 0..300)) {
        survive(&bytes);
        let headed: Vec<u8> = [&[0xCA, 0xFE, 0xBA, 0xBE, 0, 0, 0, 52][..], &bytes].concat();
        survive(&headed);
    }

    #[test]
    fn a_damaged_class_is_read_or_refused_without_a_panic(
        class in any::<Index>(),
        damages in vec(damage(), 1..6),
    ) {
        let mut bytes = class.get(samples::classes()).1.clone();
        for damage in &damages {
            spoil(&mut bytes, damage);
        }
        survive(&bytes);
    }

    #[test]
    fn any_bytes_decode_to_text(bytes in vec(any::<u8>(), 0..40)) {
        mutf8::decode(&bytes);
    }

    #[test]
    fn any_text_survives_modified_utf8(text in any::<String>()) {
        let encoded = mutf8::encode(&text);
        prop_assert_eq!(mutf8::decode(&encoded), text);
    }
}

#[test]
fn every_prefix_of_a_class_is_refused_with_an_offset_inside_it() {
    let (_, bytes) = &samples::classes()[0];
    for length in 0..bytes.len() {
        let error = ClassFile::parse(&bytes[..length]).expect_err("a prefix is no class");
        assert!(error.offset <= length, "{error} in a file of {length} bytes");
    }
}

#[test]
fn samples_are_decoded_to_the_last_byte() {
    for (name, bytes) in samples::classes() {
        let class = ClassFile::parse(bytes).unwrap();
        let counts = walk::walk(&class).unwrap_or_else(|error| panic!("{name}: {error}"));
        assert_eq!(counts.unknown, 0, "{name}");
        assert_eq!(class.name().unwrap(), name.as_bytes());
    }
}
