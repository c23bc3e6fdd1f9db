//! The Code attribute (JVMS 4.7.3).

use super::attribute::{Attribute, Attributes};
use super::instruction::Instructions;
use super::rows::TableRows;
use crate::ParseError;

/// A method's code.
#[derive(Clone, Copy, Debug)]
pub struct Code<'a> {
    /// Depth of its operand stack.
    pub max_stack: u16,
    /// Number of its local variable slots.
    pub max_locals: u16,
    /// Its instructions, undecoded.
    pub bytes: &'a [u8],
    /// The offset of its instructions in the class file.
    pub offset: usize,
    /// Its handlers in order: start, end, handler, class caught (0: any).
    pub exceptions: TableRows<'a, 4>,
    /// Its attributes: debug tables, frames, type annotations.
    pub attributes: Attributes<'a>,
}

impl<'a> Code<'a> {
    /// Decodes the contents of a Code attribute.
    pub fn read(attribute: &Attribute<'a>) -> Result<Self, ParseError> {
        let mut cursor = attribute.cursor();
        let max_stack = cursor.u16()?;
        let max_locals = cursor.u16()?;
        let length = cursor.u32()? as usize;
        let offset = cursor.offset();
        let bytes = cursor.take(length)?;
        if length == 0 || length > 0xffff {
            return Err(ParseError { offset, what: "code is empty or longer than 65535 bytes" });
        }
        let exceptions = TableRows::read(&mut cursor)?;
        let attributes = Attributes::read(&mut cursor)?;
        cursor.finish()?;
        Ok(Code { max_stack, max_locals, bytes, offset, exceptions, attributes })
    }

    /// Its instructions in order.
    pub fn instructions(&self) -> Instructions<'a> {
        Instructions::new(self.bytes, self.offset)
    }
}
