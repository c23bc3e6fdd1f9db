//! Instructions (JVMS 6.5), decoded one after another without allocation.

use super::cursor::Cursor;
use crate::ParseError;
use crate::opcode::{self, LAYOUTS, OperandLayout};

/// One instruction with its operands; jumps are given as target offsets.
#[derive(Clone, Copy, Debug)]
pub struct Instruction<'a> {
    /// Its offset in the code array.
    pub pc: u32,
    /// Its opcode. After a `wide` prefix, the opcode of the widened instruction.
    pub opcode: u8,
    /// Whether it was written with a `wide` prefix.
    pub wide: bool,
    /// Its operands.
    pub operand: Operand<'a>,
    /// The offset of the next instruction.
    pub next: u32,
}

/// The operands of an instruction, independent of their encoding.
#[derive(Clone, Copy, Debug)]
pub enum Operand<'a> {
    /// None.
    None,
    /// A number: `bipush`, `sipush`.
    Int(i32),
    /// A local variable, also where the opcode implies it (`iload_2`).
    Slot(u16),
    /// `iinc`: a local variable and its increment.
    Increment(u16, i16),
    /// A constant.
    Constant(u16),
    /// A jump, as its target offset.
    Branch(u32),
    /// `tableswitch` or `lookupswitch`.
    Switch(SwitchTable<'a>),
    /// `newarray`: the element type's code.
    ArrayType(u8),
    /// `multianewarray`: the array's class and the number of dimensions to allocate.
    Dimensions(u16, u8),
}

/// A `tableswitch` or `lookupswitch`.
#[derive(Clone, Copy, Debug)]
pub struct SwitchTable<'a> {
    pc: u32,
    length: u32,
    /// The target if no key matches.
    pub default: u32,
    /// `Some(low)` for a `tableswitch`.
    pub low: Option<i32>,
    words: &'a [[u8; 4]],
}

impl<'a> SwitchTable<'a> {
    /// The number of keys.
    pub fn len(&self) -> usize {
        if self.low.is_some() { self.words.len() } else { self.words.len() / 2 }
    }

    /// Whether it has only a default.
    pub fn is_empty(&self) -> bool {
        self.words.is_empty()
    }

    /// Key and target offset of each case in file order; `None` for a target outside the code.
    pub fn cases(&self) -> impl Iterator<Item = Option<(i32, u32)>> + 'a + use<'a> {
        let SwitchTable { pc, length, low, words, .. } = *self;
        (0..self.len()).map(move |i| {
            let word = |i: usize| words.get(i).map(|w| i32::from_be_bytes(*w));
            match low {
                Some(low) => Some((low.wrapping_add(i as i32), jump(pc, word(i)?, length)?)),
                None => Some((word(2 * i)?, jump(pc, word(2 * i + 1)?, length)?)),
            }
        })
    }
}

/// Iterates over a code array; after an error it yields nothing more.
#[derive(Clone, Debug)]
pub struct Instructions<'a> {
    cursor: Cursor<'a>,
    start: usize,
    length: u32,
}

impl<'a> Instructions<'a> {
    /// The instructions of `code`, which begins `offset` bytes into the class file.
    pub fn new(code: &'a [u8], offset: usize) -> Self {
        // The length of a code array has 32 bits in the file.
        Instructions { cursor: Cursor::new(code, offset), start: offset, length: code.len() as u32 }
    }

    // Inlined so that the compiler can merge this match with the caller's match on the operand: this saves 3
    // % of the time of digesting.
    #[inline(always)]
    fn decode(&mut self) -> Result<Instruction<'a>, ParseError> {
        let at = self.cursor;
        let pc = (at.offset() - self.start) as u32;
        let cursor = &mut self.cursor;
        let mut opcode = cursor.u8()?;
        let mut wide = false;
        let length = self.length;
        let target = |distance: i32| jump(pc, distance, length).ok_or(at.error("jump leads out of the code"));
        let operand = match LAYOUTS[usize::from(opcode)] {
            OperandLayout::Plain => Operand::None,
            OperandLayout::ImpliedSlot => Operand::Slot(u16::from(implied(opcode).1)),
            OperandLayout::Byte => Operand::Int(i32::from(cursor.u8()? as i8)),
            OperandLayout::Short => Operand::Int(i32::from(cursor.u16()? as i16)),
            OperandLayout::Slot => Operand::Slot(u16::from(cursor.u8()?)),
            OperandLayout::Constant8 => Operand::Constant(u16::from(cursor.u8()?)),
            OperandLayout::Constant16 => Operand::Constant(cursor.u16()?),
            OperandLayout::Increment => {
                Operand::Increment(u16::from(cursor.u8()?), i16::from(cursor.u8()? as i8))
            }
            OperandLayout::Branch16 => Operand::Branch(target(i32::from(cursor.u16()? as i16))?),
            OperandLayout::Branch32 => Operand::Branch(target(cursor.u32()? as i32)?),
            OperandLayout::Interface | OperandLayout::Dynamic => {
                let constant = cursor.u16()?;
                cursor.take(2)?;
                Operand::Constant(constant)
            }
            OperandLayout::ArrayType => Operand::ArrayType(cursor.u8()?),
            OperandLayout::Dimensions => Operand::Dimensions(cursor.u16()?, cursor.u8()?),
            OperandLayout::Table | OperandLayout::Lookup => {
                cursor.take((3 - pc % 4) as usize)?;
                let default = target(cursor.u32()? as i32)?;
                let first = cursor.u32()?;
                let (low, count) = if opcode == opcode::TABLESWITCH {
                    let (low, high) = (first as i32, cursor.u32()? as i32);
                    let count = i64::from(high) - i64::from(low) + 1;
                    (Some(low), u64::try_from(count).map_err(|_| at.error("tableswitch has low above high"))?)
                } else {
                    (None, 2 * u64::from(first))
                };
                // The count is checked against the remaining bytes before it sizes anything.
                let bytes = usize::try_from(count.saturating_mul(4)).unwrap_or(usize::MAX);
                let (words, _) = cursor.take(bytes)?.as_chunks::<4>();
                Operand::Switch(SwitchTable { pc, length, default, low, words })
            }
            OperandLayout::Wide => {
                wide = true;
                opcode = cursor.u8()?;
                match LAYOUTS[usize::from(opcode)] {
                    OperandLayout::Slot => Operand::Slot(cursor.u16()?),
                    OperandLayout::Increment => Operand::Increment(cursor.u16()?, cursor.u16()? as i16),
                    _ => return Err(at.error("wide before an instruction that has no wide form")),
                }
            }
            OperandLayout::Undefined => return Err(at.error("opcode is not defined")),
        };
        Ok(Instruction { pc, opcode, wide, operand, next: (self.cursor.offset() - self.start) as u32 })
    }
}

