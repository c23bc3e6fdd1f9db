//! Inserting `nop`s anywhere changes only offsets, and every offset keeps its meaning.
//!
//! The expectation is derived here from the two class files alone. javac writes no `nop`, so every `nop` in
//! the new code was inserted, and the rest must be the old instructions in their old order.
#![allow(clippy::unwrap_used)] // Tests may panic.

mod samples;

use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::Index;
use tamis_classfile::read::annotation::{self, AnnotationEvent, TypeTarget};
use tamis_classfile::read::attribute::{Attribute, AttributeKind};
use tamis_classfile::read::code::Code;
use tamis_classfile::read::frame::{VerificationType, frames};
use tamis_classfile::read::instruction::{Instruction, Operand};
use tamis_classfile::write::class::ClassWriter;
use tamis_classfile::write::code::{CodeInsertion, JumpsLand};
use tamis_classfile::{ClassFile, opcode};

/// Offset, instruction number, and the types stored in the file, each with whether it is on the stack.
type FrameView = (u32, usize, Vec<(bool, VerificationType)>);

/// A method's code and a numbering of its instructions that ignores `nop`s.
struct View<'a> {
    class: &'a ClassFile<'a>,
    code: Code<'a>,
    instructions: Vec<Instruction<'a>>,
}

impl<'a> View<'a> {
    fn new(class: &'a ClassFile<'a>, attribute: &Attribute<'a>) -> Self {
        let code = Code::read(attribute).unwrap();
        let instructions =
            code.instructions().map(Result::unwrap).filter(|i| i.opcode != opcode::NOP).collect();
        View { class, code, instructions }
    }

    /// The number of the first instruction at or after `pc`. The end of the code counts as one past the last.
    fn number(&self, pc: u32) -> usize {
        assert!(pc as usize <= self.code.bytes.len());
        self.instructions.partition_point(|instruction| instruction.pc < pc)
    }

    /// The number of the instruction that starts at exactly `pc`.
    fn exactly(&self, pc: u32) -> usize {
        let number = self.number(pc);
        assert_eq!(self.instructions[number].pc, pc);
        number
    }

    /// Opcode and operands, with jumps as instruction numbers.
    fn meaning(&self, instruction: &Instruction<'a>) -> String {
        let Instruction { opcode, wide, operand, .. } = *instruction;
        let operand = match operand {
            Operand::Branch(target) => format!("-> {}", self.number(target)),
            Operand::Switch(switch) => {
                let cases = switch.cases().map(|case| case.unwrap()).map(|(key, pc)| (key, self.number(pc)));
                format!("{:?} else {}", cases.collect::<Vec<_>>(), self.number(switch.default))
            }
            other => format!("{other:?}"),
        };
        format!("{} {wide} {operand}", opcode::name(opcode))
    }

    fn targets(&self, instruction: &Instruction<'a>) -> Vec<u32> {
        match instruction.operand {
            Operand::Branch(target) => vec![target],
            Operand::Switch(switch) => {
                switch.cases().map(|case| case.unwrap().1).chain([switch.default]).collect()
            }
            _ => Vec::new(),
        }
    }

