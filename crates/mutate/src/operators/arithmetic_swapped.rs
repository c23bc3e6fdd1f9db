//! Replaces an arithmetic or bitwise instruction by another one of the same types.

use super::in_methods;
use crate::class::EditableMethod;
use crate::edit::ClassEdit;
use crate::{ClassLookup, EditableClass, MutationSite};
use tamis_classfile::opcode::{self, TABLE};
use tamis_classfile::read::instruction::Operand;

pub(super) fn sites(class: &EditableClass<'_>, _: &dyn ClassLookup) -> Vec<MutationSite> {
    in_methods(class, find)
}

fn find(class: &EditableClass<'_>, method: &EditableMethod<'_>, sites: &mut Vec<MutationSite>) {
    for (at, instruction) in method.instructions() {
        let name = |code: u8| TABLE.get(usize::from(code)).map_or("", |(name, _)| *name);
        let (what, edit) = match (instruction.opcode, instruction.operand) {
            (opcode::IINC, Operand::Increment(_, by)) if !instruction.wide && by != i16::from(i8::MIN) => {
                let other = -by;
                (
                    format!("adds {other} instead of {by}"),
                    ClassEdit::Overwrite { at: at + 2, bytes: vec![other as u8] },
                )
            }
            (code, _) => {
                let Some(other) = other(code) else { continue };
                (
                    format!("{} instead of {}", name(other), name(code)),
                    ClassEdit::Overwrite { at, bytes: vec![other] },
                )
            }
        };
        sites.push(MutationSite {
            entity: method.entity(class),
            what: format!("{what} at {}", instruction.pc),
            edit,
        });
    }
}

/// The opcodes of an operation are in the order int, long, float, double.
fn other(code: u8) -> Option<u8> {
    Some(match code {
        opcode::IADD..=opcode::DADD => code + 4,
        opcode::ISUB..=opcode::DSUB => code - 4,
        opcode::IMUL..=opcode::DMUL => code + 4,
        opcode::IDIV..=opcode::DDIV => code - 4,
        opcode::IREM..=opcode::DREM => code - 8,
        opcode::ISHL | opcode::LSHL => code + 2,
        opcode::ISHR | opcode::LSHR => code - 2,
        opcode::IUSHR | opcode::LUSHR => code - 4,
        opcode::IAND | opcode::LAND => code + 2,
        opcode::IOR | opcode::LOR => code - 2,
        opcode::IXOR | opcode::LXOR => code - 2,
        _ => return None,
    })
}
