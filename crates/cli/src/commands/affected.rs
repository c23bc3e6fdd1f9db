//! `tamis affected CLASS[#METHOD]|FILE…`

use super::options::here;
use super::print;
use crate::args::{GlobalArgs, SelectionArgs};
use crate::error::CommandError;
use std::collections::{BTreeMap, BTreeSet};
use std::process::ExitCode;
use tamis_program::names::ClassName;
use tamis_report::affected::AffectedReport;
use tamis_report::selection::test_name;
use tamis_report::{Document, words};
use tamis_select::facts::{FactKind, Question};
use tamis_select::stored::{StoredTraces, TestKey};
use tamis_session::{ReportBuilder, Session};

pub(super) fn affected(
    choosing: &SelectionArgs,
    what: &[String],
    global: &GlobalArgs,
) -> Result<ExitCode, CommandError> {
    let mut settings = choosing.settings()?;
    settings.record = false;
    let collector = ReportBuilder::new(None);
    let session = Session::open(&settings, &collector);
    let is_empty = |stored: &StoredTraces| stored.tests.iter().all(|test| test.traces.is_empty());
    if is_empty(session.stored()) && session.statics().is_none() {
        return Err(CommandError::NothingRecorded(None));
    }
    let mut wanted: Vec<AffectedQuery> = Vec::new();
    for name in what {
        wanted.push(AffectedQuery::new(name, &settings.root.name(&here()?.join(name).to_string_lossy())));
    }
    let mut relying: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    add_relying(session.stored(), settings.technique.reach().is_some(), &wanted, &mut relying, |_| true);
    if let Some(statics) = session.statics() {
        let recorded: BTreeSet<&TestKey> = session
            .stored()
            .tests
            .iter()
            .filter(|test| !test.traces.is_empty())
            .map(|test| &test.key)
            .collect();
        add_relying(statics, true, &wanted, &mut relying, |test| !recorded.contains(test));
    }
    print(Document::Affected(&AffectedReport::new(what, relying)), choosing.format, global)?;
    Ok(ExitCode::SUCCESS)
}

/// Adds the tests that depend on one of these, with the facts.
fn add_relying(
    stored: &StoredTraces,
    is_static: bool,
    wanted: &[AffectedQuery],
    relying: &mut BTreeMap<String, BTreeSet<String>>,
    counts: impl Fn(&TestKey) -> bool,
) {
    let matching: Vec<bool> = stored
        .facts
        .iter()
        .map(|fact| wanted.iter().any(|wanted| wanted.is_met_by(&fact.question)))
        .collect();
    for test in stored.tests.iter().filter(|test| counts(&test.key)) {
        // The test depends on the trace that held last.
        let Some(trace) = test.traces.first() else { continue };
        let mut reasons: BTreeSet<String> = BTreeSet::new();
        stored.all(trace.set, |index| {
            if matching.get(index) == Some(&true)
                && let Some(fact) = stored.facts.get(index)
            {
                let fact = format!("{} {}", fact.question.kind.word(), fact.question.displayed());
                reasons.insert(if is_static { words::static_fact(&fact) } else { fact });
            }
            true
        });
        if !reasons.is_empty() {
            let name = test_name(&test.key.class, test.key.method.as_deref());
            relying.entry(name).or_default().extend(reasons);
        }
    }
}

/// A class, a method of it, or a file.
struct AffectedQuery {
    class: String,
    method: Option<String>,
    file: String,
}

impl AffectedQuery {
    fn new(name: &str, file: &str) -> AffectedQuery {
        let (class, method) = match name.split_once('#') {
            Some((class, method)) => (class, Some(method.to_owned())),
            None => (name, None),
        };
        AffectedQuery { class: ClassName::from_dotted(class).into_string(), method, file: file.to_owned() }
    }

    fn is_class(&self, name: &str) -> bool {
        name == self.class
            || name.ends_with(&format!("/{}", self.class))
            || name.ends_with(&format!("${}", self.class))
    }

    fn is_met_by(&self, question: &Question) -> bool {
        let entity = &*question.subject;
        match question.kind {
            FactKind::Body | FactKind::Inherits => {
                let before = entity.split('(').next().unwrap_or(entity);
                before.rsplit_once('.').is_some_and(|(class, method)| {
                    self.is_class(class)
                        && self
                            .method
                            .as_deref()
                            .is_none_or(|wanted| wanted == method || (wanted == class && method == "<init>"))
                })
            }
            FactKind::Init if self.method.as_deref() == Some("<clinit>") => self.is_class(entity),
            FactKind::Supers
            | FactKind::External
            | FactKind::Init
            | FactKind::Shape
            | FactKind::Class
            | FactKind::Debug
            | FactKind::Head
            | FactKind::Methods
            | FactKind::Library => self.method.is_none() && self.is_class(entity),
            // Before the build the file of a resource is somewhere in the project.
            FactKind::Resource => {
                self.method.is_none() && (entity == self.file || self.file.ends_with(&format!("/{entity}")))
            }
            FactKind::File | FactKind::Exists | FactKind::Listing => {
                self.method.is_none() && entity == self.file
            }
            FactKind::Attribute => {
                let path = entity.split_once(' ').map_or(entity, |(_, path)| path);
                self.method.is_none() && path == self.file
            }
            FactKind::Environment | FactKind::Property | FactKind::Machine | FactKind::Jvm => false,
        }
    }
}
