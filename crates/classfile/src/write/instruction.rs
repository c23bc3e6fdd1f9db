//! Encodes instructions (JVMS 6.5) in the form they were read in, unless a jump must be widened.

use super::output::ClassOutput;
use super::placement::OffsetMap;
use crate::opcode::{self, LAYOUTS, OperandLayout};
use crate::read::code::Code;
use crate::read::instruction::{Instruction, Operand, SwitchTable};
use crate::{ParseError, WriteError};

/// Whether a jump has a 32-bit form.
pub(crate) fn may_widen(opcode: u8) -> bool {
    matches!(opcode, opcode::GOTO | opcode::JSR)
}

/// The number of bytes that an instruction takes at the new offset `at`.
pub(crate) fn length_at(instruction: &Instruction<'_>, at: u32, widened: bool) -> u32 {
    let length = instruction.next - instruction.pc;
    match instruction.operand {
        Operand::Switch(_) => length - padding(instruction.pc) + padding(at),
        _ if widened => 5,
        _ => length,
    }
}

/// Writes one instruction of the old `code` at its new place.
pub(crate) fn encode(
    instruction: &Instruction<'_>,
    code: &Code<'_>,
    placement: &OffsetMap<'_>,
    out: &mut Vec<u8>,
) -> Result<(), WriteError> {
    let Instruction { pc, opcode, wide, operand, next } = *instruction;
    let at = placement.instruction(pc)?;
    let distance = |target: u32| Ok::<_, WriteError>(i64::from(placement.landing(target)?) - i64::from(at));
    if wide {
        out.u8(opcode::WIDE);
    }
    match operand {
        Operand::None => out.u8(opcode),
        Operand::Int(value) => {
            out.u8(opcode);
            match LAYOUTS[usize::from(opcode)] {
                OperandLayout::Byte => out.u8(value as u8),
                _ => out.u16(value as u16),
            }
        }
        Operand::Slot(slot) => {
            out.u8(opcode);
            match LAYOUTS[usize::from(opcode)] {
                OperandLayout::ImpliedSlot => {}
                _ if wide => out.u16(slot),
                _ => out.u8(slot as u8),
            }
        }
        Operand::Increment(slot, by) => {
            out.u8(opcode);
            if wide {
                out.u16(slot);
                out.u16(by as u16);
            } else {
                out.extend([slot as u8, by as u8]);
            }
        }
        Operand::Constant(index) => {
            out.u8(opcode);
            match LAYOUTS[usize::from(opcode)] {
                OperandLayout::Constant8 => out.u8(index as u8),
                OperandLayout::Constant16 => out.u16(index),
                // Copied because the reader does not decode them: an argument count and a zero, or two zeros.
                _ => {
                    out.u16(index);
                    out.extend(code.bytes.get(pc as usize + 3..next as usize).unwrap_or_default());
                }
            }
        }
        Operand::Branch(target) => {
            let distance = distance(target)?;
            if placement.is_widened(pc) {
                out.u8(if opcode == opcode::GOTO { opcode::GOTO_W } else { opcode::JSR_W });
                out.u32(distance as u32);
            } else if LAYOUTS[usize::from(opcode)] == OperandLayout::Branch32 {
                out.u8(opcode);
                out.u32(distance as u32);
            } else {
                let distance = i16::try_from(distance).map_err(|_| WriteError::BranchTooFar { pc })?;
                out.u8(opcode);
                out.u16(distance as u16);
            }
        }
        Operand::Switch(switch) => {
            out.u8(opcode);
            // Since Java 7 the padding may hold any bytes: they are kept if their number is unchanged.
            let old = code.bytes.get(pc as usize + 1..(pc + 1 + padding(pc)) as usize).unwrap_or_default();
            let zeros: &[u8] = &[0; 3];
            let kept = if padding(pc) == padding(at) { old } else { zeros };
            out.extend(kept.iter().take(padding(at) as usize));
            let outside =
                ParseError { offset: code.offset + pc as usize, what: "case leads out of the code" };
            encode_switch(&switch, distance, outside, out)?;
        }
        Operand::ArrayType(element) => out.extend([opcode, element]),
        Operand::Dimensions(index, count) => {
            out.u8(opcode);
            out.u16(index);
            out.u8(count);
        }
    }
    Ok(())
}

fn encode_switch(
    switch: &SwitchTable<'_>,
    distance: impl Fn(u32) -> Result<i64, WriteError>,
    outside: ParseError,
    out: &mut Vec<u8>,
) -> Result<(), WriteError> {
    out.u32(distance(switch.default)? as u32);
    // The reader took the number of keys from the file; it is below the length of the code.
    let count = switch.len() as i32;
    match switch.low {
        Some(low) => {
            out.u32(low as u32);
            out.u32(low.wrapping_add(count).wrapping_sub(1) as u32);
        }
        None => out.u32(count as u32),
    }
    for case in switch.cases() {
        let (key, target) = case.ok_or(outside)?;
        if switch.low.is_none() {
            out.u32(key as u32);
        }
        out.u32(distance(target)? as u32);
    }
    Ok(())
}

/// The bytes between a switch's opcode and its first operand, which is aligned to four.
fn padding(pc: u32) -> u32 {
    3 - pc % 4
}
