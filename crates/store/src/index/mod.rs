//! The index of what was digested: a class that has not changed is not read again.
//!
//! It knows the digest of a file's content by the file's stamp, and the records of a family of classes by the digests
//! of their contents. So a stamp only ever stands for a content, and only contents lead to records. A stamp that
//! could not be told from that of a later write (git calls such files racy) is not kept: that file is read next time.
//! Whatever is wrong with an index, it is an empty one: it costs time, never an answer.
//!
//! One index serves one class path: a load forgets the files that it did not see. Families it did not see are kept
//! for a while, so that going from branch to branch and back stays cheap.

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

/// An index on disk, its tables read.
pub struct DigestIndex {
    /// `None` if it is empty.
    file: Option<File>,
    length: u64,
    /// Header and tables.
    head: Vec<u8>,
    header: IndexHeader,
    began: LoadStart,
    /// Why it is empty although there was a file: one line, for a person.
    pub problem: Option<String>,
}

/// No index of ours is larger; one that is costs more to read than it saves.
const LARGEST: u64 = 2 << 30;

impl DigestIndex {
    /// Opens the index at `path`, for a load that had `began` before it listed anything that the index will be asked
    /// about.
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

    /// What it holds.
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

    /// The records of a family as they lie in the file, unchecked.
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

/// What an index holds.
pub struct KnownFamilies<'i> {
    index: &'i DigestIndex,
    roots: Vec<StoredRoot<'i>>,
    families: FamilyRows<'i>,
}

impl<'i> KnownFamilies<'i> {
    /// The files of a root, to be asked about in the order of their names.
    pub fn files(&self, root: &[u8]) -> KnownFiles<'i> {
        let root = self.roots.iter().find(|known| known.key == root);
        KnownFiles { files: root.map(|root| root.files), next: 0 }
    }

    /// Appends the records of the family of this key; false if they are not known. `buffer` may hold anything.
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
    /// How many there are.
    fn len(&self) -> usize {
        self.files.map_or(0, |files| files.len())
    }

    /// The digest of a file's content, if the file bears the stamp it was read with. The files of a root must be asked
    /// about in the order of their names.
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

/// The key of a family: the names of its class files, which must be sorted, and the digests of their contents.
pub fn family_key<'m>(members: impl Iterator<Item = (&'m str, Digest)>) -> Digest {
    let mut encoder = DigestEncoder::default();
    encoder.start(EncodingTag::Family);
    for (name, content) in members {
        encoder.bytes(name.as_bytes());
        encoder.digest(&content);
    }
    encoder.finish()
}
