//! Removes a call: its arguments are popped, and a default value replaces its result.

use super::in_methods;
use crate::class::EditableMethod;
use crate::edit::{ClassEdit, CodePiece, default_value};
use crate::{ClassLookup, EditableClass, MutationSite};
use tamis_classfile::descriptor::parameters;
use tamis_classfile::read::instruction::Operand;
use tamis_classfile::{mutf8, opcode};

pub(super) fn sites(class: &EditableClass<'_>, _: &dyn ClassLookup) -> Vec<MutationSite> {
    in_methods(class, find)
}

pub(super) fn find(class: &EditableClass<'_>, method: &EditableMethod<'_>, sites: &mut Vec<MutationSite>) {
    for (at, instruction) in method.instructions() {
        let has_receiver = match instruction.opcode {
            opcode::INVOKEVIRTUAL | opcode::INVOKEINTERFACE | opcode::INVOKESPECIAL => true,
            opcode::INVOKESTATIC => false,
            _ => continue,
        };
        let Operand::Constant(index) = instruction.operand else { continue };
        let Ok(called) = class.file.pool.member(index) else { continue };
        if called.name.starts_with(b"<") {
            continue;
        }
        let Some(types) = parameters(called.descriptor) else { continue };
        let mut code: Vec<u8> =
            types.map(|of| if matches!(of, b"J" | b"D") { opcode::POP2 } else { opcode::POP }).collect();
        code.reverse();
        code.extend(has_receiver.then_some(opcode::POP));
        let Some((value, stack)) = default_value(&mutf8::decode(called.descriptor)) else { continue };
        code.extend(value);
        let (owner, name) = (mutf8::decode(called.owner), mutf8::decode(called.name));
        sites.push(MutationSite {
            entity: method.entity(class),
            what: format!("does not call {}.{name} at {}", owner.replace('/', "."), instruction.pc),
            edit: ClassEdit::Insert {
                method: method.index,
                pc: instruction.pc,
                code: vec![CodePiece::Bytes(code)],
                jumped_to: true,
                stack,
                blank: at..at + (instruction.next - instruction.pc) as usize,
            },
        });
    }
}
