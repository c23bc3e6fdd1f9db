//! Collects the files and families that a load used, and writes the index.
//!
//! The file is replaced as a whole: a reader sees the old index or the new one. It is not synced to the disk.
//! After a crash it may be damaged; the checksums show that, and the next load writes it again.

use super::stamp::{TimeHorizon, to_bytes};
use super::{KnownFamilies, LARGEST};
use crate::format::{self, FamilyRow, HEADER, IndexHeader, ROW, checksum, write_root};
use std::collections::HashSet;
use std::fs;
use std::io::{self, BufWriter, Write};
use std::path::Path;
use tamis_program::digest::Digest;
use tamis_program::record::ClassRecord;
use tamis_program::stamp::FileStamp;
use tempfile::Builder;

/// The number of writes that an unused family is kept.
const MOST_UNSEEN: u8 = 8;

/// Unused families may take as much space as the used ones, and at least this much.
const UNSEEN_SPACE: u64 = 1 << 20;

/// The files and families that one load used.
pub struct IndexUpdate<'i> {
    known: &'i KnownFamilies<'i>,
    roots: Vec<SeenRoot<'i>>,
    families: Vec<Digest>,
    new: Vec<NewFamily>,
}

/// The records of a family that is not in the index yet.
pub struct NewFamily {
    key: Digest,
    block: Box<[u8]>,
    sum: u64,
}

impl NewFamily {
    /// Encodes the records of a family. `buffer` is reused across families; the result has exactly its own
    /// length.
    pub fn new(key: Digest, records: &[ClassRecord], buffer: &mut Vec<u8>) -> NewFamily {
        buffer.clear();
        format::encode(records, buffer);
        NewFamily { key, sum: checksum(buffer), block: buffer.as_slice().into() }
    }

    fn row(&self) -> FamilyRow {
        FamilyRow { key: self.key, start: 0, length: self.block.len() as u32, sum: self.sum, unseen: 0 }
    }
}

struct SeenRoot<'i> {
    key: Vec<u8>,
    is_archive: bool,
    files: Vec<SeenFile<'i>>,
}

/// One file that a load used.
#[derive(Clone, Copy, Debug)]
pub struct SeenFile<'i> {
    /// The name used for the look-up.
    pub name: &'i str,
    /// Its stamp, or that of its archive.
    pub stamp: FileStamp,
    /// The digest of its content.
    pub content: Digest,
    /// Whether the digest came from the index.
    pub known: bool,
}

impl<'i> IndexUpdate<'i> {
    /// Starts empty.
    pub fn new(known: &'i KnownFamilies<'i>) -> IndexUpdate<'i> {
        IndexUpdate { known, roots: Vec::new(), families: Vec::new(), new: Vec::new() }
    }

    /// Adds the files of a root, sorted by name. All files of an archive have the archive's stamp.
    pub fn root(&mut self, key: Vec<u8>, is_archive: bool, files: Vec<SeenFile<'i>>) {
        self.roots.push(SeenRoot { key, is_archive, files });
    }

    /// Adds a family whose records came from the index.
    pub fn family(&mut self, key: Digest) {
        self.families.push(key);
    }

    /// Adds a family that is not in the index.
    pub fn new_family(&mut self, family: NewFamily) {
        self.new.push(family);
    }

    /// Writes the index, unless it already contains all of this.
    pub fn write(mut self, path: &Path) -> io::Result<()> {
        if !self.says_more() {
            return Ok(());
        }
        let directory = path.parent().filter(|path| !path.as_os_str().is_empty()).unwrap_or(Path::new("."));
        fs::create_dir_all(directory)?;
        let temporary = Builder::new().prefix(".index-").tempfile_in(directory)?;
        // Files are stamped by the file system's clock, which may be that of another machine.
        let now = temporary.as_file().metadata()?.modified()?;
        let mut out = BufWriter::with_capacity(1 << 18, temporary);
        self.write_to(self.known.index.began.horizon(now), &mut out)?;
        out.into_inner()?.persist(path)?;
        Ok(())
    }

    /// Whether an index written now would serve the next load better than the existing one.
    fn says_more(&self) -> bool {
        let horizon = self.known.index.began.likely_horizon();
        let of_root = |root: &SeenRoot<'_>| {
            let known = root.files.iter().filter(|file| file.known).count();
            let forgotten = known != self.known.files(&root.key).len();
            forgotten || root.files.iter().any(|file| !file.known && horizon.is_after(&file.stamp))
        };
        !self.new.is_empty() || self.roots.iter().any(of_root)
    }

    fn write_to(&mut self, horizon: TimeHorizon, out: &mut impl Write) -> io::Result<()> {
        let mut head = vec![0; HEADER];
        self.roots.sort_by(|a, b| a.key.cmp(&b.key));
        for root in &self.roots {
            root.write(horizon, &mut head);
        }
        let blocks = self.blocks();
        let tables = head.len() - HEADER + blocks.len() * ROW;
        let mut end = (HEADER + tables) as u64;
        let mut rows = Vec::with_capacity(blocks.len());
        for (row, _) in &blocks {
            rows.push(FamilyRow { start: end, ..*row });
            end += u64::from(row.length);
        }
        if end > LARGEST {
            return Err(io::Error::other("too many classes for an index"));
        }
        rows.sort_by_key(|row| row.key);
        rows.iter().for_each(|row| row.write(&mut head));
        IndexHeader { tables, roots: self.roots.len(), families: rows.len() }.write(&mut head, end);
        out.write_all(&head)?;
        let mut buffer = Vec::new();
        for (row, new) in blocks {
            match new {
                Some(block) => out.write_all(block)?,
                None => out.write_all(self.known.index.block(&row, &mut buffer)?)?,
            }
        }
        Ok(())
    }

    /// The families to write: the used ones, and the youngest of the others. New families come with their
    /// records; those of the others are copied from the old file.
    fn blocks(&self) -> Vec<(FamilyRow, Option<&[u8]>)> {
        let known = self.known.families;
        let old = self.families.iter().filter_map(|key| known.find(key));
        let mut blocks: Vec<_> = old.map(|family| (FamilyRow { unseen: 0, ..family }, None)).collect();
        blocks.extend(self.new.iter().map(|new| (new.row(), Some(&*new.block))));
        let seen: HashSet<Digest> = blocks.iter().map(|(row, _)| row.key).collect();
        let mut space = blocks.iter().map(|(row, _)| u64::from(row.length)).sum::<u64>().max(UNSEEN_SPACE);
        let unseen = known.iter().filter(|row| row.unseen < MOST_UNSEEN && !seen.contains(&row.key));
        let mut unseen: Vec<FamilyRow> = unseen.collect();
        unseen.sort_by_key(|row| row.unseen); // Stable: the order of keys decides among equals.
        for row in unseen {
            let Some(left) = space.checked_sub(u64::from(row.length)) else { break };
            space = left;
            blocks.push((FamilyRow { unseen: row.unseen + 1, ..row }, None));
        }
        blocks
    }
}

impl SeenRoot<'_> {
    fn write(&self, horizon: TimeHorizon, out: &mut Vec<u8>) {
        let believed = self.files.iter().filter(|file| horizon.is_after(&file.stamp));
        let rows = believed.filter_map(|file| Some((file.name, to_bytes(&file.stamp)?, file.content)));
        let files: Vec<_> = rows.collect();
        let archive = files.first().map(|(_, stamp, _)| stamp).filter(|_| self.is_archive);
        write_root(&self.key, archive, &files, out);
    }
}
