//! Maps old offsets in a method's code to new ones after an insertion.
//!
//! Where something is inserted, an old offset can mean three different things: the instruction itself, the
//! place where jumps to it land, and the beginning of the inserted code (where ranges that ended at the
//! instruction still end).

use super::code::{CodeInsertion, JumpsLand};
use super::instruction::{length_at, may_widen};
use crate::WriteError;
use crate::opcode;
use crate::read::code::Code;
use crate::read::instruction::Operand;

/// Marks a byte inside an instruction, which has no new offset.
const INSIDE: u32 = u32::MAX;

/// The operands of switches are aligned to this.
const ALIGNMENT: u32 = 4;

/// Maps old offsets to new ones.
pub(crate) struct OffsetMap<'i> {
    moved: InstructionMoves,
    /// The length of the old code.
    end: u32,
    insertions: Vec<&'i CodeInsertion>,
    groups: Vec<InsertionGroup>,
    /// Old offsets of the jumps to write in their 32-bit form, ascending.
    widened: Vec<u32>,
}

/// The new offsets of the instructions.
enum InstructionMoves {
    /// The new offset of every instruction by its old one; the last entry is the code's end.
    Each(Vec<u32>),
    /// All moved by the same distance: everything is inserted in front, and neither jumps nor the padding of
    /// switches change.
    All(u32),
}

impl InstructionMoves {
    /// The new offset of the instruction at `pc`, or of the end of the code.
    fn get(&self, pc: u32, end: u32) -> Option<u32> {
        match self {
            InstructionMoves::Each(moved) => moved.get(pc as usize).copied(),
            InstructionMoves::All(by) => (pc <= end).then_some(pc + by),
        }
    }
}

/// All insertions at one offset: first those that jumps skip, then those that jumps run.
#[derive(Clone, Debug)]
pub(crate) struct InsertionGroup {
    /// The old offset of the instruction after the insertions.
    pub at: u32,
    /// Whether the previous instruction falls through into it.
    pub reached: bool,
    insertions: std::ops::Range<usize>,
    skipped_length: u32,
    run_length: u32,
}

impl InsertionGroup {
    fn length(&self) -> u32 {
        self.skipped_length + self.run_length
    }
}

impl<'i> OffsetMap<'i> {
    /// Places the instructions of `code` with `insertions` among them.
    pub(crate) fn new(code: &Code<'_>, insertions: &'i [CodeInsertion]) -> Result<Self, WriteError> {
        // This bounds every sum of lengths below.
        if insertions.iter().try_fold(0usize, |sum, i| sum.checked_add(i.code.len())) > Some(0xffff) {
            return Err(WriteError::CodeTooLarge);
        }
        let mut insertions: Vec<&CodeInsertion> = insertions.iter().collect();
        insertions.sort_by_key(|insertion| (insertion.at, insertion.jumps == JumpsLand::Before));
        let groups = group(&insertions);
        // Code is never longer than 65535 bytes.
        let end = code.bytes.len() as u32;
        let in_front = match groups.as_slice() {
            [InsertionGroup { at: 0, run_length: 0, skipped_length, .. }]
                if skipped_length % ALIGNMENT == 0 =>
            {
                Some(*skipped_length).filter(|_| end > 0)
            }
            _ => None,
        };
        let moved = match in_front {
            Some(by) => InstructionMoves::All(by),
            None => InstructionMoves::Each(vec![INSIDE; code.bytes.len() + 1]),
        };
        let mut placement = OffsetMap { moved, end, insertions, groups, widened: Vec::new() };
        placement.find_places(code)?;
        if placement.length() > 0xffff {
            return Err(WriteError::CodeTooLarge);
        }
        Ok(placement)
    }

    fn find_places(&mut self, code: &Code<'_>) -> Result<(), WriteError> {
        if self.is_whole() {
            return Ok(());
        }
        // Widening moves code, which may put further jumps out of reach, so repeat until nothing changes.
        // Malicious files can need thousands of rounds; after a few, every jump with a wide form is widened.
        for round in 0.. {
            self.place(code)?;
            if !self.widen(code, round > 8)? {
                break;
            }
        }
        Ok(())
    }

    /// Whether the old code follows the inserted code unchanged.
    pub(crate) fn is_whole(&self) -> bool {
        matches!(self.moved, InstructionMoves::All(_))
    }

    /// The length of the new code.
    pub(crate) fn length(&self) -> u32 {
        self.moved.get(self.end, self.end).unwrap_or_default()
    }

    /// The insertion groups by ascending offset.
    pub(crate) fn groups(&self) -> &[InsertionGroup] {
        &self.groups
    }

    /// The insertions of `group` in order, each with its new offset.
    pub(crate) fn inserted(&self, group: &InsertionGroup) -> impl Iterator<Item = (u32, &'i CodeInsertion)> {
        // `place` has checked that a group is at an instruction.
        let mut at = self.end(group.at).unwrap_or_default();
        let insertions = self.insertions.get(group.insertions.clone()).unwrap_or_default();
        insertions.iter().map(move |insertion| {
            let start = at;
            at += insertion.code.len() as u32;
            (start, *insertion)
        })
    }

    /// Whether the jump at the old offset `pc` uses its 32-bit form.
    pub(crate) fn is_widened(&self, pc: u32) -> bool {
        self.widened.binary_search(&pc).is_ok()
    }

