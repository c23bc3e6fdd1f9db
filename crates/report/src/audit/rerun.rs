//! `tamis audit --rerun`: everything ran, and what would have been skipped is compared with what was recorded.

use super::{MissedTest, count, to_json};
use anstyle::{AnsiColor, Style};
use serde::Serialize;
use std::io::{self, Write};

/// What came of it.
#[derive(Clone, Debug, Serialize)]
pub struct RerunReport {
    format: u32,
    tamis: String,
    audit: &'static str,
    /// Which facts decided.
    pub technique: String,
    /// What was decided about together.
    pub granularity: String,
    /// How many tests ran that would have been skipped.
    pub skip: usize,
    /// How many tests ran that would have run.
    pub run: usize,
    /// Of those, how many failed: they are no misses.
    pub run_failed: usize,
    /// The exit code of the build.
    pub exit: Option<i32>,
    /// Tests that would have been skipped and did not pass.
    pub misses: Vec<MissedTest>,
    /// What a person should know.
    pub notes: Vec<String>,
}

impl RerunReport {
    /// With nothing in it yet.
    pub fn new(version: &str, technique: &str, granularity: &str) -> RerunReport {
        RerunReport {
            format: 1,
            tamis: version.to_owned(),
            audit: "rerun",
            technique: technique.to_owned(),
            granularity: granularity.to_owned(),
            skip: 0,
            run: 0,
            run_failed: 0,
            exit: None,
            misses: Vec::new(),
            notes: Vec::new(),
        }
    }

    /// One JSON document, ending in a newline.
    pub fn to_json(&self) -> String {
        to_json(self)
    }

    /// For a person.
    pub fn write<W: Write>(&self, out: &mut W) -> io::Result<()> {
        let (bold, dim) = (Style::new().bold(), Style::new().dimmed());
        for note in &self.notes {
            let yellow = AnsiColor::Yellow.on_default();
            writeln!(out, "{yellow}   note{yellow:#}  {note}")?;
        }
        self.misses.iter().try_for_each(|miss| miss.write(out))?;
        let failed =
            if self.run_failed > 0 { format!(", {} failed", self.run_failed) } else { String::new() };
        writeln!(
            out,
            "{bold}  audit{bold:#}  {}, everything ran: {} would have been skipped, {} would have run{failed}",
            self.technique,
            count(self.skip, "test"),
            self.run,
        )?;
        if self.misses.is_empty() {
            let green = AnsiColor::Green.on_default().bold();
            return writeln!(out, "{green}   PASS{green:#}  no miss");
        }
        let red = AnsiColor::Red.on_default().bold();
        let hint = "a test that fails now and then looks the same: run it again by itself";
        writeln!(out, "{red}   FAIL{red:#}  {}  {dim}{hint}{dim:#}", misses(self.misses.len()))
    }
}

/// `1 miss`, `2 misses`
pub(super) fn misses(number: usize) -> String {
    if number == 1 { "1 miss".to_owned() } else { format!("{number} misses") }
}
