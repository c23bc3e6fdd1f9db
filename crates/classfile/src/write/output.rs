//! Big-endian writing: the counterpart of [`crate::read::cursor::Cursor`].

use crate::WriteError;

/// The destination of a class file.
pub(crate) trait ClassOutput {
    /// Writes one byte.
    fn u8(&mut self, value: u8);
    /// Writes two bytes.
    fn u16(&mut self, value: u16);
    /// Writes four bytes.
    fn u32(&mut self, value: u32);
    /// Writes 32 bits with the length of the output of `f`, then that output.
    fn sized(&mut self, f: impl FnOnce(&mut Self) -> Result<(), WriteError>) -> Result<(), WriteError>;
    /// Writes the number that `f` returns as 16 bits, then the output of `f`.
    fn counted(&mut self, f: impl FnOnce(&mut Self) -> Result<u16, WriteError>) -> Result<(), WriteError>;
}

impl ClassOutput for Vec<u8> {
    #[inline]
    fn u8(&mut self, value: u8) {
        self.push(value);
    }

    #[inline]
    fn u16(&mut self, value: u16) {
        self.extend_from_slice(&value.to_be_bytes());
    }

    #[inline]
    fn u32(&mut self, value: u32) {
        self.extend_from_slice(&value.to_be_bytes());
    }

    fn sized(&mut self, f: impl FnOnce(&mut Self) -> Result<(), WriteError>) -> Result<(), WriteError> {
        self.u32(0);
        let start = self.len();
        f(self)?;
        let length = u32::try_from(self.len() - start).map_err(|_| WriteError::CodeTooLarge)?;
        patch(self, start - 4, length.to_be_bytes());
        Ok(())
    }

    fn counted(&mut self, f: impl FnOnce(&mut Self) -> Result<u16, WriteError>) -> Result<(), WriteError> {
        self.u16(0);
        let start = self.len();
        let count = f(self)?;
        patch(self, start - 2, count.to_be_bytes());
        Ok(())
    }
}

fn patch<const N: usize>(out: &mut [u8], at: usize, value: [u8; N]) {
    if let Some(place) = out.get_mut(at..at + N) {
        place.copy_from_slice(&value);
    }
}
