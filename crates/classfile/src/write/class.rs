//! Writes a whole class file (JVMS 4.1).

use super::code::{self, CodeInsertion, ExitHandler};
use super::output::ClassOutput;
use super::pool::PoolWriter;
use crate::read::attribute::{Attribute, AttributeKind, Attributes};
use crate::{ClassFile, Member, Members, WriteError};

/// A class file with changes to write.
///
/// ```
/// # fn example(bytes: &[u8]) -> Result<Vec<u8>, Box<dyn std::error::Error>> {
/// use tamis_classfile::{ClassFile, opcode, write::{class::ClassWriter, code::entry_probe}};
/// let class = ClassFile::parse(bytes)?;
/// let mut writer = ClassWriter::new(&class);
/// let text = writer.pool.string(b"entered")?.to_be_bytes();
/// for method in class.methods.iter() {
///     let code = vec![opcode::LDC_W, text[0], text[1], opcode::POP];
///     writer.insert(&method, &[entry_probe(code, 1)])?;
/// }
/// # Ok(
/// writer.finish()?
/// # ) }
/// ```
#[derive(Clone, Debug)]
pub struct ClassWriter<'c, 'a> {
    class: &'c ClassFile<'a>,
    /// Its constants, to which new ones can be appended.
    pub pool: PoolWriter<'c, 'a>,
    /// The new contents of Code attributes.
    edits: Vec<MethodEdit>,
}

#[derive(Clone, Debug)]
struct MethodEdit {
    /// The offset of the old contents in the class file.
    offset: usize,
    old_length: usize,
    contents: Vec<u8>,
}

impl<'c, 'a> ClassWriter<'c, 'a> {
    /// Starts with `class` unchanged.
    pub fn new(class: &'c ClassFile<'a>) -> Self {
        ClassWriter { class, pool: PoolWriter::new(&class.pool), edits: Vec::new() }
    }

    /// Inserts instructions into `method`, which must belong to this class. Offsets are those of the old
    /// code. A second call for the same method replaces the first. On an error the method stays unchanged.
    pub fn insert(&mut self, method: &Member<'a>, insertions: &[CodeInsertion]) -> Result<(), WriteError> {
        self.insert_with_rescue(method, insertions, None)
    }

    /// Like [`Self::insert`], with code that runs when an exception leaves the method.
    pub fn insert_with_rescue(
        &mut self,
        method: &Member<'a>,
        insertions: &[CodeInsertion],
        rescue: Option<&ExitHandler>,
    ) -> Result<(), WriteError> {
        let found = method.attributes.find(&self.class.pool, AttributeKind::Code)?;
        let attribute = found.ok_or(WriteError::NoCode)?;
        let mut contents = Vec::with_capacity(attribute.data.len() + 64);
        code::write(self.class, &mut self.pool, &attribute, insertions, rescue, &mut contents)?;
        self.edits.retain(|edit| edit.offset != attribute.offset);
        self.edits.push(MethodEdit { offset: attribute.offset, old_length: attribute.data.len(), contents });
        Ok(())
    }

    /// Writes the class; unedited parts are copied from the old one.
    pub fn finish(mut self) -> Result<Vec<u8>, WriteError> {
        let old = self.class.bytes;
        let inserted: usize = self.edits.iter().map(|edit| edit.contents.len()).sum();
        let mut out = Vec::with_capacity(old.len() + inserted + 256);
        out.extend(old.get(..8).unwrap_or_default());
        self.pool.write(&mut out);
        let mut at = 10 + self.class.pool.raw().len();
        self.edits.sort_by_key(|edit| edit.offset);
        for edit in &self.edits {
            // Up to the attribute's length field, four bytes before its contents.
            out.extend(old.get(at..edit.offset - 4).unwrap_or_default());
            out.sized(|out| {
                out.extend_from_slice(&edit.contents);
                Ok(())
            })?;
            at = edit.offset + edit.old_length;
        }
        out.extend(old.get(at..).unwrap_or_default());
        Ok(out)
    }

    /// Writes the same bytes as [`Self::finish`], but copies nothing that can be decoded: constants, members
    /// and the code of every method are encoded again. Tests use it to check that reading loses nothing.
    pub fn finish_encoding_all(mut self) -> Result<Vec<u8>, WriteError> {
        let class = self.class;
        let mut out = Vec::with_capacity(class.bytes.len() + 1024);
        out.u32(0xCAFE_BABE);
        out.u16(class.version.minor);
        out.u16(class.version.major);
        // Constants precede members in the file, but writing the members can append a constant.
        let mut rest = Vec::with_capacity(class.bytes.len());
        rest.u16(class.access);
        rest.u16(class.this_class);
        rest.u16(class.super_class);
        rest.u16(class.interfaces.len() as u16);
        for index in class.interfaces.values() {
            rest.u16(index);
        }
        self.members(class.fields, false, &mut rest)?;
        self.members(class.methods, true, &mut rest)?;
        self.attributes(class.attributes, false, &mut rest)?;
        self.pool.write_encoded(&mut out)?;
        out.extend(rest);
        Ok(out)
    }

    fn members(&mut self, members: Members<'a>, code: bool, out: &mut Vec<u8>) -> Result<(), WriteError> {
        out.u16(members.len() as u16);
        for member in members.iter() {
            out.u16(member.access);
            out.u16(member.name);
            out.u16(member.descriptor);
            self.attributes(member.attributes, code, out)?;
        }
        Ok(())
    }

    fn attributes(
        &mut self,
        attributes: Attributes<'a>,
        code: bool,
        out: &mut Vec<u8>,
    ) -> Result<(), WriteError> {
        out.u16(attributes.len() as u16);
        for attribute in attributes.iter() {
            out.u16(attribute.name);
            out.sized(|out| self.attribute(&attribute, code, out))?;
        }
        Ok(())
    }

    fn attribute(
        &mut self,
        attribute: &Attribute<'a>,
        code: bool,
        out: &mut Vec<u8>,
    ) -> Result<(), WriteError> {
        let edit = self.edits.iter().find(|edit| edit.offset == attribute.offset);
        if let Some(edit) = edit {
            out.extend_from_slice(&edit.contents);
        } else if code && attribute.kind(&self.class.pool)? == AttributeKind::Code {
            code::write(self.class, &mut self.pool, attribute, &[], None, out)?;
        } else {
            out.extend_from_slice(attribute.data);
        }
        Ok(())
    }
}
