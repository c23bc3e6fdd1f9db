//! Takes the stamp of a file on Unix. Windows has no equivalent numbers.

use std::fs::Metadata;
use std::os::unix::fs::MetadataExt;
use tamis_program::stamp::FileStamp;

/// The stamp of the file with this metadata.
pub fn stamp_of(metadata: &Metadata) -> FileStamp {
    FileStamp {
        size: metadata.len(),
        mtime_ns: nanoseconds(metadata.mtime(), metadata.mtime_nsec()),
        ctime_ns: nanoseconds(metadata.ctime(), metadata.ctime_nsec()),
        inode: metadata.ino(),
        device: metadata.dev(),
    }
}

fn nanoseconds(seconds: i64, rest: i64) -> i128 {
    i128::from(seconds) * 1_000_000_000 + i128::from(rest)
}
