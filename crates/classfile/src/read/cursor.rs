//! Big-endian reading, with offsets for error messages.

use crate::ParseError;

/// A position in the bytes of one class file. Copy it to look ahead.
#[derive(Clone, Copy, Debug)]
pub struct Cursor<'a> {
    rest: &'a [u8],
    offset: usize,
}

impl<'a> Cursor<'a> {
    /// Starts at `data`, which begins `offset` bytes into the class file.
    pub fn new(data: &'a [u8], offset: usize) -> Self {
        Cursor { rest: data, offset }
    }

    /// The offset of the next byte in the class file.
    pub fn offset(&self) -> usize {
        self.offset
    }

    /// The bytes not read yet.
    pub fn rest(&self) -> &'a [u8] {
        self.rest
    }

    /// Whether everything has been read.
    pub fn is_empty(&self) -> bool {
        self.rest.is_empty()
    }

    /// An error at this position.
    pub fn error(&self, what: &'static str) -> ParseError {
        ParseError { offset: self.offset, what }
    }

    /// Reads one byte.
    #[inline]
    pub fn u8(&mut self) -> Result<u8, ParseError> {
        let [byte] = self.array()?;
        Ok(byte)
    }

    /// Reads two bytes.
    #[inline]
    pub fn u16(&mut self) -> Result<u16, ParseError> {
        Ok(u16::from_be_bytes(self.array()?))
    }

    /// Reads four bytes.
    #[inline]
    pub fn u32(&mut self) -> Result<u32, ParseError> {
        Ok(u32::from_be_bytes(self.array()?))
    }

    /// Reads `length` bytes.
    #[inline]
    pub fn take(&mut self, length: usize) -> Result<&'a [u8], ParseError> {
        let (taken, rest) = self.rest.split_at_checked(length).ok_or(self.error("unexpected end"))?;
        self.rest = rest;
        self.offset += length;
        Ok(taken)
    }

    /// Fails unless everything has been read.
    pub fn finish(&self) -> Result<(), ParseError> {
        if self.is_empty() { Ok(()) } else { Err(self.error("bytes after the end of a structure")) }
    }

    #[inline]
    fn array<const N: usize>(&mut self) -> Result<[u8; N], ParseError> {
        let (taken, rest) = self.rest.split_first_chunk::<N>().ok_or(self.error("unexpected end"))?;
        self.rest = rest;
        self.offset += N;
        Ok(*taken)
    }
}
