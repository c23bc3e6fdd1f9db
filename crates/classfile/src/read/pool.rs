//! The constant pool (JVMS 4.4).

use super::cursor::Cursor;
use crate::{ParseError, mutf8};
use std::borrow::Cow;

/// One constant; the numbers inside are indexes of other constants.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Constant<'a> {
    /// Text in modified UTF-8.
    Utf8(&'a [u8]),
    /// An `int`.
    Integer(i32),
    /// A `float`, as its bits.
    Float(u32),
    /// A `long`.
    Long(i64),
    /// A `double`, as its bits.
    Double(u64),
    /// A class or array type: index of its name.
    Class(u16),
    /// A string literal: index of its text.
    String(u16),
    /// A field, a method or an interface's method.
    Member(MemberKind, u16, u16),
    /// Name and descriptor.
    NameAndType(u16, u16),
    /// Reference kind and the member referred to.
    MethodHandle(u8, u16),
    /// Index of a method descriptor.
    MethodType(u16),
    /// A constant computed by a bootstrap method: its number, and name-and-type.
    Dynamic(u16, u16),
    /// A call site computed by a bootstrap method: its number, and name-and-type.
    InvokeDynamic(u16, u16),
    /// A module's name.
    Module(u16),
    /// A package's name.
    Package(u16),
}

/// The kinds of member constants.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum MemberKind {
    /// `CONSTANT_Fieldref`
    Field,
    /// `CONSTANT_Methodref`
    Method,
    /// `CONSTANT_InterfaceMethodref`
    InterfaceMethod,
}

/// A member constant with its names resolved.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MemberRef<'a> {
    /// The kind of the constant.
    pub kind: MemberKind,
    /// The class named, `java/lang/String` or `[I`.
    pub owner: &'a [u8],
    /// The member's name.
    pub name: &'a [u8],
    /// Its descriptor.
    pub descriptor: &'a [u8],
}

/// All constants of one class file, located once and decoded on demand.
#[derive(Clone, Debug)]
pub struct ConstantPool<'a> {
    file: &'a [u8],
    /// Offset of each constant's tag; 0 for an index without a constant (index 0, and the second index of a
    /// long).
    offsets: Vec<u32>,
    end: usize,
}

impl<'a> ConstantPool<'a> {
    /// Reads the pool of `file`. The cursor is at its count.
    pub(crate) fn read(file: &'a [u8], cursor: &mut Cursor<'a>) -> Result<Self, ParseError> {
        let at = *cursor;
        let count = usize::from(cursor.u16()?);
        if count == 0 {
            return Err(at.error("constant pool count is 0"));
        }
        // Each constant takes three bytes or more, so a wrong count cannot cause a large allocation.
        if count > cursor.rest().len() / 3 + 1 {
            return Err(cursor.error("constant pool count exceeds the file"));
        }
        let mut offsets = Vec::with_capacity(count);
        offsets.push(0);
        while offsets.len() < count {
            let at = cursor.offset();
            offsets.push(u32::try_from(at).map_err(|_| cursor.error("class file exceeds 4 GiB"))?);
            let length = match cursor.u8()? {
                1 => usize::from(cursor.u16()?),
                7 | 8 | 16 | 19 | 20 => 2,
                15 => 3,
                3 | 4 | 9 | 10 | 11 | 12 | 17 | 18 => 4,
                5 | 6 => {
                    // JVMS 4.4.5: a long or double takes two indexes; the second one names nothing.
                    offsets.push(0);
                    8
                }
                _ => return Err(ParseError { offset: at, what: "constant pool tag is not defined" }),
            };
            cursor.take(length)?;
        }
        if offsets.len() > count {
            return Err(cursor.error("a long or double is the last constant"));
        }
        Ok(ConstantPool { file, offsets, end: cursor.offset() })
    }

    /// The largest index plus one, as in the class file.
    pub fn count(&self) -> u16 {
        // `read` bounds the length by a 16-bit count.
        self.offsets.len() as u16
    }

