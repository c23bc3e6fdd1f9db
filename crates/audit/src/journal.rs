//! What was tried, kept beside the store as it is found: an audit that was stopped goes on from there.

use std::fs::{self, File};
use std::io::{Read, Write};
use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};
use tamis_report::audit::mutants::{AuditBaseline, JournalLine, MutantResult};

/// No journal is larger.
const LARGEST: u64 = 1 << 30;

/// One file for a seed and a state of the classes.
pub(super) struct AuditJournal {
    file: Mutex<Option<File>>,
    pub(super) baseline: Option<AuditBaseline>,
    pub(super) tried: Vec<MutantResult>,
}

impl AuditJournal {
    /// Reads what there is. A journal that cannot be written costs the going on, nothing else.
    pub(super) fn open(path: PathBuf) -> AuditJournal {
        let mut text = Vec::new();
        if let Ok(file) = File::open(&path) {
            let _ = file.take(LARGEST).read_to_end(&mut text);
        }
        let mut journal = AuditJournal { file: Mutex::default(), baseline: None, tried: Vec::new() };
        for line in String::from_utf8_lossy(&text).lines() {
            // A line that was broken off is one mutant that is tried again.
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

    /// Notes a line.
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
    fn what_was_tried_is_found_again_and_a_broken_line_is_not() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a/journal");
        let tried = |id: &str| MutantResult { id: id.to_owned(), run: 3, ..MutantResult::default() };
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
