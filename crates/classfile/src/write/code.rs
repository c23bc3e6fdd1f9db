//! Inserts instructions into a method's code (JVMS 4.7.3).
//!
//! Everything that contains offsets is adjusted: jumps and switches, handlers, frames, line and variable
//! tables, type annotations. Attributes unknown to this crate are copied.

use super::output::ClassOutput;
use super::placement::{InsertionGroup, OffsetMap};
use super::pool::PoolWriter;
use super::{annotation, frame, instruction, rows};
use crate::read::attribute::{Attribute, AttributeKind};
use crate::read::code::Code;
use crate::{ClassFile, WriteError};

/// The first version whose methods are verified with stack map frames; for older ones no JVM reads frames.
const FRAMES: u16 = 50;

/// Instructions to insert before an existing one. Code that falls through to the existing one runs them too.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CodeInsertion {
    /// Offset of the existing instruction in the old code.
    pub at: u32,
    /// The instructions, copied unchanged: without switches, with jumps only among themselves or to their
    /// end. They must leave the stack and the locals unchanged.
    pub code: Vec<u8>,
    /// Whether jumps to `at`, handlers starting there and ranges beginning there include the inserted code.
    pub jumps: JumpsLand,
    /// Offsets in `code` that are targets of its own jumps, including its end. Each gets the frame that holds
    /// at `at`. The class file must have a frame there, unless `at` is 0. Ignored before version 50.
    pub frames: Vec<u16>,
    /// The number of stack slots that the instructions need on top of the existing ones.
    pub stack: u16,
}

/// The target of jumps to an instruction after code is inserted before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum JumpsLand {
    /// Before the inserted code, which they run.
    Before,
    /// After the inserted code. Of several insertions at one place, those skipped by jumps come first.
    After,
}

/// Code appended to a method that runs when an exception leaves it. At its start the exception is on the
/// stack and the locals are empty; it must end by throwing. The method's own handlers keep their priority.
/// Not for constructors: their `this` has no type before the superclass is constructed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ExitHandler {
    /// The instructions, copied unchanged.
    pub code: Vec<u8>,
    /// The number of stack slots they need on top of the exception.
    pub stack: u16,
}

/// Code to run once at every entry of a method, but not when the method jumps back to its first instruction.
pub fn entry_probe(code: Vec<u8>, stack: u16) -> CodeInsertion {
    CodeInsertion { at: 0, code, jumps: JumpsLand::After, frames: Vec::new(), stack }
}

/// Writes the contents of a Code attribute, including `insertions`.
pub(crate) fn write(
    class: &ClassFile<'_>,
    pool: &mut PoolWriter<'_, '_>,
    attribute: &Attribute<'_>,
    insertions: &[CodeInsertion],
    rescue: Option<&ExitHandler>,
    out: &mut Vec<u8>,
) -> Result<(), WriteError> {
    let code = Code::read(attribute)?;
    let placement = OffsetMap::new(&code, insertions)?;
    let appended = rescue.map_or(&[][..], |rescue| &rescue.code);
    let length = placement.length() + appended.len() as u32;
    if length > 0xffff {
        return Err(WriteError::CodeTooLarge);
    }
    out.u16(
        max_stack(code.max_stack, insertions)?.max(rescue.map_or(0, |rescue| rescue.stack.saturating_add(1))),
    );
    out.u16(code.max_locals);
    out.u32(length);
    write_instructions(&code, &placement, out)?;
    out.extend_from_slice(appended);
    rows::exceptions(code.exceptions, &placement, rescue.is_some(), out)?;
    let mut framed = class.version.major < FRAMES
        || (rescue.is_none() && insertions.iter().all(|insertion| insertion.frames.is_empty()));
    // The class of the exception on the stack, if the appended code needs a frame.
    let caught = match rescue {
        Some(_) if class.version.major >= FRAMES => Some(pool.class(b"java/lang/Throwable")?),
        _ => None,
    };
    out.counted(|out| {
        // The reader took the count from 16 bits.
        let mut count = code.attributes.len() as u16;
        for attribute in code.attributes.iter() {
            let kind = attribute.kind(&class.pool)?;
            framed |= kind == AttributeKind::StackMapTable;
            out.u16(attribute.name);
            out.sized(|out| write_attribute(class.version.major, &attribute, kind, &placement, caught, out))?;
        }
        if !framed {
            count = count.checked_add(1).ok_or(WriteError::CodeTooLarge)?;
            out.u16(pool.utf8(b"StackMapTable")?);
            out.sized(|out| frame::table(None, &placement, caught, out))?;
        }
        Ok(count)
    })
}

fn write_instructions(
    code: &Code<'_>,
    placement: &OffsetMap<'_>,
    out: &mut Vec<u8>,
) -> Result<(), WriteError> {
    if placement.is_whole() {
        placement.groups().iter().for_each(|group| write_inserted(placement, group, out));
        out.extend_from_slice(code.bytes);
        return Ok(());
    }
    let mut groups = placement.groups().iter().peekable();
    for instruction in code.instructions() {
        let instruction = instruction?;
        if let Some(group) = groups.next_if(|group| group.at == instruction.pc) {
            write_inserted(placement, group, out);
        }
        instruction::encode(&instruction, code, placement, out)?;
    }
    Ok(())
}

fn write_inserted(placement: &OffsetMap<'_>, group: &InsertionGroup, out: &mut Vec<u8>) {
    for (_, insertion) in placement.inserted(group) {
        out.extend_from_slice(&insertion.code);
    }
}

fn write_attribute(
    major: u16,
    attribute: &Attribute<'_>,
    kind: AttributeKind,
    placement: &OffsetMap<'_>,
    caught: Option<u16>,
    out: &mut Vec<u8>,
) -> Result<(), WriteError> {
    match kind {
        AttributeKind::StackMapTable if major >= FRAMES => {
            frame::table(Some(attribute), placement, caught, out)?;
        }
        AttributeKind::LineNumberTable => rows::lines(attribute.rows()?, placement, out),
        AttributeKind::LocalVariableTable | AttributeKind::LocalVariableTypeTable => {
            rows::locals(attribute.rows()?, placement, out);
        }
        AttributeKind::RuntimeVisibleTypeAnnotations | AttributeKind::RuntimeInvisibleTypeAnnotations => {
            annotation::type_annotations(attribute.cursor(), placement, out)?;
        }
        _ => out.extend_from_slice(attribute.data),
    }
    Ok(())
}

fn max_stack(old: u16, insertions: &[CodeInsertion]) -> Result<u16, WriteError> {
    let mut max = old;
    for insertion in insertions {
        // The stack is empty at a method's entry; its height elsewhere is unknown here.
        let below = if insertion.at == 0 { 0 } else { old };
        max = max.max(below.checked_add(insertion.stack).ok_or(WriteError::StackTooDeep)?);
    }
    Ok(max)
}
