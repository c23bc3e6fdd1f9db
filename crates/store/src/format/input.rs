//! Little-endian reading that returns `None` at the end of the bytes.

use tamis_program::digest::Digest;
use tamis_program::record::TextSpan;

/// The bytes not read yet.
#[derive(Clone, Copy)]
pub(crate) struct IndexInput<'a>(&'a [u8]);

impl<'a> IndexInput<'a> {
    pub(crate) fn new(bytes: &'a [u8]) -> IndexInput<'a> {
        IndexInput(bytes)
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    #[inline]
    pub(crate) fn take(&mut self, length: usize) -> Option<&'a [u8]> {
        let (taken, rest) = self.0.split_at_checked(length)?;
        self.0 = rest;
        Some(taken)
    }

    #[inline]
    pub(crate) fn array<const N: usize>(&mut self) -> Option<[u8; N]> {
        let (taken, rest) = self.0.split_first_chunk::<N>()?;
        self.0 = rest;
        Some(*taken)
    }

    /// Reads `count` rows of `N` bytes each.
    #[inline]
    pub(crate) fn rows<const N: usize>(&mut self, count: usize) -> Option<&'a [[u8; N]]> {
        let (rows, _) = self.take(count.checked_mul(N)?)?.as_chunks::<N>();
        Some(rows)
    }

    #[inline]
    pub(crate) fn u8(&mut self) -> Option<u8> {
        self.array().map(|[byte]| byte)
    }

    #[inline]
    pub(crate) fn u16(&mut self) -> Option<u16> {
        self.array().map(u16::from_le_bytes)
    }

    #[inline]
    pub(crate) fn u32(&mut self) -> Option<u32> {
        self.array().map(u32::from_le_bytes)
    }

    #[inline]
    pub(crate) fn u64(&mut self) -> Option<u64> {
        self.array().map(u64::from_le_bytes)
    }

    /// Reads a count or length without checking it.
    #[inline]
    pub(crate) fn count(&mut self) -> Option<usize> {
        self.u32().map(|count| count as usize)
    }

    #[inline]
    pub(crate) fn digest(&mut self) -> Option<Digest> {
        self.array().map(Digest::from_bytes)
    }

    #[inline]
    pub(crate) fn text(&mut self) -> Option<TextSpan> {
        Some(TextSpan { start: self.u32()?, length: self.u32()? })
    }
}