    /// The new offset of the instruction at `pc`.
    pub(crate) fn instruction(&self, pc: u32) -> Result<u32, WriteError> {
        match self.moved.get(pc, self.end) {
            Some(moved) if moved != INSIDE && pc < self.end => Ok(moved),
            _ => Err(WriteError::NoInstruction { pc }),
        }
    }

    /// The new target of jumps to `pc`.
    pub(crate) fn landing(&self, pc: u32) -> Result<u32, WriteError> {
        let run = self.group(pc).map_or(0, |group| group.run_length);
        Ok(self.instruction(pc)? - run)
    }

    /// The new end of a range that ended at `pc`, which may be the end of the code.
    pub(crate) fn end(&self, pc: u32) -> Result<u32, WriteError> {
        if pc == self.end {
            return Ok(self.length());
        }
        Ok(self.instruction(pc)? - self.group(pc).map_or(0, InsertionGroup::length))
    }

    /// Like [`Self::instruction`], but for debug tables: errors in them prevent no edit.
    pub(crate) fn loose(&self, pc: u16) -> u16 {
        match self.moved.get(u32::from(pc), self.end) {
            None => pc,
            // Meaningless inside an instruction, but the JVM requires an offset within the code.
            Some(INSIDE) => pc.min(self.length().saturating_sub(1) as u16),
            Some(moved) => moved as u16,
        }
    }

    /// A range of a debug table, as start and length. A range that began at the method's entry still does.
    pub(crate) fn loose_range(&self, start: u16, length: u16) -> (u16, u16) {
        let Some(end) = start.checked_add(length).filter(|end| u32::from(*end) <= self.end) else {
            return (self.loose_landing(start), length);
        };
        let new_start = self.loose_landing(start);
        let inserted = self.group(u32::from(end)).map_or(0, InsertionGroup::length);
        let new_end = self.loose(end).saturating_sub(inserted as u16);
        (new_start, new_end.saturating_sub(new_start))
    }

    /// The new target of jumps to `pc`, for debug tables. The method's entry stays its entry.
    pub(crate) fn loose_landing(&self, pc: u16) -> u16 {
        let run = self.group(u32::from(pc)).map_or(0, |group| group.run_length);
        if pc == 0 { 0 } else { self.loose(pc).saturating_sub(run as u16) }
    }

    fn group(&self, at: u32) -> Option<&InsertionGroup> {
        let found = self.groups.binary_search_by_key(&at, |group| group.at);
        found.ok().and_then(|index| self.groups.get(index))
    }

    /// One pass over the code with the jumps widened so far.
    fn place(&mut self, code: &Code<'_>) -> Result<(), WriteError> {
        let InstructionMoves::Each(places) = &mut self.moved else { return Ok(()) };
        let mut groups = self.groups.iter_mut().peekable();
        let mut widened = self.widened.iter().copied().peekable();
        let mut at = 0u32;
        let mut reached = true;
        for instruction in code.instructions() {
            let instruction = instruction?;
            if let Some(group) = groups.next_if(|group| group.at == instruction.pc) {
                at += group.length();
                group.reached = reached;
            }
            if let Some(moved) = places.get_mut(instruction.pc as usize) {
                *moved = at;
            }
            let wide = widened.next_if_eq(&instruction.pc).is_some();
            at += length_at(&instruction, at, wide);
            reached = runs_on(instruction.opcode);
        }
        if let Some(end) = places.last_mut() {
            *end = at;
        }
        // Groups and instructions ascend, so a group without an instruction blocks all later ones.
        groups.next().map_or(Ok(()), |group| Err(WriteError::NoInstruction { pc: group.at }))
    }

    /// Finds the jumps that are out of reach in the current placement; returns whether there are new ones.
    fn widen(&mut self, code: &Code<'_>, all: bool) -> Result<bool, WriteError> {
        // In less than 32 KiB of code every target is in reach.
        if self.length() <= 0x7fff {
            return Ok(false);
        }
        let mut found = Vec::new();
        for instruction in code.instructions() {
            let instruction = instruction?;
            let Operand::Branch(target) = instruction.operand else { continue };
            if !may_widen(instruction.opcode) || self.is_widened(instruction.pc) {
                continue;
            }
            let distance = i64::from(self.landing(target)?) - i64::from(self.instruction(instruction.pc)?);
            if all || i16::try_from(distance).is_err() {
                found.push(instruction.pc);
            }
        }
        let any = !found.is_empty();
        self.widened.extend(found);
        self.widened.sort_unstable();
        Ok(any)
    }
}

fn group(insertions: &[&CodeInsertion]) -> Vec<InsertionGroup> {
    let mut groups = Vec::new();
    let mut first = 0;
    for chunk in insertions.chunk_by(|a, b| a.at == b.at) {
        let length = |jumps: JumpsLand| -> u32 {
            chunk.iter().filter(|insertion| insertion.jumps == jumps).map(|i| i.code.len() as u32).sum()
        };
        groups.push(InsertionGroup {
            at: chunk.first().map_or(0, |insertion| insertion.at),
            reached: true,
            insertions: first..first + chunk.len(),
            skipped_length: length(JumpsLand::After),
            run_length: length(JumpsLand::Before),
        });
        first += chunk.len();
    }
    groups
}

/// Whether the next instruction may run after this one without a jump.
fn runs_on(opcode: u8) -> bool {
    !matches!(
        opcode,
        opcode::GOTO | opcode::GOTO_W | opcode::RET | opcode::TABLESWITCH..=opcode::RETURN | opcode::ATHROW
    )
}
