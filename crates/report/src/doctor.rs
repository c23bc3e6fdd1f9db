//! The findings of `tamis doctor` about a machine and a project.

use serde::Serialize;

/// The document.
#[derive(Clone, Debug, Serialize)]
pub struct DoctorReport {
    format: u32,
    /// The finding.
    pub findings: Vec<DoctorFinding>,
}

/// The state of something.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum FindingState {
    /// As it should be.
    Fine,
    /// Not needed for everything.
    Note,
    /// It will not work.
    Wrong,
}

/// Something that was checked.
#[derive(Clone, Debug, Serialize)]
pub struct DoctorFinding {
    /// What.
    pub what: &'static str,
    /// Its state.
    pub state: FindingState,
    /// The finding.
    pub found: String,
    /// How to fix it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub advice: Option<String>,
}

impl DoctorReport {
    /// With these findings.
    pub fn new(findings: Vec<DoctorFinding>) -> DoctorReport {
        DoctorReport { format: 1, findings }
    }

    /// Whether something will not work.
    pub fn is_wrong(&self) -> bool {
        self.findings.iter().any(|finding| finding.state == FindingState::Wrong)
    }
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
