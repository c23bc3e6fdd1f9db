//! Edits as data, and their application: overwriting bytes, inserting code, adding or removing parts.
//!
//! Offsets refer to the unedited class. Constants are appended to the pool, which shifts everything after it
//! alike.

use crate::class::end;
use crate::{EditableClass, EditedClass};
use tamis_classfile::opcode;
use tamis_classfile::read::attribute::AttributeKind;
use tamis_classfile::read::pool::{Constant, MemberKind};
use tamis_classfile::write::class::ClassWriter;
use tamis_classfile::write::code::{CodeInsertion, JumpsLand};
use tamis_classfile::write::pool::PoolWriter;

/// A change of a class.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ClassEdit {
    /// Replaces bytes by as many others.
    Overwrite {
        /// The offset of the first byte.
        at: usize,
        /// The new bytes.
        bytes: Vec<u8>,
    },
    /// Replaces the reference to a constant by another one.
    Constant {
        /// The offset of the reference.
        at: usize,
        /// The new constant.
        value: ConstantValue,
    },
    /// Inserts code before an instruction.
    Insert {
        /// The method's index.
        method: usize,
        /// The instruction's offset.
        pc: u32,
        /// The code.
        code: Vec<CodePiece>,
        /// Whether jumps to the instruction run the code.
        jumped_to: bool,
        /// The number of additional stack slots.
        stack: u16,
        /// Bytes of the class to replace by `nop`s: those of the instruction, if the inserted code replaces
        /// it.
        blank: std::ops::Range<usize>,
    },
    /// Inserts code in front of a method's body. No jump or handler of the method includes it.
    Prepend {
        /// The method's index.
        method: usize,
        /// The code, which ends by throwing: the old body stays in the file and is never reached.
        code: Vec<CodePiece>,
        /// The number of stack slots that it needs.
        stack: u16,
    },
    /// Adds a method.
    AddMethod {
        /// Its flags.
        access: u16,
        /// Its name.
        name: String,
        /// Its descriptor.
        descriptor: String,
        /// Its code, without jumps.
        code: Vec<CodePiece>,
        /// The depth of its stack.
        stack: u16,
    },
    /// Removes a method.
    RemoveMethod(usize),
    /// Adds a field.
    AddField {
        /// Its flags.
        access: u16,
        /// Its name.
        name: String,
        /// Its descriptor.
        descriptor: String,
    },
    /// Adds a superinterface.
    AddInterface(String),
    /// Adds a new superinterface that extends another one and overrides its method by a default method.
    AddDefault {
        /// The name of the new interface.
        interface: String,
        /// The interface that it extends.
        extends: String,
        /// The method's name.
        name: String,
        /// Its descriptor.
        descriptor: String,
    },
    /// Removes bytes and decrements a 16-bit count.
    Remove {
        /// The offset of the count.
        count: usize,
        /// The bytes to remove.
        range: std::ops::Range<usize>,
        /// The offsets of 32-bit lengths that include these bytes.
        lengths: Vec<usize>,
    },
}

/// A constant.
#[derive(Clone, Debug, PartialEq, Eq)]
#[allow(missing_docs)] // The names are the types.
pub enum ConstantValue {
    Int(i32),
    Float(u32),
    Long(i64),
    Double(u64),
    String(String),
}

/// A part of code.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CodePiece {
    /// Literal instructions.
    Bytes(Vec<u8>),
    /// Pushes a string literal.
    Text(String),
    /// An instruction with a class as its operand.
    Class(u8, String),
    /// An instruction with a member as its operand.
    Member(u8, MemberKind, String, String, String),
}

