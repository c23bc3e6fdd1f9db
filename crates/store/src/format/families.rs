//! The table of families: the location of each family's records.

use super::input::IndexInput;
use tamis_program::digest::Digest;

/// The length of a row.
pub(crate) const ROW: usize = 37;

/// One family.
#[derive(Clone, Copy, Debug)]
pub(crate) struct FamilyRow {
    pub(crate) key: Digest,
    /// The offset of its records in the file.
    pub(crate) start: u64,
    pub(crate) length: u32,
    /// The checksum of its records.
    pub(crate) sum: u64,
    /// The number of writes since a load last used it.
    pub(crate) unseen: u8,
}

impl FamilyRow {
    pub(crate) fn write(&self, out: &mut Vec<u8>) {
        out.extend(self.key.as_bytes());
        out.extend(self.start.to_le_bytes());
        out.extend(self.length.to_le_bytes());
        out.extend(self.sum.to_le_bytes());
        out.push(self.unseen);
    }

    fn read(row: &[u8; ROW]) -> Option<FamilyRow> {
        let mut row = IndexInput::new(row);
        Some(FamilyRow {
            key: row.digest()?,
            start: row.u64()?,
            length: row.u32()?,
            sum: row.u64()?,
            unseen: row.u8()?,
        })
    }
}

/// All families, sorted by key.
#[derive(Clone, Copy, Default)]
pub(crate) struct FamilyRows<'i>(&'i [[u8; ROW]]);

impl<'i> FamilyRows<'i> {
    pub(crate) fn read(input: &mut IndexInput<'i>, count: usize) -> Option<FamilyRows<'i>> {
        input.rows(count).map(FamilyRows)
    }

    pub(crate) fn find(&self, key: &Digest) -> Option<FamilyRow> {
        let at = self.0.binary_search_by(|row| {
            row.first_chunk::<16>().map_or(std::cmp::Ordering::Less, |bytes| bytes.cmp(key.as_bytes()))
        });
        self.0.get(at.ok()?).and_then(FamilyRow::read)
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = FamilyRow> + 'i {
        self.0.iter().filter_map(FamilyRow::read)
    }
}
