//! Any bytes are read to the end or refused: no panic, no runaway memory (libFuzzer limits it).
#![no_main]

use libfuzzer_sys::fuzz_target;
use tamis_classfile::{ClassFile, descriptor, mutf8};

#[path = "../../crates/classfile/tests/walk/mod.rs"]
mod walk;

fuzz_target!(|bytes: &[u8]| {
    mutf8::decode(bytes.get(..64).unwrap_or(bytes)); // It shows each byte that is no text by itself, slowly.
    descriptor::parameter_slots(bytes);
    if let Ok(class) = ClassFile::parse(bytes) {
        let _ = walk::walk(&class);
    }
});