/// Applies an edit. `None` if it does not fit in the class (the pool or the code is full).
pub fn apply(class: &EditableClass<'_>, edit: &ClassEdit) -> Option<Vec<EditedClass>> {
    let one = |bytes: Vec<u8>| vec![EditedClass { class: class.name.clone(), bytes }];
    match edit {
        ClassEdit::Overwrite { at, bytes } => {
            let mut all = class.file.bytes.to_vec();
            all.get_mut(*at..at + bytes.len())?.copy_from_slice(bytes);
            Some(one(all))
        }
        ClassEdit::Constant { at, value } => splice(class, |pool| {
            let index = constant(pool, value)?;
            Some(vec![(*at..at + 2, index.to_be_bytes().to_vec())])
        })
        .map(one),
        ClassEdit::Insert { method, pc, code, jumped_to, stack, blank } => {
            let mut all = class.file.bytes.to_vec();
            all.get_mut(blank.clone())?.fill(opcode::NOP);
            let blanked = EditableClass::read(&all)?;
            let mut writer = ClassWriter::new(&blanked.file);
            let code = assemble(&mut writer.pool, code)?;
            let jumps = if *jumped_to { JumpsLand::Before } else { JumpsLand::After };
            let insertion = CodeInsertion { at: *pc, code, jumps, frames: Vec::new(), stack: *stack };
            writer.insert(&blanked.file.methods.iter().nth(*method)?, &[insertion]).ok()?;
            writer.finish().ok().map(one)
        }
        ClassEdit::Prepend { method, code, stack } => {
            let mut writer = ClassWriter::new(&class.file);
            let code = assemble(&mut writer.pool, code)?;
            // Code that is not reached needs a frame as well (JVMS 4.10.1).
            let frames = vec![u16::try_from(code.len()).ok()?];
            let insertion = CodeInsertion { at: 0, code, jumps: JumpsLand::After, frames, stack: *stack };
            writer.insert(&class.file.methods.iter().nth(*method)?, &[insertion]).ok()?;
            writer.finish().ok().map(one)
        }
        ClassEdit::AddMethod { access, name, descriptor, code, stack } => {
            let method =
                |pool: &mut PoolWriter<'_, '_>| method(pool, *access, name, descriptor, code, *stack);
            let at = class.attribute_count();
            splice(class, |pool| Some(vec![more(class, class.method_count())?, (at..at, method(pool)?)]))
                .map(one)
        }
        ClassEdit::RemoveMethod(index) => {
            let member = class.file.methods.iter().nth(*index)?;
            let count = class.method_count();
            let edit = ClassEdit::Remove { count, range: member.offset..end(&member), lengths: Vec::new() };
            apply(class, &edit)
        }
        ClassEdit::AddField { access, name, descriptor } => splice(class, |pool| {
            let (name, descriptor) =
                (pool.utf8(name.as_bytes()).ok()?, pool.utf8(descriptor.as_bytes()).ok()?);
            let field = [*access, name, descriptor, 0].iter().flat_map(|cell| cell.to_be_bytes()).collect();
            let at = class.method_count();
            Some(vec![more(class, class.field_count())?, (at..at, field)])
        })
        .map(one),
        ClassEdit::AddInterface(name) => splice(class, |pool| {
            let index = pool.class(name.as_bytes()).ok()?;
            let at = class.field_count();
            Some(vec![more(class, class.interface_count())?, (at..at, index.to_be_bytes().to_vec())])
        })
        .map(one),
        ClassEdit::AddDefault { interface, extends, name, descriptor } => {
            let mut made = apply(class, &ClassEdit::AddInterface(interface.clone()))?;
            let bytes = new_interface(class.file.version.major, interface, extends, name, descriptor)?;
            made.push(EditedClass { class: interface.clone(), bytes });
            Some(made)
        }
        ClassEdit::Remove { count, range, lengths } => splice(class, |_| {
            let mut parts = vec![less(class, *count)?, (range.clone(), Vec::new())];
            for at in lengths {
                let length = u32::from_be_bytes(*class.file.bytes.get(*at..)?.first_chunk()?);
                let shorter = length.checked_sub(range.len() as u32)?;
                parts.push((*at..at + 4, shorter.to_be_bytes().to_vec()));
            }
            Some(parts)
        })
        .map(one),
    }
}

