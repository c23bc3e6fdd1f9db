//! Finds the central directory of a zip and walks its headers.
//!
//! The search is that of the JVM: backwards from the end record, so that a script or a `JM` header in front
//! of the archive shifts all offsets alike. The directory itself determines the number of entries; the count
//! in the end record is ignored.

use super::{u16_at, u32_at, u64_at};
use crate::classpath::error::ClassPathFault;
use crate::classpath::file::ArchiveFile;

const END: &[u8] = b"PK\x05\x06";
const END_LENGTH: usize = 22;
const LONGEST_COMMENT: u64 = 0xFFFF;
const END64: &[u8] = b"PK\x06\x06";
const END64_LENGTH: usize = 56;
const LOCATOR64: &[u8] = b"PK\x06\x07";
const LOCATOR64_LENGTH: usize = 20;
const HEADER: &[u8] = b"PK\x01\x02";
const HEADER_LENGTH: usize = 46;
/// Marks a 32-bit field whose value is in the 64-bit field.
const IN_64: u32 = u32::MAX;
/// About two million entries, far more than any jar has.
const LARGEST_DIRECTORY: u64 = 256 << 20;

/// A central directory in memory.
pub(in crate::classpath) struct CentralDirectory {
    bytes: Vec<u8>,
    /// The offset of its first byte in the file: no entry's data may end after it.
    start: u64,
    /// The number of bytes in front of the archive, which its offsets do not include.
    prelude: u64,
}

/// One entry, from the central directory.
pub(in crate::classpath) struct EntryHeader<'a> {
    pub(in crate::classpath) name: &'a [u8],
    pub(super) flags: u16,
    pub(super) method: u16,
    pub(super) crc: u32,
    pub(super) compressed: u64,
    pub(super) size: u64,
    /// The expected offset of the local header in the file.
    pub(super) local: u64,
}

impl CentralDirectory {
    pub(in crate::classpath) fn read(archive: &ArchiveFile) -> Result<CentralDirectory, ClassPathFault> {
        let end = find_end(archive)?;
        let (start, prelude) = end.place().ok_or(ClassPathFault::Malformed {
            offset: end.at,
            what: "the end record describes a central directory that does not fit before it",
        })?;
        if end.size > LARGEST_DIRECTORY {
            return ClassPathFault::malformed(end.at, "the central directory is larger than any real one");
        }
        let mut bytes = Vec::new();
        archive.read_at(start, end.size as usize, &mut bytes)?;
        Ok(CentralDirectory { bytes, start, prelude })
    }

    /// The offset of the first byte after the entries' data.
    pub(super) fn start(&self) -> u64 {
        self.start
    }

    pub(in crate::classpath) fn headers(
        &self,
    ) -> impl Iterator<Item = Result<EntryHeader<'_>, ClassPathFault>> {
        let mut at = 0;
        std::iter::from_fn(move || {
            let rest = self.bytes.get(at..).filter(|rest| !rest.is_empty())?;
            Some(match parse_header(rest, self.prelude) {
                Some((header, length)) => {
                    at += length;
                    Ok(header)
                }
                None => {
                    let offset = self.start + at as u64;
                    at = self.bytes.len();
                    ClassPathFault::malformed(offset, "not a header of the central directory")
                }
            })
        })
    }
}

fn parse_header(bytes: &[u8], prelude: u64) -> Option<(EntryHeader<'_>, usize)> {
    bytes.starts_with(HEADER).then_some(())?;
    let name_end = HEADER_LENGTH + usize::from(u16_at(bytes, 28)?);
    let extra_end = name_end + usize::from(u16_at(bytes, 30)?);
    let end = extra_end + usize::from(u16_at(bytes, 32)?);
    bytes.get(..end)?;
    let (size, compressed, local) = (u32_at(bytes, 24)?, u32_at(bytes, 20)?, u32_at(bytes, 42)?);
    // The 64-bit field contains, in this order, only those of the three values that do not fit in 32 bits.
    let mut wide = wide_field(bytes.get(name_end..extra_end)?);
    let mut widen = |narrow: u32| if narrow == IN_64 { wide.next() } else { None }.unwrap_or(narrow.into());
    let (size, compressed, local) = (widen(size), widen(compressed), widen(local));
    let header = EntryHeader {
        name: bytes.get(HEADER_LENGTH..name_end)?,
        flags: u16_at(bytes, 8)?,
        method: u16_at(bytes, 10)?,
        crc: u32_at(bytes, 16)?,
        compressed,
        size,
        local: local.saturating_add(prelude),
    };
    Some((header, end))
}

