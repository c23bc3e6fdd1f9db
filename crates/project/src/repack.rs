//! Replaces one entry of an archive, and leaves all others unchanged, byte for byte.

use flate2::Crc;

/// The archive with new contents for this entry. `None` if there is no such entry, or if the archive is over
/// 4 GB, in parts, or damaged.
pub fn replace(archive: &[u8], name: &str, contents: &[u8]) -> Option<Vec<u8>> {
    let end = archive.windows(4).rposition(|window| window == b"PK\x05\x06")?;
    let (count, start) = (u16_at(archive, end + 10)?, u32_at(archive, end + 16)? as usize);
    let mut crc = Crc::new();
    crc.update(contents);
    let size = u32::try_from(contents.len()).ok()?;
    // The new entry takes the place of the directory, which follows it.
    let mut out = archive.get(..start)?.to_vec();
    let placed = u32::try_from(out.len()).ok()?;
    let (mut directory, mut at, mut found) = (Vec::new(), start, false);
    for _ in 0..count {
        let header = archive.get(at..at + 46).filter(|header| header.starts_with(b"PK\x01\x02"))?;
        let lengths = [28, 30, 32].map(|field| u16_at(archive, at + field).map(usize::from));
        let [Some(named), Some(extra), Some(comment)] = lengths else { return None };
        let next = at + 46 + named + extra + comment;
        if !found && archive.get(at + 46..at + 46 + named)? == name.as_bytes() {
            found = true;
            let mut header = header.to_vec();
            // The flags keep whether the name is UTF-8. Stored uncompressed, without a data descriptor.
            let flags = u16_at(archive, at + 8)? & 0x0800;
            header.get_mut(8..10)?.copy_from_slice(&flags.to_le_bytes());
            header.get_mut(10..12)?.fill(0);
            header.get_mut(16..20)?.copy_from_slice(&crc.sum().to_le_bytes());
            header.get_mut(20..24)?.copy_from_slice(&size.to_le_bytes());
            header.get_mut(24..28)?.copy_from_slice(&size.to_le_bytes());
            header.get_mut(30..34)?.fill(0);
            header.get_mut(42..46)?.copy_from_slice(&placed.to_le_bytes());
            directory.extend_from_slice(&header);
            directory.extend_from_slice(name.as_bytes());
            out.extend_from_slice(b"PK\x03\x04");
            out.extend_from_slice(header.get(6..32)?);
            out.extend_from_slice(name.as_bytes());
            out.extend_from_slice(contents);
        } else {
            directory.extend_from_slice(archive.get(at..next)?);
        }
        at = next;
    }
    let mut last = archive.get(end..)?.to_vec();
    last.get_mut(12..16)?.copy_from_slice(&u32::try_from(directory.len()).ok()?.to_le_bytes());
    last.get_mut(16..20)?.copy_from_slice(&u32::try_from(out.len()).ok()?.to_le_bytes());
    out.extend_from_slice(&directory);
    out.extend_from_slice(&last);
    found.then_some(out)
}

fn u16_at(bytes: &[u8], at: usize) -> Option<u16> {
    Some(u16::from_le_bytes(*bytes.get(at..)?.first_chunk()?))
}

fn u32_at(bytes: &[u8], at: usize) -> Option<u32> {
    Some(u32::from_le_bytes(*bytes.get(at..)?.first_chunk()?))
}

#[cfg(test)]
mod tests {
    use super::replace;
    use crate::classpath::{ClassPath, ClassPathOptions};
    use tamis_test_support::jar;

    #[test]
    fn one_entry_is_replaced_and_the_others_are_unchanged() {
        let entries = [("META-INF/", "".as_bytes()), ("a/B.class", b"old"), ("c.txt", b"text text text")];
        for archive in [jar::deflated(&entries), jar::stored(&entries)] {
            let folder = tempfile::tempdir().unwrap();
            let path = folder.path().join("x.jar");
            let new = replace(&archive, "a/B.class", b"another and longer").unwrap();
            std::fs::write(&path, new).unwrap();
            let options = ClassPathOptions { release: None, follow_manifests: false, threads: 1 };
            let read = ClassPath::open(&[path], &options).unwrap();
            let mut bytes = Vec::new();
            read.read(read.find("a/B").unwrap(), &mut bytes).unwrap();
            assert_eq!(bytes, b"another and longer");
            let text = read.resources(|name| name == "c.txt").unwrap();
            assert_eq!(text[0].bytes, b"text text text");
            assert_eq!(replace(&archive, "none", b""), None);
            assert_eq!(replace(&archive[..archive.len() / 2], "a/B.class", b""), None);
        }
    }
}
