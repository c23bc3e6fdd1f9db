//! Digests class files into records, family by family, on all processors. Families in the index are not read
//! again.

use crate::error::SessionError;
use crate::load::index_lookup::IndexLookup;
use crate::load::misplaced_classes::{self, MisplacedClass};
use rustc_hash::FxHashMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use tamis_program::digest::{ClassSource, Digest, Digester, family_name};
use tamis_program::record::ClassRecord;
use tamis_project::classpath::{ClassEntry, ClassPath};
use tamis_store::index::{NewFamily, family_key};

/// Updates for the index.
#[derive(Default)]
pub(crate) struct IndexUpdates {
    /// The classes that were read, by their position on the class path, with the digests of their contents.
    pub(crate) contents: Vec<(usize, Digest)>,
    /// The families that the index has.
    pub(crate) families: Vec<Digest>,
    /// The families that it does not have yet.
    pub(crate) new: Vec<NewFamily>,
    /// Classes whose location does not fit their names.
    pub(crate) misplaced: Vec<MisplacedClass>,
}

/// Number of families that a thread takes at a time.
const TAKEN: usize = 32;

/// The records of all classes, sorted by name. Of two with one name, the one whose file comes first is first.
pub(crate) fn records(
    class_path: &ClassPath,
    remembered: Option<&IndexLookup<'_>>,
) -> Result<(Vec<ClassRecord>, IndexUpdates), SessionError> {
    let families = families(class_path);
    let shares: Vec<&[Vec<usize>]> = families.chunks(TAKEN).collect();
    let next = AtomicUsize::new(0);
    let worker = || {
        let mut worker = DigestWorker::new(class_path, remembered);
        let mut done = Vec::new();
        loop {
            let number = next.fetch_add(1, Ordering::Relaxed);
            let Some(share) = shares.get(number) else { return Ok::<_, SessionError>(done) };
            done.push((number, worker.share(share)?));
        }
    };
    let threads = std::thread::available_parallelism().map_or(1, usize::from).min(shares.len().max(1));
    let mut done = std::thread::scope(|scope| {
        let others: Vec<_> = (1..threads).map(|_| scope.spawn(worker)).collect();
        let mut done = worker()?;
        for other in others {
            done.extend(other.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))?);
        }
        Ok::<_, SessionError>(done)
    })?;
    // The result must not depend on the distribution of work over threads.
    done.sort_unstable_by_key(|(number, _)| *number);
    let mut records = Vec::with_capacity(class_path.classes().len());
    let mut learned = IndexUpdates::default();
    for (_, mut share) in done {
        records.append(&mut share.records);
        learned.contents.append(&mut share.learned.contents);
        learned.families.append(&mut share.learned.families);
        learned.new.append(&mut share.learned.new);
        learned.misplaced.append(&mut share.learned.misplaced);
    }
    sort(&mut records);
    misplaced_classes::settle(&learned.misplaced, &mut records);
    Ok((records, learned))
}

/// The classes by family, ordered by name. Numbers are positions on the class path.
fn families(class_path: &ClassPath) -> Vec<Vec<usize>> {
    let mut index: FxHashMap<&str, usize> = FxHashMap::default();
    let mut families: Vec<Vec<usize>> = Vec::new();
    for (place, entry) in class_path.classes().iter().enumerate() {
        let at = *index.entry(family_name(&entry.name)).or_insert(families.len());
        match families.get_mut(at) {
            Some(family) => family.push(place),
            None => families.push(vec![place]),
        }
    }
    families
}

/// The results for some families.
#[derive(Default)]
struct DigestShare {
    records: Vec<ClassRecord>,
    learned: IndexUpdates,
}

struct DigestWorker<'a> {
    class_path: &'a ClassPath,
    remembered: Option<&'a IndexLookup<'a>>,
    digester: Digester,
    buffers: Vec<Vec<u8>>,
    block: Vec<u8>,
}

