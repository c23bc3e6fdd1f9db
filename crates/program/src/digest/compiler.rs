//! Recognises code that compilers add, so that its numbering never reaches a digest.
//!
//! Each recogniser accepts exactly the shapes that known compilers write. Anything else is treated as
//! ordinary code and keeps its name: a renumbering then shows as a change, which costs time but misses
//! nothing.

use super::family::{Nesting, ParsedClass, ParsedField, ParsedMethod};
pub(crate) use tamis_catalog::compilers::javac::{ASSERTIONS_DISABLED, CAPTURED};
use tamis_catalog::compilers::{javac, kotlin};
use tamis_classfile::read::instruction::{Instruction, Operand};
use tamis_classfile::read::pool::MemberKind;
use tamis_classfile::{Constant, ParseError, access, descriptor, opcode};

/// The purpose for which a compiler made a class.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum MadeClass<'a> {
    /// None: an ordinary class.
    No,
    /// Holds maps from enum ordinals to case numbers (`$SwitchMap$…`, `$EnumSwitchMapping$…`).
    SwitchMaps(Vec<SwitchMap<'a>>),
    /// Holds `$assertionsDisabled` for an interface.
    Assertions,
    /// Empty: a parameter type that distinguishes an accessor constructor from the real one.
    Empty,
}

/// One `int[]` that maps the ordinals of an enum to case numbers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct SwitchMap<'a> {
    pub(crate) field: &'a [u8],
    pub(crate) enumeration: &'a [u8],
    /// Case numbers and the constants they stand for.
    pub(crate) cases: Vec<(i32, &'a [u8])>,
}

/// The number of instructions in the assertion prologue.
pub(crate) const PROLOGUE: u32 = 7;

/// The same for an interface, whose assertion status is in another class.
const HOLDER_PROLOGUE: u32 = 2;

/// Whether the compiler made this method for another member and numbered it: lambda bodies, private
/// accessors, accessor constructors, `$values()`. `numbered`: whether the family has any local class.
pub(crate) fn is_made_method(method: &ParsedMethod<'_>, numbered: bool) -> bool {
    let flags = method.member.access;
    if flags & access::SYNTHETIC == 0 {
        // Kotlin does not mark the methods of its lambdas.
        return flags & access::PRIVATE != 0 && flags & access::STATIC != 0 && kotlin_lambda(method.name);
    }
    if flags & access::BRIDGE != 0 || method.code.is_none() || is_deserialize_lambda(method) {
        return false;
    }
    flags & access::PRIVATE != 0
        || flags & access::STATIC != 0 && method.name.starts_with(javac::ACCESSOR)
        || method.name == b"<init>" && numbered && tag_parameter(method.descriptor).is_some()
}

/// Whether this is the method that rebuilds serialised lambdas. Its strings contain the numbers of all of
/// them.
pub(crate) fn is_deserialize_lambda(method: &ParsedMethod<'_>) -> bool {
    let flags = access::SYNTHETIC | access::PRIVATE | access::STATIC;
    method.name == javac::DESERIALIZE_LAMBDA && method.member.access & flags == flags
}

/// The class of the last parameter, if its name ends in a number: `a/B$1`.
pub(crate) fn tag_parameter(descriptor: &[u8]) -> Option<&[u8]> {
    let last = descriptor::parameters(descriptor)?.last()?;
    let class = last.strip_prefix(b"L")?.strip_suffix(b";")?;
    let number = class.rsplit(|byte| *byte == b'$').next()?;
    (!number.is_empty() && number.len() < class.len() && number.iter().all(u8::is_ascii_digit))
        .then_some(class)
}

fn kotlin_lambda(name: &[u8]) -> bool {
    let Some(at) = name.windows(kotlin::LAMBDA.len()).position(|window| window == kotlin::LAMBDA) else {
        return false;
    };
    let number = name.get(at + kotlin::LAMBDA.len()..).unwrap_or_default();
    !number.is_empty()
        && number.iter().all(|byte| byte.is_ascii_digit() || *byte == b'$' || byte.is_ascii_lowercase())
        && number.first().is_some_and(u8::is_ascii_digit)
}

