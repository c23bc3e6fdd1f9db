//! Locates and extracts one entry of a zip.
//!
//! The central directory is authoritative; the local header is used only to find the data. A zip bomb costs
//! nothing: sizes are checked before allocation, and inflating stops at the declared size.

use super::directory::{CentralDirectory, EntryHeader};
use super::u16_at;
use crate::classpath::error::ClassPathFault;
use crate::classpath::file::{ArchiveFile, LARGEST_CLASS};
use flate2::{Crc, Decompress, FlushDecompress, Status};
use std::cell::RefCell;

const LOCAL: &[u8] = b"PK\x03\x04";
const LOCAL_LENGTH: usize = 30;
/// Bytes read together with the local header. If the extra field is not longer, one read is enough.
const USUAL_EXTRA: usize = 64;
/// Deflate encodes at most 258 bytes in two bits.
const BEST_RATIO: u64 = 1032;
/// Larger scratch memory is freed after use.
const KEPT_SCRATCH: usize = 1 << 20;

/// A readable entry.
#[derive(Clone, Copy, Debug)]
pub(in crate::classpath) struct ZipEntry {
    /// The offset of the local header.
    local: u64,
    compressed: u32,
    size: u32,
    crc: u32,
    name_length: u16,
    deflated: bool,
}

/// The reason why an entry cannot be read, if the central directory alone shows it.
#[derive(Clone, Copy, Debug)]
pub(in crate::classpath) enum EntryRefusal {
    Encrypted,
    Method(u16),
    TooLarge(u64),
    Outside { local: u64 },
}

impl From<EntryRefusal> for ClassPathFault {
    fn from(refusal: EntryRefusal) -> ClassPathFault {
        match refusal {
            EntryRefusal::Encrypted => ClassPathFault::Unsupported("the entry is encrypted".into()),
            EntryRefusal::Method(method) => {
                ClassPathFault::Unsupported(format!("compressed with method {method}"))
            }
            EntryRefusal::TooLarge(size) => ClassPathFault::TooLarge(size),
            EntryRefusal::Outside { local } => {
                ClassPathFault::Malformed { offset: local, what: "the entry's data lies outside the archive" }
            }
        }
    }
}

impl ZipEntry {
    pub(in crate::classpath) fn of(
        header: &EntryHeader<'_>,
        directory: &CentralDirectory,
    ) -> Result<ZipEntry, EntryRefusal> {
        let deflated = match header.method {
            _ if header.flags & 1 != 0 => return Err(EntryRefusal::Encrypted),
            0 => false,
            8 => true,
            other => return Err(EntryRefusal::Method(other)),
        };
        let largest = header.size.max(header.compressed);
        if largest > LARGEST_CLASS {
            return Err(EntryRefusal::TooLarge(largest));
        }
        // Both sizes were just checked, so this sum and the casts below cannot overflow.
        let length = (LOCAL_LENGTH + header.name.len()) as u64 + header.compressed;
        if header.local.checked_add(length).is_none_or(|end| end > directory.start()) {
            return Err(EntryRefusal::Outside { local: header.local });
        }
        Ok(ZipEntry {
            local: header.local,
            compressed: header.compressed as u32,
            size: header.size as u32,
            crc: header.crc,
            name_length: header.name.len() as u16,
            deflated,
        })
    }

    /// Replaces `into` by the entry's content.
    pub(in crate::classpath) fn read(
        &self,
        archive: &ArchiveFile,
        into: &mut Vec<u8>,
    ) -> Result<(), ClassPathFault> {
        SCRATCH.with_borrow_mut(|scratch| {
            let result = self.read_with(archive, scratch, into);
            if scratch.capacity() > KEPT_SCRATCH {
                *scratch = Vec::new();
            }
            result
        })
    }

    fn read_with(
        &self,
        archive: &ArchiveFile,
        scratch: &mut Vec<u8>,
        into: &mut Vec<u8>,
    ) -> Result<(), ClassPathFault> {
        into.clear();
        let compressed = self.compressed as usize;
        let guess = LOCAL_LENGTH + usize::from(self.name_length) + USUAL_EXTRA + compressed;
        let there = archive.size().saturating_sub(self.local);
        archive.read_at(self.local, guess.min(usize::try_from(there).unwrap_or(guess)), scratch)?;
        let data_at = data_start(scratch).ok_or(ClassPathFault::Malformed {
            offset: self.local,
            what: "no local header where the entry should be",
        })?;
        if data_at + compressed > scratch.len() {
            archive.read_at(self.local + data_at as u64, compressed, scratch)?;
            return self.unpack(scratch, into);
        }
        self.unpack(scratch.get(data_at..data_at + compressed).unwrap_or_default(), into)
    }

    fn unpack(&self, data: &[u8], into: &mut Vec<u8>) -> Result<(), ClassPathFault> {
        let wrong = |what| ClassPathFault::Malformed { offset: self.local, what };
        if self.deflated {
            inflate(data, self.size as usize, false, into).map_err(wrong)?;
        } else if self.compressed == self.size {
            into.extend_from_slice(data);
        } else {
            return Err(wrong("a stored entry whose two sizes differ"));
        }
        let mut crc = Crc::new();
        crc.update(into);
        if crc.sum() != self.crc {
            into.clear();
            return Err(wrong("the entry's check sum does not match its content"));
        }
        Ok(())
    }
}

thread_local! {
    static SCRATCH: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) };
    /// One inflater per thread: creating one costs as much as inflating a small class.
    static INFLATER: RefCell<Decompress> = RefCell::new(Decompress::new(false));
}

/// Replaces `into` by the `size` bytes that `data` inflates to, raw or with a zlib wrapper.
pub(in crate::classpath) fn inflate(
    data: &[u8],
    size: usize,
    wrapped: bool,
    into: &mut Vec<u8>,
) -> Result<(), &'static str> {
    into.clear();
    if size as u64 > (data.len() as u64).saturating_mul(BEST_RATIO) {
        return Err("claims to inflate to more than is possible");
    }
    // One extra byte shows whether the data is longer than declared.
    into.resize(size + 1, 0);
    let done = INFLATER.with_borrow_mut(|inflater| {
        inflater.reset(wrapped);
        let status = inflater.decompress(data, into, FlushDecompress::Finish);
        matches!(status, Ok(Status::StreamEnd)) && inflater.total_out() == size as u64
    });
    into.truncate(if done { size } else { 0 });
    if done { Ok(()) } else { Err("the deflated data is corrupt, or not as long as it should be") }
}

/// The offset of the data from the local header at the start of `bytes`.
fn data_start(bytes: &[u8]) -> Option<usize> {
    bytes.starts_with(LOCAL).then_some(())?;
    Some(LOCAL_LENGTH + usize::from(u16_at(bytes, 26)?) + usize::from(u16_at(bytes, 28)?))
}
