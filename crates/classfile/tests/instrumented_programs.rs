//! Programs print the same after code was inserted into all their methods, under `-Xverify:all`.
#![allow(clippy::unwrap_used)] // Tests may panic.

mod samples;

use samples::Compiled;
use std::fs;
use std::path::Path;
use tamis_classfile::read::attribute::AttributeKind;
use tamis_classfile::read::code::Code;
use tamis_classfile::read::frame::frames;
use tamis_classfile::write::class::ClassWriter;
use tamis_classfile::write::code::{CodeInsertion, JumpsLand, entry_probe};
use tamis_classfile::{ClassFile, Member, WriteError, opcode};
use tamis_test_support::run;
use tempfile::TempDir;

const BOTH: [JumpsLand; 2] = [JumpsLand::Before, JumpsLand::After];

/// `if (false) nop`, with a frame at the jump's target.
fn branch(at: u32, jumps: JumpsLand) -> CodeInsertion {
    let code = vec![opcode::ICONST_0, opcode::IFEQ, 0, 4, opcode::NOP];
    CodeInsertion { at, code, jumps, frames: vec![5], stack: 1 }
}

fn nop(at: u32, jumps: JumpsLand) -> CodeInsertion {
    CodeInsertion { at, code: vec![opcode::NOP], jumps, frames: Vec::new(), stack: 0 }
}

fn code<'a>(class: &ClassFile<'a>, method: &Member<'a>) -> Option<Code<'a>> {
    let attribute = method.attributes.find(&class.pool, AttributeKind::Code).unwrap()?;
    Some(Code::read(&attribute).unwrap())
}

fn instruction_starts(class: &ClassFile<'_>, method: &Member<'_>) -> Vec<u32> {
    let code = code(class, method).unwrap();
    code.instructions().map(|instruction| instruction.unwrap().pc).collect()
}

/// The offsets of the method's frames.
fn frame_starts(class: &ClassFile<'_>, method: &Member<'_>) -> Vec<u32> {
    let code = code(class, method).unwrap();
    let table = code.attributes.find(&class.pool, AttributeKind::StackMapTable).unwrap();
    table.iter().flat_map(|table| frames(table).unwrap()).map(|frame| frame.unwrap().pc).collect()
}

/// For each way of landing jumps, edits every method of every class and compares the programs' output before
/// and after.
fn check(compiled: &Compiled, edit: impl Fn(&ClassFile<'_>, &Member<'_>, JumpsLand) -> Vec<CodeInsertion>) {
    let run = |classes: &Path| compiled.mains.iter().map(|main| output(compiled, classes, main)).collect();
    let expected: Vec<String> = run(&compiled.classes.path);
    for jumps in BOTH {
        let folder = edited(compiled, |class, method| edit(class, method, jumps));
        let printed: Vec<String> = run(folder.path());
        assert_eq!(printed, expected);
    }
}

fn edited(compiled: &Compiled, edit: impl Fn(&ClassFile<'_>, &Member<'_>) -> Vec<CodeInsertion>) -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    for (name, bytes) in compiled.classes.classes() {
        let class = ClassFile::parse(&bytes).unwrap();
        let mut writer = ClassWriter::new(&class);
        for method in class.methods.iter().filter(|method| code(&class, method).is_some()) {
            writer.insert(&method, &edit(&class, &method)).unwrap();
        }
        let file = folder.path().join(format!("{name}.class"));
        fs::create_dir_all(file.parent().unwrap()).unwrap();
        fs::write(file, writer.finish().unwrap()).unwrap();
    }
    folder
}

fn output(compiled: &Compiled, classes: &Path, main: &str) -> String {
    let args = ["-Xverify:all", "-Xshare:auto", "-ea", "-cp", classes.to_str().unwrap(), main];
    let output = run::java(&compiled.jdk, &args, run::SHORT).unwrap();
    assert!(output.success() && !output.stdout.is_empty(), "{main}: {}{}", output.stdout, output.stderr);
    output.stdout
}