/// The class whose assertion status `<clinit>` stores first, if it begins with that.
pub(crate) fn assertion_prologue<'a>(class: &ParsedClass<'a>) -> Result<Option<&'a [u8]>, ParseError> {
    let pool = &class.file.pool;
    let made_static = access::SYNTHETIC | access::STATIC;
    let has_field = class
        .fields
        .iter()
        .any(|field| field.member.access & made_static == made_static && field.name == ASSERTIONS_DISABLED);
    let initializer = class.methods.iter().find(|method| has_field && method.name == b"<clinit>");
    let Some(code) = initializer.and_then(|method| method.code.as_ref()) else { return Ok(None) };
    let mut code = code.instructions().map_while(Result::ok);
    let Some(start) = collect::<{ PROLOGUE as usize }>(&mut code) else { return Ok(None) };
    let opcodes = start.map(|instruction| instruction.opcode);
    let [load, ask, branch, one, skip, zero, store] = start;
    let load_forms = [opcode::LDC, opcode::LDC_W];
    if !load_forms.contains(&load.opcode)
        || opcodes.get(1..)
            != Some(&[
                opcode::INVOKEVIRTUAL,
                opcode::IFNE,
                opcode::ICONST_1,
                opcode::GOTO,
                opcode::ICONST_0,
                opcode::PUTSTATIC,
            ])
    {
        return Ok(None);
    }
    let jumps = matches!(branch.operand, Operand::Branch(to) if to == zero.pc)
        && matches!(skip.operand, Operand::Branch(to) if to == store.pc)
        && one.next == skip.pc;
    let (Operand::Constant(asked), Operand::Constant(asks), Operand::Constant(field)) =
        (load.operand, ask.operand, store.operand)
    else {
        return Ok(None);
    };
    let status = pool.member(asks)?;
    let field = pool.member(field)?;
    let known = jumps
        && (status.owner, status.name, status.descriptor) == javac::ASSERTION_STATUS
        && status.kind == MemberKind::Method
        && (field.owner, field.name, field.descriptor) == (class.name, ASSERTIONS_DISABLED, b"Z")
        && matches!(pool.get(asked)?, Constant::Class(_));
    if known { pool.class(asked).map(Some) } else { Ok(None) }
}

/// The length of the prologue that javac writes into an interface with assertions: `getstatic; ifeq` to the
/// next instruction. It only initialises one of the `holders` of an assertion status.
pub(crate) fn holder_prologue(class: &ParsedClass<'_>, holders: &[&[u8]]) -> Option<u32> {
    let initializer = class.methods.iter().find(|method| method.name == b"<clinit>")?;
    let mut code = initializer.code.as_ref()?.instructions().map_while(Result::ok);
    let [load, branch] = collect::<{ HOLDER_PROLOGUE as usize }>(&mut code)?;
    let Operand::Constant(field) = load.operand else { return None };
    let field = class.file.pool.member(field).ok()?;
    let known = (load.opcode, branch.opcode) == (opcode::GETSTATIC, opcode::IFEQ)
        && matches!(branch.operand, Operand::Branch(to) if to == branch.next)
        && (field.name, field.descriptor) == (ASSERTIONS_DISABLED, b"Z")
        && holders.contains(&field.owner);
    known.then_some(HOLDER_PROLOGUE)
}

/// Whether a field holds a variable captured by a local class; javac and ecj name it after the variable.
pub(crate) fn is_captured(field: &ParsedField<'_>) -> bool {
    let flags = access::STATIC | access::FINAL | access::SYNTHETIC;
    field.member.access & flags == access::FINAL | access::SYNTHETIC && field.name.starts_with(CAPTURED)
}

/// The purpose for which the compiler made this class, if it did.
pub(crate) fn made_class<'a>(class: &ParsedClass<'a>) -> MadeClass<'a> {
    // Kotlin's `WhenMappings` is a synthetic member class; javac's is synthetic and anonymous.
    let place = matches!(class.place, Nesting::Local { name: None, .. })
        || class.name.ends_with(kotlin::WHEN_MAPPINGS);
    if !place || !class.is_synthetic() || !class.file.interfaces.is_empty() {
        return MadeClass::No;
    }
    let only_initializer = class.methods.iter().all(|method| method.name == b"<clinit>");
    let made_fields = class.fields.iter().all(|field| {
        let flags = field.member.access;
        flags & access::STATIC != 0
            && (flags & access::SYNTHETIC != 0 || class.name.ends_with(kotlin::WHEN_MAPPINGS))
    });
    match (only_initializer && made_fields, class.methods.first()) {
        (true, None) if class.fields.is_empty() => MadeClass::Empty,
        (true, Some(initializer)) if class.assertions.is_some() => {
            let length = initializer.code.as_ref().map_or(0, |code| code.instructions().count());
            let nothing_else = length == PROLOGUE as usize + 1 && class.fields.len() == 1;
            if nothing_else { MadeClass::Assertions } else { MadeClass::No }
        }
        (true, Some(initializer)) => {
            switch_maps(class, initializer).map_or(MadeClass::No, MadeClass::SwitchMaps)
        }
        _ => MadeClass::No,
    }
}

