//! The effect of an instruction on the height of the operand stack.
//!
//! Covers only the few instructions that occur between the load of a switch map and its switch.

use super::family::ParsedClass;
use tamis_classfile::read::instruction::Operand;
use tamis_classfile::{descriptor, opcode};

/// How many slots the instruction adds or removes. `None` for jumps, ends, and instructions outside that
/// range.
pub(crate) fn of(class: &ParsedClass<'_>, op: u8, operand: &Operand<'_>) -> Option<i32> {
    let constant = || match operand {
        Operand::Constant(index) => class.file.pool.member(*index).ok(),
        _ => None,
    };
    Some(match op {
        opcode::NOP | opcode::CHECKCAST | opcode::INSTANCEOF => 0,
        opcode::ACONST_NULL..=opcode::ICONST_5
        | opcode::BIPUSH
        | opcode::SIPUSH
        | opcode::NEW
        | opcode::DUP => 1,
        opcode::ILOAD | opcode::FLOAD | opcode::ALOAD => 1,
        opcode::ILOAD_0..=opcode::ILOAD_3
        | opcode::FLOAD_0..=opcode::FLOAD_3
        | opcode::ALOAD_0..=opcode::ALOAD_3 => 1,
        opcode::LDC | opcode::LDC_W => 1,
        opcode::IALOAD
        | opcode::AALOAD
        | opcode::BALOAD
        | opcode::CALOAD
        | opcode::SALOAD
        | opcode::FALOAD => -1,
        opcode::IADD | opcode::ISUB | opcode::IMUL | opcode::IAND | opcode::IOR | opcode::IXOR => -1,
        opcode::GETSTATIC => size(constant()?.descriptor)?,
        opcode::GETFIELD => size(constant()?.descriptor)? - 1,
        opcode::INVOKEVIRTUAL | opcode::INVOKESPECIAL | opcode::INVOKEINTERFACE | opcode::INVOKESTATIC => {
            let member = constant()?;
            let arguments = i32::from(descriptor::parameter_slots(member.descriptor)?);
            let result = member.descriptor.rsplit(|byte| *byte == b')').next()?;
            size(result)? - arguments - i32::from(op != opcode::INVOKESTATIC)
        }
        _ => return None,
    })
}

/// Whether an instruction that ended at this height has read a slot below the tracked ones: `dup` of a
/// foreign value, or an argument too many.
pub(crate) fn looks_below(op: u8, height: i32) -> bool {
    match op {
        opcode::DUP => height < 2,
        opcode::CHECKCAST | opcode::INSTANCEOF | opcode::GETFIELD => height < 1,
        opcode::IALOAD..=opcode::SALOAD | opcode::IADD..=opcode::LXOR => height < 1,
        _ => false,
    }
}

fn size(descriptor: &[u8]) -> Option<i32> {
    Some(match descriptor.first()? {
        b'V' => 0,
        b'J' | b'D' => 2,
        _ => 1,
    })
}
