//! Control flow of a method: basic blocks, labelled edges between them, and the handlers of each block.
//!
//! A block ends where control can go elsewhere, where something jumps to, and at the borders of exception
//! ranges. Labels say under which condition an edge is taken, so that two versions of a method can be compared.
//! A method that this module does not understand has no flow, and its whole body counts instead.

use crate::opcode;
use crate::read::attribute::AttributeKind;
use crate::read::code::Code;
use crate::read::instruction::{Instruction, Operand};
use crate::{ClassFile, Member};
use std::fmt;

/// The most rows of handlers that all blocks of a method may have together. Real methods have a few hundred.
const MOST_HANDLERS: usize = 1 << 18;

/// The control flow of one method.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ControlFlow {
    /// The block in which the method begins.
    pub entry: usize,
    /// Its blocks by offset, without those that consist of a jump only: edges lead past them.
    pub blocks: Vec<BasicBlock>,
}

/// Instructions that run one after another.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BasicBlock {
    /// The offset of its first instruction.
    pub start: u32,
    /// The offset after its last instruction.
    pub end: u32,
    /// Its successors, ordered by label.
    pub edges: Vec<FlowEdge>,
    /// The handlers that an exception in it is offered to, in order. None follows one that catches all.
    pub chain: Vec<CatchRow>,
    /// Whether one of its instructions can throw.
    pub can_throw: bool,
}

/// A successor of a block.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FlowEdge {
    /// The condition under which it is taken.
    pub label: EdgeLabel,
    /// The block that follows.
    pub target: usize,
}

/// The condition under which an edge is taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum EdgeLabel {
    /// No condition.
    Always,
    /// The conditional jump is not taken.
    False,
    /// The conditional jump is taken.
    True,
    /// The key of a switch, if it does not lead where the default leads.
    Case(i32),
    /// The default of a switch.
    Default,
}

/// A row of a block's exception chain.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct CatchRow {
    /// The constant of the class that it catches; 0 for all.
    pub caught: u16,
    /// The block in which the handler begins.
    pub handler: usize,
}

/// The reason why a method has no flow.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum FlowError {
    /// It has subroutines (`jsr`, `ret`): where they return to depends on their caller.
    Subroutine,
    /// Its code cannot be read, or it jumps into an instruction, or it does not end.
    Malformed,
    /// Its exception table is too large.
    TooManyHandlers,
}

impl fmt::Display for FlowError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            FlowError::Subroutine => "the method has subroutines",
            FlowError::Malformed => "the code of the method is malformed",
            FlowError::TooManyHandlers => "the exception table of the method is too large",
        })
    }
}

impl std::error::Error for FlowError {}

impl fmt::Display for EdgeLabel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            EdgeLabel::Always => f.write_str(""),
            EdgeLabel::False => f.write_str("F"),
            EdgeLabel::True => f.write_str("T"),
            EdgeLabel::Case(key) => write!(f, "{key}"),
            EdgeLabel::Default => f.write_str("d"),
        }
    }
}

impl ControlFlow {
    /// The control flow of a method's code.
    pub fn of(code: &Code<'_>) -> Result<ControlFlow, FlowError> {
        let borders = BlockBorders::of(code)?;
        let mut flow = borders.blocks(code)?;
        flow.contract(code.bytes);
        Ok(flow)
    }

    /// The flow of a method whose blocks can be compared with those of another version: it has several, it is not a static
    /// initialiser, and all attributes of its code are understood.
    pub fn comparable(class: &ClassFile<'_>, method: &Member<'_>) -> Option<ControlFlow> {
        let attribute = method.attributes.find(&class.pool, AttributeKind::Code).ok()??;
        let code = Code::read(&attribute).ok()?;
        let mut kinds = code.attributes.iter().map(|attribute| attribute.kind(&class.pool));
        if class.pool.utf8(method.name).ok()? == b"<clinit>"
            || !kinds.all(|kind| kind.is_ok_and(|kind| kind != AttributeKind::Unknown))
        {
            return None;
        }
        ControlFlow::of(&code).ok().filter(|flow| flow.blocks.len() > 1)
    }

