//! File metadata that a file system gives without opening the file: a cheap check before reading the content.

/// Tells whether a file is still the same one. Times in nanoseconds since 1970.
///
/// Two equal stamps do not prove equal content: a file written twice within the clock's granularity keeps its
/// stamp. A caller that relies on a stamp must check that the file was old enough when the stamp was taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct FileStamp {
    /// Size in bytes.
    pub size: u64,
    /// Last change of the content.
    pub mtime_ns: i128,
    /// Last change of the content or the metadata. Programs cannot set it back.
    pub ctime_ns: i128,
    /// The file's number on its device.
    pub inode: u64,
    /// The device.
    pub device: u64,
}
