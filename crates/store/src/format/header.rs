//! The first bytes of the file. They show whether it is an index, complete, and of the current versions.

use super::checksum::checksum;
use super::input::IndexInput;
use std::fmt;
use tamis_program::digest;

/// Raise it whenever anything in `format` is written differently.
const FORMAT: u32 = 2;

const MAGIC: [u8; 8] = *b"tamis ix";

/// The length of the header.
pub(crate) const HEADER: usize = 48;

/// The layout of the rest of the file.
#[derive(Clone, Copy, Default)]
pub(crate) struct IndexHeader {
    /// The length of the tables, which follow the header.
    pub(crate) tables: usize,
    pub(crate) roots: usize,
    pub(crate) families: usize,
}

/// The reason why an index cannot be used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum IndexDamage {
    Foreign,
    Version,
    Cut,
    Checksum,
    Tables,
}

impl std::error::Error for IndexDamage {}

impl fmt::Display for IndexDamage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            IndexDamage::Foreign => "it is not an index of tamis",
            IndexDamage::Version => "it was written by another version of tamis",
            IndexDamage::Cut => "its length is wrong",
            IndexDamage::Checksum => "its checksum is wrong",
            IndexDamage::Tables => "its tables contradict each other",
        })
    }
}

impl IndexHeader {
    /// The length of header and tables together, read from the start of a file of `length` bytes.
    pub(crate) fn head_length(start: &[u8; HEADER], length: u64) -> Result<usize, IndexDamage> {
        let mut input = IndexInput::new(start);
        if input.array() != Some(MAGIC) {
            return Err(IndexDamage::Foreign);
        }
        if (input.u32(), input.u32()) != (Some(FORMAT), Some(digest::VERSION)) {
            return Err(IndexDamage::Version);
        }
        let (_sum, said, tables) = (input.u64(), input.u64(), input.u64().unwrap_or(u64::MAX));
        match tables.checked_add(HEADER as u64) {
            Some(head) if said == Some(length) && head <= length => Ok(head as usize),
            _ => Err(IndexDamage::Cut),
        }
    }

    /// Reads the header from a head of the length that [`IndexHeader::head_length`] returned.
    pub(crate) fn read(head: &[u8]) -> Result<IndexHeader, IndexDamage> {
        let mut input = IndexInput::new(head.get(SUMMED - 8..).unwrap_or_default());
        if input.u64() != Some(checksum(head.get(SUMMED..).unwrap_or_default())) {
            return Err(IndexDamage::Checksum);
        }
        let mut rest = || {
            let (_length, tables) = (input.u64()?, usize::try_from(input.u64()?).ok()?);
            Some(IndexHeader { tables, roots: input.count()?, families: input.count()? })
        };
        rest().ok_or(IndexDamage::Tables)
    }

    /// Fills in the header of `head`, which consists of space for the header and the tables. `length` is the
    /// length of the whole file.
    pub(crate) fn write(&self, head: &mut [u8], length: u64) {
        let mut fields = Vec::with_capacity(HEADER);
        fields.extend(length.to_le_bytes());
        fields.extend((self.tables as u64).to_le_bytes());
        fields.extend((self.roots as u32).to_le_bytes());
        fields.extend((self.families as u32).to_le_bytes());
        put(head, SUMMED, &fields);
        let sum = checksum(head.get(SUMMED..).unwrap_or_default());
        let versions = [FORMAT.to_le_bytes(), digest::VERSION.to_le_bytes()].concat();
        put(head, 0, &[MAGIC.as_slice(), &versions, &sum.to_le_bytes()].concat());
    }
}

/// The first byte that the checksum covers, immediately after the checksum itself.
const SUMMED: usize = 24;

fn put(into: &mut [u8], at: usize, bytes: &[u8]) {
    if let Some(place) = into.get_mut(at..at + bytes.len()) {
        place.copy_from_slice(bytes);
    }
}
