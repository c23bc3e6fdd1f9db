//! Annotations (JVMS 4.7.16 to 4.7.22), as a stream of events in file order.
//!
//! Each count precedes its items, so the stream needs no closing events and can be encoded on the fly.

use super::cursor::Cursor;
use crate::ParseError;

/// Maximum nesting of annotations; javac cannot write even a tenth of it.
const DEPTH: usize = 100;

/// One step through an annotation attribute. Numbers are constant indexes unless stated otherwise.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AnnotationEvent {
    /// The number of annotations, parameters or values that follow.
    Count(u16),
    /// An annotation: its type's descriptor, and the number of named values that follow.
    Annotation(u16, u16),
    /// The name of the value that follows.
    Name(u16),
    /// A primitive or string value: its tag letter and the constant.
    Value(u8, u16),
    /// An enum constant: type descriptor and name.
    Enum(u16, u16),
    /// A class value: its descriptor.
    Class(u16),
    /// An array with this number of values.
    Array(u16),
    /// The position of a type annotation.
    Target(TypeTarget),
    /// One step of a type annotation's path: kind and argument (plain numbers).
    Path(u8, u8),
}

/// JVMS 4.7.20.1 `target_info`; all numbers are plain.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TypeTarget {
    /// A target without offsets into the code: its type, and its contents as one number.
    Plain(u8, u32),
    /// A local variable: one event per range (start, length, slot); the first number is the count of ranges.
    LocalRange(u8, u16, [u16; 3]),
    /// A local variable without ranges.
    NoRange(u8),
    /// An instruction's offset (and the type argument's index, 0 where there is none).
    Offset(u8, u16, u8),
}

/// RuntimeVisibleAnnotations, RuntimeInvisibleAnnotations.
pub fn annotations(cursor: &mut Cursor<'_>, f: &mut impl FnMut(AnnotationEvent)) -> Result<(), ParseError> {
    counted(cursor, f, annotation)?;
    cursor.finish()
}

/// RuntimeVisibleParameterAnnotations, RuntimeInvisibleParameterAnnotations.
pub fn parameter_annotations(
    cursor: &mut Cursor<'_>,
    f: &mut impl FnMut(AnnotationEvent),
) -> Result<(), ParseError> {
    let parameters = cursor.u8()?;
    f(AnnotationEvent::Count(u16::from(parameters)));
    for _ in 0..parameters {
        counted(cursor, f, annotation)?;
    }
    cursor.finish()
}

/// RuntimeVisibleTypeAnnotations, RuntimeInvisibleTypeAnnotations.
pub fn type_annotations(
    cursor: &mut Cursor<'_>,
    f: &mut impl FnMut(AnnotationEvent),
) -> Result<(), ParseError> {
    counted(cursor, f, |cursor, f| {
        target(cursor, f)?;
        let steps = cursor.u8()?;
        f(AnnotationEvent::Count(u16::from(steps)));
        for _ in 0..steps {
            let step = (cursor.u8()?, cursor.u8()?);
            f(AnnotationEvent::Path(step.0, step.1));
        }
        annotation(cursor, f)
    })?;
    cursor.finish()
}

/// AnnotationDefault.
pub fn default_value(cursor: &mut Cursor<'_>, f: &mut impl FnMut(AnnotationEvent)) -> Result<(), ParseError> {
    value(cursor, DEPTH, f)?;
    cursor.finish()
}

fn counted<F: FnMut(AnnotationEvent)>(
    cursor: &mut Cursor<'_>,
    f: &mut F,
    mut one: impl FnMut(&mut Cursor<'_>, &mut F) -> Result<(), ParseError>,
) -> Result<(), ParseError> {
    let count = cursor.u16()?;
    f(AnnotationEvent::Count(count));
    for _ in 0..count {
        one(cursor, f)?;
    }
    Ok(())
}

fn annotation(cursor: &mut Cursor<'_>, f: &mut impl FnMut(AnnotationEvent)) -> Result<(), ParseError> {
    nested(cursor, DEPTH, f)
}

fn nested(
    cursor: &mut Cursor<'_>,
    depth: usize,
    f: &mut impl FnMut(AnnotationEvent),
) -> Result<(), ParseError> {
    let (class, count) = (cursor.u16()?, cursor.u16()?);
    f(AnnotationEvent::Annotation(class, count));
    for _ in 0..count {
        f(AnnotationEvent::Name(cursor.u16()?));
        value(cursor, depth, f)?;
    }
    Ok(())
}

fn value(
    cursor: &mut Cursor<'_>,
    depth: usize,
    f: &mut impl FnMut(AnnotationEvent),
) -> Result<(), ParseError> {
    let at = *cursor;
    let deeper = || depth.checked_sub(1).ok_or(at.error("annotation is nested too deeply"));
    match cursor.u8()? {
        tag @ (b'B' | b'C' | b'D' | b'F' | b'I' | b'J' | b'S' | b'Z' | b's') => {
            f(AnnotationEvent::Value(tag, cursor.u16()?))
        }
        b'e' => {
            let (class, name) = (cursor.u16()?, cursor.u16()?);
            f(AnnotationEvent::Enum(class, name));
        }
        b'c' => f(AnnotationEvent::Class(cursor.u16()?)),
        b'@' => nested(cursor, deeper()?, f)?,
        b'[' => {
            let count = cursor.u16()?;
            f(AnnotationEvent::Array(count));
            for _ in 0..count {
                value(cursor, deeper()?, f)?;
            }
        }
        _ => return Err(at.error("annotation value tag is not defined")),
    }
    Ok(())
}

fn target(cursor: &mut Cursor<'_>, f: &mut impl FnMut(AnnotationEvent)) -> Result<(), ParseError> {
    let at = *cursor;
    let kind = cursor.u8()?;
    let target = match kind {
        0x00 | 0x01 | 0x16 => TypeTarget::Plain(kind, u32::from(cursor.u8()?)),
        0x10 | 0x17 | 0x42 => TypeTarget::Plain(kind, u32::from(cursor.u16()?)),
        0x11 | 0x12 => TypeTarget::Plain(kind, u32::from(cursor.u8()?) << 8 | u32::from(cursor.u8()?)),
        0x13..=0x15 => TypeTarget::Plain(kind, 0),
        0x40 | 0x41 => {
            let count = cursor.u16()?;
            if count == 0 {
                f(AnnotationEvent::Target(TypeTarget::NoRange(kind)));
            }
            for _ in 0..count {
                let range = [cursor.u16()?, cursor.u16()?, cursor.u16()?];
                f(AnnotationEvent::Target(TypeTarget::LocalRange(kind, count, range)));
            }
            return Ok(());
        }
        0x43..=0x46 => TypeTarget::Offset(kind, cursor.u16()?, 0),
        0x47..=0x4b => TypeTarget::Offset(kind, cursor.u16()?, cursor.u8()?),
        _ => return Err(at.error("type annotation target is not defined")),
    };
    f(AnnotationEvent::Target(target));
    Ok(())
}
