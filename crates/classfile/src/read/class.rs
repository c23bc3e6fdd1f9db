//! A class file as a whole (JVMS 4.1), its fields and its methods (4.5, 4.6).

use super::attribute::Attributes;
use super::cursor::Cursor;
use super::pool::ConstantPool;
use super::rows::TableRows;
use crate::ParseError;

/// Major and minor version; a minor of 65535 means that preview features are used.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ClassVersion {
    /// 45 for Java 1.1, 52 for Java 8, 69 for Java 25.
    pub major: u16,
    /// 0 today; 65535 for preview features.
    pub minor: u16,
}

/// A class file whose lengths have all been checked.
#[derive(Clone, Debug)]
pub struct ClassFile<'a> {
    /// The bytes it was parsed from.
    pub bytes: &'a [u8],
    /// Its format version.
    pub version: ClassVersion,
    /// Its constants.
    pub pool: ConstantPool<'a>,
    /// Its flags, as in [`crate::access`].
    pub access: u16,
    /// Index of its own name.
    pub this_class: u16,
    /// Index of its superclass, 0 for `java/lang/Object` and module-info.
    pub super_class: u16,
    /// Indexes of its direct superinterfaces.
    pub interfaces: TableRows<'a, 1>,
    /// Its fields.
    pub fields: Members<'a>,
    /// Its methods.
    pub methods: Members<'a>,
    /// Its own attributes.
    pub attributes: Attributes<'a>,
}

impl<'a> ClassFile<'a> {
    /// Reads `bytes`, which must hold one class file and nothing else.
    pub fn parse(bytes: &'a [u8]) -> Result<Self, ParseError> {
        let mut cursor = Cursor::new(bytes, 0);
        if cursor.u32()? != 0xCAFE_BABE {
            return Err(ParseError { offset: 0, what: "not a class file: it does not start with CAFEBABE" });
        }
        let minor = cursor.u16()?;
        let major = cursor.u16()?;
        let pool = ConstantPool::read(bytes, &mut cursor)?;
        let access = cursor.u16()?;
        let this_class = cursor.u16()?;
        let super_class = cursor.u16()?;
        let interfaces = TableRows::read(&mut cursor)?;
        let fields = Members::read(&mut cursor)?;
        let methods = Members::read(&mut cursor)?;
        let attributes = Attributes::read(&mut cursor)?;
        cursor.finish()?;
        let version = ClassVersion { major, minor };
        Ok(ClassFile {
            bytes,
            version,
            pool,
            access,
            this_class,
            super_class,
            interfaces,
            fields,
            methods,
            attributes,
        })
    }

    /// Its own name, `java/lang/String`.
    pub fn name(&self) -> Result<&'a [u8], ParseError> {
        self.pool.class(self.this_class)
    }

    /// The name of its superclass, if it has one.
    pub fn super_name(&self) -> Result<Option<&'a [u8]>, ParseError> {
        self.pool.optional_class(self.super_class)
    }

    /// The names of its direct superinterfaces.
    pub fn interface_names(&self) -> impl Iterator<Item = Result<&'a [u8], ParseError>> + '_ {
        self.interfaces.values().map(|index| self.pool.class(index))
    }
}

/// The fields or the methods of a class.
#[derive(Clone, Copy, Debug)]
pub struct Members<'a> {
    count: u16,
    start: Cursor<'a>,
}

impl<'a> Members<'a> {
    fn read(cursor: &mut Cursor<'a>) -> Result<Self, ParseError> {
        let count = cursor.u16()?;
        let start = *cursor;
        for _ in 0..count {
            Member::read(cursor)?;
        }
        Ok(Members { count, start })
    }

    /// The number of members.
    pub fn len(&self) -> usize {
        usize::from(self.count)
    }

    /// Whether there are no members.
    pub fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// The members in file order. [`ClassFile::parse`] has checked all of them.
    pub fn iter(&self) -> impl Iterator<Item = Member<'a>> + 'a + use<'a> {
        let mut cursor = self.start;
        (0..self.count).map_while(move |_| Member::read(&mut cursor).ok())
    }
}

/// One field or method.
#[derive(Clone, Copy, Debug)]
pub struct Member<'a> {
    /// Its flags, as in [`crate::access`].
    pub access: u16,
    /// Index of its name.
    pub name: u16,
    /// Index of its descriptor.
    pub descriptor: u16,
    /// Its attributes.
    pub attributes: Attributes<'a>,
    /// The offset of its first byte in the class file.
    pub offset: usize,
}

impl<'a> Member<'a> {
    fn read(cursor: &mut Cursor<'a>) -> Result<Self, ParseError> {
        let offset = cursor.offset();
        Ok(Member {
            access: cursor.u16()?,
            name: cursor.u16()?,
            descriptor: cursor.u16()?,
            attributes: Attributes::read(cursor)?,
            offset,
        })
    }
}