impl<'a> DigestWorker<'a> {
    fn new(class_path: &'a ClassPath, remembered: Option<&'a IndexLookup<'a>>) -> DigestWorker<'a> {
        let digester = Digester::default();
        DigestWorker { class_path, remembered, digester, buffers: Vec::new(), block: Vec::new() }
    }

    fn share(&mut self, families: &[Vec<usize>]) -> Result<DigestShare, SessionError> {
        let mut share = DigestShare::default();
        share.records.reserve_exact(families.iter().map(Vec::len).sum());
        for family in families {
            let entries: Vec<&ClassEntry> =
                family.iter().filter_map(|place| self.class_path.classes().get(*place)).collect();
            let before = share.records.len();
            let known = match self.remembered {
                Some(remembered) => self.recall(remembered, family, &entries, &mut share)?,
                None => false,
            };
            if !known {
                self.read(family, &entries, &mut share)?;
            }
            let records = share.records.get_mut(before..).unwrap_or_default();
            misplaced_classes::find(&entries, records, &mut share.learned.misplaced);
        }
        Ok(share)
    }

    /// Takes a family from the index; returns false if the index does not have it. Reads the classes whose
    /// stamps are not known.
    fn recall(
        &mut self,
        remembered: &IndexLookup<'_>,
        family: &[usize],
        entries: &[&ClassEntry],
        share: &mut DigestShare,
    ) -> Result<bool, SessionError> {
        let mut buffer = self.buffers.pop().unwrap_or_default();
        let mut contents = Vec::with_capacity(family.len());
        let learned_before = share.learned.contents.len();
        for (place, entry) in family.iter().zip(entries) {
            let content = match remembered.content(*place) {
                Some(content) => content,
                None => {
                    self.class_path.read(entry, &mut buffer)?;
                    let content = Digest::of(&buffer);
                    share.learned.contents.push((*place, content));
                    content
                }
            };
            contents.push(content);
        }
        self.buffers.push(buffer);
        let key = family_key(entries.iter().map(|entry| entry.name.as_ref()).zip(contents));
        let known = remembered.known.family(&key, &mut self.block, &mut share.records);
        if known {
            share.learned.families.push(key);
        } else {
            share.learned.contents.truncate(learned_before); // The whole family will be read now.
        }
        Ok(known)
    }

    /// Reads and digests a family.
    fn read(
        &mut self,
        family: &[usize],
        entries: &[&ClassEntry],
        share: &mut DigestShare,
    ) -> Result<(), SessionError> {
        let sources = read_family(self.class_path, entries, &mut self.buffers)?;
        let mut records = self.digester.family(&sources);
        sort(&mut records);
        if self.remembered.is_some() {
            let contents: Vec<Digest> = sources.iter().map(|source| Digest::of(source.bytes)).collect();
            let key = family_key(sources.iter().map(|source| source.name).zip(contents.iter().copied()));
            share.learned.contents.extend(family.iter().copied().zip(contents));
            share.learned.new.push(NewFamily::new(key, &records, &mut self.block));
        }
        share.records.append(&mut records);
        Ok(())
    }
}

fn sort(records: &mut [ClassRecord]) {
    records.sort_by(|a, b| a.name().cmp(b.name()));
}

/// Reads the classes of one family; `buffers` hold their bytes.
pub(crate) fn read_family<'b>(
    class_path: &ClassPath,
    family: &[&'b ClassEntry],
    buffers: &'b mut Vec<Vec<u8>>,
) -> Result<Vec<ClassSource<'b>>, SessionError> {
    if buffers.len() < family.len() {
        buffers.resize_with(family.len(), Vec::new);
    }
    for (entry, buffer) in family.iter().zip(buffers.iter_mut()) {
        class_path.read(entry, buffer)?;
    }
    Ok(family
        .iter()
        .zip(buffers.iter())
        .map(|(entry, bytes)| ClassSource { name: &entry.name, bytes })
        .collect())
}
