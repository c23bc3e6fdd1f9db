//! Negates a conditional jump.

use super::in_methods;
use crate::class::EditableMethod;
use crate::edit::ClassEdit;
use crate::{ClassLookup, EditableClass, MutationSite};
use tamis_classfile::opcode::{self, TABLE};

pub(super) fn sites(class: &EditableClass<'_>, _: &dyn ClassLookup) -> Vec<MutationSite> {
    in_methods(class, find)
}

pub(super) fn find(class: &EditableClass<'_>, method: &EditableMethod<'_>, sites: &mut Vec<MutationSite>) {
    for (at, instruction) in method.instructions() {
        let code = instruction.opcode;
        // Opposites are neighbours: an odd opcode and the next even one, except for the last pair.
        let other = match code {
            opcode::IFEQ..=opcode::IF_ACMPNE if code % 2 == 1 => code + 1,
            opcode::IFEQ..=opcode::IF_ACMPNE => code - 1,
            opcode::IFNULL => opcode::IFNONNULL,
            opcode::IFNONNULL => opcode::IFNULL,
            _ => continue,
        };
        let name = |code: u8| TABLE.get(usize::from(code)).map_or("", |(name, _)| *name);
        sites.push(MutationSite {
            entity: method.entity(class),
            what: format!("{} instead of {} at {}", name(other), name(code), instruction.pc),
            edit: ClassEdit::Overwrite { at, bytes: vec![other] },
        });
    }
}
