//! Negates a conditional jump.

use super::in_methods;
use crate::class::Method;
use crate::edit::Edit;
use crate::{Around, Class, Site};
use tamis_classfile::opcode::{self, TABLE};

pub(super) fn sites(class: &Class<'_>, _: &dyn Around) -> Vec<Site> {
    in_methods(class, find)
}

pub(super) fn find(class: &Class<'_>, method: &Method<'_>, sites: &mut Vec<Site>) {
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
        sites.push(Site {
            entity: method.entity(class),
            what: format!("{} instead of {} at {}", name(other), name(code), instruction.pc),
            edit: Edit::Overwrite { at, bytes: vec![other] },
        });
    }
}