type CodeSplice = (std::ops::Range<usize>, Vec<u8>);

/// The class with appended constants and replaced parts.
fn splice(
    class: &EditableClass<'_>,
    parts: impl FnOnce(&mut PoolWriter<'_, '_>) -> Option<Vec<CodeSplice>>,
) -> Option<Vec<u8>> {
    let mut writer = ClassWriter::new(&class.file);
    let mut parts = parts(&mut writer.pool)?;
    parts.sort_by_key(|(range, _)| (range.start, range.end));
    let grown = writer.finish().ok()?;
    let moved = grown.len().checked_sub(class.file.bytes.len())?;
    let (mut out, mut at) = (Vec::with_capacity(grown.len() + 64), 0);
    for (range, bytes) in parts {
        out.extend_from_slice(grown.get(at..range.start + moved)?);
        out.extend_from_slice(&bytes);
        at = range.end + moved;
    }
    out.extend_from_slice(grown.get(at..)?);
    Some(out)
}

fn counted(class: &EditableClass<'_>, at: usize, change: i32) -> Option<CodeSplice> {
    let count = u16::from_be_bytes(*class.file.bytes.get(at..)?.first_chunk()?);
    let new = u16::try_from(i32::from(count) + change).ok()?;
    Some((at..at + 2, new.to_be_bytes().to_vec()))
}

fn more(class: &EditableClass<'_>, at: usize) -> Option<CodeSplice> {
    counted(class, at, 1)
}

fn less(class: &EditableClass<'_>, at: usize) -> Option<CodeSplice> {
    counted(class, at, -1)
}

fn constant(pool: &mut PoolWriter<'_, '_>, value: &ConstantValue) -> Option<u16> {
    match value {
        ConstantValue::Int(value) => pool.constant(Constant::Integer(*value)),
        ConstantValue::Float(bits) => pool.constant(Constant::Float(*bits)),
        ConstantValue::Long(value) => pool.constant(Constant::Long(*value)),
        ConstantValue::Double(bits) => pool.constant(Constant::Double(*bits)),
        ConstantValue::String(text) => pool.string(text.as_bytes()),
    }
    .ok()
}

fn assemble(pool: &mut PoolWriter<'_, '_>, pieces: &[CodePiece]) -> Option<Vec<u8>> {
    let mut code = Vec::new();
    for piece in pieces {
        match piece {
            CodePiece::Bytes(bytes) => code.extend_from_slice(bytes),
            CodePiece::Text(text) => {
                code.push(opcode::LDC_W);
                code.extend(pool.string(text.as_bytes()).ok()?.to_be_bytes());
            }
            CodePiece::Class(instruction, name) => {
                code.push(*instruction);
                code.extend(pool.class(name.as_bytes()).ok()?.to_be_bytes());
            }
            CodePiece::Member(instruction, kind, owner, name, descriptor) => {
                let index =
                    pool.member(*kind, owner.as_bytes(), name.as_bytes(), descriptor.as_bytes()).ok()?;
                code.push(*instruction);
                code.extend(index.to_be_bytes());
            }
        }
    }
    Some(code)
}

/// A method without jumps.
fn method(
    pool: &mut PoolWriter<'_, '_>,
    access: u16,
    name: &str,
    descriptor: &str,
    code: &[CodePiece],
    stack: u16,
) -> Option<Vec<u8>> {
    let this = u16::from(access & tamis_classfile::access::STATIC == 0);
    let locals = tamis_classfile::descriptor::parameter_slots(descriptor.as_bytes())?.checked_add(this)?;
    let code = assemble(pool, code)?;
    let mut out = Vec::new();
    for cell in [access, pool.utf8(name.as_bytes()).ok()?, pool.utf8(descriptor.as_bytes()).ok()?, 1] {
        out.extend(cell.to_be_bytes());
    }
    out.extend(pool.utf8(b"Code").ok()?.to_be_bytes());
    out.extend((code.len() as u32 + 12).to_be_bytes());
    out.extend(stack.to_be_bytes());
    out.extend(locals.to_be_bytes());
    out.extend((code.len() as u32).to_be_bytes());
    out.extend(code);
    // No handlers and no attributes.
    out.extend([0; 4]);
    Some(out)
}

