//! The index of digested classes: an unchanged class is not read again.
//!
//! It maps a file's stamp to the digest of its content, and the digests of a family's contents to the
//! family's records. So a stamp only ever represents content, and only content leads to records. A stamp that
//! a later write could repeat (git calls such files racy) is not stored: that file is read again next time. An
//! unusable index is treated as empty: it costs time but never gives a wrong result.
//!
//! One index serves one class path: a load drops the files that it did not see. Unused families are kept for
//! some writes, so that switching between branches stays cheap.

mod stamp;
mod update;

pub use stamp::LoadStart;
pub use update::{IndexUpdate, NewFamily, SeenFile};

use crate::format::{
    self, FamilyRow, FamilyRows, HEADER, IndexDamage, IndexHeader, IndexInput, StoredRoot, checksum,
    read_roots,
};
use std::fs::File;
use std::io::{self, ErrorKind};
use std::os::unix::fs::FileExt;
use std::path::Path;
use tamis_program::digest::{CanonicalOutput, Digest, DigestEncoder, EncodingTag};
use tamis_program::record::ClassRecord;
use tamis_program::stamp::FileStamp;

/// An index on disk, with its tables loaded.
pub struct DigestIndex {
    /// `None` if the index is empty.
    file: Option<File>,
    length: u64,
    /// Header and tables.
    head: Vec<u8>,
    header: IndexHeader,
    began: LoadStart,
    /// The reason why it is empty although a file exists, as one line.
    pub problem: Option<String>,
}

/// The maximum size of an index. Reading a larger one costs more than it saves.
const LARGEST: u64 = 2 << 30;

impl DigestIndex {
    /// Opens the index at `path`. The load must have created `began` before it listed any file that it looks
    /// up here.
    pub fn open(path: &Path, began: LoadStart) -> DigestIndex {
        let mut index = DigestIndex {
            file: None,
            length: 0,
            head: Vec::new(),
            header: IndexHeader::default(),
            began,
            problem: None,
        };
        index.problem = match index.read(path) {
            Ok(()) => None,
            Err(error) if matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) => None,
            Err(error) => Some(format!("{}: {error}; all classes are read instead", path.display())),
        };
        index
    }

    /// The content of the index.
    pub fn known(&self) -> KnownFamilies<'_> {
        let nothing = KnownFamilies { index: self, roots: Vec::new(), families: FamilyRows::default() };
        self.file.as_ref().and_then(|_| self.tables()).unwrap_or(nothing)
    }

    fn read(&mut self, path: &Path) -> io::Result<()> {
        let file = File::open(path)?;
        let length = file.metadata()?.len();
        if length > LARGEST {
            return Err(io::Error::other("it is larger than any index"));
        }
        let mut start = [0; HEADER];
        if length >= HEADER as u64 {
            file.read_exact_at(&mut start, 0)?;
        }
        let mut head = vec![0; IndexHeader::head_length(&start, length).map_err(io::Error::other)?];
        file.read_exact_at(&mut head, 0)?;
        self.header = IndexHeader::read(&head).map_err(io::Error::other)?;
        (self.head, self.length) = (head, length);
        if self.tables().is_none() {
            return Err(io::Error::other(IndexDamage::Tables));
        }
        self.file = Some(file);
        Ok(())
    }

    fn tables(&self) -> Option<KnownFamilies<'_>> {
        let mut input = IndexInput::new(self.head.get(HEADER..)?);
        let roots = read_roots(&mut input, self.header.roots)?;
        let families = FamilyRows::read(&mut input, self.header.families)?;
        input.is_empty().then_some(KnownFamilies { index: self, roots, families })
    }

    /// The records of a family as unchecked bytes of the file.
    fn block<'b>(&self, family: &FamilyRow, buffer: &'b mut Vec<u8>) -> io::Result<&'b [u8]> {
        let length = family.length as usize;
        let end = family.start.checked_add(u64::from(family.length));
        let file = self.file.as_ref().filter(|_| end.is_some_and(|end| end <= self.length));
        if buffer.len() < length && file.is_some() {
            buffer.resize(length, 0);
        }
        match (file, buffer.get_mut(..length)) {
            (Some(file), Some(block)) => file.read_exact_at(block, family.start).map(|()| &*block),
            _ => Err(ErrorKind::UnexpectedEof.into()),
        }
    }
}

/// The content of an index.
pub struct KnownFamilies<'i> {
    index: &'i DigestIndex,
    roots: Vec<StoredRoot<'i>>,
    families: FamilyRows<'i>,
}

impl<'i> KnownFamilies<'i> {
    /// The files of a root, for look-ups in the order of their names.
    pub fn files(&self, root: &[u8]) -> KnownFiles<'i> {
        let root = self.roots.iter().find(|known| known.key == root);
        KnownFiles { files: root.map(|root| root.files), next: 0 }
    }

    /// Appends the records of the family with this key; returns false if it is unknown. The content of
    /// `buffer` is overwritten.
    pub fn family(&self, key: &Digest, buffer: &mut Vec<u8>, records: &mut Vec<ClassRecord>) -> bool {
        let before = records.len();
        let mut append = || {
            let family = self.families.find(key)?;
            let block = self.index.block(&family, buffer).ok()?;
            (checksum(block) == family.sum).then(|| format::decode(block, records))?
        };
        let known = append().is_some();
        if !known {
            records.truncate(before);
        }
        known
    }
}

/// The files of one root.
pub struct KnownFiles<'i> {
    files: Option<format::StoredFiles<'i>>,
    next: usize,
}

impl KnownFiles<'_> {
    /// The number of files.
    fn len(&self) -> usize {
        self.files.map_or(0, |files| files.len())
    }

    /// The digest of a file's content, if the file still has the stamp with which it was read. The files of a
    /// root must be looked up in the order of their names.
    pub fn content(&mut self, name: &str, stamp: &FileStamp) -> Option<Digest> {
        let files = self.files?;
        while files.name(self.next)? < name.as_bytes() {
            self.next += 1;
        }
        let same = files.name(self.next)? == name.as_bytes()
            && files.stamp(self.next).copied() == Some(stamp::to_bytes(stamp)?);
        if same { files.content(self.next) } else { None }
    }
}

/// The key of a family: the names of its class files, which must be sorted, and the digests of their
/// contents.
pub fn family_key<'m>(members: impl Iterator<Item = (&'m str, Digest)>) -> Digest {
    let mut encoder = DigestEncoder::default();
    encoder.start(EncodingTag::Family);
    for (name, content) in members {
        encoder.bytes(name.as_bytes());
        encoder.digest(&content);
    }
    encoder.finish()
}
