//! What a person needs to know about a miss: the facts of the trace, the difference in code, and files to try it with.

use super::AuditPlan;
use super::mutant::{EditedProgram, Mutant};
use super::worker::{AuditWorker, Decider};
use std::fs;
use std::io::Write;
use std::path::Path;
use tamis_program::diff::ChangedMember;
use tamis_program::digest::Digest;
use tamis_report::audit::mutants::MutantMiss;
use tamis_report::selection::EvidenceEntry;
use tamis_select::decide::SkipEvidence;
use tamis_select::facts::Fact;
use tamis_session::diff;
use tamis_session::iso;
use tamis_session::{JdkChoice, LoadOptions};

/// How wide code is shown.
const WIDTH: usize = 120;

/// A test that failed, and would have been skipped.
pub(super) struct MissSuspect {
    /// By its place.
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
            evidence: EvidenceEntry {
                trace: self.held.digest.to_string(),
                facts: self.held.facts,
                recorded: iso(self.held.recorded),
                place: self.held.place,
            },
            alone: self.alone,
            facts: self.facts,
            difference: self.difference,
            reproducer: self.reproducer,
        }
    }
}

/// Finds out, while the edit is in place. What cannot be found out or written is left out.
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

/// What `tamis diff --code` says.
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
            tamis_report::code::write(&mut out, &listings.old, &listings.new, WIDTH).ok()?;
        }
    }
    let text = String::from_utf8(out).ok()?;
    Some(anstream::adapter::strip_str(&text).to_string()).filter(|text| !text.is_empty())
}

/// Both versions of what was edited, and all that is known, as files.
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
    let mut text = format!(
        "# {} is skipped, and fails\n\n{}: `{}` {}, in `{}`.\n",
        suspect.test,
        mutant.operator,
        edited.entity,
        edited.what,
        mutant.entry.display()
    );
    text.push_str(if suspect.alone {
        "It fails by itself too.\n"
    } else {
        "By itself it passes: it relies on what an earlier test left behind.\n"
    });
    text.push_str(
        "\n`before/` and `after/` hold what was edited. To try it: record with `tamis test`, copy `after/` over the built \
         classes, and see what `tamis select` says; then run the test.\n",
    );
    text.push_str(&format!("\n## The difference\n\n```text\n{}```\n", suspect.difference));
    text.push_str(&format!("\n## The facts of its trace\n\n```text\n{}\n```\n", facts.join("\n")));
    // Several tests may miss one mutant.
    let name = suspect.test.replace(|letter: char| !letter.is_ascii_alphanumeric(), "-");
    fs::write(folder.join(format!("{name}.md")), text)
}