    fn attributes(&self, wanted: AttributeKind) -> Vec<Attribute<'a>> {
        let kind = |attribute: &Attribute<'a>| attribute.kind(&self.class.pool).unwrap();
        self.code.attributes.iter().filter(|attribute| kind(attribute) == wanted).collect()
    }

    /// The rows of all tables of this kind.
    fn rows<const N: usize>(&self, kind: AttributeKind) -> Vec<[u16; N]> {
        self.attributes(kind).iter().flat_map(|attribute| attribute.rows().unwrap().iter()).collect()
    }

    /// Handlers and debug tables, with instruction numbers instead of offsets.
    fn tables(&self) -> Vec<[usize; 5]> {
        let range = |start: u16, length: u16| {
            (self.number(u32::from(start)), self.number(u32::from(start) + u32::from(length)))
        };
        let mut tables = Vec::new();
        for [start, end, handler, caught] in self.code.exceptions.iter() {
            let (first, last) = range(start, end - start);
            tables.push([first, last, self.number(u32::from(handler)), usize::from(caught), 0]);
        }
        for [pc, line] in self.rows(AttributeKind::LineNumberTable) {
            tables.push([self.number(u32::from(pc)), usize::from(line), 0, 0, 1]);
        }
        for kind in [AttributeKind::LocalVariableTable, AttributeKind::LocalVariableTypeTable] {
            for [start, length, name, _, slot] in self.rows(kind) {
                let (first, last) = range(start, length);
                tables.push([first, last, usize::from(name), usize::from(slot), 2]);
            }
        }
        for kind in
            [AttributeKind::RuntimeVisibleTypeAnnotations, AttributeKind::RuntimeInvisibleTypeAnnotations]
        {
            for attribute in self.attributes(kind) {
                let mut event = |event: AnnotationEvent| match event {
                    AnnotationEvent::Target(TypeTarget::Offset(kind, pc, argument)) => {
                        let number = self.exactly(u32::from(pc));
                        tables.push([number, usize::from(kind), usize::from(argument), 0, 3]);
                    }
                    AnnotationEvent::Target(TypeTarget::LocalRange(kind, count, [start, length, slot])) => {
                        let (first, last) = range(start, length);
                        tables.push([first, last, usize::from(kind), usize::from(count), usize::from(slot)]);
                    }
                    _ => {}
                };
                annotation::type_annotations(&mut attribute.cursor(), &mut event).unwrap();
            }
        }
        tables
    }

    /// Each frame: its instruction number, and its contents with instruction numbers instead of the offsets
    /// of `new`.
    fn frames(&self) -> Vec<FrameView> {
        let mut all = Vec::new();
        for attribute in self.attributes(AttributeKind::StackMapTable) {
            for frame in frames(&attribute).unwrap().map(Result::unwrap) {
                let number = |verification_type| match verification_type {
                    VerificationType::Uninitialized(pc) => {
                        VerificationType::Uninitialized(self.exactly(u32::from(pc)) as u16)
                    }
                    other => other,
                };
                let locals = frame.locals.iter().map(|t| (false, number(t)));
                let stack = frame.stack.iter().map(|t| (true, number(t)));
                all.push((frame.pc, self.number(frame.pc), locals.chain(stack).collect()));
            }
        }
        all
    }
}

/// The number of `nop`s before an instruction: those that jumps skip, and those that jumps run.
fn inserted(insertions: &[CodeInsertion], at: u32) -> (u32, u32) {
    let count = |jumps| {
        let here = insertions.iter().filter(|i| i.at == at && i.jumps == jumps);
        here.map(|i| i.code.len() as u32).sum()
    };
    (count(JumpsLand::After), count(JumpsLand::Before))
}

fn ends_a_path(name: &str) -> bool {
    name.ends_with("return") || ["goto", "athrow", "tableswitch", "lookupswitch"].contains(&name)
}

fn check(old: &View<'_>, new: &View<'_>, insertions: &[CodeInsertion]) {
    assert_eq!(old.instructions.len(), new.instructions.len());
    let mut expected = 0;
    for (before, after) in old.instructions.iter().zip(&new.instructions) {
        assert_eq!(old.meaning(before), new.meaning(after));
        let (skipped, run) = inserted(insertions, before.pc);
        expected += skipped + run;
        assert_eq!(after.pc, expected, "the instruction from {}", before.pc);
        expected = after.next;
        for (old_target, new_target) in old.targets(before).into_iter().zip(new.targets(after)) {
            let landing = new.instructions[old.exactly(old_target)].pc - inserted(insertions, old_target).1;
            assert_eq!(new_target, landing, "the jump to {old_target}");
        }
    }
    assert_eq!(old.tables(), new.tables());

    // Handlers and their ranges, to the byte.
    let landing = |pc: u16| new.instructions[old.exactly(pc.into())].pc - inserted(insertions, pc.into()).1;
    let end = |pc: u16| match new.instructions.get(old.number(pc.into())) {
        Some(instruction) => {
            let (skipped, run) = inserted(insertions, pc.into());
            instruction.pc - skipped - run
        }
        None => new.code.bytes.len() as u32,
    };
    for (before, after) in old.code.exceptions.iter().zip(new.code.exceptions.iter()) {
        let [start, stop, handler, _] = before;
        assert_eq!([landing(start), end(stop), landing(handler)], [0, 1, 2].map(|i| u32::from(after[i])));
    }

    // Debug tables alike, except that a range from the method's entry still begins there.
    let begin = |pc: u16| if pc == 0 { 0 } else { landing(pc) };
    for kind in [AttributeKind::LocalVariableTable, AttributeKind::LocalVariableTypeTable] {
        for (before, after) in old.rows::<5>(kind).into_iter().zip(new.rows::<5>(kind)) {
            assert_eq!(u32::from(after[0]), begin(before[0]));
            assert_eq!(u32::from(after[0]) + u32::from(after[1]), end(before[0] + before[1]));
        }
    }
    let kind = AttributeKind::LineNumberTable;
    for (before, after) in old.rows::<2>(kind).into_iter().zip(new.rows::<2>(kind)) {
        assert_eq!(u32::from(after[0]), begin(before[0]));
    }

    // The old frames are where jumps land, and repeated where nothing falls through into the inserted code.
    let mut frames = new.frames();
    for (pc, number, contents) in old.frames() {
        let (skipped, run) = inserted(insertions, pc);
        let origin = new.instructions[number].pc;
        let first = frames.remove(0);
        assert_eq!((first.1, &first.2), (number, &contents));
        let alone = number > 0 && ends_a_path(opcode::name(old.instructions[number - 1].opcode));
        if skipped > 0 && alone {
            assert_eq!(first.0, origin - run - skipped);
            let again = frames.remove(0);
            assert_eq!((again.0, again.1), (origin - run, number));
        } else {
            assert_eq!(first.0, origin - run);
        }
    }
    assert!(frames.is_empty(), "{frames:?}");
}

