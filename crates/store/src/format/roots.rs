//! The table of roots: the files of each root with their stamps and the digests of their contents.

use super::input::IndexInput;
use tamis_program::digest::Digest;

/// The length of a stamp.
pub(crate) const STAMP: usize = 40;

/// The files of one root at the time of writing.
#[derive(Clone, Copy)]
pub(crate) struct StoredRoot<'i> {
    pub(crate) key: &'i [u8],
    pub(crate) files: StoredFiles<'i>,
}

/// Files sorted by name.
#[derive(Clone, Copy)]
pub(crate) struct StoredFiles<'i> {
    stamps: FileStamps<'i>,
    contents: &'i [[u8; 16]],
    /// The end of each name in `names`.
    ends: &'i [[u8; 4]],
    names: &'i [u8],
}

/// The stamps of a root's files.
#[derive(Clone, Copy)]
pub(crate) enum FileStamps<'i> {
    /// One per file.
    Each(&'i [[u8; STAMP]]),
    /// The stamp of the archive that contains all files.
    All(&'i [u8; STAMP]),
}

impl<'i> StoredFiles<'i> {
    pub(crate) fn len(&self) -> usize {
        self.contents.len()
    }

    pub(crate) fn name(&self, at: usize) -> Option<&'i [u8]> {
        let end = |at: usize| self.ends.get(at).map(|end| u32::from_le_bytes(*end) as usize);
        let start = if at == 0 { 0 } else { end(at - 1)? };
        self.names.get(start..end(at)?)
    }

    pub(crate) fn stamp(&self, at: usize) -> Option<&'i [u8; STAMP]> {
        match self.stamps {
            FileStamps::Each(stamps) => stamps.get(at),
            FileStamps::All(stamp) => Some(stamp),
        }
    }

    pub(crate) fn content(&self, at: usize) -> Option<Digest> {
        self.contents.get(at).map(|bytes| Digest::from_bytes(*bytes))
    }
}

/// Reads the table of roots.
pub(crate) fn read_roots<'i>(input: &mut IndexInput<'i>, count: usize) -> Option<Vec<StoredRoot<'i>>> {
    let mut roots = Vec::new();
    for _ in 0..count {
        let length = input.count()?;
        let key = input.take(length)?;
        let count = input.count()?;
        let stamps = match input.u8()? {
            0 => FileStamps::Each(input.rows(count)?),
            1 => FileStamps::All(input.rows(1)?.first()?),
            _ => return None,
        };
        let (contents, ends) = (input.rows(count)?, input.rows(count)?);
        let length = input.count()?;
        let names = input.take(length)?;
        roots.push(StoredRoot { key, files: StoredFiles { stamps, contents, ends, names } });
    }
    Some(roots)
}

/// Writes one root: its key, the archive's stamp if it is an archive, and its files sorted by name.
pub(crate) fn write_root(
    key: &[u8],
    archive: Option<&[u8; STAMP]>,
    files: &[(&str, [u8; STAMP], Digest)],
    out: &mut Vec<u8>,
) {
    out.extend((key.len() as u32).to_le_bytes());
    out.extend(key);
    out.extend((files.len() as u32).to_le_bytes());
    match archive {
        Some(stamp) => {
            out.push(1);
            out.extend(stamp);
        }
        None => {
            out.push(0);
            files.iter().for_each(|(_, stamp, _)| out.extend(stamp));
        }
    }
    files.iter().for_each(|(.., content)| out.extend(content.as_bytes()));
    let mut end = 0;
    for (name, ..) in files {
        end += name.len() as u32;
        out.extend(end.to_le_bytes());
    }
    out.extend(end.to_le_bytes());
    files.iter().for_each(|(name, ..)| out.extend(name.as_bytes()));
}