#[test]
fn with_a_branch_at_every_entry() {
    for compiled in samples::compiled() {
        check(&compiled, |_, _, jumps| vec![branch(0, jumps)]);
    }
}

#[test]
fn with_a_branch_at_every_frame() {
    for compiled in samples::compiled() {
        check(&compiled, |class, method, jumps| {
            frame_starts(class, method).into_iter().map(|pc| branch(pc, jumps)).collect()
        });
    }
}

#[test]
fn with_several_insertions_at_one_place() {
    for compiled in samples::compiled() {
        check(&compiled, |class, method, first| {
            let starts = frame_starts(class, method).into_iter().chain([0]);
            let all = |pc| [branch(pc, first), branch(pc, BOTH[0]), nop(pc, first), branch(pc, BOTH[1])];
            starts.flat_map(all).collect()
        });
    }
}

#[test]
fn with_a_nop_before_every_instruction() {
    for compiled in samples::compiled() {
        check(&compiled, |class, method, jumps| {
            instruction_starts(class, method).into_iter().map(|pc| nop(pc, jumps)).collect()
        });
    }
}

/// Nops in the loop of the named method, before its instruction with this number.
fn stretch(
    class: &ClassFile<'_>,
    method: &Member<'_>,
    name: &str,
    number: usize,
    length: usize,
) -> Vec<CodeInsertion> {
    if class.pool.text(method.name).unwrap() != name {
        return Vec::new();
    }
    let at = instruction_starts(class, method)[number];
    let code = vec![opcode::NOP; length];
    vec![CodeInsertion { at, code, jumps: JumpsLand::Before, frames: Vec::new(), stack: 0 }]
}

#[test]
fn with_a_loop_stretched_beyond_the_reach_of_its_goto() {
    for length in [32_740, 32_760, 33_000, 65_000] {
        check(&samples::far(), |class, method, _| stretch(class, method, "unconditional", 1, length));
    }
}

#[test]
fn impossible_edits_are_refused() {
    let far = samples::far();
    let bytes = far.classes.class_bytes("sample/Far");
    let class = ClassFile::parse(&bytes).unwrap();
    let method = |name: &str| {
        class.methods.iter().find(|method| class.pool.text(method.name).unwrap() == name).unwrap()
    };
    let insert = |name: &str, insertions: &[CodeInsertion]| {
        ClassWriter::new(&class).insert(&method(name), insertions).unwrap_err()
    };
    let stretched = |name: &str, number, length| stretch(&class, &method(name), name, number, length);
    let far = stretched("conditional", 3, 40_000);
    assert_eq!(insert("conditional", &far), WriteError::BranchTooFar { pc: 3 });
    assert_eq!(insert("unconditional", &stretched("unconditional", 1, 65_530)), WriteError::CodeTooLarge);
    assert_eq!(insert("unconditional", &stretched("unconditional", 1, 70_000)), WriteError::CodeTooLarge);
    assert_eq!(insert("conditional", &[nop(2, JumpsLand::After)]), WriteError::NoInstruction { pc: 2 });
    assert_eq!(insert("conditional", &[nop(5000, JumpsLand::After)]), WriteError::NoInstruction { pc: 5000 });
    assert_eq!(insert("conditional", &[branch(3, JumpsLand::Before)]), WriteError::NoFrame { pc: 3 });
    assert_eq!(
        insert(
            "conditional",
            &[entry_probe(vec![0], u16::MAX), CodeInsertion { stack: u16::MAX, ..nop(3, JumpsLand::After) }]
        ),
        WriteError::StackTooDeep
    );
    let outside = CodeInsertion { frames: vec![2], ..nop(0, JumpsLand::After) };
    assert_eq!(insert("conditional", &[outside]), WriteError::NoFrame { pc: 0 });
}
