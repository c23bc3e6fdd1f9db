//! Zip archives as far as class loading needs them: the central directory, and stored or deflated entries.
//!
//! No zip crate is used, because the result must be the JVM's: where it searches the central directory, which
//! of two end records it uses, and that it ignores local headers except for the start of the data.

mod directory;
mod entry;

pub(super) use directory::CentralDirectory;
pub(super) use entry::{EntryRefusal, ZipEntry, inflate};

fn u16_at(bytes: &[u8], at: usize) -> Option<u16> {
    Some(u16::from_le_bytes(bytes.get(at..)?.first_chunk().copied()?))
}

fn u32_at(bytes: &[u8], at: usize) -> Option<u32> {
    Some(u32::from_le_bytes(bytes.get(at..)?.first_chunk().copied()?))
}

fn u64_at(bytes: &[u8], at: usize) -> Option<u64> {
    Some(u64::from_le_bytes(bytes.get(at..)?.first_chunk().copied()?))
}
