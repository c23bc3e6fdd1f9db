//! Removes a call: its arguments are popped, and a default value replaces its result.

use super::in_methods;
use crate::class::Method;
use crate::edit::{Edit, Piece, default_value};
use crate::{Around, Class, Site};
use tamis_classfile::descriptor::parameters;
use tamis_classfile::read::instruction::Operand;
use tamis_classfile::{mutf8, opcode};

pub(super) fn sites(class: &Class<'_>, _: &dyn Around) -> Vec<Site> {
    in_methods(class, find)
}

pub(super) fn find(class: &Class<'_>, method: &Method<'_>, sites: &mut Vec<Site>) {
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
        sites.push(Site {
            entity: method.entity(class),
            what: format!("does not call {}.{name} at {}", owner.replace('/', "."), instruction.pc),
            edit: Edit::Insert {
                method: method.index,
                pc: instruction.pc,
                code: vec![Piece::Bytes(code)],
                jumped_to: true,
                stack,
                blank: at..at + (instruction.next - instruction.pc) as usize,
            },
        });
    }
}
