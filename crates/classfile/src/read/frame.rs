//! Stack map frames (JVMS 4.7.4).

use super::attribute::Attribute;
use super::cursor::Cursor;
use crate::ParseError;

/// One frame, with the offset in the code that it describes.
#[derive(Clone, Copy, Debug)]
pub struct StackMapFrame<'a> {
    /// The offset it describes, with all deltas added up.
    pub pc: u32,
    /// The tag in the file, which determines the frame's form.
    pub tag: u8,
    /// Verification types in the file: appended locals, or all locals of a full frame.
    pub locals: VerificationTypes<'a>,
    /// Verification types in the file: the one stack item, or all of a full frame.
    pub stack: VerificationTypes<'a>,
}

/// A run of verification types, checked when the frame was read.
#[derive(Clone, Copy, Debug)]
pub struct VerificationTypes<'a> {
    count: u16,
    start: Cursor<'a>,
}

/// JVMS 4.7.4 `verification_type_info`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum VerificationType {
    /// `top`, `int`, `float`, `double`, `long`, `null` or `uninitializedThis`: tags 0 to 6.
    Simple(u8),
    /// An object of the class at this index.
    Object(u16),
    /// The uninitialised object that the `new` at this offset created.
    Uninitialized(u16),
}

impl VerificationTypes<'_> {
    /// The number of types.
    pub fn len(&self) -> usize {
        usize::from(self.count)
    }

    /// Whether there are no types.
    pub fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// The types in file order.
    pub fn iter(&self) -> impl Iterator<Item = VerificationType> {
        let mut cursor = self.start;
        (0..self.count).map_while(move |_| VerificationType::read(&mut cursor).ok())
    }
}

impl VerificationType {
    fn read(cursor: &mut Cursor<'_>) -> Result<Self, ParseError> {
        let at = *cursor;
        match cursor.u8()? {
            tag @ 0..=6 => Ok(VerificationType::Simple(tag)),
            7 => Ok(VerificationType::Object(cursor.u16()?)),
            8 => Ok(VerificationType::Uninitialized(cursor.u16()?)),
            _ => Err(at.error("verification type tag is not defined")),
        }
    }
}

/// The frames of a StackMapTable in order.
pub fn frames<'a>(
    attribute: &Attribute<'a>,
) -> Result<impl Iterator<Item = Result<StackMapFrame<'a>, ParseError>> + use<'a>, ParseError> {
    let mut cursor = attribute.cursor();
    let mut left = cursor.u16()?;
    let mut previous: Option<u32> = None;
    let mut ended = false;
    Ok(std::iter::from_fn(move || {
        if left == 0 {
            let end = if ended { Ok(()) } else { cursor.finish() };
            ended = true;
            return end.err().map(Err);
        }
        left -= 1;
        let frame = read(&mut cursor, previous);
        match &frame {
            Ok(frame) => previous = Some(frame.pc),
            Err(_) => (left, ended) = (0, true),
        }
        Some(frame)
    }))
}

fn read<'a>(cursor: &mut Cursor<'a>, previous: Option<u32>) -> Result<StackMapFrame<'a>, ParseError> {
    let at = *cursor;
    let tag = cursor.u8()?;
    let delta = match tag {
        0..=63 => u16::from(tag),
        64..=127 => u16::from(tag - 64),
        128..=246 => return Err(at.error("stack map frame tag is reserved")),
        247..=255 => cursor.u16()?,
    };
    let (locals, stack) = match tag {
        64..=127 | 247 => (none(cursor), types(cursor, 1)?),
        252..=254 => (types(cursor, u16::from(tag) - 251)?, none(cursor)),
        255 => {
            let count = cursor.u16()?;
            let locals = types(cursor, count)?;
            let count = cursor.u16()?;
            (locals, types(cursor, count)?)
        }
        _ => (none(cursor), none(cursor)),
    };
    // The first delta counts from 0, the others from one after the previous frame.
    let pc = u32::from(delta) + previous.map_or(0, |pc| pc + 1);
    Ok(StackMapFrame { pc, tag, locals, stack })
}

fn none<'a>(cursor: &Cursor<'a>) -> VerificationTypes<'a> {
    VerificationTypes { count: 0, start: *cursor }
}

fn types<'a>(cursor: &mut Cursor<'a>, count: u16) -> Result<VerificationTypes<'a>, ParseError> {
    let start = *cursor;
    for _ in 0..count {
        VerificationType::read(cursor)?;
    }
    Ok(VerificationTypes { count, start })
}
