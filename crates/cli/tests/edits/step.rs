//! The parts of a case file that belong to this ring, besides the two programs.
//!
//! | block | meaning |
//! |---|---|
//! | `changes` | all changes, one per line, in any order; see below |
//! | `changes 8-17`, `changes 18-` | the changes with these JDKs instead, if their compilers differ |
//! | `jdk` | the JDKs that can compile it, `16-` or `8-10`; without it, all |
//! | `stale` | classes that were not compiled again: copied from before |
//! | `tamis` | options: `--lenient` |
//! | `open` | why the case fails today; a case that passes must not be open |
//!
//! A change is `CIM p.A.f()I code, shape`, `LC p.B p.A.m()V` (the receiver first), `CF p.A.count added`,
//! `AF p.A$1`, or `AF p.B renamed p.A`.

use std::path::{Path, PathBuf};
use tamis_test_support::javac::Job;
use tamis_test_support::jdk::Jdk;
use tamis_test_support::markdown::Case;

/// One case, ready to be compiled and checked.
pub(crate) struct Step {
    pub(crate) title: String,
    /// The path below `tests/edits`.
    pub(crate) path: PathBuf,
    pub(crate) before: Job,
    pub(crate) after: Job,
    pub(crate) jdks: Range,
    pub(crate) stale: Vec<String>,
    pub(crate) lenient: bool,
    pub(crate) open: bool,
    changes: Vec<(Range, Vec<String>)>,
}

/// A range of feature versions of the JDK.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Range {
    first: u32,
    last: u32,
}

const ALL: Range = Range { first: 0, last: u32::MAX };

impl Range {
    fn parse(text: &str) -> Option<Range> {
        let (first, last) = text.split_once('-')?;
        let last = if last.is_empty() { u32::MAX } else { last.parse().ok()? };
        Some(Range { first: first.parse().ok()?, last })
    }

    pub(crate) fn contains(self, feature: u32) -> bool {
        (self.first..=self.last).contains(&feature)
    }
}

impl Step {
    pub(crate) fn of(case: Case, folder: &Path) -> Result<Step, String> {
        let path = case.path.strip_prefix(folder).unwrap_or(&case.path).to_path_buf();
        let mut step = Step {
            title: case.title.clone(),
            before: case.job_before(),
            after: case.job_after(),
            jdks: ALL,
            stale: Vec::new(),
            lenient: false,
            open: false,
            changes: Vec::new(),
            path,
        };
        for (info, lines) in case.expect {
            let lines = lines.into_iter().filter(|line| !line.trim().is_empty()).collect();
            step.take(&info, lines).map_err(|what| format!("{}: {what}", step.path.display()))?;
        }
        if !step.changes.iter().any(|(range, _)| *range == ALL) {
            return Err(format!("{}: no `changes` block for all JDKs", step.path.display()));
        }
        Ok(step)
    }

    fn take(&mut self, info: &str, lines: Vec<String>) -> Result<(), String> {
        let range =
            |text: &str| Range::parse(text).ok_or(format!("`{text}` is no range of JDKs; write 16- or 8-10"));
        match (info.split_once(' ').unwrap_or((info, "")), lines.as_slice()) {
            (("changes", ""), _) => self.changes.push((ALL, lines)),
            (("changes", text), _) => self.changes.insert(0, (range(text)?, lines)),
            (("jdk", ""), [text]) => self.jdks = range(text)?,
            (("stale", ""), [_, ..]) => self.stale = lines,
            (("tamis", ""), [option]) if option == "--lenient" => self.lenient = true,
            (("open", ""), [_, ..]) => self.open = true,
            _ => return Err(format!("`{info}` is not a block of this ring, or not with this content")),
        }
        Ok(())
    }

    /// The difference between these changes and the expected ones, if there is any.
    pub(crate) fn mismatch(&self, jdk: &Jdk, found: &[String]) -> Option<String> {
        let (_, expected) = self.changes.iter().find(|(range, _)| range.contains(jdk.feature))?;
        difference(expected, found)
    }
}

/// Lines that are in only one of the lists; order does not count.
pub(crate) fn difference(expected: &[String], found: &[String]) -> Option<String> {
    let only = |sign: char, these: &[String], those: &[String]| -> String {
        let mut these: Vec<_> = these.iter().filter(|line| !those.contains(line)).collect();
        these.sort();
        these.into_iter().map(|line| format!("  {sign} {line}\n")).collect()
    };
    let text = only('-', expected, found) + &only('+', found, expected);
    (!text.is_empty()).then_some(text)
}
