//! Appends to a constant pool (JVMS 4.4) and encodes constants.

use super::output::ClassOutput;
use crate::WriteError;
use crate::read::pool::{Constant, ConstantPool, MemberKind};
use std::ops::Range;

/// The constants of a class file and the appended ones. Existing indexes keep their meaning.
#[derive(Clone, Debug)]
pub struct PoolWriter<'c, 'a> {
    pool: &'c ConstantPool<'a>,
    count: u16,
    bytes: Vec<u8>,
    /// Index and range in `bytes` of each appended constant. There are only a few, so the search is linear.
    appended: Vec<(u16, Range<usize>)>,
}

impl<'c, 'a> PoolWriter<'c, 'a> {
    pub(crate) fn new(pool: &'c ConstantPool<'a>) -> Self {
        PoolWriter { pool, count: pool.count(), bytes: Vec::new(), appended: Vec::new() }
    }

    /// The largest index plus one, as in the class file.
    pub fn count(&self) -> u16 {
        self.count
    }

    /// The index of a constant equal to this one; appends it if there is none. Indexes inside it must be
    /// valid.
    pub fn constant(&mut self, constant: Constant<'_>) -> Result<u16, WriteError> {
        // A constant that refers to an appended one cannot be in the file.
        let old = if refers_to(constant, self.pool.count()) { None } else { self.find(constant) };
        old.map_or_else(|| self.append(constant), Ok)
    }

    /// Text in modified UTF-8.
    pub fn utf8(&mut self, text: &[u8]) -> Result<u16, WriteError> {
        self.constant(Constant::Utf8(text))
    }

    /// A class or array type, `java/lang/String` or `[I`.
    pub fn class(&mut self, name: &[u8]) -> Result<u16, WriteError> {
        let name = self.utf8(name)?;
        self.constant(Constant::Class(name))
    }

    /// A string literal.
    pub fn string(&mut self, text: &[u8]) -> Result<u16, WriteError> {
        let text = self.utf8(text)?;
        self.constant(Constant::String(text))
    }

    /// A field or method.
    pub fn member(
        &mut self,
        kind: MemberKind,
        owner: &[u8],
        name: &[u8],
        descriptor: &[u8],
    ) -> Result<u16, WriteError> {
        let owner = self.class(owner)?;
        let name = self.utf8(name)?;
        let descriptor = self.utf8(descriptor)?;
        let name_and_type = self.constant(Constant::NameAndType(name, descriptor))?;
        self.constant(Constant::Member(kind, owner, name_and_type))
    }

    /// Writes the count and the constants; those of the file are copied.
    pub(crate) fn write(&self, out: &mut Vec<u8>) {
        out.u16(self.count);
        out.extend_from_slice(self.pool.raw());
        out.extend_from_slice(&self.bytes);
    }

    /// Writes the count and the constants; those of the file are decoded and encoded again.
    pub(crate) fn write_encoded(&self, out: &mut Vec<u8>) -> Result<(), WriteError> {
        out.u16(self.count);
        for (_, constant) in self.pool.iter() {
            encode(constant, out)?;
        }
        out.extend_from_slice(&self.bytes);
        Ok(())
    }

    fn find(&self, constant: Constant<'_>) -> Option<u16> {
        match constant {
            Constant::Utf8(text) => {
                (1..self.pool.count()).find(|index| self.pool.utf8(*index).is_ok_and(|old| old == text))
            }
            _ => self.pool.iter().find(|(_, old)| *old == constant).map(|(index, _)| index),
        }
    }

    fn append(&mut self, constant: Constant<'_>) -> Result<u16, WriteError> {
        let start = self.bytes.len();
        encode(constant, &mut self.bytes)?;
        let place = start..self.bytes.len();
        let same =
            |old: &&(u16, Range<usize>)| self.bytes.get(old.1.clone()) == self.bytes.get(place.clone());
        let known = self.appended.iter().find(same).map(|(index, _)| *index);
        // JVMS 4.4.5: a long or double takes two indexes.
        let width = if matches!(constant, Constant::Long(_) | Constant::Double(_)) { 2 } else { 1 };
        match (known, self.count.checked_add(width)) {
            (None, Some(count)) => {
                let index = self.count;
                self.count = count;
                self.appended.push((index, place));
                Ok(index)
            }
            (known, _) => {
                self.bytes.truncate(start);
                known.ok_or(WriteError::PoolFull)
            }
        }
    }
}

