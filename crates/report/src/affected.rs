//! Which tests rely on something, for a person and as JSON.

use anstyle::Style;
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};
use std::io::{self, Write};

#[derive(Serialize)]
struct AffectedDocument<'a> {
    format: u32,
    of: &'a [String],
    tests: Vec<AffectedEntry<'a>>,
}

#[derive(Serialize)]
struct AffectedEntry<'a> {
    test: &'a str,
    facts: &'a BTreeSet<String>,
}

/// One JSON document, ending in a newline.
pub fn to_json(of: &[String], relying: &BTreeMap<String, BTreeSet<String>>) -> String {
    let tests = relying.iter().map(|(test, facts)| AffectedEntry { test, facts }).collect();
    // Serialising strings into memory cannot fail.
    let mut text =
        serde_json::to_string_pretty(&AffectedDocument { format: 1, of, tests }).unwrap_or_default();
    text.push('\n');
    text
}

/// A line a test, with the facts through which it relies on it; all of them with `all`.
pub fn write<W: Write>(
    out: &mut W,
    of: &[String],
    relying: &BTreeMap<String, BTreeSet<String>>,
    all: bool,
) -> io::Result<()> {
    let (bold, dim) = (Style::new().bold(), Style::new().dimmed());
    for (test, facts) in relying {
        let first = facts.iter().next().map_or("", String::as_str);
        let more =
            if facts.len() > 1 && !all { format!(" and {} more", facts.len() - 1) } else { String::new() };
        writeln!(out, "{bold}{test}{bold:#}  {dim}{first}{more}{dim:#}")?;
        if all {
            for fact in facts.iter().skip(1) {
                writeln!(out, "  {dim}{fact}{dim:#}")?;
            }
        }
    }
    let tests =
        if relying.len() == 1 { "1 test relies".to_owned() } else { format!("{} tests rely", relying.len()) };
    writeln!(out, "{tests} on {}", of.join(", "))
}
