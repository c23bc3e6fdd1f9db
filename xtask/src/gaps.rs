//! Tests and cases that do not run because a JDK is not covered.
//!
//! There are three kinds: the turn of that JDK in every test that runs on each JDK; tests for that JDK alone,
//! whose names end in `_on_jdk_8`; and cases whose `jdk` block fits no covered JDK. Reads only names and
//! blocks.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};

use crate::setup::in_words;

/// Precedes the number at the end of the name of a test that needs one JDK.
pub(crate) const MARK: &str = "_on_jdk_";

/// The folders of cases, and the JDKs of a case that names none.
const CASES: [(&str, &str); 2] = [("tests/edits", "1-"), ("tests/decisions", "17-")];

/// Maximum number of cases that are listed by path; the others are counted.
const NAMED: usize = 5;

/// Tests and cases that do not run.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Gaps {
    /// One line each for the user.
    pub(crate) lines: Vec<String>,
    /// Parts of the names of tests that must not run.
    pub(crate) skip: Vec<String>,
}

/// The gaps of a run in this workspace that covers some JDKs and leaves out others.
pub(crate) fn of(workspace: &Path, covered: &[u32], left_out: &[u32]) -> Result<Gaps> {
    let mut gaps = Gaps::default();
    if left_out.is_empty() {
        return Ok(gaps);
    }
    let turns = format!("the turn of JDK {} in tests that run on every JDK", in_words(left_out));
    gaps.lines.push(turns);
    for file in files(&workspace.join("crates"), "rs")? {
        let text = fs::read_to_string(&file).with_context(|| file.display().to_string())?;
        for (name, feature) in marked(&text).filter(|(_, feature)| left_out.contains(feature)) {
            gaps.lines.push(format!("{name} in {}: needs JDK {feature}", shown(workspace, &file)));
        }
    }
    gaps.skip = left_out.iter().map(|feature| format!("{MARK}{feature}")).collect();
    for (folder, default) in CASES {
        let mut cases = Vec::new();
        for file in files(&workspace.join(folder), "md")? {
            let text = fs::read_to_string(&file).with_context(|| file.display().to_string())?;
            let range = range_of(&text).unwrap_or(default);
            let range = Range::read(range).with_context(|| file.display().to_string())?;
            if !covered.iter().any(|feature| range.holds(*feature)) {
                cases.push(format!("{} (JDK {range})", shown(workspace, &file)));
            }
        }
        let rest = cases.len().saturating_sub(NAMED);
        cases.truncate(NAMED);
        gaps.lines.append(&mut cases);
        if rest > 0 {
            gaps.lines.push(format!("{rest} more cases of {folder}"));
        }
    }
    Ok(gaps)
}

/// The functions whose names end in the mark and a number.
fn marked(text: &str) -> impl Iterator<Item = (&str, u32)> {
    let functions = text.lines().filter_map(|line| line.trim_start().strip_prefix("fn ")?.split_once('('));
    functions.filter_map(|(name, _)| Some((name, name.rsplit_once(MARK)?.1.parse().ok()?)))
}

/// The line in the `jdk` block of a case.
fn range_of(case: &str) -> Option<&str> {
    let mut lines = case.lines().skip_while(|line| line.trim_end() != "```jdk");
    lines.nth(1).map(str::trim)
}

/// `8-10`, or `17-`.
struct Range {
    first: u32,
    last: Option<u32>,
}

impl Range {
    fn read(text: &str) -> Result<Range> {
        let Some((first, last)) = text.split_once('-') else {
            bail!("`{text}` is not a range of JDKs, such as 8-10 or 17-");
        };
        let number = |text: &str| text.parse().with_context(|| format!("`{text}` is not a JDK"));
        Ok(Range { first: number(first)?, last: if last.is_empty() { None } else { Some(number(last)?) } })
    }

    fn holds(&self, feature: u32) -> bool {
        self.first <= feature && self.last.is_none_or(|last| feature <= last)
    }
}

impl std::fmt::Display for Range {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}-", self.first)?;
        self.last.map_or(Ok(()), |last| write!(f, "{last}"))
    }
}

/// All files below a folder, sorted. A `README.md` is not a case.
fn files(folder: &Path, extension: &str) -> Result<Vec<PathBuf>> {
    let mut found = Vec::new();
    let entries = fs::read_dir(folder).with_context(|| folder.display().to_string())?;
    for entry in entries {
        let path = entry?.path();
        if path.is_dir() {
            found.extend(files(&path, extension)?);
        } else if path.extension().is_some_and(|own| own == extension) && !path.ends_with("README.md") {
            found.push(path);
        }
    }
    found.sort();
    Ok(found)
}

fn shown(workspace: &Path, file: &Path) -> String {
    file.strip_prefix(workspace).unwrap_or(file).display().to_string()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cargo;

    #[test]
    fn a_test_for_one_jdk_is_recognised_by_its_name() {
        let text =
            "#[test]\nfn reads_on_jdk_8() { }\n  fn last_on_jdk_21(x: u8) { }\nfn on_every_jdk() { }\n";
        assert_eq!(marked(text).collect::<Vec<_>>(), [("reads_on_jdk_8", 8), ("last_on_jdk_21", 21)]);
    }

    #[test]
    fn a_case_names_its_jdks_in_a_block() {
        assert_eq!(range_of("# Title\n```jdk\n8-10\n```\n"), Some("8-10"));
        assert_eq!(range_of("# Title\n```java\n8-10\n```\n"), None);
        let fits = |range: &str| [8, 10, 11].map(|feature| Range::read(range).unwrap().holds(feature));
        assert_eq!((fits("8-10"), fits("10-")), ([true, true, false], [false, true, true]));
        assert!(Range::read("8").is_err() && Range::read("x-").is_err());
    }

    #[test]
    fn without_the_oldest_jdk_there_are_gaps() {
        let of = |covered: &[u32], left_out: &[u32]| of(&cargo::workspace(), covered, left_out).unwrap();
        assert_eq!(of(&[8, 11, 17, 21, 25], &[]), Gaps::default());
        let gaps = of(&[11, 17, 21, 25], &[8]);
        assert_eq!(gaps.skip, ["_on_jdk_8"]);
        assert!(gaps.lines.iter().any(|line| line.ends_with(": needs JDK 8")), "{gaps:?}");
        assert!(gaps.lines.iter().any(|line| line.contains("(JDK 8-10)")), "{gaps:?}");
    }
}
