//! Describes a miss: the facts of the trace, the difference in code, and files to try it with.

use super::AuditPlan;
use super::mutant::{EditedProgram, Mutant};
use super::worker::{AuditWorker, Decider};
use std::fs;
use std::io::Write;
use std::path::Path;
use tamis_program::diff::ChangedMember;
use tamis_program::digest::Digest;
use tamis_report::audit::mutants::MutantMiss;
use tamis_report::code;
use tamis_report::selection::EvidenceEntry;
use tamis_report::words::MissPage;
use tamis_select::decide::SkipEvidence;
use tamis_select::facts::Fact;
use tamis_session::diff;
use tamis_session::{JdkChoice, LoadOptions};

/// Width of code listings in columns.
const WIDTH: usize = 120;

/// A test that failed, and would have been skipped.
pub(super) struct MissSuspect {
    /// The index of the suite.
    pub(super) suite: usize,
    pub(super) test: String,
    held: SkipEvidence,
    pub(super) alone: bool,
    facts: Vec<String>,
    difference: String,
    reproducer: String,
}

impl MissSuspect {
    pub(super) fn new(suite: usize, test: &str, held: &SkipEvidence) -> MissSuspect {
        MissSuspect {
            suite,
            test: test.to_owned(),
            held: held.clone(),
            alone: false,
            facts: Vec::new(),
            difference: String::new(),
            reproducer: String::new(),
        }
    }

    pub(super) fn miss(self, module: &str) -> MutantMiss {
        MutantMiss {
            module: module.to_owned(),
            test: self.test,
            evidence: EvidenceEntry::from(&self.held),
            alone: self.alone,
            facts: self.facts,
            difference: self.difference,
            reproducer: self.reproducer,
        }
    }
}

/// Collects everything, while the edit is in place. Parts that cannot be read or written are left out.
pub(super) fn describe(
    suspect: &mut MissSuspect,
    plan: &AuditPlan<'_>,
    mutant: &Mutant,
    edited: &EditedProgram,
    worker: &AuditWorker,
    decider: &Decider<'_>,
) {
    let facts = facts_of(decider, &suspect.held);
    let names: Vec<String> = edited.files.iter().filter_map(|file| file.class.clone()).collect();
    let concerns = |fact: &&&Fact| {
        let entity = &fact.question.subject;
        let is_of = |name: &String| {
            entity
                .strip_prefix(name.as_str())
                .is_some_and(|rest| rest.is_empty() || rest.starts_with(['.', '$']))
        };
        names.iter().any(is_of) || **entity == *edited.entity
    };
    let text = |fact: &&Fact| {
        let word = fact.question.kind.word();
        format!("{word} {}", fact.question.displayed())
    };
    suspect.facts = facts.iter().filter(concerns).map(text).collect();
    suspect.difference =
        difference(mutant, worker).unwrap_or_else(|| format!("{} {}", edited.entity, edited.what));
    let folder =
        plan.settings.store.join("audit/misses").join(Digest::of(mutant.id().as_bytes()).to_string());
    let all: Vec<String> = facts.iter().map(text).collect();
    if write(&folder, suspect, mutant, edited, &all).is_ok() {
        suspect.reproducer = folder.display().to_string();
    }
}

fn facts_of<'d>(decider: &'d Decider<'_>, held: &SkipEvidence) -> Vec<&'d Fact> {
    let stored = decider.session.stored();
    let traces = stored.tests.iter().flat_map(|test| &test.traces);
    let found =
        traces.filter(|trace| trace.digest == held.digest).find_map(|trace| stored.facts_of(trace.set));
    let mut facts = found.unwrap_or_default();
    facts.sort_unstable();
    facts
}

/// The output of `tamis diff --code`.
fn difference(mutant: &Mutant, worker: &AuditWorker) -> Option<String> {
    let options = LoadOptions { jdk: JdkChoice::None, lenient: true, ..LoadOptions::default() };
    let (old, new) = (mutant.entry.clone(), worker.place.entry(&mutant.entry));
    let compared = diff(&[old], &[new], &options).ok()?;
    let mut out = Vec::new();
    for change in &compared.changes {
        let layers: Vec<String> = change.layers.iter().map(ToString::to_string).collect();
        writeln!(out, "{} {} {}", change.kind, change.entity(), layers.join(", ")).ok()?;
        if let (ChangedMember::Method(name, descriptor), None) = (&change.member, &change.receiver) {
            let listings = compared.listings(&change.class, &format!("{name}{descriptor}")).ok()?;
            code::write(&mut out, &listings, WIDTH).ok()?;
        }
    }
    let text = String::from_utf8(out).ok()?;
    Some(anstream::adapter::strip_str(&text).to_string()).filter(|text| !text.is_empty())
}

/// Writes both versions of the edited files, and a page about them.
fn write(
    folder: &Path,
    suspect: &MissSuspect,
    mutant: &Mutant,
    edited: &EditedProgram,
    facts: &[String],
) -> std::io::Result<()> {
    for file in &edited.files {
        let name = match &file.class {
            Some(class) => format!("{class}.class"),
            None => edited.entity.clone(),
        };
        for (side, bytes) in [("before", &file.before), ("after", &file.after)] {
            if let Some(bytes) = bytes {
                let path = folder.join(side).join(&name);
                fs::create_dir_all(path.parent().unwrap_or(folder))?;
                fs::write(path, bytes)?;
            }
        }
    }
    fs::create_dir_all(folder)?;
    let page = MissPage {
        test: &suspect.test,
        operator: mutant.operator,
        entity: &edited.entity,
        what: &edited.what,
        entry: &mutant.entry.display(),
        alone: suspect.alone,
        difference: &suspect.difference,
        facts,
    };
    // Several tests may miss one mutant.
    let name = suspect.test.replace(|letter: char| !letter.is_ascii_alphanumeric(), "-");
    fs::write(folder.join(format!("{name}.md")), page.text())
}
