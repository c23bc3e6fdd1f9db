//! A readable class is written back unchanged, and stays readable after code was inserted.
#![no_main]

use libfuzzer_sys::fuzz_target;
use tamis_classfile::read::attribute::AttributeKind;
use tamis_classfile::read::code::Code;
use tamis_classfile::write::class::ClassWriter;
use tamis_classfile::write::code::{CodeInsertion, JumpsLand};
use tamis_classfile::{ClassFile, Member, WriteError, opcode};

#[path = "../../crates/classfile/tests/walk/mod.rs"]
mod walk;

fuzz_target!(|bytes: &[u8]| {
    let Ok(class) = ClassFile::parse(bytes) else { return };
    let mut writer = ClassWriter::new(&class);
    assert_eq!(writer.clone().finish().as_deref(), Ok(bytes));
    let encoded = writer.clone().finish_encoding_all();
    if let Ok(encoded) = &encoded {
        assert_eq!(encoded, bytes);
    }
    let mut choices = Choices(bytes.iter().fold(1, |sum, byte| sum * 31 + u64::from(*byte) & 0xffff_ffff));
    let mut inserted = 0;
    for method in class.methods.iter() {
        let insertions = choices.insertions(&class, &method);
        inserted += usize::from(!insertions.is_empty() && writer.insert(&method, &insertions).is_ok());
    }
    let written = writer.clone().finish().expect("only encoding fails");
    let again = ClassFile::parse(&written).expect("what we wrote can be read");
    match writer.finish_encoding_all() {
        Ok(encoded) => assert_eq!(encoded, written),
        Err(error) => assert!(encoded.is_err() || matches!(error, WriteError::PoolFull), "{error}"),
    }
    if let Ok(before) = walk::walk(&class) {
        let after = walk::walk(&again).expect("what could be decoded still can be");
        assert!(after.instructions >= before.instructions + inserted);
        assert!(after.frames >= before.frames && after.rows == before.rows && after.cases == before.cases);
    }
});

/// Pseudo-random choices that depend only on the input.
struct Choices(u64);

impl Choices {
    fn below(&mut self, limit: usize) -> usize {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (self.0 >> 33) as usize % limit.max(1)
    }

    fn insertions(&mut self, class: &ClassFile<'_>, method: &Member<'_>) -> Vec<CodeInsertion> {
        let code = method.attributes.find(&class.pool, AttributeKind::Code).ok().flatten();
        let code = code.and_then(|attribute| Code::read(&attribute).ok());
        let starts: Vec<u32> =
            code.iter().flat_map(|code| code.instructions()).filter_map(|i| Some(i.ok()?.pc)).collect();
        (0..self.below(4)).map(|_| self.insertion(&starts)).collect()
    }

    fn insertion(&mut self, starts: &[u32]) -> CodeInsertion {
        let at =
            if self.below(3) == 0 { 0 } else { starts.get(self.below(starts.len())).copied().unwrap_or(0) };
        let jumps = if self.below(2) == 0 { JumpsLand::Before } else { JumpsLand::After };
        if at == 0 && self.below(2) == 0 {
            let code = vec![opcode::ICONST_0, opcode::IFEQ, 0, 4, opcode::NOP];
            return CodeInsertion { at, code, jumps, frames: vec![5], stack: 1 };
        }
        let length = if self.below(20) == 0 { 33_000 } else { 1 + self.below(100) };
        CodeInsertion { at, code: vec![opcode::NOP; length], jumps, frames: Vec::new(), stack: 0 }
    }
}
