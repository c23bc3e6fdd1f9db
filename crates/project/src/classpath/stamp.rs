//! The cheap question: is this still the file I saw? As Unix answers it; Windows has no such numbers to give.

use std::fs::Metadata;
use std::os::unix::fs::MetadataExt;

/// What the file system says of a file without opening it.
///
/// Two equal stamps do not prove equal content: a file written twice within the clock's granularity keeps
/// its stamp. Whoever trusts one must check that it was old enough when it was taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Stamp {
    /// Size in bytes.
    pub size: u64,
    /// Last change of the content, in nanoseconds since 1970.
    pub mtime_ns: i128,
    /// Last change of content or of what is said about it, in nanoseconds since 1970. Nobody can set it back.
    pub ctime_ns: i128,
    /// Which file of the device.
    pub inode: u64,
    /// Which device.
    pub device: u64,
}

impl Stamp {
    /// The stamp of the file this was asked of.
    pub fn of(metadata: &Metadata) -> Stamp {
        Stamp {
            size: metadata.len(),
            mtime_ns: nanoseconds(metadata.mtime(), metadata.mtime_nsec()),
            ctime_ns: nanoseconds(metadata.ctime(), metadata.ctime_nsec()),
            inode: metadata.ino(),
            device: metadata.dev(),
        }
    }
}

fn nanoseconds(seconds: i64, rest: i64) -> i128 {
    i128::from(seconds) * 1_000_000_000 + i128::from(rest)
}
