//! The journal of tried mutants. An interrupted audit resumes from it.

use std::fs::{self, File};
use std::io::{Read, Write};
use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};
use tamis_report::audit::mutants::{AuditBaseline, JournalLine, MutantResult};

/// Maximum size of a journal.
const LARGEST: u64 = 1 << 30;

/// The journal of one seed and one state of the classes.
pub(super) struct AuditJournal {
    file: Mutex<Option<File>>,
    pub(super) baseline: Option<AuditBaseline>,
    pub(super) tried: Vec<MutantResult>,
}

impl AuditJournal {
    /// Reads the journal. If it cannot be written, the audit cannot be resumed, and nothing else is lost.
    pub(super) fn open(path: PathBuf) -> AuditJournal {
        let mut text = Vec::new();
        if let Ok(file) = File::open(&path) {
            let _ = file.take(LARGEST).read_to_end(&mut text);
        }
        let mut journal = AuditJournal { file: Mutex::default(), baseline: None, tried: Vec::new() };
        for line in String::from_utf8_lossy(&text).lines() {
            // An incomplete line means that one mutant is tried again.
            match JournalLine::read(line) {
                Some(JournalLine::Baseline(baseline)) => journal.baseline = Some(baseline),
                Some(JournalLine::Tried(tried)) => journal.tried.push(tried),
                None => {}
            }
        }
        let open = || {
            fs::create_dir_all(path.parent()?).ok()?;
            let mut file = File::options().create(true).append(true).open(&path).ok()?;
            if !text.is_empty() && !text.ends_with(b"\n") {
                file.write_all(b"\n").ok()?;
            }
            Some(file)
        };
        journal.file = Mutex::new(open());
        journal
    }

    /// Appends a line.
    pub(super) fn add(&self, line: &JournalLine) {
        let mut file = self.file.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(open) = file.as_mut()
            && open.write_all(line.write().as_bytes()).is_err()
        {
            *file = None;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn complete_lines_are_read_back_and_incomplete_ones_are_ignored() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a/journal");
        let tried = |id: &str| MutantResult { id: id.to_owned(), selected: 3, ..MutantResult::default() };
        let journal = AuditJournal::open(path.clone());
        journal.add(&JournalLine::Baseline(AuditBaseline { tests: 7, ..AuditBaseline::default() }));
        journal.add(&JournalLine::Tried(tried("one")));
        fs::write(&path, fs::read_to_string(&path).unwrap() + "{\"tried\": {\"id\": \"tw").unwrap();
        AuditJournal::open(path.clone()).add(&JournalLine::Tried(tried("three")));
        let again = AuditJournal::open(path);
        assert_eq!(again.tried, [tried("one"), tried("three")]);
        assert_eq!(again.baseline.unwrap().tests, 7);
    }
}