/// Checks every method with the insertions that `choose` makes for it; returns the number of changed methods.
fn check_class(bytes: &[u8], mut choose: impl FnMut(&View<'_>) -> Vec<CodeInsertion>) -> usize {
    let old = ClassFile::parse(bytes).unwrap();
    let mut writer = ClassWriter::new(&old);
    let mut edits = Vec::new();
    for method in old.methods.iter() {
        let code = method.attributes.find(&old.pool, AttributeKind::Code).unwrap();
        let insertions = code.map(|code| choose(&View::new(&old, &code)));
        if let Some(insertions) = &insertions {
            writer.insert(&method, insertions).unwrap();
        }
        edits.push(insertions.unwrap_or_default());
    }
    let written = writer.clone().finish().unwrap();
    assert!(written == writer.finish_encoding_all().unwrap(), "copying and encoding differ");
    let new = ClassFile::parse(&written).unwrap();
    for ((old_method, new_method), insertions) in old.methods.iter().zip(new.methods.iter()).zip(&edits) {
        let old_code = old_method.attributes.find(&old.pool, AttributeKind::Code).unwrap();
        let new_code = new_method.attributes.find(&new.pool, AttributeKind::Code).unwrap();
        if let (Some(old_code), Some(new_code)) = (old_code, new_code) {
            check(&View::new(&old, &old_code), &View::new(&new, &new_code), insertions);
        }
    }
    edits.iter().filter(|insertions| !insertions.is_empty()).count()
}

fn nops(at: u32, count: usize, jumps: JumpsLand) -> CodeInsertion {
    CodeInsertion { at, code: vec![opcode::NOP; count], jumps, frames: Vec::new(), stack: 0 }
}

fn jumps() -> impl Strategy<Value = JumpsLand> {
    prop_oneof![Just(JumpsLand::Before), Just(JumpsLand::After)]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(500))]

    #[test]
    fn nops_anywhere_change_nothing_but_offsets(
        class in any::<Index>(),
        places in vec((any::<Index>(), 0..90usize, jumps()), 0..6),
    ) {
        check_class(&class.get(samples::classes()).1, |view| {
            let pc = |index: &Index| index.get(&view.instructions).pc;
            places.iter().map(|(index, count, jumps)| nops(pc(index), *count, *jumps)).collect()
        });
    }
}

#[test]
fn nops_before_every_instruction_change_nothing_but_offsets() {
    let mut changed = 0;
    for (_, bytes) in samples::classes() {
        for (count, jumps) in [(1, JumpsLand::Before), (1, JumpsLand::After), (3, JumpsLand::After)] {
            changed += check_class(bytes, |view| {
                view.instructions.iter().map(|instruction| nops(instruction.pc, count, jumps)).collect()
            });
        }
    }
    assert!(changed > 300, "{changed}");
}

#[test]
fn nops_in_front_of_a_method_change_nothing_but_offsets() {
    let mut changed = 0;
    for (_, bytes) in samples::classes() {
        for count in [4, 6, 20, 400] {
            for jumps in [JumpsLand::Before, JumpsLand::After] {
                changed += check_class(bytes, |_| vec![nops(0, count, jumps)]);
            }
        }
    }
    assert!(changed > 800, "{changed}");
}

#[test]
fn an_untouched_class_is_written_back_byte_for_byte() {
    for (name, bytes) in samples::classes() {
        let class = ClassFile::parse(bytes).unwrap();
        assert!(ClassWriter::new(&class).finish().unwrap() == *bytes, "{name}");
        assert!(ClassWriter::new(&class).finish_encoding_all().unwrap() == *bytes, "{name}");
    }
}
