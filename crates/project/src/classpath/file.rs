//! Reads a file by position (`pread`), from any number of threads.
//!
//! Files are never memory-mapped, though a map would save a copy. A mapped file that another process
//! truncates kills the reader with SIGBUS, and builds do truncate jars while they are read; a positioned read
//! is only short. A read costs about a microsecond, inflating a class ten, so the copy does not matter.
//! Besides, every mapping crate needs `unsafe`, for this very reason.

use super::error::ClassPathFault;
use super::stamp::stamp_of;
use std::fs::File;
use std::io::{self, ErrorKind, Read};
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};
use tamis_program::stamp::FileStamp;

/// The maximum size of a class. The format allows more, but a method holds 64 KiB and a pool 65,535
/// constants, and the largest real classes stay below 2 MiB. Larger sizes are rejected before anything is
/// allocated.
pub(super) const LARGEST_CLASS: u64 = 64 << 20;

/// An archive on disk, as it was when opened.
#[derive(Debug)]
pub(super) struct ArchiveFile {
    path: PathBuf,
    stamp: FileStamp,
    /// `None` after release: a class path of thousands of jars must not exhaust the process's file handles.
    handle: Option<File>,
}

impl ArchiveFile {
    pub(super) fn open(path: &Path) -> io::Result<ArchiveFile> {
        let file = File::open(path)?;
        let stamp = stamp_of(&file.metadata()?);
        Ok(ArchiveFile { path: path.to_owned(), stamp, handle: Some(file) })
    }

    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    pub(super) fn stamp(&self) -> FileStamp {
        self.stamp
    }

    pub(super) fn size(&self) -> u64 {
        self.stamp.size
    }

    /// Closes the file. Later reads open it again and check that it is unchanged.
    pub(super) fn release(&mut self) {
        self.handle = None;
    }

    /// Replaces `into` by the `length` bytes at `offset`.
    pub(super) fn read_at(
        &self,
        offset: u64,
        length: usize,
        into: &mut Vec<u8>,
    ) -> Result<(), ClassPathFault> {
        into.clear();
        if offset.checked_add(length as u64).is_none_or(|end| end > self.size()) {
            return ClassPathFault::malformed(offset, "reaches beyond the end of the file");
        }
        into.resize(length, 0);
        let read = match &self.handle {
            Some(file) => file.read_exact_at(into, offset),
            None => {
                let file = File::open(&self.path).map_err(vanished)?;
                if stamp_of(&file.metadata()?) != self.stamp {
                    return Err(ClassPathFault::Changed);
                }
                file.read_exact_at(into, offset)
            }
        };
        read.map_err(|e| {
            if e.kind() == ErrorKind::UnexpectedEof { ClassPathFault::Changed } else { ClassPathFault::Io(e) }
        })
    }
}

/// Reads a whole class file that had this stamp when listed.
pub(super) fn read_listed(path: &Path, listed: FileStamp, into: &mut Vec<u8>) -> Result<(), ClassPathFault> {
    into.clear();
    if listed.size > LARGEST_CLASS {
        return Err(ClassPathFault::TooLarge(listed.size));
    }
    let file = File::open(path).map_err(vanished)?;
    // One extra byte shows whether the file has grown.
    into.reserve(listed.size as usize + 1);
    (&file).take(listed.size + 1).read_to_end(into)?;
    // The stamp is taken after reading: it must belong to the bytes, or the caller gets an error.
    if stamp_of(&file.metadata()?) != listed || into.len() as u64 != listed.size {
        return Err(ClassPathFault::Changed);
    }
    Ok(())
}

fn vanished(error: io::Error) -> ClassPathFault {
    match error.kind() {
        ErrorKind::NotFound | ErrorKind::NotADirectory => ClassPathFault::Vanished,
        _ => ClassPathFault::Io(error),
    }
}
