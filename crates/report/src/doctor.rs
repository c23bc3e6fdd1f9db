//! What was found on a machine and in a project, and how to mend what is wrong.

use anstyle::AnsiColor;
use serde::Serialize;
use std::io::{self, Write};

/// How something is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum FindingState {
    /// As it should be.
    Fine,
    /// It works without.
    Note,
    /// It will not work.
    Wrong,
}

/// Something that was looked at.
#[derive(Clone, Debug, Serialize)]
pub struct DoctorFinding {
    /// What.
    pub what: &'static str,
    /// How it is.
    pub state: FindingState,
    /// What was found.
    pub found: String,
    /// How to mend it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub advice: Option<String>,
}

impl DoctorFinding {
    /// As it should be.
    pub fn fine(what: &'static str, found: String) -> DoctorFinding {
        DoctorFinding { what, state: FindingState::Fine, found, advice: None }
    }

    /// Worth knowing.
    pub fn note(what: &'static str, found: String, advice: &str) -> DoctorFinding {
        DoctorFinding { what, state: FindingState::Note, found, advice: Some(advice.to_owned()) }
    }

    /// Wrong.
    pub fn wrong(what: &'static str, found: String, advice: &str) -> DoctorFinding {
        DoctorFinding { what, state: FindingState::Wrong, found, advice: Some(advice.to_owned()) }
    }
}

#[derive(Serialize)]
struct DoctorDocument<'a> {
    format: u32,
    findings: &'a [DoctorFinding],
}

/// One JSON document, ending in a newline.
pub fn to_json(findings: &[DoctorFinding]) -> String {
    // Serialising strings into memory cannot fail.
    let mut text = serde_json::to_string_pretty(&DoctorDocument { format: 1, findings }).unwrap_or_default();
    text.push('\n');
    text
}

/// A line a finding, and one for what to do.
pub fn write<W: Write>(out: &mut W, findings: &[DoctorFinding]) -> io::Result<()> {
    for finding in findings {
        let (colour, word) = match finding.state {
            FindingState::Fine => (AnsiColor::Green, "ok"),
            FindingState::Note => (AnsiColor::Yellow, "note"),
            FindingState::Wrong => (AnsiColor::Red, "WRONG"),
        };
        let style = colour.on_default();
        writeln!(out, "{style}{word:>7}{style:#}  {:<6}  {}", finding.what, finding.found)?;
        if let Some(advice) = &finding.advice {
            writeln!(out, "                 {advice}")?;
        }
    }
    Ok(())
}
