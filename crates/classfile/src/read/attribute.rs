//! Attributes (JVMS 4.7): their kinds, and the contents of the simple ones.

use super::cursor::Cursor;
use super::pool::ConstantPool;
use super::rows::TableRows;
use crate::ParseError;

/// The attributes of a class, a member, a record component or a method's code.
#[derive(Clone, Copy, Debug)]
pub struct Attributes<'a> {
    count: u16,
    start: Cursor<'a>,
}

impl<'a> Attributes<'a> {
    /// Reads a count and that many attributes, checking their lengths.
    pub fn read(cursor: &mut Cursor<'a>) -> Result<Self, ParseError> {
        let count = cursor.u16()?;
        let start = *cursor;
        for _ in 0..count {
            Attribute::read(cursor)?;
        }
        Ok(Attributes { count, start })
    }

    /// The number of attributes.
    pub fn len(&self) -> usize {
        usize::from(self.count)
    }

    /// Whether there are no attributes.
    pub fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// The attributes in file order.
    #[inline]
    pub fn iter(&self) -> impl Iterator<Item = Attribute<'a>> + 'a + use<'a> {
        let mut cursor = self.start;
        (0..self.count).map_while(move |_| Attribute::read(&mut cursor).ok())
    }

    /// The kinds of these attributes.
    pub fn kinds(&self, pool: &ConstantPool<'a>) -> Result<AttributeKinds, ParseError> {
        self.iter()
            .try_fold(AttributeKinds::default(), |kinds, attribute| Ok(kinds.with(attribute.kind(pool)?)))
    }

    /// The first attribute of a kind.
    pub fn find(
        &self,
        pool: &ConstantPool<'a>,
        kind: AttributeKind,
    ) -> Result<Option<Attribute<'a>>, ParseError> {
        for attribute in self.iter() {
            if attribute.kind(pool)? == kind {
                return Ok(Some(attribute));
            }
        }
        Ok(None)
    }
}

/// One attribute, not yet decoded.
#[derive(Clone, Copy, Debug)]
pub struct Attribute<'a> {
    /// Index of its name.
    pub name: u16,
    /// Its contents, after the length.
    pub data: &'a [u8],
    /// The offset of its contents in the class file.
    pub offset: usize,
}

impl<'a> Attribute<'a> {
    #[inline]
    fn read(cursor: &mut Cursor<'a>) -> Result<Self, ParseError> {
        let name = cursor.u16()?;
        let length = cursor.u32()? as usize;
        let offset = cursor.offset();
        Ok(Attribute { name, data: cursor.take(length)?, offset })
    }

    /// The attribute's kind, by its name.
    pub fn kind(&self, pool: &ConstantPool<'a>) -> Result<AttributeKind, ParseError> {
        Ok(AttributeKind::of(pool.utf8(self.name)?))
    }

    /// A cursor over its contents.
    pub fn cursor(&self) -> Cursor<'a> {
        Cursor::new(self.data, self.offset)
    }

    /// Its contents as one index: ConstantValue, Signature, SourceFile, NestHost, ModuleMainClass.
    pub fn index(&self) -> Result<u16, ParseError> {
        let mut cursor = self.cursor();
        let index = cursor.u16()?;
        cursor.finish()?;
        Ok(index)
    }

    /// Its contents as a counted table: Exceptions, NestMembers, PermittedSubclasses, ModulePackages (1 column);
    /// LineNumberTable (2: pc, line); InnerClasses (4: inner, outer, name, flags); LocalVariableTable and
    /// LocalVariableTypeTable (5: start, length, name, descriptor or signature, slot).
    pub fn rows<const N: usize>(&self) -> Result<TableRows<'a, N>, ParseError> {
        let mut cursor = self.cursor();
        let rows = TableRows::read(&mut cursor)?;
        cursor.finish()?;
        Ok(rows)
    }

    /// MethodParameters: index of the name (0: none) and flags.
    pub fn method_parameters(&self) -> Result<TableRows<'a, 2>, ParseError> {
        let mut cursor = self.cursor();
        let count = usize::from(cursor.u8()?);
        let rows = TableRows::read_counted(&mut cursor, count)?;
        cursor.finish()?;
        Ok(rows)
    }

    /// EnclosingMethod: the class, and the name-and-type of the method (0: not in a method).
    pub fn enclosing_method(&self) -> Result<(u16, u16), ParseError> {
        let mut cursor = self.cursor();
        let both = (cursor.u16()?, cursor.u16()?);
        cursor.finish()?;
        Ok(both)
    }

    /// BootstrapMethods, in order of their numbers.
    pub fn bootstrap_methods(&self) -> Result<Vec<BootstrapMethod<'a>>, ParseError> {
        let mut cursor = self.cursor();
        let count = cursor.u16()?;
        let mut methods = Vec::with_capacity(usize::from(count).min(self.data.len() / 4));
        for _ in 0..count {
            let method = cursor.u16()?;
            methods.push(BootstrapMethod { method, arguments: TableRows::read(&mut cursor)? });
        }
        cursor.finish()?;
        Ok(methods)
    }

    /// Record: its components in order.
    pub fn record_components(&self) -> Result<Vec<RecordComponent<'a>>, ParseError> {
        let mut cursor = self.cursor();
        let count = cursor.u16()?;
        let mut components = Vec::with_capacity(usize::from(count).min(self.data.len() / 6));
        for _ in 0..count {
            let (name, descriptor) = (cursor.u16()?, cursor.u16()?);
            components.push(RecordComponent { name, descriptor, attributes: Attributes::read(&mut cursor)? });
        }
        cursor.finish()?;
        Ok(components)
    }
}

