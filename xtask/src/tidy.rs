//! `cargo xtask tidy`: rules about the whole tree that no compiler checks.
//!
//! Each rule has a file in `tidy/`. This one has the table of rules, and prints the findings. Repairs
//! nothing.

mod arrows;
mod foreign;
mod headers;
mod jdks;
mod lexer;
mod modules;
mod names;
mod paths;
mod phrases;
mod sentences;
mod sizes;
mod subjects;
mod tree;

use std::fmt;

use anyhow::{Result, bail};

use crate::cargo;
use names::Names;
use tree::Tree;

/// A rule: the name under which its findings are counted, the search for them, and the files that are exempt.
struct Check {
    name: &'static str,
    find: fn(&Tree) -> Result<Vec<Finding>>,
    exempt: &'static [Exemption],
}

const CHECKS: [Check; 11] = [
    Check { name: "arrows", find: arrows::find, exempt: &[] },
    Check { name: "names", find: names::find, exempt: &[] },
    Check { name: "foreign", find: foreign::find, exempt: foreign::EXEMPT },
    Check { name: "sentences", find: sentences::find, exempt: sentences::EXEMPT },
    Check { name: "headers", find: headers::find, exempt: headers::EXEMPT },
    Check { name: "sizes", find: sizes::find, exempt: sizes::EXEMPT },
    Check { name: "subjects", find: subjects::find, exempt: &[] },
    Check { name: "modules", find: modules::find, exempt: &[] },
    Check { name: "paths", find: paths::find, exempt: &[] },
    Check { name: "phrases", find: phrases::find, exempt: phrases::EXEMPT },
    Check { name: "jdks", find: jdks::find, exempt: &[] },
];

/// A violation of a rule.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Finding {
    /// A path, or another place, such as a commit.
    place: String,
    /// From 1; 0 is the whole place.
    line: usize,
    text: String,
}

impl Finding {
    fn new(place: &str, line: usize, text: impl Into<String>) -> Finding {
        Finding { place: place.to_owned(), line, text: text.into() }
    }
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.line {
            0 => write!(f, "{}: {}", self.place, self.text),
            line => write!(f, "{}:{line}: {}", self.place, self.text),
        }
    }
}

/// A file that is exempt from a rule.
struct Exemption {
    /// A file, or a folder that ends in `/`.
    path: &'static str,
    why: &'static str,
}

impl Exemption {
    fn covers(&self, path: &str) -> bool {
        if self.path.ends_with('/') { path.starts_with(self.path) } else { path == self.path }
    }
}

impl Check {
    /// The findings outside of exempt files. An unnecessary exemption is a finding itself, so that the tables
    /// shrink.
    fn findings(&self, tree: &Tree) -> Result<Vec<Finding>> {
        Ok(without(self.exempt, (self.find)(tree)?))
    }
}

fn without(exempt: &[Exemption], findings: Vec<Finding>) -> Vec<Finding> {
    let (covered, mut left): (Vec<Finding>, Vec<Finding>) =
        findings.into_iter().partition(|finding| exempt.iter().any(|row| row.covers(&finding.place)));
    let is_needed = |row: &&Exemption| covered.iter().any(|finding| row.covers(&finding.place));
    let unneeded = exempt.iter().filter(|row| !is_needed(row));
    left.extend(unneeded.map(|row| Finding::new(row.path, 0, "needs no exemption: delete its row")));
    left
}

/// Checks every rule, and prints each finding. `verbose` also prints the names behind the two ratios, and the
/// exemptions.
pub(crate) fn tidy(verbose: bool) -> Result<()> {
    let tree = Tree::read(&cargo::workspace())?;
    let names = Names::of(&tree);
    let mut all = Vec::new();
    let mut counts = Vec::new();
    for check in &CHECKS {
        let found = check.findings(&tree)?;
        if !found.is_empty() {
            counts.push(format!("{} {}", check.name, found.len()));
        }
        all.extend(found);
        for row in check.exempt.iter().filter(|_| verbose) {
            println!("exempt from {}: {}: {}", check.name, row.path, row.why);
        }
    }
    if verbose {
        names.lines().for_each(|line| println!("{line}"));
    }
    all.sort();
    all.iter().for_each(|finding| println!("{finding}"));
    if !counts.is_empty() {
        println!("findings: {}", counts.join(", "));
    }
    println!("{names}");
    if !all.is_empty() {
        bail!("tidy: {} findings", all.len());
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_exemption_covers_a_file_or_a_folder_and_must_be_necessary() {
        const EXEMPT: [Exemption; 3] = [
            Exemption { path: "a/", why: "a folder" },
            Exemption { path: "b.rs", why: "a file" },
            Exemption { path: "c.rs", why: "nothing is found there" },
        ];
        let found = ["a/x.rs", "b.rs", "b.rs.md"].map(|path| Finding::new(path, 1, "found"));
        let left = without(&EXEMPT, found.to_vec());
        assert_eq!(
            left,
            [
                Finding::new("b.rs.md", 1, "found"),
                Finding::new("c.rs", 0, "needs no exemption: delete its row"),
            ]
        );
    }

    #[test]
    fn a_finding_is_printed_with_its_line() {
        assert_eq!(Finding::new("a.rs", 7, "x").to_string(), "a.rs:7: x");
        assert_eq!(Finding::new("commit 71c007e", 0, "x").to_string(), "commit 71c007e: x");
    }
}