impl<'a> Iterator for Instructions<'a> {
    type Item = Result<Instruction<'a>, ParseError>;

    #[inline]
    fn next(&mut self) -> Option<Self::Item> {
        if self.cursor.is_empty() {
            return None;
        }
        let decoded = self.decode();
        if decoded.is_err() {
            self.cursor = Cursor::new(&[], self.cursor.offset());
        }
        Some(decoded)
    }
}

/// The offsets at which instructions begin, determined by their lengths alone. Stops at an instruction of
/// unknown length. Does not check the instructions: [`Instructions`] does.
pub fn boundaries(code: &[u8]) -> impl Iterator<Item = usize> {
    let mut pc = 0;
    std::iter::from_fn(move || {
        let at = pc;
        let length = match LENGTHS[usize::from(*code.get(at)?)] {
            0 => irregular_length(code, at)?,
            length => usize::from(length),
        };
        pc = at.checked_add(length)?;
        Some(at)
    })
}

/// The constants that instructions name, in order; stops like [`boundaries`].
pub fn named_constants(code: &[u8]) -> impl Iterator<Item = u16> {
    boundaries(code).filter_map(|pc| {
        let [opcode, operands @ ..] = code.get(pc..)? else { return None };
        match LAYOUTS[usize::from(*opcode)] {
            OperandLayout::Constant8 => operands.first().map(|index| u16::from(*index)),
            OperandLayout::Constant16
            | OperandLayout::Interface
            | OperandLayout::Dynamic
            | OperandLayout::Dimensions => operands.first_chunk().map(|index| u16::from_be_bytes(*index)),
            _ => None,
        }
    })
}

/// The length of each instruction; 0 if it depends on more than the opcode.
const LENGTHS: [u8; 256] = {
    let mut lengths = [0; 256];
    let mut i = 0;
    while i < 256 {
        lengths[i] = match LAYOUTS[i] {
            OperandLayout::Plain | OperandLayout::ImpliedSlot => 1,
            OperandLayout::Byte
            | OperandLayout::Slot
            | OperandLayout::Constant8
            | OperandLayout::ArrayType => 2,
            OperandLayout::Short
            | OperandLayout::Constant16
            | OperandLayout::Increment
            | OperandLayout::Branch16 => 3,
            OperandLayout::Dimensions => 4,
            OperandLayout::Branch32 | OperandLayout::Interface | OperandLayout::Dynamic => 5,
            OperandLayout::Table | OperandLayout::Lookup | OperandLayout::Wide | OperandLayout::Undefined => {
                0
            }
        };
        i += 1;
    }
    lengths
};

fn irregular_length(code: &[u8], pc: usize) -> Option<usize> {
    let padded = pc + 4 - pc % 4;
    let word = |i: usize| Some(i32::from_be_bytes(*code.get(padded + 4 * i..)?.first_chunk()?));
    let words = match LAYOUTS[usize::from(*code.get(pc)?)] {
        OperandLayout::Table => 3 + usize::try_from(i64::from(word(2)?) - i64::from(word(1)?) + 1).ok()?,
        OperandLayout::Lookup => 2 + 2 * usize::try_from(word(1)?).ok()?,
        OperandLayout::Wide => return Some(if *code.get(pc + 1)? == opcode::IINC { 6 } else { 4 }),
        _ => return None,
    };
    padded.checked_add(words.checked_mul(4)?)?.checked_sub(pc)
}

/// The general opcode and the slot of `iload_0` to `astore_3`.
pub fn implied(opcode: u8) -> (u8, u8) {
    if opcode >= opcode::ISTORE_0 {
        let n = opcode - opcode::ISTORE_0;
        (opcode::ISTORE + n / 4, n % 4)
    } else {
        let n = opcode - opcode::ILOAD_0;
        (opcode::ILOAD + n / 4, n % 4)
    }
}

fn jump(pc: u32, distance: i32, length: u32) -> Option<u32> {
    pc.checked_add_signed(distance).filter(|target| *target < length)
}