/// The numbers of the zip64 extra field; none if there is no such field.
fn wide_field(mut extra: &[u8]) -> impl Iterator<Item = u64> {
    let mut field: &[u8] = &[];
    while let (Some(tag), Some(length)) = (u16_at(extra, 0), u16_at(extra, 2)) {
        let Some((content, rest)) = extra.get(4..).and_then(|e| e.split_at_checked(length.into())) else {
            break;
        };
        if tag == 1 {
            field = content;
            break;
        }
        extra = rest;
    }
    field.chunks_exact(8).filter_map(|chunk| u64_at(chunk, 0))
}

struct EndRecord {
    /// The offset of the end record; the central directory ends there.
    at: u64,
    size: u64,
    offset: u64,
}

impl EndRecord {
    /// The offset of the central directory, and the number of bytes in front of the archive.
    fn place(&self) -> Option<(u64, u64)> {
        let start = self.at.checked_sub(self.size)?;
        Some((start, start.checked_sub(self.offset)?))
    }
}

fn find_end(archive: &ArchiveFile) -> Result<EndRecord, ClassPathFault> {
    let length = archive.size().min(END_LENGTH as u64 + LONGEST_COMMENT);
    let tail_at = archive.size() - length;
    let mut tail = Vec::new();
    archive.read_at(tail_at, length as usize, &mut tail)?;
    for at in (0..(tail.len() + 1).saturating_sub(END_LENGTH)).rev() {
        let Some(record) = tail.get(at..).filter(|r| r.starts_with(END)) else { continue };
        let (Some(size), Some(offset), Some(comment)) =
            (u32_at(record, 12), u32_at(record, 16), u16_at(record, 20))
        else {
            continue;
        };
        let end = EndRecord { at: tail_at + at as u64, size: size.into(), offset: offset.into() };
        let end = wider(archive, &end).unwrap_or(end);
        // If the comment ends exactly at the end of the file, this is the end record. Otherwise bytes were
        // appended to the archive, or these four bytes are part of something else: then the directory
        // decides.
        if END_LENGTH + usize::from(comment) == record.len() || leads_to_directory(archive, &end) {
            return Ok(end);
        }
    }
    ClassPathFault::malformed(archive.size(), "the archive ends before its central directory")
}

fn leads_to_directory(archive: &ArchiveFile, end: &EndRecord) -> bool {
    let mut signature = Vec::new();
    end.place()
        .is_some_and(|(start, _)| archive.read_at(start, 4, &mut signature).is_ok() && signature == HEADER)
}

/// The 64-bit end record, if there is one that agrees with the 32-bit one.
fn wider(archive: &ArchiveFile, end: &EndRecord) -> Option<EndRecord> {
    let mut bytes = Vec::new();
    let locator = end.at.checked_sub(LOCATOR64_LENGTH as u64)?;
    archive.read_at(locator, LOCATOR64_LENGTH, &mut bytes).ok()?;
    bytes.starts_with(LOCATOR64).then_some(())?;
    // The locator's offset does not include bytes in front of the archive; the record is usually just before
    // the locator.
    let places = [u64_at(&bytes, 8)?, locator.saturating_sub(END64_LENGTH as u64)];
    for at in places {
        if archive.read_at(at, END64_LENGTH, &mut bytes).is_err() || !bytes.starts_with(END64) {
            continue;
        }
        let (size, offset) = (u64_at(&bytes, 40)?, u64_at(&bytes, 48)?);
        let agrees = |narrow: u64, wide: u64| narrow == wide || narrow == IN_64.into();
        if agrees(end.size, size) && agrees(end.offset, offset) {
            return Some(EndRecord { at, size, offset });
        }
    }
    None
}
