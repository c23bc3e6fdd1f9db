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

/// Which of the three member constants.
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
    /// Which of the three constants it was.
    pub kind: MemberKind,
    /// The class named, `java/lang/String` or `[I`.
    pub owner: &'a [u8],
    /// The member's name.
    pub name: &'a [u8],
    /// Its descriptor.
    pub descriptor: &'a [u8],
}

/// All constants of one class file, found once, decoded when asked for.
#[derive(Clone, Debug)]
pub struct ConstantPool<'a> {
    file: &'a [u8],
    /// Offset of each constant's tag; 0 where an index names none (index 0, and the second half of a long).
    offsets: Vec<u32>,
    end: usize,
}

impl<'a> ConstantPool<'a> {
    /// Reads the pool of `file`, whose count lies at the cursor.
    pub(crate) fn read(file: &'a [u8], cursor: &mut Cursor<'a>) -> Result<Self, ParseError> {
        let at = *cursor;
        let count = usize::from(cursor.u16()?);
        if count == 0 {
            return Err(at.error("constant pool count is 0"));
        }
        // Each constant takes three bytes or more, so a count that lies cannot make us allocate much.
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
                    // JVMS 4.4.5: a long or double takes two indexes; the second names nothing.
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

    /// One more than the largest index, as the class file counts.
    pub fn count(&self) -> u16 {
        // `read` bounds the length by a 16-bit count.
        self.offsets.len() as u16
    }

    /// The pool's bytes in the file, after the count.
    pub fn raw(&self) -> &'a [u8] {
        self.file.get(10..self.end).unwrap_or_default()
    }

    /// Every index that names a constant, with the constant.
    pub fn iter(&self) -> impl Iterator<Item = (u16, Constant<'a>)> + '_ {
        (1..self.count()).filter_map(|index| self.get(index).ok().map(|constant| (index, constant)))
    }

    /// The constant at `index`.
    #[inline]
    pub fn get(&self, index: u16) -> Result<Constant<'a>, ParseError> {
        let mut at = self.at(index)?;
        Ok(match at.u8()? {
            1 => {
                let length = usize::from(at.u16()?);
                Constant::Utf8(at.take(length)?)
            }
            3 => Constant::Integer(at.u32()? as i32),
            4 => Constant::Float(at.u32()?),
            5 => Constant::Long(long(&mut at)? as i64),
            6 => Constant::Double(long(&mut at)?),
            7 => Constant::Class(at.u16()?),
            8 => Constant::String(at.u16()?),
            9 => Constant::Member(MemberKind::Field, at.u16()?, at.u16()?),
            10 => Constant::Member(MemberKind::Method, at.u16()?, at.u16()?),
            11 => Constant::Member(MemberKind::InterfaceMethod, at.u16()?, at.u16()?),
            12 => Constant::NameAndType(at.u16()?, at.u16()?),
            15 => Constant::MethodHandle(at.u8()?, at.u16()?),
            16 => Constant::MethodType(at.u16()?),
            17 => Constant::Dynamic(at.u16()?, at.u16()?),
            18 => Constant::InvokeDynamic(at.u16()?, at.u16()?),
            19 => Constant::Module(at.u16()?),
            20 => Constant::Package(at.u16()?),
            _ => return Err(at.error("constant pool tag is not defined")),
        })
    }

    /// The text at `index`.
    #[inline]
    pub fn utf8(&self, index: u16) -> Result<&'a [u8], ParseError> {
        let mut at = self.at(index)?;
        if at.u8()? != 1 {
            return Err(self.wrong(index, "constant is not text"));
        }
        let length = usize::from(at.u16()?);
        at.take(length)
    }

    /// The text at `index`, readable.
    pub fn text(&self, index: u16) -> Result<Cow<'a, str>, ParseError> {
        self.utf8(index).map(mutf8::decode)
    }

    /// The name of the class at `index`.
    #[inline]
    pub fn class(&self, index: u16) -> Result<&'a [u8], ParseError> {
        match self.get(index)? {
            Constant::Class(name) => self.utf8(name),
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
        match self.get(index)? {
            Constant::NameAndType(name, descriptor) => Ok((self.utf8(name)?, self.utf8(descriptor)?)),
            _ => Err(self.wrong(index, "constant is not a name and type")),
        }
    }

    /// The field or method at `index`.
    #[inline]
    pub fn member(&self, index: u16) -> Result<MemberRef<'a>, ParseError> {
        match self.get(index)? {
            Constant::Member(kind, owner, name_and_type) => {
                let (name, descriptor) = self.name_and_type(name_and_type)?;
                Ok(MemberRef { kind, owner: self.class(owner)?, name, descriptor })
            }
            _ => Err(self.wrong(index, "constant is not a field or method")),
        }
    }

    /// An error at the constant `index`, or at the start of the pool if there is none.
    pub fn wrong(&self, index: u16, what: &'static str) -> ParseError {
        let offset = self.offsets.get(usize::from(index)).map_or(8, |offset| (*offset).max(8) as usize);
        ParseError { offset, what }
    }

    #[inline]
    fn at(&self, index: u16) -> Result<Cursor<'a>, ParseError> {
        let offset = match self.offsets.get(usize::from(index)) {
            Some(offset) if *offset != 0 => *offset as usize,
            _ => return Err(self.wrong(index, "constant pool index names no constant")),
        };
        Ok(Cursor::new(self.file.get(offset..).unwrap_or_default(), offset))
    }
}

fn long(at: &mut Cursor<'_>) -> Result<u64, ParseError> {
    Ok(u64::from(at.u32()?) << 32 | u64::from(at.u32()?))
}
