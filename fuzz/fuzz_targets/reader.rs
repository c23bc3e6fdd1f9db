//! Any bytes are read to the end or refused: without a panic or excessive memory, which libFuzzer limits.
#![no_main]

use libfuzzer_sys::fuzz_target;
use tamis_classfile::{ClassFile, descriptor, mutf8};

#[path = "../../crates/classfile/tests/walk/mod.rs"]
mod walk;

fuzz_target!(|bytes: &[u8]| {
    mutf8::decode(bytes.get(..64).unwrap_or(bytes)); // Limited: invalid bytes are slow.
    descriptor::parameter_slots(bytes);
    if let Ok(class) = ClassFile::parse(bytes) {
        let _ = walk::walk(&class);
    }
});
