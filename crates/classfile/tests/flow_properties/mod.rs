//! Properties that the flow of every method has, checked against its instructions one by one.
#![allow(dead_code, clippy::print_stdout)] // Each test program uses a part, and prints.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::atomic::{AtomicUsize, Ordering};
use tamis_classfile::flow::{ControlFlow, EdgeLabel, FlowError};
use tamis_classfile::read::attribute::AttributeKind;
use tamis_classfile::read::code::Code;
use tamis_classfile::read::instruction::Operand;
use tamis_classfile::{ClassFile, opcode};

/// Counts of what was looked at.
#[derive(Default)]
pub(crate) struct FlowTally {
    methods: AtomicUsize,
    blocks: AtomicUsize,
    subroutines: AtomicUsize,
}

impl FlowTally {
    /// Prints the counts, and fails if there were fewer methods.
    pub(crate) fn finish(&self, at_least: usize) {
        let count = |number: &AtomicUsize| number.load(Ordering::Relaxed);
        let (methods, blocks) = (count(&self.methods), count(&self.blocks));
        println!("{methods} methods, {blocks} blocks, {} with subroutines", count(&self.subroutines));
        assert!(methods >= at_least, "only {methods} methods");
    }
}

/// Calls `f` with the code of an attribute of this content.
pub(crate) fn with_code<T>(content: &[u8], f: impl Fn(&Code<'_>) -> T) -> T {
    // A class with one method `a` of type `()V`, whose only attribute is the code.
    let texts: [&[u8]; 4] = [b"T", b"a", b"()V", b"Code"];
    let mut bytes = vec![0xca, 0xfe, 0xba, 0xbe, 0, 0, 0, 52, 0, 6];
    for text in texts {
        bytes.push(1);
        bytes.extend((text.len() as u16).to_be_bytes());
        bytes.extend(text);
    }
    bytes.extend([7, 0, 1]);
    bytes.extend([0, 0x20, 0, 5, 0, 5, 0, 0, 0, 0]);
    bytes.extend([0, 1, 0, 8, 0, 2, 0, 3, 0, 1, 0, 4]);
    bytes.extend((content.len() as u32).to_be_bytes());
    bytes.extend(content);
    bytes.extend([0, 0]);
    let class = ClassFile::parse(&bytes).unwrap();
    let method = class.methods.iter().next().unwrap();
    let code = method.attributes.find(&class.pool, AttributeKind::Code).unwrap().unwrap();
    f(&Code::read(&code).unwrap())
}

/// Checks all methods of a class.
pub(crate) fn check_class(place: &str, bytes: &[u8], tally: &FlowTally) {
    let class = ClassFile::parse(bytes).unwrap();
    for method in class.methods.iter() {
        let Some(code) = method.attributes.find(&class.pool, AttributeKind::Code).unwrap() else { continue };
        let code = Code::read(&code).unwrap();
        let name = String::from_utf8_lossy(class.pool.utf8(method.name).unwrap()).into_owned();
        tally.methods.fetch_add(1, Ordering::Relaxed);
        match ControlFlow::of(&code) {
            Ok(flow) => {
                tally.blocks.fetch_add(flow.blocks.len(), Ordering::Relaxed);
                check(&format!("{place} {name}"), &code, &flow);
            }
            Err(FlowError::Subroutine) => {
                assert!(class.version.major < 51, "{place} {name}: no subroutine since Java 7");
                tally.subroutines.fetch_add(1, Ordering::Relaxed);
            }
            Err(error) => panic!("{place} {name}: {error}"),
        }
    }
}

fn check(place: &str, code: &Code<'_>, flow: &ControlFlow) {
    check_tiling(place, code, flow);
    let jumps = jumps(code);
    let starts: BTreeMap<u32, usize> =
        flow.blocks.iter().enumerate().map(|(number, block)| (block.start, number)).collect();
    let starts_at = |pc: u32| {
        let mut at = pc;
        // Blocks with a jump only are passed over; a block that is there was kept.
        for _ in 0..=code.bytes.len() {
            if let Some(found) = starts.get(&at) {
                return Some(*found);
            }
            at = *jumps.get(&at)?;
        }
        None
    };
    let rows: Vec<[u16; 4]> = code.exceptions.iter().collect();
    for instruction in code.instructions() {
        let instruction = instruction.unwrap();
        let Some(number) = flow.block_at(instruction.pc) else {
            assert!(jumps.contains_key(&instruction.pc), "{place}: {} is in no block", instruction.pc);
            continue;
        };
        let block = &flow.blocks[number];
        let mut chain = Vec::new();
        for [_, _, handler, caught] in rows
            .iter()
            .filter(|[start, end, ..]| (u32::from(*start)..u32::from(*end)).contains(&instruction.pc))
        {
            chain.push((*caught, starts_at(u32::from(*handler)).unwrap()));
            if *caught == 0 {
                break;
            }
        }
        let ours: Vec<(u16, usize)> = block.chain.iter().map(|row| (row.caught, row.handler)).collect();
        assert_eq!(ours, chain, "{place}: handlers at {}", instruction.pc);
        let mut expected = BTreeSet::new();
        let is_last = instruction.next == block.end;
        match instruction.operand {
            Operand::Branch(target) => {
                assert!(is_last, "{place}: a jump inside a block");
                if matches!(instruction.opcode, opcode::GOTO | opcode::GOTO_W) {
                    expected.insert((EdgeLabel::Always, starts_at(target).unwrap()));
                } else {
                    expected.insert((EdgeLabel::True, starts_at(target).unwrap()));
                    expected.insert((EdgeLabel::False, starts_at(instruction.next).unwrap()));
                }
            }
            Operand::Switch(table) => {
                expected.insert((EdgeLabel::Default, starts_at(table.default).unwrap()));
                for (key, target) in table.cases().map(Option::unwrap).filter(|it| it.1 != table.default) {
                    expected.insert((EdgeLabel::Case(key), starts_at(target).unwrap()));
                }
            }
            _ if matches!(instruction.opcode, opcode::IRETURN..=opcode::RETURN | opcode::ATHROW) => {
                assert!(is_last, "{place}: an end inside a block");
            }
            _ if is_last => drop(expected.insert((EdgeLabel::Always, starts_at(instruction.next).unwrap()))),
            _ => continue,
        }
        let ours: BTreeSet<_> = block.edges.iter().map(|edge| (edge.label, edge.target)).collect();
        assert_eq!(ours, expected, "{place}: edges at {}", instruction.pc);
        assert_eq!(ours.len(), block.edges.len(), "{place}: a label twice");
    }
}

/// Blocks do not overlap, and only jumps lie between them.
fn check_tiling(place: &str, code: &Code<'_>, flow: &ControlFlow) {
    let mut at = 0;
    for block in &flow.blocks {
        while at < block.start {
            at += if code.bytes[at as usize] == opcode::GOTO { 3 } else { 5 };
        }
        assert_eq!(at, block.start, "{place}: a gap before {}", block.start);
        assert!(block.start < block.end, "{place}: an empty block");
        at = block.end;
    }
}

/// The targets of jumps without a condition, by offset.
fn jumps(code: &Code<'_>) -> BTreeMap<u32, u32> {
    let jumps = code.instructions().map(Result::unwrap).filter_map(|found| match found.operand {
        Operand::Branch(target) if matches!(found.opcode, opcode::GOTO | opcode::GOTO_W) => {
            Some((found.pc, target))
        }
        _ => None,
    });
    jumps.collect()
}