    /// The pool's bytes in the file, after the count.
    pub fn raw(&self) -> &'a [u8] {
        self.file.get(10..self.end).unwrap_or_default()
    }

    /// Every index of a constant, with the constant.
    pub fn iter(&self) -> impl Iterator<Item = (u16, Constant<'a>)> + '_ {
        (1..self.count()).filter_map(|index| self.get(index).ok().map(|constant| (index, constant)))
    }

    /// The constant at `index`.
    #[inline]
    pub fn get(&self, index: u16) -> Result<Constant<'a>, ParseError> {
        Ok(match *self.entry(index)? {
            [1, ..] => Constant::Utf8(self.utf8(index)?),
            [3, a, b, c, d, ..] => Constant::Integer(i32::from_be_bytes([a, b, c, d])),
            [4, a, b, c, d, ..] => Constant::Float(u32::from_be_bytes([a, b, c, d])),
            [5, a, b, c, d, e, f, g, h, ..] => Constant::Long(i64::from_be_bytes([a, b, c, d, e, f, g, h])),
            [6, a, b, c, d, e, f, g, h, ..] => Constant::Double(u64::from_be_bytes([a, b, c, d, e, f, g, h])),
            [7, a, b, ..] => Constant::Class(pair(a, b)),
            [8, a, b, ..] => Constant::String(pair(a, b)),
            [9, a, b, c, d, ..] => Constant::Member(MemberKind::Field, pair(a, b), pair(c, d)),
            [10, a, b, c, d, ..] => Constant::Member(MemberKind::Method, pair(a, b), pair(c, d)),
            [11, a, b, c, d, ..] => Constant::Member(MemberKind::InterfaceMethod, pair(a, b), pair(c, d)),
            [12, a, b, c, d, ..] => Constant::NameAndType(pair(a, b), pair(c, d)),
            [15, kind, a, b, ..] => Constant::MethodHandle(kind, pair(a, b)),
            [16, a, b, ..] => Constant::MethodType(pair(a, b)),
            [17, a, b, c, d, ..] => Constant::Dynamic(pair(a, b), pair(c, d)),
            [18, a, b, c, d, ..] => Constant::InvokeDynamic(pair(a, b), pair(c, d)),
            [19, a, b, ..] => Constant::Module(pair(a, b)),
            [20, a, b, ..] => Constant::Package(pair(a, b)),
            _ => return Err(self.wrong(index, "constant pool tag is not defined")),
        })
    }

    /// The text at `index`.
    #[inline]
    pub fn utf8(&self, index: u16) -> Result<&'a [u8], ParseError> {
        match self.entry(index)? {
            [1, a, b, text @ ..] => {
                text.get(..usize::from(pair(*a, *b))).ok_or_else(|| self.wrong(index, "unexpected end"))
            }
            _ => Err(self.wrong(index, "constant is not text")),
        }
    }

    /// The text at `index`, decoded for display.
    pub fn text(&self, index: u16) -> Result<Cow<'a, str>, ParseError> {
        self.utf8(index).map(mutf8::decode)
    }

    /// The name of the class at `index`.
    #[inline]
    pub fn class(&self, index: u16) -> Result<&'a [u8], ParseError> {
        match *self.entry(index)? {
            [7, a, b, ..] => self.utf8(pair(a, b)),
            _ => Err(self.wrong(index, "constant is not a class")),
        }
    }

    /// The name of the class at `index`, or `None` for index 0 (no superclass, no outer class, any exception).
    pub fn optional_class(&self, index: u16) -> Result<Option<&'a [u8]>, ParseError> {
        if index == 0 { Ok(None) } else { self.class(index).map(Some) }
    }

    /// Name and descriptor at `index`.
    #[inline]
    pub fn name_and_type(&self, index: u16) -> Result<(&'a [u8], &'a [u8]), ParseError> {
        match *self.entry(index)? {
            [12, a, b, c, d, ..] => Ok((self.utf8(pair(a, b))?, self.utf8(pair(c, d))?)),
            _ => Err(self.wrong(index, "constant is not a name and type")),
        }
    }

    /// The field or method at `index`.
    #[inline]
    pub fn member(&self, index: u16) -> Result<MemberRef<'a>, ParseError> {
        let (kind, owner, name_and_type) = match *self.entry(index)? {
            [9, a, b, c, d, ..] => (MemberKind::Field, pair(a, b), pair(c, d)),
            [10, a, b, c, d, ..] => (MemberKind::Method, pair(a, b), pair(c, d)),
            [11, a, b, c, d, ..] => (MemberKind::InterfaceMethod, pair(a, b), pair(c, d)),
            _ => return Err(self.wrong(index, "constant is not a field or method")),
        };
        let (name, descriptor) = self.name_and_type(name_and_type)?;
        Ok(MemberRef { kind, owner: self.class(owner)?, name, descriptor })
    }

    /// An error at the constant `index`, or at the start of the pool if there is no such constant.
    #[cold]
    pub fn wrong(&self, index: u16, what: &'static str) -> ParseError {
        let offset = self.offsets.get(usize::from(index)).map_or(8, |offset| (*offset).max(8) as usize);
        ParseError { offset, what }
    }

    /// The file from the tag of a constant on. [`Self::read`] has checked the constant's length.
    #[inline]
    fn entry(&self, index: u16) -> Result<&'a [u8], ParseError> {
        match self.offsets.get(usize::from(index)) {
            Some(offset) if *offset != 0 => Ok(self.file.get(*offset as usize..).unwrap_or_default()),
            _ => Err(self.wrong(index, "constant pool index names no constant")),
        }
    }
}

#[inline]
fn pair(high: u8, low: u8) -> u16 {
    u16::from_be_bytes([high, low])
}