/// An interface that extends another one and has one default method, which returns a default value.
fn new_interface(major: u16, own: &str, extends: &str, name: &str, descriptor: &str) -> Option<Vec<u8>> {
    use tamis_classfile::access::{ABSTRACT, INTERFACE, PUBLIC};
    // An empty `interface OWN`: text 1, class 2, text 3, class 4.
    let mut bytes = vec![0xca, 0xfe, 0xba, 0xbe, 0, 0];
    bytes.extend(major.to_be_bytes());
    bytes.extend(5u16.to_be_bytes());
    for (name, index) in [(own, 1u16), ("java/lang/Object", 3)] {
        bytes.push(1);
        bytes.extend(u16::try_from(name.len()).ok()?.to_be_bytes());
        bytes.extend(name.as_bytes());
        bytes.push(7);
        bytes.extend(index.to_be_bytes());
    }
    for cell in [PUBLIC | INTERFACE | ABSTRACT, 2, 4, 0, 0, 0, 0] {
        bytes.extend(cell.to_be_bytes());
    }
    let empty = EditableClass::read(&bytes)?;
    let extended = apply(&empty, &ClassEdit::AddInterface(extends.to_owned()))?.pop()?;
    let extended = EditableClass::read(&extended.bytes)?;
    let (code, stack) = default_body(descriptor)?;
    let method = ClassEdit::AddMethod {
        access: PUBLIC,
        name: name.to_owned(),
        descriptor: descriptor.to_owned(),
        code,
        stack,
    };
    apply(&extended, &method)?.pop().map(|made| made.bytes)
}

/// Code that returns zero, false, null or nothing, and the depth of its stack.
pub(crate) fn default_body(descriptor: &str) -> Option<(Vec<CodePiece>, u16)> {
    let (mut code, stack) = default_value(descriptor)?;
    code.push(match descriptor.rsplit(')').next()?.as_bytes().first()? {
        b'V' => opcode::RETURN,
        b'J' => opcode::LRETURN,
        b'F' => opcode::FRETURN,
        b'D' => opcode::DRETURN,
        b'L' | b'[' => opcode::ARETURN,
        _ => opcode::IRETURN,
    });
    Some((vec![CodePiece::Bytes(code)], stack))
}

/// Code that pushes a default value of a method's return type, and the number of its slots.
pub(crate) fn default_value(descriptor: &str) -> Option<(Vec<u8>, u16)> {
    Some(match descriptor.rsplit(')').next()?.as_bytes().first()? {
        b'V' => (vec![], 0),
        b'J' => (vec![opcode::LCONST_0], 2),
        b'F' => (vec![opcode::FCONST_0], 1),
        b'D' => (vec![opcode::DCONST_0], 2),
        b'L' | b'[' => (vec![opcode::ACONST_NULL], 1),
        _ => (vec![opcode::ICONST_0], 1),
    })
}

/// The edit that removes an attribute from a class or a member.
pub(crate) fn remove_attribute(
    class: &EditableClass<'_>,
    of: Option<&tamis_classfile::Member<'_>>,
    kind: AttributeKind,
) -> Option<ClassEdit> {
    let (attributes, count) = match of {
        Some(member) => (member.attributes, member.offset + 6),
        None => (class.file.attributes, class.attribute_count()),
    };
    let found = attributes.find(&class.file.pool, kind).ok()??;
    // Name and length precede the contents.
    let range = found.offset - 6..found.offset + found.data.len();
    Some(ClassEdit::Remove { count, range, lengths: Vec::new() })
}
