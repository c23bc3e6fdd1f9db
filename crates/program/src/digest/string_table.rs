//! The text of a record: all its names in one string.

use super::family::ParsedClass;
use crate::record::TextSpan;
use tamis_classfile::{ParseError, mutf8};

/// Collects the text of a record. Each constant is added once.
pub(crate) struct StringTable<'t> {
    class: &'t ParsedClass<'t>,
    buffers: TextBuffers,
}

/// The buffers of [`StringTable`], reused from class to class.
#[derive(Default)]
pub(super) struct TextBuffers {
    /// UTF-8, validated once at the end: one check of the whole costs less than one per piece.
    text: Vec<u8>,
    /// By constant: the position of its text.
    taken: Vec<Option<TextSpan>>,
}

impl<'t> StringTable<'t> {
    pub(super) fn new(class: &'t ParsedClass<'t>, mut buffers: TextBuffers) -> Self {
        buffers.text.clear();
        buffers.taken.clear();
        buffers.taken.resize(usize::from(class.file.pool.count()), None);
        StringTable { class, buffers }
    }

    pub(super) fn finish(self) -> (Box<str>, TextBuffers) {
        let text = std::str::from_utf8(&self.buffers.text).map_or_else(
            |_| String::from_utf8_lossy(&self.buffers.text).into(), // Unreachable: every piece is UTF-8.
            Box::from,
        );
        (text, self.buffers)
    }

    /// The text of a Utf8 constant.
    pub(crate) fn constant(&mut self, index: u16) -> Result<TextSpan, ParseError> {
        if let Some(Some(text)) = self.buffers.taken.get(usize::from(index)) {
            return Ok(*text);
        }
        let text = self.push(self.class.file.pool.utf8(index)?);
        if let Some(taken) = self.buffers.taken.get_mut(usize::from(index)) {
            *taken = Some(text);
        }
        Ok(text)
    }

    /// The name in a Class constant.
    pub(crate) fn class(&mut self, index: u16) -> Result<TextSpan, ParseError> {
        match self.class.file.pool.get(index)? {
            tamis_classfile::Constant::Class(name) => self.constant(name),
            _ => Err(self.class.file.pool.wrong(index, "constant is not a class")),
        }
    }

    /// Adds text that is not in the constant pool.
    pub(crate) fn push(&mut self, bytes: &[u8]) -> TextSpan {
        let start = self.buffers.text.len();
        if bytes.is_ascii() {
            self.buffers.text.extend_from_slice(bytes);
        } else {
            self.buffers.text.extend_from_slice(mutf8::decode(bytes).as_bytes());
        }
        TextSpan { start: start as u32, length: (self.buffers.text.len() - start) as u32 }
    }
}