    /// The blocks that get a probe: all but the first one, which the probe of the method stands for. Both sides number probes
    /// by this list.
    pub fn probed_blocks(&self) -> impl Iterator<Item = usize> + '_ {
        (0..self.blocks.len()).filter(|block| *block != self.entry)
    }

    /// The block that holds an offset.
    pub fn block_at(&self, pc: u32) -> Option<usize> {
        let after = self.blocks.partition_point(|block| block.start <= pc);
        let found = after.checked_sub(1)?;
        self.blocks.get(found).filter(|block| pc < block.end).map(|_| found)
    }

    /// Removes blocks that consist of a jump only. A jump to itself stays.
    fn contract(&mut self, code: &[u8]) {
        let only_jump = |block: &BasicBlock| match (code.get(block.start as usize), block.edges.as_slice()) {
            (Some(&opcode::GOTO), [edge]) if block.end - block.start == 3 => Some(edge.target),
            (Some(&opcode::GOTO_W), [edge]) if block.end - block.start == 5 => Some(edge.target),
            _ => None,
        };
        let next: Vec<Option<usize>> = self.blocks.iter().map(only_jump).collect();
        let ends: Vec<usize> = end_of_jumps(&next);
        let mut numbers = Vec::with_capacity(ends.len());
        let mut kept = 0;
        for (block, end) in ends.iter().enumerate() {
            numbers.push(kept);
            kept += usize::from(*end == block);
        }
        let moved = |block: &mut usize| {
            if let Some(number) = ends.get(*block).and_then(|end| numbers.get(*end)) {
                *block = *number;
            }
        };
        for block in &mut self.blocks {
            block.edges.iter_mut().for_each(|edge| moved(&mut edge.target));
            block.chain.iter_mut().for_each(|row| moved(&mut row.handler));
        }
        moved(&mut self.entry);
        let mut index = 0;
        self.blocks.retain(|_| {
            index += 1;
            ends.get(index - 1) == Some(&(index - 1))
        });
    }
}

/// For each block, the block that is reached over blocks with a jump only. Blocks that jump in a circle stay.
fn end_of_jumps(next: &[Option<usize>]) -> Vec<usize> {
    const OPEN: usize = usize::MAX;
    let mut ends: Vec<Option<usize>> = vec![None; next.len()];
    let mut path = Vec::new();
    for first in 0..next.len() {
        let mut at = first;
        let end = loop {
            match ends.get(at) {
                Some(Some(OPEN)) | None => break None, // A circle.
                Some(Some(end)) => break Some(*end),
                Some(None) => {}
            }
            let Some(Some(following)) = next.get(at) else { break Some(at) };
            if let Some(end) = ends.get_mut(at) {
                *end = Some(OPEN);
            }
            path.push(at);
            at = *following;
        };
        for block in path.drain(..).chain([first]) {
            if let Some(known) = ends.get_mut(block) {
                *known = Some(end.unwrap_or(block));
            }
        }
    }
    ends.into_iter().enumerate().map(|(block, end)| end.unwrap_or(block)).collect()
}

/// The offsets at which blocks begin.
struct BlockBorders {
    /// The offsets, ascending; the first is 0.
    starts: Vec<u32>,
}

impl BlockBorders {
    fn of(code: &Code<'_>) -> Result<BlockBorders, FlowError> {
        let length = code.bytes.len();
        let (mut is_start, mut is_instruction) = (vec![false; length], vec![false; length]);
        let mut mark = |pc: u32| {
            if let Some(start) = is_start.get_mut(pc as usize) {
                *start = true;
            }
        };
        mark(0);
        for instruction in code.instructions() {
            let instruction = instruction.map_err(|_| FlowError::Malformed)?;
            if let Some(begins) = is_instruction.get_mut(instruction.pc as usize) {
                *begins = true;
            }
            if matches!(instruction.opcode, opcode::JSR | opcode::JSR_W | opcode::RET) {
                return Err(FlowError::Subroutine);
            }
            match instruction.operand {
                Operand::Branch(target) => mark(target),
                Operand::Switch(table) => {
                    mark(table.default);
                    for case in table.cases() {
                        mark(case.ok_or(FlowError::Malformed)?.1);
                    }
                }
                _ if !ends_block(instruction.opcode) => continue,
                _ => {}
            }
            mark(instruction.next);
        }
        for [start, end, handler, _] in code.exceptions.iter() {
            if start >= end || usize::from(end) > length || usize::from(handler) >= length {
                return Err(FlowError::Malformed);
            }
            [start, end, handler].into_iter().for_each(|pc| mark(u32::from(pc)));
        }
        let starts: Vec<u32> =
            is_start.iter().enumerate().filter(|(_, start)| **start).map(|(pc, _)| pc as u32).collect();
        let is_sound = |pc: &u32| is_instruction.get(*pc as usize) == Some(&true);
        if starts.iter().all(is_sound) { Ok(BlockBorders { starts }) } else { Err(FlowError::Malformed) }
    }

    fn blocks(&self, code: &Code<'_>) -> Result<ControlFlow, FlowError> {
        let length = code.bytes.len() as u32;
        let ends = self.starts.iter().copied().skip(1).chain([length]);
        let mut blocks: Vec<BasicBlock> = self
            .starts
            .iter()
            .zip(ends)
            .map(|(start, end)| BasicBlock {
                start: *start,
                end,
                edges: Vec::new(),
                chain: Vec::new(),
                can_throw: false,
            })
            .collect();
        self.connect(code, &mut blocks)?;
        self.add_handlers(code, &mut blocks)?;
        Ok(ControlFlow { entry: 0, blocks })
    }

