//! Swaps the targets of two neighbouring labels of a switch.

use super::in_methods;
use crate::class::EditableMethod;
use crate::edit::ClassEdit;
use crate::{ClassLookup, EditableClass, MutationSite};
use tamis_classfile::read::instruction::Operand;

pub(super) fn sites(class: &EditableClass<'_>, _: &dyn ClassLookup) -> Vec<MutationSite> {
    in_methods(class, find)
}

fn find(class: &EditableClass<'_>, method: &EditableMethod<'_>, sites: &mut Vec<MutationSite>) {
    for (at, instruction) in method.instructions() {
        let Operand::Switch(switch) = instruction.operand else { continue };
        let Some(cases) = switch.cases().collect::<Option<Vec<_>>>() else { continue };
        // After the padding: default, low and high of a table; default and count of a list of pairs.
        let first = at + 4 - instruction.pc as usize % 4 + if switch.low.is_some() { 12 } else { 8 };
        let place = |case: usize| if switch.low.is_some() { first + 4 * case } else { first + 8 * case + 4 };
        for (case, pair) in cases.windows(2).enumerate() {
            let [(one, to_one), (two, to_two)] = pair else { continue };
            let (low, high) = (place(case), place(case + 1) + 4);
            let Some(old) = class.file.bytes.get(low..high).filter(|_| to_one != to_two) else { continue };
            let mut bytes = old.to_vec();
            let (Some(a), Some(b)) = (old.first_chunk::<4>(), old.last_chunk::<4>()) else { continue };
            if let Some(start) = bytes.first_chunk_mut::<4>() {
                *start = *b;
            }
            if let Some(end) = bytes.last_chunk_mut::<4>() {
                *end = *a;
            }
            sites.push(MutationSite {
                entity: method.entity(class),
                what: format!("labels {one} and {two} swapped at {}", instruction.pc),
                edit: ClassEdit::Overwrite { at: low, bytes },
            });
        }
    }
}
