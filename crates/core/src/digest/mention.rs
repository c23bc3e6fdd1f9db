//! Which compiler-numbered things a method's code names, in what order.

use super::family::{Class, Family, Method, Place};
use rustc_hash::FxHashSet;
use tamis_classfile::read::instruction::Operand;
use tamis_classfile::{Constant, opcode};

/// How deep constants may nest inside bootstrap arguments.
pub(crate) const CONSTANT_DEPTH: usize = 32;

/// Something numbered that code names.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Mention {
    /// A local or anonymous class of the family.
    Class(usize),
    /// A compiler-made method: class and method.
    Made(usize, usize),
}

/// In order of the code, repeats left out. Code that cannot be decoded mentions nothing more: its class will be
/// found unreadable when its body is encoded.
pub(crate) fn mentions(family: &Family<'_>, class: &Class<'_>, method: &Method<'_>) -> Vec<Mention> {
    let mut found = Found::default();
    let Some(code) = &method.code else { return found.order };
    for instruction in code.instructions().map_while(Result::ok) {
        let index = match instruction.operand {
            Operand::Constant(index) | Operand::Dimensions(index, _) => index,
            _ => continue,
        };
        // Short-cut for what names neither a class nor a method of ours.
        if instruction.opcode == opcode::LDC2_W {
            continue;
        }
        constant(family, class, index, CONSTANT_DEPTH, &mut found);
    }
    found.order
}

#[derive(Default)]
struct Found {
    order: Vec<Mention>,
    seen: FxHashSet<Mention>,
    /// Constants already looked into: a bootstrap method named a thousand times is walked once.
    walked: FxHashSet<u16>,
}

impl Found {
    fn push(&mut self, mention: Mention) {
        if self.seen.insert(mention) {
            self.order.push(mention);
        }
    }
}

fn constant(family: &Family<'_>, class: &Class<'_>, index: u16, depth: usize, found: &mut Found) {
    let pool = &class.file.pool;
    if !found.walked.insert(index) {
        return;
    }
    let Ok(constant_here) = pool.get(index) else { return };
    match constant_here {
        Constant::Class(_) => {
            if let Ok(name) = pool.class(index) {
                mention_class(family, name, found);
            }
        }
        Constant::Member(..) => {
            let Ok(member) = pool.member(index) else { return };
            mention_class(family, member.owner, found);
            if let Some((class, method)) = family.made_method(member.owner, member.name, member.descriptor) {
                found.push(Mention::Made(class, method));
            }
        }
        Constant::MethodHandle(_, member) if depth > 0 => constant(family, class, member, depth - 1, found),
        Constant::Dynamic(bootstrap, _) | Constant::InvokeDynamic(bootstrap, _) => {
            let Some(bootstrap) = class.bootstrap.get(usize::from(bootstrap)) else { return };
            if depth > 0 {
                constant(family, class, bootstrap.method, depth - 1, found);
                for argument in bootstrap.arguments.values() {
                    constant(family, class, argument, depth - 1, found);
                }
            }
        }
        _ => {}
    }
}

fn mention_class(family: &Family<'_>, name: &[u8], found: &mut Found) {
    let element = match name.iter().position(|byte| *byte != b'[') {
        Some(0) | None => name,
        Some(n) => name.get(n..).and_then(|rest| rest.strip_prefix(b"L")?.strip_suffix(b";")).unwrap_or(name),
    };
    if let Some((index, class)) = family.class(element)
        && matches!(class.place, Place::Local { .. })
    {
        found.push(Mention::Class(index));
    }
}
