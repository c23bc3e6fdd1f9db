//! Copies class files into one archive, so that a later version can be compared with them.
//!
//! A plain zip without compression, which this crate's class path reads like any jar.

use crate::classpath::{ClassPath, ClassPathError};
use flate2::Crc;
use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::Path;

/// Larger archives are not written: comparing is optional.
const LARGEST: u64 = 512 << 20;

/// Why classes could not be archived.
#[derive(Debug)]
pub enum KeepError {
    /// A class could not be read.
    Read(ClassPathError),
    /// The archive could not be written.
    Write(io::Error),
    /// The archive would be too large.
    TooLarge,
}

impl From<io::Error> for KeepError {
    fn from(error: io::Error) -> KeepError {
        KeepError::Write(error)
    }
}

struct ArchivedEntry<'a> {
    name: &'a str,
    crc: u32,
    size: u32,
    start: u32,
}

/// Writes the classes of a class path, as they are found, into a new archive.
pub fn keep(class_path: &ClassPath, archive: &Path) -> Result<(), KeepError> {
    let mut out = BufWriter::with_capacity(1 << 20, File::create(archive)?);
    let mut entries: Vec<ArchivedEntry<'_>> = Vec::with_capacity(class_path.classes().len());
    let (mut at, mut bytes) = (0_u64, Vec::new());
    for class in class_path.classes() {
        class_path.read(class, &mut bytes).map_err(KeepError::Read)?;
        let mut crc = Crc::new();
        crc.update(&bytes);
        let start = u32::try_from(at).map_err(|_| KeepError::TooLarge)?;
        let size = u32::try_from(bytes.len()).map_err(|_| KeepError::TooLarge)?;
        let entry = ArchivedEntry { name: &class.name, crc: crc.sum(), size, start };
        out.write_all(b"PK\x03\x04")?;
        header(&mut out, &entry)?;
        write_name(&mut out, &entry)?;
        out.write_all(&bytes)?;
        at += 30 + entry.name.len() as u64 + 6 + u64::from(size);
        if at > LARGEST {
            return Err(KeepError::TooLarge);
        }
        entries.push(entry);
    }
    let mut length = 0;
    for entry in &entries {
        out.write_all(b"PK\x01\x02\x14\x00")?;
        header(&mut out, entry)?;
        // Empty comment, disk and attributes.
        out.write_all(&[0; 10])?;
        out.write_all(&entry.start.to_le_bytes())?;
        write_name(&mut out, entry)?;
        length += 46 + entry.name.len() + 6;
    }
    let count = u16::try_from(entries.len()).unwrap_or(u16::MAX);
    out.write_all(b"PK\x05\x06\0\0\0\0")?;
    out.write_all(&count.to_le_bytes())?;
    out.write_all(&count.to_le_bytes())?;
    out.write_all(&u32::try_from(length).map_err(|_| KeepError::TooLarge)?.to_le_bytes())?;
    out.write_all(&u32::try_from(at).map_err(|_| KeepError::TooLarge)?.to_le_bytes())?;
    out.write_all(&[0, 0])?;
    out.flush()?;
    Ok(())
}

/// The part that local headers and the central directory share: version 2.0, names in UTF-8, stored, 1
/// January 1980.
fn header(out: &mut impl Write, entry: &ArchivedEntry<'_>) -> io::Result<()> {
    out.write_all(&[0x14, 0, 0, 8, 0, 0, 0, 0, 0x21, 0])?;
    out.write_all(&entry.crc.to_le_bytes())?;
    out.write_all(&entry.size.to_le_bytes())?;
    out.write_all(&entry.size.to_le_bytes())?;
    let length = u16::try_from(entry.name.len() + 6).map_err(io::Error::other)?;
    out.write_all(&length.to_le_bytes())?;
    out.write_all(&[0, 0])
}

fn write_name(out: &mut impl Write, entry: &ArchivedEntry<'_>) -> io::Result<()> {
    out.write_all(entry.name.as_bytes())?;
    out.write_all(b".class")
}

#[cfg(test)]
mod tests {
    use super::keep;
    use crate::classpath::{ClassPath, ClassPathOptions};

    #[test]
    fn archived_classes_can_be_read_back() {
        let folder = tempfile::tempdir().unwrap();
        let classes = folder.path().join("classes");
        std::fs::create_dir_all(classes.join("p")).unwrap();
        for (name, content) in [("A", &b"one"[..]), ("p/B$1", b"two"), ("p/\u{fc}", b"")] {
            std::fs::write(classes.join(format!("{name}.class")), content).unwrap();
        }
        let before = ClassPath::open(&[classes], &ClassPathOptions::default()).unwrap();
        let jar = folder.path().join("kept.jar");
        keep(&before, &jar).unwrap();
        let after = ClassPath::open(&[jar], &ClassPathOptions::default()).unwrap();
        assert!(after.problems().is_empty());
        let read = |path: &ClassPath| -> Vec<(String, Vec<u8>)> {
            let bytes = |entry| {
                let mut bytes = Vec::new();
                path.read(entry, &mut bytes).unwrap();
                bytes
            };
            path.classes().iter().map(|entry| (entry.name.to_string(), bytes(entry))).collect()
        };
        assert_eq!(read(&before).len(), 3);
        assert_eq!(read(&before), read(&after));
    }
}
