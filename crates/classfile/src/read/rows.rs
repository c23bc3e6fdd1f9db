//! Tables whose rows are a fixed number of 16-bit columns, as most tables of a class file are.

use super::cursor::Cursor;
use crate::ParseError;

/// A checked table of rows of `N` columns, borrowed from the class file.
#[derive(Clone, Copy, Debug)]
pub struct TableRows<'a, const N: usize> {
    cells: &'a [[u8; 2]],
}

impl<'a, const N: usize> TableRows<'a, N> {
    /// Reads a 16-bit count and that many rows.
    pub fn read(cursor: &mut Cursor<'a>) -> Result<Self, ParseError> {
        let count = usize::from(cursor.u16()?);
        Self::read_counted(cursor, count)
    }

    /// Reads `count` rows.
    pub fn read_counted(cursor: &mut Cursor<'a>, count: usize) -> Result<Self, ParseError> {
        let (cells, _) = cursor.take(count * N * 2)?.as_chunks::<2>();
        Ok(TableRows { cells })
    }

    /// The number of rows.
    pub fn len(&self) -> usize {
        self.cells.len() / N
    }

    /// Whether there are no rows.
    pub fn is_empty(&self) -> bool {
        self.cells.is_empty()
    }

    /// The rows in file order.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = [u16; N]> + 'a + use<'a, N> {
        let (rows, _) = self.cells.as_chunks::<N>();
        rows.iter().map(|row| row.map(u16::from_be_bytes))
    }
}

impl<'a> TableRows<'a, 1> {
    /// The single column.
    pub fn values(&self) -> impl ExactSizeIterator<Item = u16> + 'a + use<'a> {
        self.cells.iter().map(|cell| u16::from_be_bytes(*cell))
    }
}