    fn connect(&self, code: &Code<'_>, blocks: &mut [BasicBlock]) -> Result<(), FlowError> {
        let mut at = blocks.iter_mut();
        let mut block = at.next().ok_or(FlowError::Malformed)?;
        for instruction in code.instructions() {
            let instruction = instruction.map_err(|_| FlowError::Malformed)?;
            if instruction.pc >= block.end {
                block = at.next().ok_or(FlowError::Malformed)?;
            }
            block.can_throw |= can_throw(instruction.opcode);
            if instruction.next == block.end {
                block.edges = self.successors(&instruction)?;
            }
        }
        Ok(())
    }

    /// The successors of a block with this last instruction.
    fn successors(&self, last: &Instruction<'_>) -> Result<Vec<FlowEdge>, FlowError> {
        let edge = |label, pc| self.block(pc).map(|target| FlowEdge { label, target });
        match last.operand {
            Operand::Branch(target) if matches!(last.opcode, opcode::GOTO | opcode::GOTO_W) => {
                Ok(vec![edge(EdgeLabel::Always, target)?])
            }
            Operand::Branch(target) => {
                Ok(vec![edge(EdgeLabel::False, last.next)?, edge(EdgeLabel::True, target)?])
            }
            Operand::Switch(table) => {
                let default = edge(EdgeLabel::Default, table.default)?;
                let mut edges = Vec::new();
                for case in table.cases() {
                    let (key, target) = case.ok_or(FlowError::Malformed)?;
                    if target != table.default {
                        edges.push(edge(EdgeLabel::Case(key), target)?);
                    }
                }
                edges.sort_unstable();
                let is_double = edges.windows(2).any(|pair| matches!(pair, [a, b] if a.label == b.label));
                if is_double {
                    return Err(FlowError::Malformed);
                }
                edges.push(default);
                Ok(edges)
            }
            _ if ends_block(last.opcode) => Ok(Vec::new()),
            _ => Ok(vec![edge(EdgeLabel::Always, last.next)?]),
        }
    }

    fn add_handlers(&self, code: &Code<'_>, blocks: &mut [BasicBlock]) -> Result<(), FlowError> {
        let mut left = MOST_HANDLERS;
        for [start, end, handler, caught] in code.exceptions.iter() {
            let row = CatchRow { caught, handler: self.block(u32::from(handler))? };
            let from = self.block(u32::from(start))?;
            let covered = blocks.iter_mut().skip(from).take_while(|block| block.start < u32::from(end));
            for block in covered {
                left = left.checked_sub(1).ok_or(FlowError::TooManyHandlers)?;
                if block.chain.last().is_none_or(|last| last.caught != 0) {
                    block.chain.push(row);
                }
            }
        }
        Ok(())
    }

    fn block(&self, pc: u32) -> Result<usize, FlowError> {
        self.starts.binary_search(&pc).map_err(|_| FlowError::Malformed)
    }
}

/// Whether control never goes from this instruction to the next one, jumps excepted.
fn ends_block(op: u8) -> bool {
    matches!(op, opcode::IRETURN..=opcode::RETURN | opcode::ATHROW)
}

/// Whether an instruction can throw. Code is assumed to unlock what it locks, so that returning does not throw.
fn can_throw(op: u8) -> bool {
    let is_silent = matches!(op,
        opcode::NOP..=opcode::SIPUSH
            | opcode::ILOAD..=opcode::ALOAD_3
            | opcode::ISTORE..=opcode::ASTORE_3
            | opcode::POP..=opcode::FMUL
            | opcode::DMUL
            | opcode::FDIV
            | opcode::DDIV
            | opcode::FREM
            | opcode::DREM
            | opcode::INEG..=opcode::LOOKUPSWITCH
            | opcode::IRETURN..=opcode::RETURN
            | opcode::IFNULL
            | opcode::IFNONNULL
            | opcode::GOTO_W);
    // The others name something that may have to be loaded, or look into an object or an array.
    !is_silent
}

/// The flow as text, one line a block: `B1 6..10 F:B2 T:B5`, and `!` before the handlers of blocks that throw.
impl fmt::Display for ControlFlow {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (number, block) in self.blocks.iter().enumerate() {
            write!(f, "B{number} {}..{}", block.start, block.end)?;
            for edge in &block.edges {
                write!(f, " {}:B{}", edge.label, edge.target)?;
            }
            if block.can_throw {
                f.write_str(" !")?;
            }
            for row in &block.chain {
                write!(f, " {}>B{}", row.caught, row.handler)?;
            }
            writeln!(f)?;
        }
        Ok(())
    }
}