/// A stack value in the initialiser of a switch-map class.
#[derive(Clone, Copy)]
enum SwitchMapValue<'a> {
    Values(&'a [u8]),
    Length(&'a [u8]),
    Map(usize),
    Constant(&'a [u8], &'a [u8]),
    Ordinal(&'a [u8], &'a [u8]),
    Int(i32),
}

/// Runs the initialiser symbolically. Returns `None` if it does anything but fill maps.
fn switch_maps<'a>(class: &ParsedClass<'a>, initializer: &ParsedMethod<'a>) -> Option<Vec<SwitchMap<'a>>> {
    let pool = &class.file.pool;
    let code = initializer.code.as_ref()?;
    let mut handlers = Vec::new();
    for [_, _, handler, caught] in code.exceptions.iter() {
        if pool.optional_class(caught).ok()?? != javac::SWITCH_MAP_ERROR {
            return None;
        }
        handlers.push(u32::from(handler));
    }
    let mut maps: Vec<SwitchMap<'a>> = Vec::new();
    let mut stack: Vec<SwitchMapValue<'a>> = Vec::new();
    let mut locals: [Option<SwitchMapValue<'a>>; 4] = [None; 4];
    // The target of a `goto` over a handler: it must be the instruction after the handler.
    let mut skips: Option<(u32, bool)> = None;
    for instruction in code.instructions() {
        let Instruction { pc, opcode: op, operand, .. } = instruction.ok()?;
        match skips {
            Some((_, false)) if !handlers.contains(&pc) => return None,
            Some((to, false)) => skips = Some((to, true)),
            Some((to, true)) if to != pc => return None,
            Some(_) | None => skips = None,
        }
        if handlers.contains(&pc) {
            // The handler drops the NoSuchFieldError. The symbolic stack must be empty there.
            let drops = op == opcode::POP
                || (opcode::ASTORE_0..=opcode::ASTORE_3).contains(&op)
                || op == opcode::ASTORE;
            if !drops || !stack.is_empty() {
                return None;
            }
            continue;
        }
        match (op, operand) {
            (opcode::INVOKESTATIC, Operand::Constant(index)) => {
                let member = pool.member(index).ok()?;
                if member.name != b"values" {
                    return None;
                }
                stack.push(SwitchMapValue::Values(member.owner));
            }
            (opcode::ARRAYLENGTH, _) => match stack.pop()? {
                SwitchMapValue::Values(owner) => stack.push(SwitchMapValue::Length(owner)),
                _ => return None,
            },
            (opcode::NEWARRAY, Operand::ArrayType(10)) => match stack.pop()? {
                SwitchMapValue::Length(enumeration) => {
                    stack.push(SwitchMapValue::Map(maps.len()));
                    maps.push(SwitchMap { field: b"", enumeration, cases: Vec::new() });
                }
                _ => return None,
            },
            (opcode::PUTSTATIC, Operand::Constant(index)) => {
                let member = pool.member(index).ok()?;
                match stack.pop()? {
                    SwitchMapValue::Map(map) if member.owner == class.name => {
                        maps.get_mut(map)?.field = member.name
                    }
                    _ => return None,
                }
            }
            (opcode::GETSTATIC, Operand::Constant(index)) => {
                let member = pool.member(index).ok()?;
                if member.owner == class.name {
                    stack.push(SwitchMapValue::Map(maps.iter().position(|map| map.field == member.name)?));
                } else {
                    stack.push(SwitchMapValue::Constant(member.owner, member.name));
                }
            }
            (opcode::INVOKEVIRTUAL, Operand::Constant(index)) => {
                let member = pool.member(index).ok()?;
                match stack.pop()? {
                    SwitchMapValue::Constant(owner, name)
                        if (member.name, member.descriptor) == (b"ordinal", b"()I") =>
                    {
                        stack.push(SwitchMapValue::Ordinal(owner, name));
                    }
                    _ => return None,
                }
            }
            (opcode::IASTORE, _) => match (stack.pop()?, stack.pop()?, stack.pop()?) {
                (
                    SwitchMapValue::Int(case),
                    SwitchMapValue::Ordinal(owner, name),
                    SwitchMapValue::Map(map),
                ) => {
                    let map = maps.get_mut(map)?;
                    if map.enumeration != owner {
                        return None;
                    }
                    map.cases.push((case, name));
                }
                _ => return None,
            },
            (opcode::ICONST_0..=opcode::ICONST_5, _) => {
                stack.push(SwitchMapValue::Int(i32::from(op - opcode::ICONST_0)))
            }
            (opcode::BIPUSH | opcode::SIPUSH, Operand::Int(value)) => stack.push(SwitchMapValue::Int(value)),
            (opcode::ASTORE_0..=opcode::ASTORE_3, Operand::Slot(slot)) => {
                *locals.get_mut(usize::from(slot))? = Some(stack.pop()?);
            }
            (opcode::ALOAD_0..=opcode::ALOAD_3, Operand::Slot(slot)) => {
                stack.push((*locals.get(usize::from(slot))?)?);
            }
            // The jump over the next handler, whose stack holds only the exception.
            (opcode::GOTO, Operand::Branch(to)) if stack.is_empty() => skips = Some((to, false)),
            (opcode::RETURN | opcode::NOP, _) if stack.is_empty() => {}
            _ => return None,
        }
    }
    let known =
        skips.is_none() && maps.len() == class.fields.len() && maps.iter().all(|map| !map.field.is_empty());
    known.then_some(maps)
}

fn collect<'a, const N: usize>(
    instructions: &mut impl Iterator<Item = Instruction<'a>>,
) -> Option<[Instruction<'a>; N]> {
    let first: Vec<_> = instructions.take(N).collect();
    first.try_into().ok()
}