/// Whether an index inside `constant` is `first` or larger.
fn refers_to(constant: Constant<'_>, first: u16) -> bool {
    match constant {
        Constant::Utf8(_)
        | Constant::Integer(_)
        | Constant::Float(_)
        | Constant::Long(_)
        | Constant::Double(_) => false,
        Constant::Class(a)
        | Constant::String(a)
        | Constant::MethodHandle(_, a)
        | Constant::MethodType(a)
        | Constant::Dynamic(_, a)
        | Constant::InvokeDynamic(_, a)
        | Constant::Module(a)
        | Constant::Package(a) => a >= first,
        Constant::Member(_, a, b) | Constant::NameAndType(a, b) => a.max(b) >= first,
    }
}

fn encode(constant: Constant<'_>, out: &mut Vec<u8>) -> Result<(), WriteError> {
    let mut pair = |tag, a, b| {
        out.u8(tag);
        out.u16(a);
        out.u16(b);
    };
    match constant {
        Constant::Member(MemberKind::Field, owner, member) => pair(9, owner, member),
        Constant::Member(MemberKind::Method, owner, member) => pair(10, owner, member),
        Constant::Member(MemberKind::InterfaceMethod, owner, member) => pair(11, owner, member),
        Constant::NameAndType(name, descriptor) => pair(12, name, descriptor),
        Constant::Dynamic(bootstrap, member) => pair(17, bootstrap, member),
        Constant::InvokeDynamic(bootstrap, member) => pair(18, bootstrap, member),
        Constant::Utf8(text) => {
            let length = u16::try_from(text.len()).map_err(|_| WriteError::TextTooLong)?;
            out.u8(1);
            out.u16(length);
            out.extend_from_slice(text);
        }
        Constant::Integer(value) => number(out, 3, value as u32),
        Constant::Float(bits) => number(out, 4, bits),
        Constant::Long(value) => long(out, 5, value as u64),
        Constant::Double(bits) => long(out, 6, bits),
        Constant::Class(name) => single(out, 7, name),
        Constant::String(text) => single(out, 8, text),
        Constant::MethodHandle(kind, member) => {
            out.extend([15, kind]);
            out.u16(member);
        }
        Constant::MethodType(descriptor) => single(out, 16, descriptor),
        Constant::Module(name) => single(out, 19, name),
        Constant::Package(name) => single(out, 20, name),
    }
    Ok(())
}

fn single(out: &mut Vec<u8>, tag: u8, index: u16) {
    out.u8(tag);
    out.u16(index);
}

fn number(out: &mut Vec<u8>, tag: u8, bits: u32) {
    out.u8(tag);
    out.u32(bits);
}

fn long(out: &mut Vec<u8>, tag: u8, bits: u64) {
    out.u8(tag);
    out.extend_from_slice(&bits.to_be_bytes());
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ClassFile;

    /// The shortest possible class: `class A`, with the text `A` at 1 and the class at 2.
    const CLASS: &[u8] = &[
        0xca, 0xfe, 0xba, 0xbe, 0, 0, 0, 52, 0, 3, 1, 0, 1, b'A', 7, 0, 1, 0, 0, 0, 2, 0, 0, 0, 0, 0, 0, 0,
        0, 0, 0,
    ];

    #[test]
    fn an_existing_constant_is_not_appended_again() {
        let class = ClassFile::parse(CLASS).unwrap();
        let mut pool = PoolWriter::new(&class.pool);
        assert_eq!(pool.class(b"A"), Ok(2));
        assert_eq!(pool.constant(Constant::Long(1)), Ok(3));
        assert_eq!(pool.member(MemberKind::Field, b"A", b"x", b"A"), Ok(7)); // Text at 5, name and type at 6.
        assert_eq!(pool.member(MemberKind::Field, b"A", b"x", b"A"), Ok(7));
        assert_eq!(pool.member(MemberKind::Method, b"A", b"x", b"A"), Ok(8));
        assert_eq!(pool.constant(Constant::Long(1)), Ok(3));
        assert_eq!(pool.string(b"x"), Ok(9));
        assert_eq!(pool.count(), 10);
    }

    #[test]
    fn a_full_pool_rejects_constants_and_stays_valid() {
        let class = ClassFile::parse(CLASS).unwrap();
        let mut pool = PoolWriter::new(&class.pool);
        pool.count = 65_533; // Nearly full: filling it one by one would take minutes.
        assert_eq!(pool.utf8(b"B"), Ok(65_533));
        let bytes = pool.bytes.clone();
        assert_eq!(pool.constant(Constant::Double(0)), Err(WriteError::PoolFull));
        assert_eq!(pool.utf8(&[0; 70_000]), Err(WriteError::TextTooLong));
        assert_eq!(pool.bytes, bytes);
        assert_eq!(pool.utf8(b"C"), Ok(65_534));
        assert_eq!(pool.utf8(b"D"), Err(WriteError::PoolFull));
        assert_eq!(pool.utf8(b"B"), Ok(65_533));
        assert_eq!(pool.count(), 65_535);
    }
}
