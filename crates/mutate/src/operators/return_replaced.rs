//! Makes a method return another value: the opposite, one more, or nothing.

use super::in_methods;
use crate::class::EditableMethod;
use crate::edit::{ClassEdit, CodePiece};
use crate::{ClassLookup, EditableClass, MutationSite};
use tamis_classfile::opcode;

pub(super) fn sites(class: &EditableClass<'_>, _: &dyn ClassLookup) -> Vec<MutationSite> {
    in_methods(class, find)
}

pub(super) fn find(class: &EditableClass<'_>, method: &EditableMethod<'_>, sites: &mut Vec<MutationSite>) {
    let bytes = |bytes: &[u8]| vec![CodePiece::Bytes(bytes.to_vec())];
    let returned = method.descriptor.rsplit(')').next().unwrap_or_default();
    for (_, instruction) in method.instructions() {
        let (what, code, stack) = match (instruction.opcode, returned) {
            (opcode::IRETURN, "Z") => ("the opposite", bytes(&[opcode::ICONST_1, opcode::IXOR]), 1),
            (opcode::IRETURN, "B") => ("one more", bytes(&[opcode::ICONST_1, opcode::IADD, opcode::I2B]), 1),
            (opcode::IRETURN, "S") => ("one more", bytes(&[opcode::ICONST_1, opcode::IADD, opcode::I2S]), 1),
            (opcode::IRETURN, "C") => ("one more", bytes(&[opcode::ICONST_1, opcode::IADD, opcode::I2C]), 1),
            (opcode::IRETURN, _) => ("one more", bytes(&[opcode::ICONST_1, opcode::IADD]), 1),
            (opcode::LRETURN, _) => ("one more", bytes(&[opcode::LCONST_1, opcode::LADD]), 2),
            (opcode::FRETURN, _) => ("one more", bytes(&[opcode::FCONST_1, opcode::FADD]), 1),
            (opcode::DRETURN, _) => ("one more", bytes(&[opcode::DCONST_1, opcode::DADD]), 2),
            (opcode::ARETURN, "Ljava/lang/String;") => {
                let code = vec![CodePiece::Bytes(vec![opcode::POP]), CodePiece::Text("changed".to_owned())];
                ("another text", code, 0)
            }
            (opcode::ARETURN, _) => ("null", bytes(&[opcode::POP, opcode::ACONST_NULL]), 0),
            _ => continue,
        };
        sites.push(MutationSite {
            entity: method.entity(class),
            what: format!("returns {what} at {}", instruction.pc),
            edit: ClassEdit::Insert {
                method: method.index,
                pc: instruction.pc,
                code,
                jumped_to: true,
                stack,
                blank: 0..0,
            },
        });
    }
}
