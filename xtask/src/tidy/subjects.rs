//! Subjects of commits: `area: imperative summary`.
//!
//! Checks the commits after the one with which the rule began. Without that commit, as in a shallow clone, it
//! checks nothing and prints the reason.

use std::path::Path;
use std::process::Command;

use anyhow::{Result, anyhow};

use super::Finding;
use super::tree::Tree;
use crate::cargo;

/// The last commit before the rule.
const BASE: &str = "71c007e";

/// Maximum number of characters of a subject.
const LENGTH: usize = 72;

/// Verbs that end like a participle or a third person, but are neither.
const VERBS: [&str; 14] = [
    "bring", "embed", "feed", "focus", "need", "proceed", "ring", "seed", "shed", "shred", "speed", "spring",
    "string", "wed",
];

pub(super) fn find(_: &Tree) -> Result<Vec<Finding>> {
    match log(&cargo::workspace()) {
        Ok(lines) => Ok(lines.lines().filter_map(finding).collect()),
        Err(error) => {
            println!("subjects of commits are not checked: {error:#}");
            Ok(Vec::new())
        }
    }
}

/// One line per commit: its short name, a space, its subject.
fn log(workspace: &Path) -> Result<String> {
    let mut command = Command::new("git");
    command.args(["log", "--no-merges", "--format=%h %s", &format!("{BASE}..HEAD")]);
    let output = command.current_dir(workspace).output().map_err(|error| anyhow!("git: {error}"))?;
    if !output.status.success() {
        let reason = String::from_utf8_lossy(&output.stderr);
        return Err(anyhow!(
            "no history since {BASE} ({})",
            reason.lines().next().unwrap_or("git log failed")
        ));
    }
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}

fn finding(line: &str) -> Option<Finding> {
    let (commit, subject) = line.split_once(' ')?;
    let wrong = wrong(subject)?;
    Some(Finding::new(&format!("commit {commit}"), 0, format!("{wrong}: \"{subject}\"")))
}

/// The fault of a subject.
fn wrong(subject: &str) -> Option<String> {
    let length = subject.chars().count();
    if length > LENGTH {
        return Some(format!("{length} characters, more than {LENGTH}"));
    }
    let Some((area, summary)) = subject.split_once(": ") else {
        return Some("not `area: summary`".to_owned());
    };
    let is_area = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || "-_./, ".contains(c);
    if area.is_empty() || !area.chars().all(is_area) || area.split_whitespace().count() > 3 {
        return Some(format!("`{area}` is not an area: a crate or a folder"));
    }
    let verb = summary.split_whitespace().next().unwrap_or_default().to_lowercase();
    let is_other_form =
        verb.ends_with("ing") || verb.ends_with("ed") || verb.ends_with('s') && !verb.ends_with("ss");
    if verb.is_empty() || is_other_form && !VERBS.contains(&verb.as_str()) {
        return Some(format!("`{verb}` is not an imperative"));
    }
    summary.ends_with('.').then(|| "ends with a full stop".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_area_and_an_imperative_are_right() {
        for subject in [
            "agent: skip a class whose file is gone",
            "xtask: pass arguments on",
            "select/history: process parts in order",
            "docs: feed the reader",
        ] {
            assert_eq!(wrong(subject), None, "{subject}");
        }
    }

    #[test]
    fn other_subjects_are_wrong() {
        for (subject, expected) in [
            ("Skip a class whose file is gone", "not `area: summary`"),
            ("A long story: it was told", "`A long story` is not an area: a crate or a folder"),
            ("agent: skips a class", "`skips` is not an imperative"),
            ("agent: skipped a class", "`skipped` is not an imperative"),
            ("agent: skipping a class", "`skipping` is not an imperative"),
            ("agent: skip a class.", "ends with a full stop"),
        ] {
            assert_eq!(wrong(subject).as_deref(), Some(expected), "{subject}");
        }
        let long = format!("agent: skip {}", "x".repeat(61));
        assert_eq!(wrong(&long).as_deref(), Some("73 characters, more than 72"));
    }

    #[test]
    fn a_finding_names_the_commit() {
        assert_eq!(finding("1234567 agent: skip a class"), None);
        assert_eq!(
            finding("1234567 Skip").unwrap().to_string(),
            "commit 1234567: not `area: summary`: \"Skip\""
        );
    }

    #[test]
    fn without_history_the_reason_is_given() {
        let folder = tempfile::tempdir().unwrap();
        assert!(log(folder.path()).unwrap_err().to_string().starts_with("no history since 71c007e ("));
    }
}