/// A bootstrap method: a method handle, and its static arguments (indexes of loadable constants).
#[derive(Clone, Copy, Debug)]
pub struct BootstrapMethod<'a> {
    /// Index of the method handle.
    pub method: u16,
    /// Indexes of the arguments.
    pub arguments: TableRows<'a, 1>,
}

/// One component of a record.
#[derive(Clone, Copy, Debug)]
pub struct RecordComponent<'a> {
    /// Index of its name.
    pub name: u16,
    /// Index of its descriptor.
    pub descriptor: u16,
    /// Its attributes.
    pub attributes: Attributes<'a>,
}

/// A set of kinds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct AttributeKinds(u32);

impl AttributeKinds {
    /// The set of these.
    pub const fn of(kinds: &[AttributeKind]) -> AttributeKinds {
        let (mut set, mut rest) = (AttributeKinds(0), kinds);
        while let [kind, others @ ..] = rest {
            set = set.with(*kind);
            rest = others;
        }
        set
    }

    /// The set with this kind added.
    #[inline]
    #[must_use]
    pub const fn with(self, kind: AttributeKind) -> AttributeKinds {
        AttributeKinds(self.0 | 1 << kind as u32)
    }

    /// Whether the set contains this kind.
    #[inline]
    pub const fn has(self, kind: AttributeKind) -> bool {
        self.0 & 1 << kind as u32 != 0
    }

    /// Whether the two sets have a kind in common.
    #[inline]
    pub const fn has_any(self, of: AttributeKinds) -> bool {
        self.0 & of.0 != 0
    }
}

macro_rules! kinds {
    ($($name:ident),* $(,)?) => {
        /// The attributes of JVMS 4.7 as of Java 25.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        #[allow(missing_docs)] // The names are the JVMS's own.
        pub enum AttributeKind {
            $($name,)*
            /// An attribute unknown to this crate, passed on as raw bytes.
            Unknown,
        }

        impl AttributeKind {
            /// The kind with this name.
            #[inline]
            pub fn of(name: &[u8]) -> AttributeKind {
                $(if name == stringify!($name).as_bytes() { return AttributeKind::$name; })*
                AttributeKind::Unknown
            }
        }
    };
}

// Sorted by frequency: `of` compares from the top.
kinds! {
    Code, LineNumberTable, StackMapTable, LocalVariableTable, Signature, ConstantValue, Exceptions,
    LocalVariableTypeTable, RuntimeVisibleAnnotations, MethodParameters, InnerClasses, SourceFile,
    BootstrapMethods, NestHost, NestMembers, EnclosingMethod, RuntimeInvisibleAnnotations,
    RuntimeVisibleParameterAnnotations, RuntimeInvisibleParameterAnnotations, RuntimeVisibleTypeAnnotations,
    RuntimeInvisibleTypeAnnotations, AnnotationDefault, Deprecated, Record, PermittedSubclasses, Synthetic,
    SourceDebugExtension, Module, ModulePackages, ModuleMainClass,
}

const _: () = assert!((AttributeKind::Unknown as u32) < u32::BITS, "a set of kinds is 32 bits");
