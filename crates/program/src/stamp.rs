//! What a file system says of a file without opening it: the cheap question, asked before its content.

/// Is this still the file I saw? Times in nanoseconds since 1970.
///
/// Two equal stamps do not prove equal content: a file written twice within the clock's granularity keeps
/// its stamp. Whoever trusts one must check that it was old enough when it was taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct FileStamp {
    /// Size in bytes.
    pub size: u64,
    /// Last change of the content.
    pub mtime_ns: i128,
    /// Last change of content or of what is said about it. Nobody can set it back.
    pub ctime_ns: i128,
    /// Which file of the device.
    pub inode: u64,
    /// Which device.
    pub device: u64,
}
